"""The file of a server holds every write since it was last rewritten, also of data that are no more.

A server rewrites its file by itself when it has doubled. Packing games makes its data small but not its file, and the
next start reads all of it: so it is told to rewrite the file once that holds several times as much as its memory.
"""

from typing import Any

from redis import Redis
from redis.exceptions import ResponseError

from events.store import Store, store_errors
from events.store.durability import settings

SMALL = 64 * 1024 * 1024
"""A file of so many bytes is read in no time."""

TIMES_ITS_MEMORY = 3
"""A file is about as large as the memory after it was rewritten, and twice as large before it is rewritten again."""


def rewrite_bloated(store: Store, small: int = SMALL) -> bool:
    """Let every server rewrite its file if most of that is out of date; whether one does."""
    with store_errors():
        began = [_rewrite(server, small) for server in store.primaries().values()]
    return any(began)


def is_rewriting(store: Store) -> bool:
    with store_errors():
        return any(_is_rewriting(server.info("persistence")) for server in store.primaries().values())


def _rewrite(server: Redis, small: int) -> bool:
    about: dict[str, Any] = server.info()
    size, memory = about.get("aof_current_size", 0), about.get("used_memory", 0)
    if size < max(small, TIMES_ITS_MEMORY * memory) or _is_rewriting(about) or not _does_rewrite(server):
        return False
    try:
        server.bgrewriteaof()
    except ResponseError:
        return False
    return True


def _is_rewriting(about: dict[str, Any]) -> bool:
    return bool(about.get("aof_rewrite_in_progress") or about.get("aof_rewrite_scheduled"))


def _does_rewrite(server: Redis) -> bool:
    """Whether it does so by itself: a server that does not, or does not tell, is left to its operator."""
    return settings(server).get("auto-aof-rewrite-percentage", "0") != "0"
