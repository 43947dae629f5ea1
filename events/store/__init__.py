"""The store: its address, its clients, and the names of its errors here."""

import logging
from collections.abc import Callable
from contextlib import ContextDecorator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    ClusterError,
    CrossSlotTransactionError,
    InvalidPipelineStack,
    InvalidResponse,
    NoPermissionError,
    RedisClusterException,
    RedisError,
    ResponseError,
)
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as TimedOut

from events.archive import Nowhere, Place
from events.buckets import Buckets
from events.errors import StoreError, StoreFull, StoreReadOnly, StoreRefused, StoreUnavailable
from events.store import clients
from events.store.clients import Client
from events.store.recorded_buckets import recorded_buckets
from rules.texts import Text, say

if TYPE_CHECKING:
    from events.store.supervisor import Supervision

tell = logging.getLogger(__name__).warning


class Memory(NamedTuple):
    """Of one server, in bytes; a limit of 0 is none."""

    server: str
    used: int
    limit: int


@dataclass(frozen=True)
class Store:
    """Two clients of the same store, safe to share between threads. Each worker process connects for itself."""

    url: str = field(repr=False)
    commands: Client = field(repr=False)
    blocking: Client = field(repr=False)
    archive: Place = field(default_factory=Nowhere, repr=False)
    """Where games go that leave the store."""
    wanted_buckets: int | None = field(default=None, repr=False)
    """So many it gets if it is new, and must have if it is not."""

    @cached_property
    def buckets(self) -> Buckets:
        """The parts over which its games are spread. They never change: the store is asked once."""
        with store_errors():
            return recorded_buckets(self.commands, self.wanted_buckets)

    @property
    def is_cluster(self) -> bool:
        return isinstance(self.commands, RedisCluster)

    @property
    def address(self) -> str:
        """The address as it may be shown: without user, password and options."""
        return clients.shown_address(self.url)

    def primaries(self) -> dict[str, Redis]:
        """Every server that takes writes, by name."""
        if isinstance(self.commands, Redis):
            return {self.address: self.commands}
        return {str(node.name): self.commands.get_redis_connection(node) for node in self.commands.get_primaries()}

    def ping(self) -> None:
        """Raises `StoreError` unless every part of the store answers."""
        with store_errors():
            for primary in self.primaries().values():
                primary.ping()

    def memory(self) -> list[Memory]:
        """The memory of every server that takes writes."""
        with store_errors():
            found = {name: primary.info("memory") for name, primary in self.primaries().items()}
        return [Memory(name, int(about["used_memory"]), int(about["maxmemory"])) for name, about in found.items()]

    def close(self) -> None:
        self.commands.close()
        self.blocking.close()


def open_store(
    url: str | None,
    data: Path | None = None,
    fsync: str = "always",
    report: Callable[[str], None] = tell,
    *,
    memory: int | None = None,
    supervision: "Supervision | None" = None,
    archive: Place | None = None,
    buckets: int | None = None,
) -> tuple[Store, Callable[[], None]]:
    """The store at `url`, or else the embedded one that keeps its files in `data`; and a function that closes it again.

    `fsync` is `always` or `everysec`, `memory` a number of bytes, `buckets` how many a new store gets. Closing stops
    the embedded server if it was started here. `report` is called with the news while it starts. With `supervision` it
    is brought back when it has died.
    """
    if url:
        store = connect(url, archive, buckets)
        return store, store.close
    # Not needed, and not there on every system, when the store is elsewhere.
    from events.store.embedded import Embedded
    from events.store.supervisor import Supervisor

    embedded = Embedded(data, fsync=fsync, memory=memory, report=report).start()
    try:
        store = connect(embedded.url, archive, buckets)
    except BaseException:
        embedded.stop()
        raise
    supervisor = Supervisor(embedded, supervision).start() if supervision else None

    def close() -> None:
        store.close()
        if supervisor:
            supervisor.stop()
        embedded.stop()

    return store, close


def connect(url: str, archive: Place | None = None, buckets: int | None = None) -> Store:
    """Clients for `url`. A single server is spoken to at first use; a cluster is asked for its map at once."""
    clients.check(url)
    with store_errors():
        return Store(url, clients.commands(url), clients.blocking(url), archive or Nowhere(), buckets)


class StoreErrors(ContextDecorator):
    """Names the errors of a call to the store. No generator: a move enters this several times."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, RedisError | RedisClusterException) and (found := store_error(error)):
            raise found from error


ERRORS = StoreErrors()


def store_errors() -> StoreErrors:
    """Around every call to the store; also a decorator. Our own mistakes pass unchanged."""
    return ERRORS


def store_error(error: Exception) -> StoreError | None:
    """The meaning of the error to a client of ours; none if it says that our command was nonsense."""
    match error:
        case AuthenticationError() | AuthorizationError() | NoPermissionError():
            return StoreRefused(say("the store refuses us"), first_line(error))
        case BusyLoadingError():
            return StoreUnavailable(say("the store is still loading its games"))
        case TimedOut():
            return StoreUnavailable(say("the store does not answer in time"))
        case Disconnected():
            return StoreUnavailable(say("the store cannot be reached"), first_line(error))
        case InvalidResponse():
            return StoreUnavailable(say("what answers at the store's address is no store"))
        case CrossSlotTransactionError() | InvalidPipelineStack():
            return None
        case ClusterError() | RedisClusterException():
            return StoreUnavailable(say("a part of the store is missing"), first_line(error))
        case ResponseError():
            return server_error(str(error))
    return None


# Words in the server's answer: their meaning, and its text. Errors inside a script carry these words, too.
ANSWERS: dict[str, tuple[type[StoreError], Text]] = {
    "OOM command not allowed": (StoreFull, say("the store's memory is full")),
    "command not allowed when used memory": (StoreFull, say("the store's memory is full")),
    "Errors writing to the AOF file": (StoreFull, say("the store cannot write to its disk")),
    "MISCONF": (StoreFull, say("the store cannot write to its disk")),
    "READONLY": (StoreReadOnly, say("the store is a replica, which takes no writes")),
    "against a read only replica": (StoreReadOnly, say("the store is a replica, which takes no writes")),
    "Not enough good replicas to write": (
        StoreReadOnly,
        say("the store takes no writes while its replicas are missing"),
    ),
    "MASTERDOWN": (StoreUnavailable, say("the store is a replica that lost its primary")),
    "CLUSTERDOWN": (StoreUnavailable, say("a part of the store is missing")),
    "TRYAGAIN": (StoreUnavailable, say("the store is moving games between its servers")),
    "NOSCRIPT": (StoreUnavailable, say("the store has forgotten a script of ours")),
    "No matching script": (StoreUnavailable, say("the store has forgotten a script of ours")),
    "BUSY ": (StoreUnavailable, say("the store is busy with a script")),
    "is busy running a script": (StoreUnavailable, say("the store is busy with a script")),
    "DB index is out of range": (StoreRefused, say("the store has no database of this number")),
    "LOADING": (StoreUnavailable, say("the store is still loading its games")),
}


def server_error(answer: str) -> StoreError | None:
    for words, (kind, text) in ANSWERS.items():
        if words in answer:
            return kind(text)
    return None


def first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0].rstrip(".") or type(error).__name__
