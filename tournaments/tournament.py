"""A tournament after some version: what was agreed, who takes part, how far it has come. Folded from facts. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotNow
from rules.texts import say
from tournaments.certificate import Certificate
from tournaments.history import Adjustment, History, Player
from tournaments.options import FINAL, HEATS, PUBLIC, Options
from tournaments.results import Round, Table
from tournaments.standings import Row, drawn_lots, standings
from tournaments.tally import Tally, tally
from tournaments.wishes import Pair, Wishes

if TYPE_CHECKING:
    from tournaments.facts import TournamentFact

OPEN, RUNNING, FINISHED, CANCELLED = "open", "running", "finished", "cancelled"
ORGANISER, ARBITER, PLAYER = "organiser", "arbiter", "player"
TABLE = "table"
"""What a ruling is about, with the number of the round and of the table."""


class Participant(Struct, frozen=True, omit_defaults=True):
    """Somebody who takes part. Another account may play for them from some moment on."""

    id: str
    account: str
    rating: int = 0
    team: str = ""
    number: int = 0
    """The starting number, from the start on."""
    entered: int = 1
    """The first round that the player could be paired in."""
    is_checked_in: bool = False
    is_withdrawn: bool = False
    has_left: bool = False
    """Whether the player was withdrawn without the will of the staff: nobody else brings them back."""
    absences: int = 0
    """In a row, without being excused."""
    byes: Mapping[int, str] = {}
    """By round: byes that the player has asked for, or was given."""
    given_byes: tuple[int, ...] = ()
    """Rounds of those that the player has not asked for: staff may take them back."""
    warnings: int = 0


class SeatRequest(Struct, frozen=True, omit_defaults=True):
    """An account is asked to play for a player from now on."""

    account: str
    until: int
    """When the staff hears that there was no answer."""
    ruling: str = ""
    """The one that asks; empty: the reversal of one."""
    round: int = 0
    table: int = -1
    """The table whose clocks stand still until there is an answer."""


class Claim(Struct, frozen=True, omit_defaults=True):
    """What a player says to the arbiter who was called to a table."""

    player: str
    text: str
    at: int
    step: int = 0
    """Of the game; 0: there was none."""
    times: int = 1
    """How often the player has called, or said something else, since the arbiter last answered."""


class PairedRound(Struct, frozen=True, omit_defaults=True):
    """A round from its proposal to its end."""

    number: int
    stage: int
    round: Round
    certificate: Certificate
    attempt: int = 1
    """How often it was drawn."""
    proposed_at: int = 0
    starts_at: int = 0
    """Once it is published."""
    started_at: int = 0
    games: Mapping[int, str] = {}
    """By table."""
    is_reminded: bool = False
    closed_at: int = 0
    claims: Mapping[int, tuple[Claim, ...]] = {}
    """By table: what its players have told the arbiter, who has not answered yet."""
    held: Mapping[int, int] = {}
    """By table: since when an arbiter lets its clocks stand still."""

    @property
    def open_tables(self) -> tuple[int, ...]:
        return tuple(number for number, table in enumerate(self.round.tables) if not table.result)

    def with_table(self, number: int, table: Table) -> PairedRound:
        tables = self.round.tables
        return replace(self, round=replace(self.round, tables=(*tables[:number], table, *tables[number + 1 :])))


class Ruling(Struct, frozen=True, omit_defaults=True):
    """A decision of an arbiter, which another one can reverse."""

    id: str
    kind: str
    by: str
    reason: str
    place: tuple[str, ...]
    """What it is about: a later ruling about the same must be reversed first."""
    inverse: tuple[TournamentFact, ...]
    reversed_by: str = ""


class Tournament(Struct, frozen=True):
    id: str
    version: int
    head: str
    commitment: str
    at: int
    owner: str
    options: Options
    created_at: int = 0
    status: str = OPEN
    is_paused: bool = False
    staff: Mapping[str, str] = {}
    """Account to role, without the owner."""
    participants: Mapping[str, Participant] = {}
    invited: Mapping[str, Participant] = {}
    """Accounts that staff has entered, and that have not agreed yet: they are told, and never paired."""
    declined: tuple[str, ...] = ()
    """Accounts that did not want to come: staff does not ask them again."""
    asked: Mapping[str, SeatRequest] = {}
    """By player: who is asked to play for them, and has not answered yet."""
    stage: int = 0
    qualified: tuple[tuple[str, ...], ...] = ()
    """Players of each stage after the first."""
    rounds: tuple[PairedRound, ...] = ()
    """Published ones."""
    proposal: PairedRound | None = None
    attempts: int = 0
    """How often the next round was drawn."""
    review_since: int = 0
    """When the next round was first proposed, if that draw was dropped: players who come and go hold nothing up."""
    forbidden: tuple[Pair, ...] = ()
    pinned: tuple[tuple[str, ...], ...] = ()
    """Tables by hand for the next round."""
    adjustments: Mapping[str, tuple[int, Adjustment]] = {}
    """By ruling: the stage, and the points."""
    rulings: Mapping[str, Ruling] = {}
    announcements: tuple[str, ...] = ()
    lots: str = ""
    """The seed of all lots, from the start on."""
    places: tuple[str, ...] = ()
    """At the end, from the first to the last."""
    counted: Tally | None = None
    """Of all closed rounds of the stage; None: a ruling has changed one."""

    # Who may do what

    def role(self, account: str) -> str:
        if account == self.owner:
            return ORGANISER
        return self.staff.get(account) or (PLAYER if self.player_of(account) else "")

    def player_of(self, account: str) -> str:
        """The player that an account plays for; empty: none."""
        mine = self.participants.get(account)
        if mine and mine.account == account:
            return mine.id
        return next((player.id for player in self.participants.values() if player.account == account), "")

    def asked_for(self, account: str) -> str:
        """The player for whom an account is asked to play; empty: none."""
        return next((player for player, request in self.asked.items() if request.account == account), "")

    def is_visible_to(self, account: str | None) -> bool:
        return self.options.visibility == PUBLIC or bool(
            account is not None and (self.role(account) or account in self.invited or self.asked_for(account))
        )

    def participant(self, player: str) -> Participant:
        if found := self.participants.get(player):
            return found
        raise NotNow(say("{player} is no player of this tournament", player=player))

    def entrant(self, player: str) -> Participant:
        """A player, or one who is invited."""
        return self.invited.get(player) or self.participant(player)

    def with_participant(self, participant: Participant) -> Tournament:
        return replace(self, participants={**self.participants, participant.id: participant})

    # Rounds

    @property
    def current(self) -> PairedRound | None:
        """The round that is published and not closed."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].closed_at else None

    @property
    def reopened(self) -> tuple[tuple[PairedRound, int], ...]:
        """Tables of closed rounds that have no result any more: a ruling lets them play on, or again."""
        ruled = {(int(where[1]), int(where[2])) for r in self.rulings.values() if (where := r.place)[0] == TABLE}
        tables = ((self.round(number), table) for number, table in sorted(ruled))
        return tuple((p, table) for p, table in tables if p.closed_at and not p.round.tables[table].result)

    def round(self, number: int) -> PairedRound:
        if 0 < number <= len(self.rounds):
            return self.rounds[number - 1]
        raise NotNow(say("round {round} is not published", round=number))

    def with_round(self, paired: PairedRound) -> Tournament:
        number = paired.number
        return replace(self, rounds=(*self.rounds[: number - 1], paired, *self.rounds[number:]))

    def rounds_of(self, stage: int) -> tuple[PairedRound, ...]:
        return tuple(paired for paired in self.rounds if paired.stage == stage)

    @property
    def is_stage_over(self) -> bool:
        closed = sum(bool(paired.closed_at) for paired in self.rounds_of(self.stage))
        return closed >= self.options.stages[self.stage].rounds

    @property
    def is_over(self) -> bool:
        """Whether every round of every stage is closed."""
        return self.is_stage_over and self.stage == len(self.options.stages) - 1

    # Who plays next

    def members(self, stage: int) -> tuple[str, ...]:
        """The players of a stage."""
        return self.qualified[stage - 1] if stage else tuple(self.participants)

    @property
    def in_play(self) -> tuple[str, ...]:
        """Players who can be paired."""
        entered = (self.participants[id] for id in self.members(self.stage))
        return tuple(player.id for player in entered if not player.is_withdrawn)

    @property
    def is_too_small(self) -> bool:
        """Whether the players who are left do not fill a table of the next round."""
        return len(self.in_play) < self.options.smallest_table(self.stage + self.is_stage_over)

    # What follows

    def history(self, stage: int, *, closed_only: bool = True) -> History:
        """Of one stage, as far as it is played."""
        rounds = (paired.round for paired in self.rounds_of(stage) if paired.closed_at or not closed_only)
        players = tuple(
            Player(player.id, player.number, player.rating, player.team) for player in self.participants.values()
        )
        adjustments = tuple(made for of, made in self.adjustments.values() if of == stage)
        return History(players, tuple(rounds), self.options.points, self.options.bye, adjustments)

    @property
    def tally(self) -> Tally:
        return self.counted or tally(self.history(self.stage))

    def standings(self, *, closed_only: bool = False) -> tuple[Row, ...]:
        """The players of the last stage come first, by their rounds there; then the others by the stage before."""
        rows: list[Row] = []
        lots = drawn_lots(self.participants, bytes.fromhex(self.lots)) if self.lots else {}
        for stage in range(self.stage, -1, -1):
            ranked = standings(self.history(stage, closed_only=closed_only), self.options.standings_list, lots)
            listed = {row.player for row in rows}
            ahead = len(rows)
            members = set(self.members(stage))
            kept = [row for row in ranked if row.player in members and row.player not in listed]
            rows += _placed(kept, ahead)
        return tuple(rows)

    def is_outdated(self, paired: PairedRound) -> bool:
        """Whether a ruling has changed what a published round was drawn from."""
        same = [before.round for before in self.rounds_of(paired.stage) if before.number < paired.number]
        now = replace(self.history(paired.stage), rounds=tuple(same)).before(len(same) + 1)
        return tally(now).digest != paired.certificate.history

    def wishes(self) -> Wishes:
        options, stage = self.options, self.options.stages[self.stage]
        is_last = len(self.rounds_of(self.stage)) == stage.rounds - 1
        return Wishes(
            rematch=options.rematch,
            seeding=options.seeding,
            forbidden=self.forbidden,
            teams_apart=options.teams_apart,
            leaders_together=options.leaders_together and is_last and stage.kind not in (HEATS, FINAL),
            by_lot=stage.kind == HEATS,
            odd_tables_first=options.odd_tables_first,
        )


def _placed(rows: list[Row], ahead: int) -> list[Row]:
    """Rows of a part of the players, with their places among all."""
    places: dict[int, int] = {}
    for number, row in enumerate(rows, start=1):
        places.setdefault(row.place, ahead + number)
    return [replace(row, place=places[row.place]) for row in rows]
