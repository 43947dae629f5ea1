"""A game after some version: what was agreed at the table, and where it stands. Pure; folded from facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotSeated
from events.log import NO_CHANGE, NO_DEADLINE
from events.log.codec import Commit
from events.table import clock
from events.table.clock import Clock
from events.table.facts import GameCreated, TableFact
from events.table.time_control import DEFAULTS, TimeControl
from rules import catalogue
from rules.kernel import EVERYTHING, Fact, Player, State, Viewer, decision_id, fold, waiting

OPEN, RUNNING, OVER, ABORTED = "open", "running", "over", "aborted"
PUBLIC, PRIVATE = "public", "private"


class Game(Struct, frozen=True):
    """What was agreed, who sits where, how far it has come."""

    id: str
    rules: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    commitment: str
    version: int
    head: str
    """The hash of the last commit."""
    state: State
    created_at: int = 0
    """Milliseconds since 1970."""
    owner: str = ""
    visibility: str = PUBLIC
    seats: Mapping[str, str] = {}
    """Player to the account on that seat."""
    nonces: Mapping[str, str] = {}
    started: bool = False
    aborted: bool = False
    at: int = 0
    """The moment of the last commit, or of the decision under way."""
    time: TimeControl | None = None
    clock: Clock | None = None
    """From the start on, if time counts."""
    may_resign: bool = True
    forfeited: Mapping[str, str] = {}
    """Seats that are out of the running, and why."""
    decided: bool = False
    """Over before its end, because no opponent was left."""

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
        if self.status == RUNNING and self.clock:
            return self.clock.deadline
        if self.status == RUNNING and any(player in self.forfeited for player in self.asked):
            return self.at
        return NO_DEADLINE if self.time or self.forfeited else NO_CHANGE

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

    def seat_of(self, who: str) -> Player:
        """The seat of an account."""
        for player, sitting in self.seats.items():
            if sitting == who:
                return player
        raise NotSeated("you do not sit at this table")

    def is_visible_to(self, who: str | None) -> bool:
        """A private game is seen only by its owner and by the accounts at its table."""
        return self.visibility == PUBLIC or who in (self.owner, *self.seats.values())

    # What table facts change

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
    )


def after(game: Game, commit: Commit) -> Game:
    """The game after one more commit."""
    return committed(after_facts(game, commit.facts), commit)


def committed(game: Game, commit: Commit) -> Game:
    """The game after the facts of a commit, as the game after that commit."""
    return replace(game, version=commit.header.version, head=commit.hash, at=commit.header.at)


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
