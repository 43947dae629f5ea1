"""Makes the index of games anew (`events.workers.rebuilding`). A game whose note is up to date is not read."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

from events.errors import StoreError
from events.games import Games
from events.history import fold
from events.log import BY_THE_NOTE, GameLog, Span
from events.store import Store, store_errors
from events.table.decider import GAME
from events.workers.rebuilding import Rebuilding
from service.games.game_index import GameIndex
from service.games.game_index_keys import FORMER_KEYS
from service.games.game_summary import GameSummary, summary
from service.games.summary_notes import read

logger = logging.getLogger(__name__)

GAMES_AT_ONCE = 25


def index_rebuild(games: Games, index: GameIndex, store: Store) -> Rebuilding:
    def index_games(ids: Sequence[str]) -> None:
        index.put_all(summaries(games.log, ids))

    def remove_former() -> None:
        _remove_former(store, index.complete.keys)

    return Rebuilding(games.log, index.complete, index_games, at_once=GAMES_AT_ONCE, last=remove_former)


def summaries(log: GameLog, ids: Sequence[str]) -> list[GameSummary]:
    """Of these games, without those that are gone or cannot be read; in two round trips."""
    try:
        return list(_summaries(log, ids))
    except StoreError:
        raise
    except Exception:
        if len(ids) == 1:
            logger.exception("game %s cannot be read; it is not listed", ids[0])
            return []
        logger.warning("one of %d games cannot be read; each is looked at by itself", len(ids), exc_info=True)
        return [about for id in ids for about in summaries(log, [id])]


def _summaries(log: GameLog, ids: Sequence[str]) -> Iterator[GameSummary]:
    """By their notes, as far as these are up to date; the others are folded."""
    outdated = []
    for id, found in log.noted(dict.fromkeys(ids, BY_THE_NOTE)).items():
        if not found.note or not found.note.version:
            yield folded(found.entries)
        elif not found.entries and (about := read(found.note.about)):
            yield about
        else:
            outdated.append(Span(id))
    for entries in log.read_many(outdated):
        if entries:
            yield folded(entries)


def folded(entries: Sequence[bytes]) -> GameSummary:
    game = fold(GAME, entries)
    assert game is not None, "a game that is there has entries"
    return summary(game)


def _remove_former(store: Store, kept: Sequence[str]) -> None:
    """The keys of an index of another shape."""
    redis: Any = store.commands
    with store_errors():
        for key in redis.scan_iter(FORMER_KEYS, count=1000):
            if key.decode() not in kept:
                redis.unlink(key)
