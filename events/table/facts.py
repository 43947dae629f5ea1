"""Facts about a game that no rulebook knows: who sits at the table, what they added to its chance, when it began.

People are named by identities that mean nothing by themselves: whose they are is known elsewhere and can be forgotten.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from events.table.time_control import TimeControl
from rules.kernel import Fact, Player

if TYPE_CHECKING:
    from events.table.game import Game


class TableFact(Fact, frozen=True):
    """A fact about the table, not the board: the rules do not apply it."""

    def apply(self, board: Any) -> Any:
        return board

    def change(self, game: Game) -> Game:
        """The game after this fact. Most change nothing but the clocks, if anything."""
        return game.clock_after(self)


class GameCreated(TableFact, frozen=True, tag="game_created"):
    """A table stands ready: which rules, how many players, what was agreed; the secret is fixed but not told."""

    game: str
    rules: str
    players: int
    options: Mapping[str, str]
    commitment: str
    owner: str = ""
    """Who may start or abort it."""
    visibility: str = "public"
    time: TimeControl | None = None
    """Nobody is in a hurry, if there is none."""
    may_resign: bool = True


class SeatTaken(TableFact, frozen=True, tag="seat_taken"):
    """Somebody sits down."""

    player: Player
    who: str

    def change(self, game: Game) -> Game:
        return replace(game, seats={**game.seats, self.player: self.who})


class SeatLeft(TableFact, frozen=True, tag="seat_left"):
    """Somebody stands up again, before the game begins."""

    player: Player
    who: str

    def change(self, game: Game) -> Game:
        # A nonce stays when its seat is left: it was public, and taking it back would be a choice.
        return replace(game, seats={player: who for player, who in game.seats.items() if player != self.player})


class NonceAdded(TableFact, frozen=True, tag="nonce_added"):
    """A player adds to the chance of the game, so that nobody else can have chosen it."""

    player: Player
    nonce: str

    def change(self, game: Game) -> Game:
        return replace(game, nonces={**game.nonces, self.player: self.nonce})


class GameStarted(TableFact, frozen=True, tag="game_started"):
    """No more nonces: the seed is fixed, and the table is set."""

    def change(self, game: Game) -> Game:
        return replace(game, started=True).with_clocks()


class GameAborted(TableFact, frozen=True, tag="game_aborted"):
    """The table is cleared before the game began."""

    def change(self, game: Game) -> Game:
        return replace(game, aborted=True)


class SecretRevealed(TableFact, frozen=True, tag="secret_revealed"):
    """The game is over: with its secret everybody can check every shuffle and every hidden fact."""

    secret: str


# Leaving a game that goes on


class SeatForfeited(TableFact, frozen=True, tag="seat_forfeited"):
    """A player is out of the running, for good: the seat comes last, and its defaults are taken."""

    player: Player
    because: str
    """`resigned`, or `time`."""

    def change(self, game: Game) -> Game:
        return replace(game, forfeited={**game.forfeited, self.player: self.because}).clock_after(self)


class GameDecided(TableFact, frozen=True, tag="game_decided"):
    """Nobody is left to play against: the game is over before its end."""

    def change(self, game: Game) -> Game:
        return replace(game, decided=True)


# Time


class Hand(Struct, frozen=True, omit_defaults=True):
    """One player's clock."""

    bank_ms: int
    used_ms: int = 0
    """What the decision at hand had cost when its time last began to run."""
    since: int = 0
    """When its time began to run; 0: it does not."""
    deadline: int = 0
    """When somebody must look at it; 0: never."""
    strikes: int = 0
    """How often in a row there was no time for an answer."""
    held: bool = False
    """Somebody is asked, but there is a pause."""


class ClockSet(TableFact, frozen=True, tag="clock_set"):
    """The clocks that have changed, as they stand after this commit."""

    hands: Mapping[Player, Hand]


class TimeRanOut(TableFact, frozen=True, tag="time_ran_out"):
    """A player had no time left for a decision."""

    player: Player
    decision: str


class SeatAutomated(TableFact, frozen=True, tag="seat_automated"):
    """A seat is no longer waited for: its defaults are taken, or a bot plays."""

    player: Player
    how: str


class SeatTakenBack(TableFact, frozen=True, tag="seat_taken_back"):
    """A player is there again."""

    player: Player


class AutopilotAnswered(TableFact, frozen=True, tag="stand_in_answered"):
    """What follows was not answered by the player, who is not there, but by a bot."""

    player: Player


class PauseWanted(TableFact, frozen=True, tag="pause_wanted"):
    """A player would like a pause. When everybody does, there is one."""

    player: Player


class ClocksPaused(TableFact, frozen=True, tag="clocks_paused"):
    """Nobody's time runs."""

    by: str
    """`agreement`, or `organiser`."""


class ClocksResumed(TableFact, frozen=True, tag="clocks_resumed"):
    """Time runs again."""


class ClockCredited(TableFact, frozen=True, tag="clock_credited"):
    """The service was away: nobody loses this time."""

    since: int
    until: int


class VacationTaken(TableFact, frozen=True, tag="vacation_taken"):
    """A player is away for some days; their time does not run."""

    player: Player
    since: int
    until: int


TABLE_FACTS = (
    GameCreated,
    SeatTaken,
    SeatLeft,
    NonceAdded,
    GameStarted,
    GameAborted,
    SecretRevealed,
    SeatForfeited,
    GameDecided,
    ClockSet,
    TimeRanOut,
    SeatAutomated,
    SeatTakenBack,
    AutopilotAnswered,
    PauseWanted,
    ClocksPaused,
    ClocksResumed,
    ClockCredited,
    VacationTaken,
)
