"""Many commands in one round trip: to one server, or to each server of a cluster."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from redis import Redis
from redis.cluster import RedisCluster
from redis.exceptions import ConnectionError as Disconnected

from events.store.clients import Client
from events.store.direct import ELSEWHERE, key_of

Command = Sequence[Any]


def at_once(client: Client, commands: Sequence[Command]) -> list[Any]:
    """The answers to these commands, in their order; the first error among them is raised.

    On a cluster the library's own pipeline would ask a server for the keys of every script before it sends it.
    """
    answers = _spread(client, commands) if isinstance(client, RedisCluster) else _sent(client, commands)
    for answer in answers:
        if isinstance(answer, Exception):
            raise answer
    return answers


def _sent(server: Redis, commands: Sequence[Command]) -> list[Any]:
    with server.pipeline(transaction=False) as asking:
        for command in commands:
            asking.execute_command(*command)
        return list(asking.execute(raise_on_error=False))


def _spread(cluster: RedisCluster, commands: Sequence[Command]) -> list[Any]:
    """Every command to its server. Where the map of the cluster is out of date, the client finds the way by itself."""
    of_server: dict[Any, list[int]] = defaultdict(list)
    for number, command in enumerate(commands):
        node = cluster.nodes_manager.get_node_from_slot(cluster.keyslot(key_of(command)))
        of_server[node].append(number)
    answers: list[Any] = [None] * len(commands)
    for node, numbers in of_server.items():
        for number, answer in zip(numbers, _asked(cluster, node, [commands[n] for n in numbers]), strict=True):
            lost = isinstance(answer, ELSEWHERE)
            answers[number] = cluster.execute_command(*commands[number]) if lost else answer
    return answers


def _asked(cluster: RedisCluster, node: Any, commands: Sequence[Command]) -> Sequence[Any]:
    try:
        return _sent(cluster.get_redis_connection(node), commands)
    except Disconnected as lost:
        return [lost] * len(commands)
