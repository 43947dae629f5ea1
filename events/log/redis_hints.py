"""Hints of what is new, as Redis publishes them.

A server, and a cluster for what happens rarely, has one channel for all: on a cluster every node hears what is
published on any other. Commits are too many for that. There each bucket has a channel of its own, which only its node
knows, and a listener hears all nodes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from select import select
from time import monotonic
from typing import Any

from redis.cluster import RedisCluster
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as TimedOut

from events.log import ANYTHING, Hint
from events.store import store_errors
from events.store.clients import Client

# After so long without a hint the server is asked whether it lives, and given as long to answer.
SECONDS_OF_SILENCE = 5.0


class Listening:
    """A connection to one server that hears some channels."""

    def __init__(self, server: Any, channels: Sequence[str], *, sharded: bool = False) -> None:
        self._pubsub: Any = server.pubsub()
        subscribe = self._pubsub.ssubscribe if sharded else self._pubsub.subscribe
        for channel in channels:
            # One by one: those of several slots cannot be named together.
            subscribe(channel)
        self._unconfirmed = len(channels)
        self._hear()

    def message(self, seconds: float) -> Any:
        """What it hears next, if anything."""
        if message := self._pubsub.get_message(timeout=seconds):
            self._hear()
        else:
            self._check_that_it_lives()
        return message

    def hint(self, message: Any) -> Hint | None:
        match message["type"]:
            case "message" | "smessage":
                game, _, version = message["data"].decode().rpartition(" ")
                return Hint(game, int(version))
            case "subscribe" | "ssubscribe":
                # Also when the client has connected anew by itself.
                self._unconfirmed -= 1
                return ANYTHING if self.is_confirmed else None
            case "sunsubscribe":
                raise Disconnected("a part of the store has moved to another server")
        return None

    @property
    def is_confirmed(self) -> bool:
        """Whether it hears all channels."""
        return self._unconfirmed <= 0

    @property
    def socket(self) -> Any:
        return self._pubsub.connection._sock

    def close(self) -> None:
        self._pubsub.close()

    def _hear(self) -> None:
        # 0: it was not asked whether it lives since it was last heard.
        self._heard_at, self._asked_at = monotonic(), 0.0

    def _check_that_it_lives(self) -> None:
        """A connection can be dead without a word: after a silence the server is asked, and must answer in time."""
        now = monotonic()
        if not self._asked_at and now - self._heard_at > SECONDS_OF_SILENCE:
            # However long nobody listened: that is no silence of the server.
            self._asked_at = now
            self._pubsub.ping()
        elif self._asked_at and now - self._asked_at > SECONDS_OF_SILENCE:
            raise TimedOut("it does not answer")


class RedisHints:
    """See `events.log.Hints`: those of one channel."""

    def __init__(self, redis: Client, channel: str) -> None:
        self._redis, self._channel = redis, channel
        self._listening: Listening | None = None

    def next(self, seconds: float) -> Hint | None:
        with store_errors():
            if self._listening is None:
                self._listening = Listening(self._server(), [self._channel])
            message = self._listening.message(seconds)
            return self._listening.hint(message) if message else None

    def close(self) -> None:
        if self._listening is not None:
            self._listening.close()
            self._listening = None

    def _server(self) -> Any:
        redis = self._redis
        return redis.get_redis_connection(redis.get_random_node()) if isinstance(redis, RedisCluster) else redis


class ShardedHints:
    """See `events.log.Hints`: those of many channels, each at the node of a cluster that has its slot."""

    def __init__(self, cluster: RedisCluster, channels: Sequence[str]) -> None:
        self._cluster, self._channels = cluster, channels
        self._listening: list[Listening] = []
        self._heard: deque[Hint] = deque()
        self._is_known = True
        """Whether the map of the cluster is up to date, as far as is known."""

    def next(self, seconds: float) -> Hint | None:
        end = monotonic() + seconds
        with store_errors():
            self._listening = self._listening or list(self._begun())
            while not self._heard:
                messages = [(each, message) for each in self._in_turn() if (message := each.message(0))]
                self._heard.extend(hint for each, message in messages if (hint := self._hint(each, message)))
                left = end - monotonic()
                if not messages and (left <= 0 or not select(self._sockets(), [], [], left)[0]):
                    return None
        return self._heard.popleft()

    def _hint(self, listening: Listening, message: Any) -> Hint | None:
        """It begins with all nodes."""
        hint = listening.hint(message)
        return None if hint == ANYTHING and not all(each.is_confirmed for each in self._listening) else hint

    def _sockets(self) -> list[Any]:
        return [each.socket for each in self._listening]

    def close(self) -> None:
        """The next time all is begun anew, with another map of the cluster."""
        for each in self._listening:
            each.close()
        self._listening, self._is_known = [], False
        self._heard.clear()

    def _begun(self) -> Iterator[Listening]:
        if not self._is_known:
            self._cluster.nodes_manager.initialize()
            self._is_known = True
        of_node: dict[Any, list[str]] = {}
        for channel in self._channels:
            node = self._cluster.nodes_manager.get_node_from_slot(self._cluster.keyslot(channel))
            of_node.setdefault(node, []).append(channel)
        for node, channels in of_node.items():
            yield Listening(self._cluster.get_redis_connection(node), channels, sharded=True)

    def _in_turn(self) -> list[Listening]:
        """Another one is first each time, so that a busy node does not hide the others."""
        self._listening = [*self._listening[1:], *self._listening[:1]]
        return list(self._listening)
