"""The summary of a game: all that lists show of it. That of a game that has ended is stored in the index."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from events.table.clock import Clock
from events.table.facts import TournamentTable
from events.table.game import ABORTED, OVER, Game
from events.table.time_control import TimeControl
from rules.kernel import Player

ENDED = (OVER, ABORTED)


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
    own_nonces: tuple[Player, ...] = ()
    """The seats that have given one."""
    asked: tuple[Player, ...] = ()
    time: TimeControl | None = None
    clock: Clock | None = None
    may_resign: bool = True
    may_take_back: bool = True
    take_back: tuple[Player, ...] = ()
    forfeited: Mapping[Player, str] = {}
    bots: tuple[Player, ...] = ()
    """The seats that programs play."""
    places: Mapping[Player, int] = {}
    ended_at: int = 0
    """The moment of the last commit of a game that has ended."""
    tournament: TournamentTable | None = None
    title: str = ""
    starts_when_full: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether nothing will change any more."""
        return self.status in ENDED


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
        own_nonces=game.own_nonces,
        asked=tuple(game.asked),
        time=game.time,
        clock=game.clock,
        may_resign=game.may_resign,
        may_take_back=game.may_take_back,
        take_back=game.take_back,
        forfeited=game.forfeited,
        bots=tuple(player for player in game.players if game.is_bot(player)),
        places=game.places,
        ended_at=game.at if game.status in ENDED else 0,
        tournament=game.tournament,
        title=game.title,
        starts_when_full=game.starts_when_full,
    )
