"""The draft of a tournament: what the form of a new one says, and the agreement that it makes. Plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from events.table.time_control import TimeControl
from rules.catalogue import DEFAULT, GAMES, game_named
from rules.errors import Unreadable
from rules.texts import Text, say
from service.tournaments.presets import agreed
from service.web.game_options import further_options, read_further
from service.web.times import HOUR, MINUTE, SECOND, pace
from tournaments.options import LONGEST_TITLE, MOST_PLAYERS, MOST_ROUNDS, Options
from tournaments.points import CHESS, FOUR_PLACES, LARGEST, PLACES, PRESETS, SCALE, SHARE, SMALLEST, UPWARDS, WIN

Form = Mapping[str, Sequence[str]]

DAY = 24 * HOUR
AS_PRESET = "preset"
TIMES: Mapping[str, TimeControl] = {
    "20-10": TimeControl(bank_ms=20 * MINUTE, increment_ms=10 * SECOND, cap_ms=20 * MINUTE, policy="bot"),
    "30-15": TimeControl(bank_ms=30 * MINUTE, increment_ms=15 * SECOND, cap_ms=30 * MINUTE, policy="bot"),
    "45-20": TimeControl(bank_ms=45 * MINUTE, increment_ms=20 * SECOND, cap_ms=45 * MINUTE, policy="bot"),
    "day": TimeControl(limit_ms=DAY, policy="forfeit"),
}
"""Time controls to choose from, besides that of the preset."""
POINTS = {name: PRESETS[name] for name in (SCALE, PLACES, FOUR_PLACES, UPWARDS, WIN, CHESS, SHARE)}
LATEST = 253402300799
"""The end of the year 9999, in seconds."""
LIKELY_PLAYERS, MOST_LIKELY = 30, 5000
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


class Draft(NamedTuple):
    preset: str
    title: str
    game: str
    """The rules, with their expansions."""
    length: str
    further: Mapping[str, str]
    """What is agreed because of expansions, where that is not as usual."""
    size: int
    others: tuple[int, ...]
    """Other sizes of tables, where numbers do not fit."""
    players: int
    """So many may come: figures are told for this number."""
    time: str
    rounds: int
    starts: str
    """Day and time, in UTC; empty: by hand."""
    points: str
    ties: tuple[str, ...]
    most: int
    visibility: str
    is_ties_own: bool = False

    def options(self) -> Options:
        """The agreement, unchecked."""
        as_agreed = agreed({"title": "a title", "game": DEFAULT}, self.preset)
        first = as_agreed.stages[0]
        given: dict[str, Any] = {
            "title": self.title,
            "game": self.game,
            "game_options": {**({"game_length": self.length} if self.length else {}), **self.further},
            "size": self.size,
            "sizes": self.others,
            "stages": [{"kind": first.kind, "rounds": self.rounds}, *finals_of(as_agreed, self.size)],
            "schedule": {"starts_at": starts_at(self.starts)},
            "entry": {"most": self.most or MOST_PLAYERS},
            "visibility": self.visibility,
            "points": {"preset": self.points},
            "method": as_agreed.method if self.size == as_agreed.size else "",
        }
        if self.is_ties_own:
            given["tiebreaks"] = self.ties
        if self.time != AS_PRESET:
            given["time"] = as_plain(TIMES[self.time])
        return agreed(given, self.preset)

    def changed(self) -> frozenset[str]:
        """The rows that differ from the preset."""
        usual = first_draft(self.preset)
        about = {
            "game": (self.game, self.length, self.further) != (usual.game, usual.length, usual.further),
            "tables": (self.size, self.others) != (usual.size, usual.others),
            "time": self.time != usual.time,
            "rounds": (self.rounds, self.starts) != (usual.rounds, usual.starts),
            "points": self.points != usual.points,
            "ties": self.is_ties_own,
            "entry": (self.most, self.visibility) != (usual.most, usual.visibility),
        }
        return frozenset(name for name, differs in about.items() if differs)

    def after(self, act: str) -> Draft:
        """The draft after a button was pressed."""
        kind, _, value = act.partition(":")
        match kind:
            case "preset":
                return first_draft(known_preset(value, self.preset))._replace(title=self.title, players=self.players)
            case "back":
                return self._back(value)
            case "players":
                step = 1 if value == "more" else -1
                return self._replace(players=min(MOST_LIKELY, max(SMALLEST, self.players + step)))
            case "up":
                return self._moved(value, -1)
            case "down":
                return self._moved(value, 1)
        return self

    def _back(self, row: str) -> Draft:
        """One row as the preset has it."""
        usual = first_draft(self.preset)
        rows = {
            "game": ("game", "length", "further"),
            "tables": ("size", "others", "ties"),
            "time": ("time",),
            "rounds": ("rounds", "starts"),
            "points": ("points",),
            "ties": ("ties", "is_ties_own"),
            "entry": ("most", "visibility"),
        }
        return self._replace(**{name: getattr(usual, name) for name in rows.get(row, ())})

    def _moved(self, tie: str, by: int) -> Draft:
        """A tie-break earlier or later; the points stay first."""
        if tie not in self.ties[1:]:
            return self
        others = [name for name in self.ties if name != tie]
        at = min(len(others), max(1, self.ties.index(tie) + by))
        return self._replace(ties=(*others[:at], tie, *others[at:]), is_ties_own=True)


def known_preset(name: str, otherwise: str) -> str:
    from service.tournaments.presets import PRESETS as KNOWN

    return name if name in KNOWN else otherwise


def finals_of(options: Options, size: int) -> list[dict[str, Any]]:
    """Finals of a table of the size that was chosen."""
    return [
        {"kind": stage.kind, "rounds": stage.rounds, "players": max(stage.players, size)}
        for stage in options.stages[1:]
    ]


def as_plain(control: TimeControl) -> dict[str, Any]:
    return {name: getattr(control, name) for name in ("bank_ms", "increment_ms", "cap_ms", "limit_ms", "policy")}


def first_draft(preset: str) -> Draft:
    """As the preset says."""
    options = agreed({"title": "a title", "game": DEFAULT}, preset)
    return Draft(
        preset=preset,
        title="",
        game=options.game,
        length=options.game_options.get("game_length", usual_length(options.game)),
        further=further_of(options.game, options.game_options),
        size=options.size,
        others=tuple(sorted(options.sizes)),
        players=LIKELY_PLAYERS,
        time=AS_PRESET,
        rounds=options.stages[0].rounds,
        starts="",
        points=options.points.preset,
        ties=options.standings_list,
        most=0 if options.entry.most == MOST_PLAYERS else options.entry.most,
        visibility=options.visibility,
    )


def usual_length(game: str) -> str:
    values = game_named(game).options.get("game_length", ())
    return values[0] if values else ""


def further_of(game: str, agreed_on: Mapping[str, str]) -> dict[str, str]:
    names = {each.option for each in further_options(game_named(game))}
    return {option: value for option, value in agreed_on.items() if option in names}


def read_draft(form: Form) -> Draft:
    """What a form says. What it does not say, or says wrongly, is as in the preset."""

    def given(name: str) -> str:
        return form.get(name, [""])[-1]

    usual = first_draft(known_preset(given("preset"), "weekend-swiss"))
    size = whole(given("size"), SMALLEST, LARGEST, usual.size)
    game = rules_of(given("game"), form.get("expansions", []), usual.game)
    draft = usual._replace(
        title=given("title")[: 2 * LONGEST_TITLE],
        game=game,
        further=read_further(form, GAMES[game.partition("+")[0]], game.split("+")[1:]),
        length=given("length")[:20] or usual.length,
        size=size,
        others=others_of(given("way"), size) if "way" in form else usual.others,
        players=whole(given("players"), SMALLEST, MOST_LIKELY, usual.players),
        time=given("time") if given("time") in (AS_PRESET, *TIMES) else usual.time,
        rounds=whole(given("rounds"), 1, MOST_ROUNDS, usual.rounds),
        starts=given("starts") if MOMENT.fullmatch(given("starts")) else "",
        points=given("points") if given("points") in POINTS else usual.points,
        most=whole(given("most"), 0, MOST_PLAYERS, 0),
        visibility=given("visibility") if given("visibility") in ("public", "private") else usual.visibility,
    )
    return with_ties(draft, tuple(form.get("ties", ())), is_own=given("own_ties") == "yes")


def with_ties(draft: Draft, ties: tuple[str, ...], *, is_own: bool) -> Draft:
    """Another size has other tie-breaks, as long as the organiser has not put them in order."""
    usual = draft._replace(is_ties_own=False).options().standings_list
    if is_own and sorted(ties) == sorted(usual):
        return draft._replace(ties=ties, is_ties_own=True)
    return draft._replace(ties=usual, is_ties_own=False)


def whole(text: str, least: int, most: int, otherwise: int) -> int:
    """
    >>> whole("7", 1, 9, 5), whole("70", 1, 9, 5), whole("x", 1, 9, 5)
    (7, 9, 5)
    """
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        return otherwise
    return min(most, max(least, int(text)))


def rules_of(game: str, expansions: Sequence[str], otherwise: str) -> str:
    if game not in GAMES:
        return otherwise
    return "+".join([game, *sorted(each for each in set(expansions) if each in GAMES[game].expansions)])


def others_of(way: str, size: int) -> tuple[int, ...]:
    """
    >>> others_of("3-5", 4), others_of("", 4), others_of("9-x", 4)
    ((3, 5), (), ())
    """
    found = {int(part) for part in way.split("-") if part.isascii() and part.isdigit() and len(part) == 1}
    return tuple(sorted(each for each in found if SMALLEST <= each <= LARGEST and abs(each - size) == 1))


def starts_at(moment: str) -> int:
    if not moment:
        return 0
    try:
        return int(datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()) * 1000
    except ValueError:
        raise Unreadable(say("{moment} is no day and time", moment=moment)) from None


def moment_of(at: int) -> str:
    """
    >>> moment_of(1794835212480), starts_at(moment_of(1794835200000)), moment_of(0)
    ('2026-11-16T13:20', 1794835200000, '')
    """
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%dT%H:%M}" if at else ""


def times_of(draft: Draft) -> dict[str, Text]:
    """The time controls to choose from; that of the preset is not named twice."""
    own = agreed({"title": "a title", "game": DEFAULT}, draft.preset).time
    found = {AS_PRESET: short_pace(own)}
    return found | {name: short_pace(each) for name, each in TIMES.items() if str(pace(each)) != str(pace(own))}


def short_pace(control: TimeControl | None) -> Text:
    """Minutes for the game, and seconds for a decision.

    >>> str(short_pace(TIMES["30-15"])), str(short_pace(TIMES["day"]))
    ('30 + 15', 'a move a day')
    """
    if control is None or not control.has_bank:
        return pace(control)
    minutes, seconds = control.bank_ms // MINUTE, control.increment_ms // SECOND
    return say("{minutes} + {seconds}", minutes=minutes, seconds=seconds)
