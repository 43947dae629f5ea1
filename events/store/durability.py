"""Does the store keep every write that it acknowledges? Its own settings, compared with our promise."""

from collections.abc import Iterator
from typing import Any

from redis import Redis
from redis.exceptions import ResponseError

from events.store import Store, store_errors

OLDEST = (6, 2)
OLDEST_CLUSTER = (7, 0)


def durability_warnings(store: Store) -> list[str]:
    """One sentence for each way in which an accepted move could still be lost; none is good news."""
    with store_errors():
        found = {name: list(warnings(server, store.is_cluster)) for name, server in store.primaries().items()}
    return [f"{name}: {sentence}" for name, sentences in found.items() for sentence in sentences]


def warnings(server: Redis, is_cluster: bool) -> Iterator[str]:
    about = server.info()
    config = settings(server)
    yield from about_version(about, is_cluster)
    yield from about_disk(about, config)
    yield from about_memory(about, config)
    yield from about_replicas(about, config)


def settings(server: Redis) -> dict[str, str]:
    """Its configuration, as far as it is shown; many managed servers keep it to themselves."""
    try:
        config = server.config_get("*")
    except ResponseError:
        return {}
    return {text(name): text(value) for name, value in config.items()}


def text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def about_version(about: dict[str, Any], is_cluster: bool) -> Iterator[str]:
    version_text = str(about.get("redis_version", "0"))
    version = tuple(int(number) for number in version_text.split(".")[:2] if number.isdigit())
    if version < OLDEST:
        yield f"version {version_text} is too old; streams and scripts need 6.2"
    elif is_cluster and version < OLDEST_CLUSTER:
        yield f"version {version_text} is too old for a cluster; messages within a shard need 7.0"


def about_disk(about: dict[str, Any], config: dict[str, str]) -> Iterator[str]:
    fsync = config.get("appendfsync")
    if not about.get("aof_enabled"):
        yield "accepted moves are not written to disk at once; set appendonly to yes"
    elif fsync is None:
        yield "whether accepted moves are on disk is not told; appendfsync should be always"
    elif fsync != "always":
        yield f"accepted moves may be lost when the machine stops, because appendfsync is {fsync}, not always"
    if about.get("aof_last_write_status", "ok") != "ok":
        yield "the last write to disk failed; the disk may be full"


def about_memory(about: dict[str, Any], config: dict[str, str]) -> Iterator[str]:
    policy = str(about.get("maxmemory_policy") or config.get("maxmemory-policy") or "noeviction")
    if policy != "noeviction":
        yield f"games may be thrown away when memory runs out, because maxmemory-policy is {policy}, not noeviction"


def about_replicas(about: dict[str, Any], config: dict[str, str]) -> Iterator[str]:
    if about.get("role") == "slave":
        yield "it is a replica, which takes no writes; give the address of its primary"
    elif about.get("connected_slaves") and config.get("min-replicas-to-write", "0") == "0":
        yield "accepted moves may be lost in a failover, because min-replicas-to-write is 0"
