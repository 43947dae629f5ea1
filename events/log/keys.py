"""The keys of the log in Redis.

A game's keys share the hash tag of its bucket, so that one script can write them all, also on a cluster:

| key | what |
|---|---|
| `hidalgo:{07}:log:<game>` | stream; the entry with id `<version>-0` is that version's commit (`c`), or all (`z`) |
| `hidalgo:{07}:ids:<game>` | hash; command to the version it produced; a packed game has none |
| `hidalgo:{07}:secret:<game>` | the game's secret |
| `hidalgo:{07}:games` | sorted set; all games of the bucket, by the second of their creation |
| `hidalgo:{07}:deadlines` | sorted set; games by their priority and their next deadline (`events.log.priorities`) |
| `hidalgo:{07}:finished` | sorted set; games to be packed, by the millisecond since which they may be over |
| `hidalgo:{07}:searched` | exists when games that were over before games were packed have been put into `finished` |
| `hidalgo:{07}:packing` | stream; there only while a script packs or unpacks a game |
| `hidalgo:{07}:feed` | stream; one short line for every commit |
| `hidalgo:{07}:seen` | hash; how far each consumer of the feed has come |
| `hidalgo:{07}:lease` | hash; the worker of the bucket, until when, and the fence: how often that has changed |
"""

from __future__ import annotations

from functools import lru_cache

from events.log import bucket_of


def bucket_key(bucket: int, what: str) -> str:
    """
    >>> bucket_key(7, "feed")
    'hidalgo:{07}:feed'
    """
    return f"hidalgo:{{{bucket:02}}}:{what}"


def game_key(game: str, what: str) -> str:
    return f"{bucket_key(bucket_of(game), what)}:{game}"


@lru_cache(maxsize=10_000)
def script_keys(game: str) -> tuple[str, ...]:
    """The keys of the scripts, in their order: those of every append, of a game that comes or goes, of a fence."""
    of_the_bucket = ("deadlines", "feed", "games", "finished", "lease")
    deadlines, feed, games, finished, lease = (bucket_key(bucket_of(game), what) for what in of_the_bucket)
    log, ids, secret = (game_key(game, what) for what in ("log", "ids", "secret"))
    return log, ids, deadlines, feed, games, secret, finished, lease
