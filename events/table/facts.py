"""Facts about a game that no rulebook knows: the accounts on its seats, what they added to its chance, when it began.

Players are named by ids of accounts, which mean nothing by themselves: the accounts are kept elsewhere, and can be
forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from events.table.calendar import duration
from events.table.time_control import BOT, TimeControl
from rules.kernel import Fact, Player
from rules.texts import Text, say

if TYPE_CHECKING:
    from events.table.game import Game


RESIGNED, ABSENT = "resigned", "absent"
"""Why a player is out of the running."""

AGREEMENT, ORGANISER = "agreement", "organiser"
"""Why clocks stand still."""

BOT_PREFIX = "bot:"
"""Stands before the name of a bot of the service where an account would stand. No account is named so."""


class SeatedBot(Struct, frozen=True):
    """A bot of the service, on a seat."""

    name: str
    pace_ms: int


class TournamentTable(Struct, frozen=True, omit_defaults=True):
    """The place of a table in a tournament, which runs it: the service seats the players and starts the game."""

    tournament: str
    round: int
    table: int
    spectators_delay_ms: int = 0
    """So long after the players spectators see the game."""
    chat: bool = False
    """Whether players and spectators may write to each other."""


class TableFact(Fact, frozen=True):
    """A fact about the table, not the board: the rules do not apply it."""

    def apply(self, board: Any) -> Any:
        return board

    def change(self, game: Game) -> Game:
        """The game after this fact. Most change nothing but the clocks, if anything."""
        return game.clock_after(self)

    @property
    def undoes(self) -> int:
        """The first version whose moves this fact undoes, with all that follow it; 0: it undoes none."""
        return 0

    @property
    def sentence(self) -> Text | None:
        """This fact in words; nothing if people see it without words."""
        return None


def undone_from(facts: Iterable[Fact]) -> int:
    """The first version whose moves these facts undo; 0: they undo none."""
    return next((fact.undoes for fact in facts if isinstance(fact, TableFact) and fact.undoes), 0)


class GameCreated(TableFact, frozen=True, tag="game_created"):
    """A table stands ready: which rules, how many players, what was agreed; the secret is fixed but not shown."""

    game: str
    rules: str
    players: int
    options: Mapping[str, str]
    commitment: str
    owner: str = ""
    """The account that may start or abort it."""
    visibility: str = "public"
    time: TimeControl | None = None
    """Without one, time does not count."""
    may_resign: bool = True
    may_take_back: bool = True
    tournament: TournamentTable | UnsetType = UNSET
    """Not there if the table belongs to no tournament."""
    title: str | UnsetType = UNSET
    """A name that its owner gave the table; not there if it has none."""
    starts_when_full: bool | UnsetType = UNSET
    """Whether the game begins as soon as the last seat is taken; not there if the owner starts it."""


class SeatTaken(TableFact, frozen=True, tag="seat_taken"):
    """An account sits down."""

    player: Player
    who: str

    def change(self, game: Game) -> Game:
        removed = tuple(account for account in game.removed if account != self.who)
        return replace(game, seats={**game.seats, self.player: self.who}, removed=removed)


class SeatLeft(TableFact, frozen=True, tag="seat_left"):
    """An account stands up again, before the game begins."""

    player: Player
    who: str

    def change(self, game: Game) -> Game:
        # A nonce stays when its seat is left, as long as the next player adds none there.
        left_behind = [self.player] if self.player in game.nonces and self.player not in game.former_nonces else []
        return replace(
            game,
            former_nonces=(*game.former_nonces, *left_behind),
            seats={player: account for player, account in game.seats.items() if player != self.player},
            bots={player: bot for player, bot in game.bots.items() if player != self.player},
            declared_bots=tuple(player for player in game.declared_bots if player != self.player),
        )


class PlayerRemoved(SeatLeft, frozen=True, tag="player_removed"):
    """The owner of the table makes an account stand up, before the game begins."""

    def change(self, game: Game) -> Game:
        return replace(super().change(game), removed=(*game.removed, self.who))


class BotSeated(TableFact, frozen=True, tag="bot_seated"):
    """The owner of the table gives a seat to a bot of the service."""

    player: Player
    bot: str
    pace_ms: int
    """So long the bot lets players look at the table before each of its answers."""

    def change(self, game: Game) -> Game:
        seats = {**game.seats, self.player: BOT_PREFIX + self.bot}
        return replace(game, seats=seats, bots={**game.bots, self.player: SeatedBot(self.bot, self.pace_ms)})

    @property
    def sentence(self) -> Text:
        return say("the bot {bot} plays {player}", bot=self.bot, player=self.player)


class BotDeclared(TableFact, frozen=True, tag="bot_declared"):
    """The account that has just sat down is played by a program, by its own word."""

    player: Player

    def change(self, game: Game) -> Game:
        return replace(game, declared_bots=(*game.declared_bots, self.player))

    @property
    def sentence(self) -> Text:
        return say("a program plays {player}", player=self.player)


class NonceAdded(TableFact, frozen=True, tag="nonce_added"):
    """A player adds to the chance of the game, so that no one else can have chosen it."""

    player: Player
    nonce: str

    def change(self, game: Game) -> Game:
        former = tuple(player for player in game.former_nonces if player != self.player)
        return replace(game, nonces={**game.nonces, self.player: self.nonce}, former_nonces=former)


class GameStarted(TableFact, frozen=True, tag="game_started"):
    """No more nonces: the seed is fixed, and the table is set."""

    def change(self, game: Game) -> Game:
        return replace(game, started=True).with_clocks()


class GameAborted(TableFact, frozen=True, tag="game_aborted"):
    """The table is cleared before the game began."""

    def change(self, game: Game) -> Game:
        return replace(game, aborted=True)


class SecretRevealed(TableFact, frozen=True, tag="secret_revealed"):
    """The game is over: with its secret any reader can check every shuffle and every hidden fact."""

    secret: str


# Taking a move back


class TakeBackWanted(TableFact, frozen=True, tag="take_back_wanted"):
    """A player would like an answer to be taken back: their own, or one of a player who has asked for that."""

    player: Player
    of: Player

    def change(self, game: Game) -> Game:
        return replace(game, take_back=(*game.take_back, self.player))

    @property
    def sentence(self) -> Text:
        if self.player == self.of:
            return say("{player} would like to take the last move back", player=self.player)
        return say("{player} agrees that {other} takes the last move back", player=self.player, other=self.of)


class MoveTakenBack(TableFact, frozen=True, tag="move_taken_back"):
    """The table is again as it was before a player's last answer. Both stay in the log."""

    player: Player
    version: int
    """The commit of that answer: everything on the board from there on is undone."""

    def change(self, game: Game) -> Game:
        return game.before_answer(self.version)

    @property
    def undoes(self) -> int:
        return self.version

    @property
    def sentence(self) -> Text:
        return say("{player} takes the last move back", player=self.player)


class AnswersUndone(TableFact, frozen=True, tag="answers_undone"):
    """By a ruling, the table is again as it was after an earlier version. Everything since stays in the log."""

    version: int

    def change(self, game: Game) -> Game:
        return game.before_answer(self.undoes)

    @property
    def undoes(self) -> int:
        return self.version + 1

    @property
    def sentence(self) -> Text:
        return say("by a ruling, the game goes on from step {version}", version=self.version)


# Leaving a game that goes on


class SeatForfeited(TableFact, frozen=True, tag="seat_forfeited"):
    """A player is out of the running, for good: the seat comes last, and its defaults are taken."""

    player: Player
    because: str
    """`resigned`, `time`, or `absent`: the player never came to the table of a tournament."""

    def change(self, game: Game) -> Game:
        return replace(game, forfeited={**game.forfeited, self.player: self.because}).clock_after(self)

    @property
    def sentence(self) -> Text:
        if self.because == RESIGNED:
            return say("{player} resigns", player=self.player)
        if self.because == ABSENT:
            return say("{player} has not come and is out of the game", player=self.player)
        return say("{player} was late too often and is out of the game", player=self.player)


class SeatHandedOver(TableFact, frozen=True, tag="seat_handed_over"):
    """By a ruling, another account plays on for the one that sat here."""

    player: Player
    former: str
    who: str
    is_bot: bool = False
    """Whether the account has declared that a program plays for it."""

    def change(self, game: Game) -> Game:
        others = tuple(player for player in game.declared_bots if player != self.player)
        return replace(
            game,
            seats={**game.seats, self.player: self.who},
            bots={player: bot for player, bot in game.bots.items() if player != self.player},
            declared_bots=(*others, self.player) if self.is_bot else others,
        )

    @property
    def sentence(self) -> Text:
        return say("by a ruling, another player plays on for {player}", player=self.player)


class GameStopped(TableFact, frozen=True, tag="game_stopped"):
    """The tournament ends the game before its end: the players are placed as they stand."""

    places: Mapping[Player, int]

    def change(self, game: Game) -> Game:
        return replace(game, decided=True, stopped_at=self.places)

    @property
    def sentence(self) -> Text:
        return say("the tournament ends the game: the present scores count")


class GameDecided(TableFact, frozen=True, tag="game_decided"):
    """No opponent is left: the game is over before its end."""

    def change(self, game: Game) -> Game:
        return replace(game, decided=True)

    @property
    def sentence(self) -> Text:
        return say("no opponent is left: the game is over")


# Time


class Hand(Struct, frozen=True, omit_defaults=True):
    """One player's clock."""

    bank_ms: int
    used_ms: int = 0
    """The time that the decision at hand had cost when its clock last began to run."""
    since: int = 0
    """When its time began to run; 0: it does not."""
    deadline: int = 0
    """When it needs attention; 0: never."""
    strikes: int = 0
    """How often in a row there was no time for an answer."""
    held: bool = False
    """The player is asked, but there is a pause."""


class ClockSet(TableFact, frozen=True, tag="clock_set"):
    """The clocks that have changed, as they stand after this commit."""

    hands: Mapping[Player, Hand]


class TimeRanOut(TableFact, frozen=True, tag="time_ran_out"):
    """A player had no time left for a decision."""

    player: Player
    decision: str

    @property
    def sentence(self) -> Text:
        return say("{player}'s time has run out", player=self.player)


class SeatAutomated(TableFact, frozen=True, tag="seat_automated"):
    """A seat is no longer waited for: its defaults are taken, or a bot plays."""

    player: Player
    how: str

    @property
    def sentence(self) -> Text:
        return (
            say("a bot plays for {player} from now on", player=self.player)
            if self.how == BOT
            else say("{player} is not waited for any longer", player=self.player)
        )


class SeatTakenBack(TableFact, frozen=True, tag="seat_taken_back"):
    """A player is there again."""

    player: Player

    @property
    def sentence(self) -> Text:
        return say("{player} is back", player=self.player)


class AutopilotAnswered(TableFact, frozen=True, tag="stand_in_answered"):
    """The facts that follow are an answer of the autopilot, for a player who is not there."""

    player: Player

    @property
    def sentence(self) -> Text:
        return say("a bot answers for {player}", player=self.player)


class BotAnswered(TableFact, frozen=True, tag="bot_answered"):
    """The facts that follow are an answer of the bot on this seat."""

    player: Player
    bot: str


class PauseWanted(TableFact, frozen=True, tag="pause_wanted"):
    """A player would like a pause. When all do, there is one."""

    player: Player

    @property
    def sentence(self) -> Text:
        return say("{player} would like a pause", player=self.player)


class ClocksPaused(TableFact, frozen=True, tag="clocks_paused"):
    """No clock runs."""

    by: str
    """`agreement`, or `organiser`."""

    @property
    def sentence(self) -> Text:
        if self.by == ORGANISER:
            return say("an organiser stops the clocks")
        return say("all agree: the clocks stand still")


class ClocksResumed(TableFact, frozen=True, tag="clocks_resumed"):
    """Time runs again."""

    @property
    def sentence(self) -> Text:
        return say("the clocks run again")


class ClockCredited(TableFact, frozen=True, tag="clock_credited"):
    """The service was away: no player loses this time."""

    since: int
    until: int

    @property
    def sentence(self) -> Text:
        return say("the service was away for {time}: no player loses time", time=duration(self.until - self.since))


class VacationTaken(TableFact, frozen=True, tag="vacation_taken"):
    """A player is away for some days; their time does not run."""

    player: Player
    since: int
    until: int

    @property
    def sentence(self) -> Text:
        return say("{player} is on vacation for {time}", player=self.player, time=duration(self.until - self.since))


TABLE_FACTS = (
    GameCreated,
    SeatTaken,
    SeatLeft,
    PlayerRemoved,
    BotSeated,
    BotDeclared,
    NonceAdded,
    GameStarted,
    GameAborted,
    SecretRevealed,
    TakeBackWanted,
    MoveTakenBack,
    AnswersUndone,
    SeatForfeited,
    SeatHandedOver,
    GameStopped,
    GameDecided,
    ClockSet,
    TimeRanOut,
    SeatAutomated,
    SeatTakenBack,
    AutopilotAnswered,
    BotAnswered,
    PauseWanted,
    ClocksPaused,
    ClocksResumed,
    ClockCredited,
    VacationTaken,
)
