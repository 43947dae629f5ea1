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
| `hidalgo:{07}:notes` | hash; the note of each game: version, word, mark and the rest, separated by spaces |
| `hidalgo:{07}:packed` | sorted set; packed games, by the millisecond since which they are, to be archived |
| `hidalgo:{07}:packed_searched` | exists when games that were packed before have been put into `packed` |
| `hidalgo:{07}:archived` | hash; games that have left the store, and where they are (`events.log.redis_archive`) |
| `hidalgo:{07}:packing` | stream; there only while a script packs or unpacks a game |
| `hidalgo:{07}:feed` | stream; one short line for every commit |
| `hidalgo:{07}:seen` | hash; how far each consumer of the feed has come |
| `hidalgo:{07}:lease` | hash; the worker of the bucket, until when, and the fence: how often that has changed |

What is no game but kept in the same way lives in a name space of its own, in the same buckets: the log of a study is
`hidalgo:{07}:studies:log:<study>`, the feed of studies `hidalgo:{07}:studies:feed`, and so on. Nothing that works on
games finds it.
"""

from __future__ import annotations

from functools import lru_cache

from events.buckets import Buckets, bucket_key


class Keys:
    """The keys of one name space. Games have the one without a name.

    >>> from events.buckets import USUAL
    >>> Keys(USUAL).of_bucket(7, "feed"), Keys(USUAL, "studies").of_bucket(7, "feed")
    ('hidalgo:{07}:feed', 'hidalgo:{07}:studies:feed')
    >>> Keys(Buckets(256)).of_game("g1", "log")
    'hidalgo:{165}:log:g1'
    """

    def __init__(self, buckets: Buckets, space: str = "") -> None:
        self.buckets = buckets
        self._space = f"{space}:" if space else ""
        self.of_scripts = lru_cache(maxsize=10_000)(self._of_scripts)
        """The keys of the scripts, in their order: those of every append, of a game that comes or goes, of a fence."""

    def of_bucket(self, bucket: int, what: str) -> str:
        return bucket_key(bucket, f"{self._space}{what}")

    def of_the_bucket_of(self, game: str, what: str) -> str:
        return self.of_bucket(self.buckets.of(game), what)

    def of_game(self, game: str, what: str) -> str:
        return f"{self.of_the_bucket_of(game, what)}:{game}"

    def _of_scripts(self, game: str) -> tuple[str, ...]:
        of_the_bucket = ("deadlines", "feed", "games", "finished", "archived", "lease")
        bucket = self.buckets.of(game)
        deadlines, feed, games, finished, archived, lease = (self.of_bucket(bucket, what) for what in of_the_bucket)
        log, ids, secret = (self.of_game(game, what) for what in ("log", "ids", "secret"))
        return log, ids, deadlines, feed, games, secret, finished, archived, lease


def channel(space: str = "") -> str:
    """There every commit of a name space is published."""
    return f"hidalgo:{space}:commits" if space else "hidalgo:commits"
