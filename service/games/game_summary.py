"""The summary of a game: all that lists show of it. That of a game that has ended is stored in the index."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from events.table.clock import Clock
from events.table.game import ABORTED, OVER, Game
from events.table.time_control import TimeControl
from rules.kernel import Player


class GameSummary(Struct, frozen=True, omit_defaults=True):
    """The fields are those of a `Game`, where it has them."""

    id: str
    rules: str
    players: tuple[Player, ...]
    options: Mapping[str, str]
    commitment: str
    version: int
    head: str
    status: str
    created_at: int
    owner: str
    visibility: str
    scores: Mapping[Player, int]
    seats: Mapping[Player, str] = {}
    nonces: tuple[Player, ...] = ()
    """The seats that have given one."""
    asked: tuple[Player, ...] = ()
    time: TimeControl | None = None
    clock: Clock | None = None
    may_resign: bool = True
    may_take_back: bool = True
    take_back: tuple[Player, ...] = ()
    forfeited: Mapping[Player, str] = {}
    places: Mapping[Player, int] = {}

    @property
    def has_ended(self) -> bool:
        """Whether nothing will change any more."""
        return self.status in (OVER, ABORTED)


def summary(game: Game) -> GameSummary:
    return GameSummary(
        id=game.id,
        rules=game.rules,
        players=game.players,
        options=game.options,
        commitment=game.commitment,
        version=game.version,
        head=game.head,
        status=game.status,
        created_at=game.created_at,
        owner=game.owner,
        visibility=game.visibility,
        scores=game.state.board.scores,
        seats=game.seats,
        nonces=tuple(game.nonces),
        asked=tuple(game.asked),
        time=game.time,
        clock=game.clock,
        may_resign=game.may_resign,
        may_take_back=game.may_take_back,
        take_back=game.take_back,
        forfeited=game.forfeited,
        places=game.places,
    )
