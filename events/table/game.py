"""A game after some version: what was agreed at the table, and where it stands. Pure; folded from facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotSeated
from events.log import NO_CHANGE, NO_DEADLINE
from events.log.codec import Commit
from events.log.priorities import PRIORITIES
from events.table import clock
from events.table.clock import Clock
from events.table.facts import GameCreated, Hand, MoveTakenBack, TableFact
from events.table.time_control import DEFAULTS, TimeControl
from rules import catalogue
from rules.kernel import EVERYTHING, Board, Fact, Player, State, Viewer, decision_id, fold, waiting
from rules.texts import say

OPEN, RUNNING, OVER, ABORTED = "open", "running", "over", "aborted"
PUBLIC, PRIVATE = "public", "private"


MOST_IN_A_ROW = 20
"""So many answers of one player, given in a row, can be taken back one after the other."""


PEOPLE, ABSENT, SELF_PLAYING = range(PRIORITIES)
"""Priorities: a player is asked who may be there; none of those is; no player could answer at all."""


class GivenAnswer(Struct, frozen=True):
    """An answer that can be taken back."""

    by: str
    """The seat that gave it, or the clock."""
    version: int
    state: State
    """The state before it."""
    hand: Hand | None
    """The player's clock when it was given."""
    turned_up: bool
    """Whether it showed a player something that was hidden before."""


class Game(Struct, frozen=True):
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
    nonces: Mapping[str, str] = {}
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
    """Over before its end, because no opponent was left."""
    answers: tuple[GivenAnswer, ...] = ()
    """Answers that can be taken back, the newest last: the last answer of each player, and all that one gave in a
    row."""
    take_back: tuple[Player, ...] = ()
    """Players who want the first one's last answer to be taken back, while that waits for the others."""

    @property
    def status(self) -> str:
        if self.aborted:
            return ABORTED
        if not self.started:
            return OPEN
        return OVER if self.state.is_over or self.decided else RUNNING

    @property
    def asked(self) -> dict[Player, str]:
        """The players who are asked, and the decision of each."""
        if self.status != RUNNING:
            return {}
        return {player: decision_id(self.state, player) for player in waiting(self.state)}

    @property
    def unattended(self) -> Mapping[Player, str]:
        """Seats that are played automatically, and how."""
        return {**(self.clock.automated if self.clock else {}), **dict.fromkeys(self.forfeited, DEFAULTS)}

    @property
    def attention_at(self) -> int:
        """When the game needs attention if no player moves."""
        if not self.time and not self.forfeited:
            return NO_CHANGE
        if self.status == RUNNING and self.clock:
            return self.clock.deadline
        if self.status == RUNNING and any(player in self.forfeited for player in self.asked):
            return self.at
        return NO_DEADLINE

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
        by_the_rules: Mapping[Player, int] = self.state.board.places
        stayed = [player for player in self.players if player not in self.forfeited]
        better = {player: by_the_rules.get(player, 1) for player in stayed}
        places = {player: 1 + sum(place < mine for place in better.values()) for player, mine in better.items()}
        return {**places, **dict.fromkeys(self.forfeited, len(stayed) + 1)}

    def seat_of(self, account: str) -> Player:
        """The seat of an account."""
        for player, sitting in self.seats.items():
            if sitting == account:
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
        """The clocks are set up, if time counts."""
        return replace(self, clock=clock.set_up(self.time, self.players)) if self.time else self

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
    )


def after(game: Game, commit: Commit, facts: Sequence[Fact] | None = None) -> Game:
    """The game after one more commit; if `facts` are given, as far as they tell."""
    following = after_facts(game, commit.facts if facts is None else facts)
    return committed(with_answer(game, following, commit.header.by, commit.header.at, commit.facts), commit)


def committed(game: Game, commit: Commit) -> Game:
    """The game after the facts of a commit, as the game after that commit."""
    return replace(game, version=commit.header.version, head=commit.hash, at=commit.header.at)


def with_answer(before: Game, after: Game, by: str, at: int, facts: Sequence[Fact]) -> Game:
    """The game, with the answer that these facts follow from, if there is one, among those that can be taken back."""
    if not before.started or not before.may_take_back or after.status != RUNNING:
        return after
    if all(isinstance(fact, TableFact) for fact in facts):
        return after
    hand = clock.interrupted(before.clock, facts, by, at) if before.clock and by in before.players else None
    answer = GivenAnswer(by, before.version + 1, before.state, hand, any(fact.turns_up for fact in facts))
    return replace(after, answers=_with_answer(after.answers, answer), take_back=())


def _with_answer(answers: tuple[GivenAnswer, ...], answer: GivenAnswer) -> tuple[GivenAnswer, ...]:
    """Of all others only the last answer, of this player all in a row."""
    if answers and answers[-1].by == answer.by:
        return (*answers[-MOST_IN_A_ROW:], answer)
    last = {earlier.by: earlier for earlier in answers if earlier.by != answer.by}
    return (*sorted(last.values(), key=lambda earlier: earlier.version), answer)


def after_facts(game: Game, facts: Iterable[Fact]) -> Game:
    """The game after these facts, but not yet after a commit."""
    moves: list[Fact] = []
    for fact in facts:
        if isinstance(fact, TableFact):
            game = fact.change(game)
        else:
            moves.append(fact)
    return replace(game, state=fold(game.state, moves)) if moves else game


def standing(commits: Iterable[Commit]) -> list[Commit]:
    """The commits without those whose answers were taken back."""
    left: list[Commit] = []
    for commit in commits:
        undone = [fact.version for fact in commit.facts if isinstance(fact, MoveTakenBack)]
        left = [earlier for earlier in left if not undone or earlier.header.version < undone[0]]
        left.append(commit)
    return left


def redact(commit: Commit, viewer: Viewer) -> list[Fact]:
    """The facts of a commit as this viewer may know them."""
    return [fact if viewer == EVERYTHING else fact.seen_by(viewer) for fact in commit.facts]
