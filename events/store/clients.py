"""Clients of the store: all of them are made here.

The library's own defaults hide an outage for up to a minute; here it shows within seconds.
"""

import os
import re
import socket
import struct
from collections import deque
from collections.abc import Callable
from pathlib import Path
from ssl import SSLSocket
from typing import Any
from urllib.parse import quote

from hiredis import pack_command
from redis import Redis
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.connection import Connection, parse_url
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import ReadOnlyError, ResponseError
from redis.exceptions import TimeoutError as TimedOut
from redis.retry import Retry

Client = Redis | RedisCluster

SECONDS_TO_CONNECT = 2.0
SECONDS_TO_ANSWER = 3.0
# How long a command may block on the server, such as XREAD BLOCK. Beyond that, the server counts as lost.
LONGEST_BLOCK = 10.0
# More than a process has threads: the library refuses the hundred-and-first, the server knows its own limits better.
MOST_CONNECTIONS = 10_000

SCHEMES = "redis://, rediss://, unix://, redis+cluster:// or rediss+cluster://"


def commands(url: str) -> Client:
    """For everything that is answered at once."""
    return client(url, SECONDS_TO_ANSWER)


def blocking(url: str) -> Client:
    """For reads that wait for something to happen, for `LONGEST_BLOCK` seconds at most."""
    return client(url, LONGEST_BLOCK + SECONDS_TO_ANSWER)


def probe(url: str, seconds: float = 1.0) -> Redis:
    """Asks one server once, without a second try."""
    return Redis.from_url(
        url, protocol=2, retry=Retry(NoBackoff(), 0), socket_timeout=seconds, socket_connect_timeout=seconds
    )


def unix_url(socket: Path) -> str:
    return f"unix://{quote(os.fspath(socket))}"


def check(url: str) -> None:
    """Refuses an address that no client can be made for."""
    if not url.startswith(tuple(SCHEMES.replace(" or", ",").split(", "))):
        raise ValueError(f"the store's address must begin with {SCHEMES}")
    options(url)


def is_cluster(url: str) -> bool:
    return "+cluster" in url.partition("://")[0]


def client(url: str, seconds: float) -> Client:
    return cluster_client(url, seconds) if is_cluster(url) else single_client(url, seconds)


def single_client(url: str, seconds: float) -> Redis:
    """A lost connection is made anew, twice; a silent server is not asked again.

    After a failover behind one address the old connection leads to a replica, so that counts as lost, too.
    """
    again = Retry(ExponentialWithJitterBackoff(base=0.05, cap=0.2), 2, supported_errors=(Disconnected, ReadOnlyError))
    return Redis.from_url(url, retry=again, **settings(seconds))


def settings(seconds: float) -> dict[str, Any]:
    return {
        "protocol": 2,
        "socket_timeout": seconds,
        "socket_connect_timeout": SECONDS_TO_CONNECT,
        "max_connections": MOST_CONNECTIONS,
    }


def cluster_client(url: str, seconds: float) -> RedisCluster:
    """One more try after asking for the map of the cluster again; each try may cost a time-out."""
    nodes = [ClusterNode(host, port) for host, port in cluster_nodes(url)]
    return RedisCluster(startup_nodes=nodes, retry=Retry(NoBackoff(), 1), **settings(seconds) | options(url))


def direct(client: Client) -> Callable[..., Any]:
    """The shortest way to send a command; on a cluster, where the right server must be found first, the usual one."""
    return client.execute_command if isinstance(client, RedisCluster) else Direct(client)


class Direct:
    """Sends one command and returns the answer, with nothing around it.

    The client's own way costs more than the command: for each one it checks its pool, looks whether the connection
    has something to say, and counts for observers that we do not have. Here a connection is taken, used and put back.
    One that turns out to be lost is thrown away, and the client, which is patient, says the command instead: so it may
    be said twice, and must not mind. A server that is silent for too long is not asked again.
    """

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._idle: deque[Connection] = deque()

    def __call__(self, *words: Any) -> Any:
        try:
            connection = self._connection()
        except Disconnected:
            return self._client.execute_command(*words)
        try:
            connection.send_packed_command([pack_command(words)], check_health=False)
            answer = connection.read_response()
        except (Disconnected, ReadOnlyError) as lost:
            connection.disconnect()
            if isinstance(lost.__context__, BlockingIOError):
                raise TimedOut("the server is silent") from lost
            return self._client.execute_command(*words)
        except ResponseError:
            self._idle.append(connection)
            raise
        self._idle.append(connection)
        return answer

    def _connection(self) -> Connection:
        """A connection that is not in use; after a fork each process has its own."""
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:
                break
            if connection.pid == os.getpid():
                return connection
        pool = self._client.connection_pool
        connection = pool.connection_class(**pool.connection_kwargs)
        connection.connect()
        wait_in_the_kernel(connection)
        return connection


def wait_in_the_kernel(connection: Connection) -> None:
    """Let the system watch the time that an answer may take.

    Python would ask before every word that is sent or received whether that would wait, and give up the interpreter for
    the question as well. A connection with TLS stays as it is: its socket is no plain one.
    """
    plain: Any = connection._sock
    seconds = connection.socket_timeout
    if isinstance(plain, SSLSocket) or not seconds:
        return
    whole, part = divmod(seconds, 1)
    limit = struct.pack("ll", int(whole), int(part * 1_000_000))
    for direction in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        plain.setsockopt(socket.SOL_SOCKET, direction, limit)
    plain.settimeout(None)


def options(url: str) -> dict[str, Any]:
    """The options in the address: user, password, TLS, and any setting of the client."""
    if not is_cluster(url):
        return parse_url(url)
    scheme, credentials, nodes, rest = parts(url)
    first = nodes.split(",")[0]
    named = parse_url(f"{scheme}://{credentials}{first}{rest}")
    named = {name: value for name, value in named.items() if name not in ("host", "port", "connection_class")}
    if named.pop("db", 0):
        raise ValueError("a cluster has one database only; leave its number out of the store's address")
    return named | ({"ssl": True} if scheme == "rediss" else {})


def cluster_nodes(url: str) -> list[tuple[str, int]]:
    scheme, _, nodes, _ = parts(url)
    nodes_found = [parse_url(f"{scheme}://{node}") for node in nodes.split(",")]
    return [(node.get("host", "localhost"), node.get("port", 6379)) for node in nodes_found]


def parts(url: str) -> tuple[str, str, str, str]:
    """Scheme without `+cluster`, `user:password@`, `host:port,host:port`, and the rest.

    The standard library's parser refuses several nodes in one URL.

    >>> parts("redis+cluster://juan:secreto@one:7000,[::1]:7001/?socket_timeout=1")
    ('redis', 'juan:secreto@', 'one:7000,[::1]:7001', '/?socket_timeout=1')
    """
    scheme, _, address = url.partition("://")
    network = re.split("[/?]", address, maxsplit=1)[0]
    credentials, at, nodes = network.rpartition("@")
    return scheme.removesuffix("+cluster"), credentials + at, nodes, address.removeprefix(network)


def shown_address(url: str) -> str:
    """The address as it may be shown: without user, password and options.

    >>> shown_address("redis://juan:secreto@localhost:6380/2?socket_timeout=1")
    'redis://localhost:6380/2'
    """
    scheme = url.partition("://")[0]
    _, _, nodes, rest = parts(url)
    return f"{scheme}://{nodes}{rest.partition('?')[0]}"
