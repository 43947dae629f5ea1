"""What is agreed about a tournament before it starts. Plain data, and the checks that refuse what cannot be played."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from events.table.time_control import TimeControl, check_control
from rules.errors import Unreadable
from rules.texts import one_by_one, say
from tournaments.certificate import DUTCH, FAST, PROGRAM, TABLES
from tournaments.history import BYE_VALUES, BYE_WIN
from tournaments.points import LARGEST, SMALLEST, PointScheme, check_scheme
from tournaments.standings import check_tiebreaks
from tournaments.tiebreaks import BOARD_GAME, FIDE
from tournaments.tiebreaks import TABLES as TABLE_TIEBREAKS
from tournaments.wishes import AVOID, RANDOM, REMATCHES, SEEDINGS

SWISS, HEATS, FINAL = "swiss", "heats", "final"
STAGES = (SWISS, HEATS, FINAL)
"""Rounds by the standings; rounds by lot; rounds of the best of the stage before, who begin anew."""

WHEN_DONE, INTERVAL, DATES, BY_HAND = "when-done", "interval", "dates", "by-hand"
ROUND_RULES = (WHEN_DONE, INTERVAL, DATES, BY_HAND)

PUBLIC, PRIVATE = "public", "private"

MOST_ROUNDS, MOST_PLAYERS, MOST_STAGES = 50, 9999, 5
LONGEST_TITLE, LONGEST_TEXT = 120, 4000
YEAR_MS = 366 * 24 * 3600 * 1000
CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class Stage(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Some rounds of one kind."""

    kind: str = SWISS
    rounds: int = 5
    players: int = 0
    """So many of the stage before go on to it; 0: all."""
    size: int = 0
    """Of its tables; 0: as in the whole tournament."""


class Schedule(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """When things happen without anybody there. Milliseconds; 0 is never."""

    starts_at: int = 0
    """The start of the tournament; 0: by hand."""
    check_in_ms: int = 0
    """So long before the start players confirm that they are there; 0: nobody has to."""
    rule: str = WHEN_DONE
    """A round follows when all tables are done, some time after the start of the one before, at dates, or by hand."""
    interval_ms: int = 0
    """After the last table, or from start to start."""
    dates: tuple[int, ...] = ()
    review_ms: int = 0
    """So long a proposed round can be changed before it is published."""
    notice_ms: int = 0
    """From the publication of a round to its start."""
    limit_ms: int = 0
    """The longest for a round."""
    remind_ms: int = 0
    """So long before the limit players are reminded."""
    no_show_ms: int = 0
    """So long after the start of a round a player who has not come is absent."""


class Entry(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who may come, until when."""

    fewest: int = 2
    most: int = MOST_PLAYERS
    late_until: int = 0
    """The last round that a late player can enter; 0: none."""
    late_half_bye: bool = False
    """A late player gets half of a win for one missed round, and nothing for the others."""
    half_byes: int = 0
    """So many byes with half of a win a player may ask for."""
    half_byes_until: int = 0
    """The last round of such a bye; 0: any."""


class Options(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The agreement."""

    title: str
    game: str
    """The rules, with their expansions."""
    game_options: Mapping[str, str] = {}
    size: int = 4
    sizes: tuple[int, ...] = ()
    """Other sizes of tables, where numbers do not fit; none: players sit out."""
    method: str = ""
    """How rounds are paired; empty: tables, or the fast way for two."""
    stages: tuple[Stage, ...] = (Stage(),)
    schedule: Schedule = Schedule()
    entry: Entry = Entry()
    time: TimeControl | None = None
    points: PointScheme = PointScheme()
    tiebreaks: tuple[str, ...] = ()
    """Empty: the usual ones."""
    bye: str = BYE_WIN
    rematch: str = AVOID
    seeding: str = RANDOM
    teams_apart: bool = True
    leaders_together: bool = False
    """In the last round of a stage."""
    odd_tables_first: bool = False
    absences: int = 2
    """So many in a row, and a player is withdrawn; 0: never."""
    rated: bool = True
    """Whether its games count for the ratings of the players."""
    visibility: str = PUBLIC
    spectators_delay_ms: int = 0
    hides_standings: bool = False
    """Until the end."""
    chat: bool = False
    """Whether players and spectators of a table may write to each other."""
    description: str = ""

    def table_size(self, stage: int) -> int:
        return self.stages[stage].size or self.size

    def smallest_table(self, stage: int) -> int:
        return min((self.table_size(stage), *self.sizes))

    @property
    def fewest(self) -> int:
        """So many players at least it takes to start: they fill a table."""
        return max(self.entry.fewest, self.smallest_table(0))

    def pairing_method(self, stage: int) -> str:
        if self.table_size(stage) > 2:
            return TABLES
        return self.method if self.method != TABLES and self.method else FAST

    @property
    def standings_list(self) -> tuple[str, ...]:
        if self.tiebreaks:
            return self.tiebreaks
        if self.size > 2:
            return TABLE_TIEBREAKS
        return FIDE if self.method in (DUTCH, PROGRAM) else BOARD_GAME


def check_options(options: Options) -> None:
    """Refuses an agreement by which nobody can play."""
    check_text(options.title, LONGEST_TITLE, lines=False)
    if options.description:
        check_text(options.description, LONGEST_TEXT, lines=True)
    for size in (options.size, *options.sizes, *(stage.size for stage in options.stages if stage.size)):
        _check_range("size", size, SMALLEST, LARGEST)
    _check_choice("method", options.method, ("", TABLES, FAST, DUTCH, PROGRAM))
    _check_choice("bye", options.bye, BYE_VALUES)
    _check_choice("rematch", options.rematch, REMATCHES)
    _check_choice("seeding", options.seeding, SEEDINGS)
    _check_choice("visibility", options.visibility, (PUBLIC, PRIVATE))
    _check_range("absences", options.absences, 0, MOST_ROUNDS)
    _check_range("spectators_delay_ms", options.spectators_delay_ms, 0, YEAR_MS)
    if len(options.game_options) > 20 or any(
        len(key) + len(value) > 200 for key, value in options.game_options.items()
    ):
        raise Unreadable(say("a game has few and short options"))
    check_scheme(options.points)
    check_tiebreaks(options.standings_list)
    if options.time:
        check_control(options.time)
    _check_stages(options)
    _check_schedule(options.schedule)
    _check_entry(options.entry)


def _check_stages(options: Options) -> None:
    _check_range("stages", len(options.stages), 1, MOST_STAGES)
    for number, stage in enumerate(options.stages):
        _check_choice("kind", stage.kind, STAGES)
        _check_range("rounds", stage.rounds, 1, MOST_ROUNDS)
        _check_range("players", stage.players, 0, MOST_PLAYERS)
        if (stage.kind == FINAL) != (number > 0) or (stage.kind == FINAL and stage.players < SMALLEST):
            raise Unreadable(say("the first stage is for all, and each one after it a final of so many players"))


def _check_schedule(schedule: Schedule) -> None:
    _check_choice("rule", schedule.rule, ROUND_RULES)
    for name in ("check_in_ms", "interval_ms", "review_ms", "notice_ms", "limit_ms", "remind_ms", "no_show_ms"):
        _check_range(name, getattr(schedule, name), 0, YEAR_MS)
    if (schedule.rule == DATES) != bool(schedule.dates) or list(schedule.dates) != sorted(set(schedule.dates)):
        raise Unreadable(say("rounds by dates have dates, one after the other, and others have none"))
    if len(schedule.dates) > MOST_ROUNDS:
        raise Unreadable(say("a tournament has {most} rounds at most", most=MOST_ROUNDS))
    if schedule.rule == INTERVAL and not schedule.interval_ms:
        raise Unreadable(say("rounds at an interval need one"))


def _check_entry(entry: Entry) -> None:
    _check_range("fewest", entry.fewest, 2, MOST_PLAYERS)
    _check_range("most", entry.most, entry.fewest, MOST_PLAYERS)
    for name in ("late_until", "half_byes", "half_byes_until"):
        _check_range(name, getattr(entry, name), 0, MOST_ROUNDS)


def check_text(text: str, longest: int, *, lines: bool) -> None:
    if not text.strip() or len(text) > longest or CONTROLS.search(text) or ("\n" in text and not lines):
        raise Unreadable(say("a text has 1 to {most} characters, and no control characters", most=longest))


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise Unreadable(
            say("{name} is one of {choices}", name=name, choices=one_by_one(each for each in choices if each))
        )


def _check_range(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise Unreadable(say("{name} is {least} to {most}", name=name, least=least, most=most))
