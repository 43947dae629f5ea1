"""The keys of the log in Redis.

A game's keys share the hash tag of its bucket, so that one script can write them all, also on a cluster:

| key | what |
|---|---|
| `hidalgo:{07}:log:<game>` | stream; the entry with id `<version>-0` is that version's commit |
| `hidalgo:{07}:ids:<game>` | hash; command to the version it produced |
| `hidalgo:{07}:secret:<game>` | the game's secret |
| `hidalgo:{07}:games` | sorted set; all games of the bucket, by the second of their creation |
| `hidalgo:{07}:deadlines` | sorted set; games by their priority and their next deadline (`events.log.priorities`) |
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
    bucket = bucket_of(game)
    deadlines, feed, games, lease = (bucket_key(bucket, what) for what in ("deadlines", "feed", "games", "lease"))
    return game_key(game, "log"), game_key(game, "ids"), deadlines, feed, games, game_key(game, "secret"), lease
