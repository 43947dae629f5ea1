"""What a visitor of Watch wants to see, as the address of the page says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask import url_for

from events.table.game import OPEN, OVER, RUNNING
from rules.catalogue import GAMES
from service.games.game_index_keys import WITH, WITHOUT
from service.games.game_lists import GameFilter

ALL, LIVE, FINISHED, WAITING = "all", "live", "finished", "open"
STATUSES = {LIVE: RUNNING, FINISHED: OVER, WAITING: OPEN}

NO_EXPANSION = "-"
LONGEST_NAME = 40
LONGEST_CURSOR = 200


@dataclass(frozen=True)
class WatchQuery:
    """Whatever an address cannot mean is left out of it."""

    show: str = ALL
    player: str = ""
    game: str = ""
    expansion: str = ""
    players: int | None = None
    clock: str = ""
    cursor: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> WatchQuery:
        players = given.get("players", "")
        return cls(
            show=one_of(given.get("show", ""), (ALL, *STATUSES)) or ALL,
            player=given.get("player", "").strip()[:LONGEST_NAME],
            game=one_of(given.get("game", ""), GAMES),
            expansion=one_of(given.get("expansion", ""), (NO_EXPANSION, *expansions())),
            players=int(players) if players in map(str, sizes()) else None,
            clock=one_of(given.get("clock", ""), (WITH, WITHOUT)),
            cursor=given.get("cursor", "")[:LONGEST_CURSOR],
        )

    def address(self, **other: Any) -> str:
        """The address of the page that differs in this; a cursor belongs to one list alone."""
        wanted = replace(self, **{"cursor": "", **other})
        fields = {name: value for name, value in vars(wanted).items() if value and value != ALL}
        return url_for("watch.games", **fields)

    def games(self, show: str, limit: int) -> GameFilter:
        """The filter of one list of the page."""
        return GameFilter(
            status=STATUSES[show],
            game=self.game,
            expansion=self.expansion,
            players=self.players,
            clock=self.clock,
            cursor=self.cursor if self.show != ALL else "",
            limit=limit,
        )

    @property
    def is_filtered(self) -> bool:
        return bool(self.player or self.game or self.expansion or self.players or self.clock)


def one_of(given: str, known: Iterable[str]) -> str:
    return given if given in known else ""


def expansions() -> list[str]:
    """Of all games."""
    return sorted({name for game in GAMES.values() for name in game.expansions})


def sizes() -> list[int]:
    """How many players the games are for."""
    return sorted({size for game in GAMES.values() for size in game.players})
