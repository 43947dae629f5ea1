"""The draft of a ruling at a table: what the form says, and the command that it makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from rules.errors import Unreadable
from rules.texts import Text, say
from service.http.context import services
from service.tournaments.actions import command
from service.web.tournaments.event_frame import Frame
from service.web.tournaments.table_cards import games_of
from tournaments.commands import TournamentCommand
from tournaments.points import UNIT
from tournaments.results import Result
from tournaments.tournament import PairedRound

ADJUDICATE, REWIND, REPLAY, PENALISE, SUBSTITUTE = "adjudicate", "rewind", "replay", "penalise", "substitute"
KINDS: dict[str, Text] = {
    ADJUDICATE: say("Adjudicate"),
    REWIND: say("Rewind"),
    REPLAY: say("Replay"),
    PENALISE: say("Penalise"),
    SUBSTITUTE: say("Substitute"),
}
PENALTIES: dict[str, Text] = {
    "warning": say("a warning"),
    "points": say("points taken"),
    "exclusion": say("excluded from now on"),
}
MOST_POINTS = 1_000_000
UNWRITTEN = "…"
"""In place of a reason that is not written yet: a preview needs none."""

Given = Callable[[str], str]


class RulingDraft(NamedTuple):
    round: int
    table: int
    kind: str
    reason: str
    places: tuple[int, ...]
    scores: tuple[int, ...]
    version: int
    """Of the game, to go back to."""
    last_version: int
    steps: tuple[int, ...]
    """Those that the game can go back to, the earliest first."""
    player: str
    penalty: str
    points: int
    substitute: str
    stops_clocks: bool
    """Until the substitute has answered."""

    def fields(self) -> dict[str, Any]:
        """As an action of the interface."""
        at = {"round": self.round, "table": self.table}
        about: dict[str, dict[str, Any]] = {
            ADJUDICATE: {**at, "result": {"places": list(self.places), "victory_points": list(self.scores)}},
            REWIND: {**at, "version": self.version},
            REPLAY: at,
            PENALISE: {"player": self.player, "penalty": self.penalty, "units": self._units},
            SUBSTITUTE: {
                "player": self.player,
                "substitute": self.substitute,
                "stops_clocks": self.stops_clocks,
            },
        }
        return {**about[self.kind], "reason": self.reason or UNWRITTEN}

    @property
    def _units(self) -> int:
        return self.points * UNIT if self.penalty == "points" else 0

    def command(self, frame: Frame) -> TournamentCommand:
        service = services().tournament_service
        return command(service, frame.tournament, frame.account or "", self.kind, self.fields())

    @property
    def earlier(self) -> int:
        """The nearest step before this one that the game can go back to."""
        return max((step for step in self.steps if step < self.version), default=self.version)

    @property
    def later(self) -> int:
        return min((step for step in self.steps if step > self.version), default=self.version)

    @property
    def title(self) -> Text:
        """What the button says."""
        match self.kind:
            case "rewind":
                return say("Rewind to step {version}", version=self.version)
            case "replay":
                return say("Have table {table} play again", table=self.table + 1)
            case "penalise":
                return say("Penalise")
            case "substitute":
                return say("Ask the substitute")
        return say("Give table {table} this result", table=self.table + 1)


def read_ruling(frame: Frame, paired: PairedRound, table: int, given: Given) -> RulingDraft:
    """What the address or the form says; for the rest, how the table stands now."""
    at_table = paired.round.tables[table]
    result = at_table.result or now_at(paired, table)
    seats = range(len(at_table.players))
    last, steps = last_version(paired, table), steps_of(paired, table)
    kind = given("kind") if given("kind") in KINDS else ADJUDICATE
    scores = tuple(_number(given(f"score-{seat}"), result.victory_points[seat]) for seat in seats)
    player = given("player")
    return RulingDraft(
        round=paired.number,
        table=table,
        kind=kind,
        reason=given("reason").replace("\r\n", "\n").strip(),
        places=tuple(_number(given(f"place-{seat}"), result.places[seat]) for seat in seats),
        scores=scores,
        version=min(max(1, _number(given("version"), usual_step(paired, table, steps, last))), max(1, last - 1)),
        last_version=last,
        steps=steps,
        player=player if player in at_table.players else at_table.players[0],
        penalty=given("penalty") if given("penalty") in PENALTIES else "warning",
        points=abs(_number(given("points"), 1)),
        substitute=given("substitute").strip(),
        stops_clocks=bool(given("stops_clocks")),
    )


def now_at(paired: PairedRound, table: int) -> Result:
    """The table as if its game ended now: places by the scores."""
    seats = len(paired.round.tables[table].players)
    game = games_of(paired, [table]).get(table)
    return by_scores(tuple(game.state.board.scores[seat] for seat in game.players) if game else (0,) * seats)


def by_scores(scores: tuple[int, ...]) -> Result:
    return Result(tuple(1 + sum(other > mine for other in scores) for mine in scores), scores)


def last_version(paired: PairedRound, table: int) -> int:
    """Of the game of the table; 0: it has none."""
    game = paired.games.get(table)
    return services().games.load(game).version if game else 0


def steps_of(paired: PairedRound, table: int) -> tuple[int, ...]:
    """The steps before the last answers of a game that runs."""
    game = games_of(paired, [table]).get(table)
    return tuple(sorted({answer.version - 1 for answer in game.answers})) if game else ()


def usual_step(paired: PairedRound, table: int, steps: Sequence[int], last: int) -> int:
    """Before the answer after which a player has called; otherwise before the last one."""
    called = next((claim.step for claim in paired.claims.get(table, ()) if claim.step), last)
    before = [step for step in steps if step < called] or steps
    return before[-1] if before else last - 1


def _number(text: str, otherwise: int) -> int:
    text = text.strip()
    if not text:
        return otherwise
    if not text.isascii() or not text.removeprefix("-").isdigit() or abs(int(text[:12])) > MOST_POINTS:
        raise Unreadable(say("{text} is no number of points, steps or places", text=text[:20]))
    return int(text)
