"""Clients of the store: all of them are made here.

The library's own defaults hide an outage for up to a minute; here it shows within seconds.
"""

import os
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

from redis import Redis
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.connection import Connection, SSLConnection, parse_url
from redis.driver_info import DriverInfo
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import ReadOnlyError, RedisError
from redis.retry import Retry

Client = Redis | RedisCluster

SECONDS_TO_CONNECT = 2.0
SECONDS_TO_ANSWER = 3.0
# How long a command may block on the server, such as XREAD BLOCK. Beyond that, the server counts as lost.
LONGEST_BLOCK = 10.0
# More than a process has threads: the library refuses the hundred-and-first, the server knows its own limits better.
MOST_CONNECTIONS = 10_000
DRIVER = DriverInfo()
"""What `CLIENT LIST` shows of us. Otherwise the library looks its own version up on the disk for every connection."""

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
        url,
        protocol=2,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=seconds,
        socket_connect_timeout=seconds,
        driver_info=DRIVER,
    )


def unix_url(socket: Path) -> str:
    return f"unix://{quote(os.fspath(socket))}"


def check(url: str) -> None:
    """Refuses an address that no client can be made for."""
    if not url.startswith(tuple(SCHEMES.replace(" or", ",").split(", "))):
        raise ValueError(f"the store's address must begin with {SCHEMES}")
    named = options(url)
    if not names_a_database(url):
        raise ValueError("the store's address ends in the number of a database, or in none")
    for name in ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"):
        if name in named and not Path(named[name]).is_file():
            raise ValueError(f"the store's address names a file that is not there: {named[name]}")
    try:
        named.pop("connection_class", SSLConnection if named.pop("ssl", False) else Connection)(**named)
    except TypeError:
        raise ValueError(f"the store's address has an option that no client has: {', '.join(named)}") from None
    except RedisError as error:
        raise ValueError(f"the store's address has an option that makes no sense: {error}") from None


def names_a_database(url: str) -> bool:
    """Whether the path is the number of a database, or empty. The library takes any other for database 0.

    >>> [names_a_database(f"redis://host:6379{path}") for path in ("", "/", "/2", "/games", "/2/3")]
    [True, True, True, False, False]
    """
    _, _, _, rest = parts(url)
    return url.startswith("unix://") or bool(re.fullmatch("/?[0-9]*", rest.partition("?")[0]))


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
        "driver_info": DRIVER,
    }


def cluster_client(url: str, seconds: float) -> RedisCluster:
    """One more try after asking for the map of the cluster again; each try may cost a time-out."""
    nodes = [ClusterNode(host, port) for host, port in cluster_nodes(url)]
    return RedisCluster(startup_nodes=nodes, retry=Retry(NoBackoff(), 1), **settings(seconds) | options(url))


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
