"""A game after some version: what was agreed at the table, and where it stands. Pure; folded from facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotSeated
from events.log import NO_CHANGE, NO_DEADLINE
from events.log.codec import Commit
from events.log.priorities import PRIORITIES
from events.table import clock
from events.table.answers import GivenAnswer, with_answer
from events.table.clock import Clock
from events.table.facts import GameCreated, SeatedBot, TableFact, TournamentTable
from events.table.time_control import BOT, DEFAULTS, TimeControl
from rules import catalogue
from rules.kernel import EVERYTHING, Board, Fact, Player, State, Viewer, decision_id, fold, waiting
from rules.texts import say

OPEN, RUNNING, OVER, ABORTED = "open", "running", "over", "aborted"
PUBLIC, PRIVATE = "public", "private"


PEOPLE, ABSENT, SELF_PLAYING = range(PRIORITIES)
"""Priorities: a player is asked who may be there; none of those is; no player could answer at all."""


class Game(Struct, frozen=True, dict=True):
    """The agreement, the seats, and how far the game has come."""

    id: str
    rules: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    commitment: str
    version: int
    head: str
    """The hash of the last commit."""
    state: State[Board]
    created_at: int = 0
    """Milliseconds since 1970."""
    owner: str = ""
    visibility: str = PUBLIC
    seats: Mapping[str, str] = {}
    """Player to the account on that seat."""
    removed: tuple[str, ...] = ()
    """Accounts that the owner has removed: they need an invitation to sit down again."""
    bots: Mapping[str, SeatedBot] = {}
    """Seats of bots of the service."""
    declared_bots: tuple[str, ...] = ()
    """Seats of accounts that are played by programs, by their own word."""
    nonces: Mapping[str, str] = {}
    """Player to the word that was added on that seat, at last by the player who sits there."""
    former_nonces: tuple[str, ...] = ()
    """Seats whose nonce is that of a player who has left."""
    started: bool = False
    aborted: bool = False
    at: int = 0
    """The moment of the last commit, or of the decision under way."""
    time: TimeControl | None = None
    clock: Clock | None = None
    """From the start on, if time counts."""
    may_resign: bool = True
    may_take_back: bool = True
    forfeited: Mapping[str, str] = {}
    """Seats that are out of the running, and why."""
    decided: bool = False
    """Over before its end, because no opponent was left, or the tournament has stopped it."""
    stopped_at: Mapping[str, int] = {}
    """The places when the tournament stopped it."""
    came: tuple[Player, ...] = ()
    """Players of a tournament's table who have answered anything."""
    answers: tuple[GivenAnswer, ...] = ()
    """Answers that can be undone, the newest last."""
    take_back: tuple[Player, ...] = ()
    """Players who want the first one's last answer to be taken back, while that waits for the others."""
    tournament: TournamentTable | None = None
    """The tournament that the table belongs to, if any: the service runs the table, which has no owner."""
    title: str = ""
    """A name that its owner gave the table, if any."""
    starts_when_full: bool = False
    """Whether the service starts the game when the last seat is taken."""

    @property
    def own_nonces(self) -> tuple[str, ...]:
        """The seats whose players have added to the chance of the game themselves."""
        return tuple(player for player in self.nonces if player not in self.former_nonces)

    @property
    def status(self) -> str:
        if self.aborted:
            return ABORTED
        if not self.started:
            return OPEN
        return OVER if self.state.is_over or self.decided else RUNNING

    @property
    def is_running(self) -> bool:
        return self.status == RUNNING

    @cached_property
    def asked(self) -> Mapping[Player, str]:
        """The players who are asked, and the decision of each. Notices ask for every account that is concerned."""
        if not self.is_running:
            return {}
        return {player: decision_id(self.state, player) for player in waiting(self.state)}

    @property
    def unattended(self) -> Mapping[Player, str]:
        """Seats that are played automatically, and how."""
        automated = self.clock.automated if self.clock else dict.fromkeys(self.bots, BOT)
        return {**automated, **dict.fromkeys(self.forfeited, DEFAULTS)}

    def is_bot(self, player: Player) -> bool:
        """Whether a program plays this seat."""
        return player in self.bots or player in self.declared_bots

    def pace(self, player: Player) -> int:
        """Milliseconds from a question to the answer of a seat that is played automatically."""
        return self.bots[player].pace_ms if player in self.bots and player not in self.forfeited else 0

    @property
    def attention_at(self) -> int:
        """When the game needs attention if no player moves."""
        if not self.time and not self.forfeited and not self.bots:
            return NO_CHANGE
        if not self.is_running:
            return NO_DEADLINE
        if self.clock:
            hands = self.clock.hands
            moments = [hand.deadline + self.pace(player) for player, hand in hands.items() if hand.deadline]
        else:
            moments = [self.at + self.pace(player) for player in self.asked if player in self.unattended]
        return min(moments, default=NO_DEADLINE)

    @property
    def priority(self) -> int:
        """The claim to attention, beside other games that need it as well."""
        unattended = self.unattended
        able = [player for player in self.players if player not in unattended]
        if self.clock:
            able = [player for player in able if clock.has_time(self.clock, player)]
        if not able:
            return SELF_PLAYING
        is_urgent = any(player in able and not self._is_absent(player) for player in self.asked)
        return PEOPLE if is_urgent else ABSENT

    def _is_absent(self, player: Player) -> bool:
        return self.clock is not None and clock.is_absent(self.clock, player)

    @property
    def places(self) -> Mapping[Player, int]:
        """The final places: forfeited seats come last, together."""
        if self.status != OVER:
            return {}
        by_the_rules: Mapping[Player, int] = self.stopped_at or self.state.board.places
        stayed = [player for player in self.players if player not in self.forfeited]
        better = {player: by_the_rules.get(player, 1) for player in stayed}
        places = {player: 1 + sum(place < mine for place in better.values()) for player, mine in better.items()}
        return {**places, **dict.fromkeys(self.forfeited, len(stayed) + 1)}

    @property
    def is_full(self) -> bool:
        return len(self.seats) == len(self.players)

    def seat_of(self, account: str) -> Player:
        """The seat of an account. A bot of the service is none."""
        for player, sitting in self.seats.items():
            if sitting == account and player not in self.bots:
                return player
        raise NotSeated(say("you do not sit at this table"))

    def is_visible_to(self, account: str | None) -> bool:
        """A private game is seen only by its owner and by the accounts at its table."""
        return self.visibility == PUBLIC or account in (self.owner, *self.seats.values())

    def last_answer(self, seat: Player) -> GivenAnswer | None:
        return next((answer for answer in reversed(self.answers) if answer.by == seat), None)

    # What table facts change

    def before_answer(self, version: int) -> Game:
        """The board as it was before an answer. Its decisions have new names: an old answer cannot come again."""
        earlier = tuple(answer for answer in self.answers if answer.version < version)
        undone = self.answers[len(earlier)]
        state = replace(undone.state, serial=self.state.serial + 1)
        return replace(self, state=state, answers=earlier, take_back=())

    def with_clocks(self) -> Game:
        """The clocks are set up, if time counts. No bot has a clock."""
        return replace(self, clock=clock.set_up(self.time, self.players, self.bots)) if self.time else self

    def clock_after(self, fact: TableFact) -> Game:
        return replace(self, clock=clock.apply(self.clock, fact)) if self.clock else self


def created(commit: Commit) -> Game:
    """The game after its first commit."""
    [fact] = commit.facts
    assert isinstance(fact, GameCreated), "the first commit of a game creates it"
    board: Any = catalogue.game_named(fact.rules).empty_table(
        catalogue.rules_named(fact.rules), fact.players, **fact.options
    )
    return Game(
        id=fact.game,
        rules=fact.rules,
        players=board.players,
        options=fact.options,
        commitment=fact.commitment,
        version=commit.header.version,
        head=commit.hash,
        state=State(board),
        created_at=commit.header.at,
        owner=fact.owner,
        visibility=fact.visibility,
        at=commit.header.at,
        time=fact.time,
        may_resign=fact.may_resign,
        may_take_back=fact.may_take_back,
        tournament=fact.tournament or None,
        title=fact.title or "",
        starts_when_full=bool(fact.starts_when_full),
    )


def after(game: Game, commit: Commit, facts: Sequence[Fact] | None = None) -> Game:
    """The game after one more commit; if `facts` are given, as far as they tell."""
    following = after_facts(game, commit.facts if facts is None else facts)
    return committed(with_answer(game, following, commit.header.by, commit.header.at, commit.facts), commit)


def committed(game: Game, commit: Commit) -> Game:
    """The game after the facts of a commit, as the game after that commit."""
    header = commit.header
    if game.tournament and header.by in game.players and header.by not in game.came:
        game = replace(game, came=(*game.came, header.by))
    return replace(game, version=header.version, head=commit.hash, at=header.at)


def after_facts(game: Game, facts: Iterable[Fact]) -> Game:
    """The game after these facts, but not yet after a commit."""
    moves: list[Fact] = []
    for fact in facts:
        if isinstance(fact, TableFact):
            game = fact.change(game)
        else:
            moves.append(fact)
    return replace(game, state=fold(game.state, moves)) if moves else game


def redact(commit: Commit, viewer: Viewer) -> list[Fact]:
    """The facts of a commit as this viewer may know them."""
    return [fact if viewer == EVERYTHING else fact.seen_by(viewer) for fact in commit.facts]
