"""Games of tournaments that have ended, and whose result was not noted yet.

The notifier puts them here when it reads their last commit; a job takes them out when the tournament knows the result.
A game that is put here twice does no harm: a table takes one result.

| key | what |
|---|---|
| `hidalgo:{07}:ended` | sorted set; games of the bucket by the moment of their end |
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from events.buckets import bucket_key
from events.store import Store, store_errors
from events.table.game import OVER, Game

ENDED = "ended"


class EndedGame(Struct, frozen=True):
    game: str
    at: int


class EndedGames:
    """Safe between threads and processes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._redis: Any = store.commands

    def note(self, games: Mapping[str, Game]) -> None:
        """These games have changed."""
        if ended := [game for game in games.values() if game.tournament and game.status == OVER]:
            self._put(ended)

    def _put(self, games: Collection[Game]) -> None:
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for game in games:
                pipe.zadd(self._key(game.id), {game.id: game.at})
            pipe.execute()

    def waiting(self, buckets: Collection[int], limit: int) -> list[EndedGame]:
        """Those of these buckets, the longest waiting first; in one round trip."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for bucket in buckets:
                pipe.zrange(bucket_key(bucket, ENDED), 0, limit - 1, withscores=True)
            found = [EndedGame(game.decode(), int(at)) for some in pipe.execute() for game, at in some]
        return sorted(found, key=lambda each: (each.at, each.game))[:limit]

    def put_off(self, game: EndedGame, at: int) -> None:
        """It could not be dealt with: others come first."""
        with store_errors():
            self._redis.zadd(self._key(game.game), {game.game: at}, xx=True)

    def forget(self, game: EndedGame) -> None:
        with store_errors():
            self._redis.zrem(self._key(game.game), game.game)

    def _key(self, game: str) -> str:
        return self._store.buckets.key_of(game, ENDED)
