"""When time counts: at night, on days off and on vacation it may not.

>>> weekdays = Calendar(zone="Europe/Madrid", quiet_from="22:00", quiet_until="08:00", days_off=(5, 6))
>>> friday_at_nine_in_the_evening = 1_772_827_200_000
>>> monday_at_nine = later(weekdays, friday_at_nine_in_the_evening, 2 * HOUR)
>>> (monday_at_nine - friday_at_nine_in_the_evening) / HOUR
60.0
>>> counted(weekdays, friday_at_nine_in_the_evening, monday_at_nine) / HOUR
2.0
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from functools import reduce
from zoneinfo import ZoneInfo

from msgspec import Struct

from rules.errors import Unreadable
from rules.texts import Text, say, say_many

HOUR = 3_600_000
DAY = 24 * HOUR

LONGEST_LOOK = 4000
"""In days. What takes longer than that never ends."""

Span = tuple[int, int]
"""From when to when, in milliseconds since 1970; the end is not in it."""


class Calendar(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The hours in which the clocks of a table run. Days and hours are those of one place."""

    zone: str = "UTC"
    quiet_from: str = ""
    quiet_until: str = ""
    """Between these hours no clock runs: `22:00` to `08:00` is the night."""
    days_off: tuple[int, ...] = ()
    """Monday is 0."""
    vacation_days: int = 0
    """So many days every player may be away, whenever they say so."""


ALWAYS = Calendar()


def check_calendar(calendar: Calendar) -> None:
    """Refuses one in which time never counts, or that cannot be read."""
    try:
        ZoneInfo(calendar.zone)
    except (LookupError, ValueError, OSError):
        raise Unreadable(
            say("there is no time zone {zone}: one is Europe/Madrid, for instance", zone=repr(calendar.zone))
        ) from None
    if bool(calendar.quiet_from) != bool(calendar.quiet_until):
        raise Unreadable(say("quiet hours have a beginning and an end"))
    for hour in filter(None, (calendar.quiet_from, calendar.quiet_until)):
        if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", hour, re.ASCII):
            raise Unreadable(say("an hour is written like 08:30, not {hour}", hour=repr(hour)))
    if not set(calendar.days_off) < set(range(7)):
        raise Unreadable(say("days off are numbers from 0 (Monday) to 6, and one day at least is left to play"))
    if not 0 <= calendar.vacation_days <= 365:
        raise Unreadable(say("vacation is 0 to 365 days"))


def counted(calendar: Calendar, since: int, until: int, away: Iterable[Span] = ()) -> int:
    """How many of the milliseconds between two moments count, for a player who is away now and then."""
    if until <= since:
        return 0
    away = tuple(away)
    if _is_always_open(calendar) and not away:
        return until - since
    total = 0
    for start, end in _open(calendar, since, away):
        if start >= until:
            break
        total += min(end, until) - start
    return total


def later(calendar: Calendar, since: int, milliseconds: int, away: Iterable[Span] = ()) -> int:
    """The first moment at which so many milliseconds have counted."""
    away, left, end = tuple(away), max(0, milliseconds), since
    if not left or (_is_always_open(calendar) and not away):
        return since + left
    for start, end in _open(calendar, since, away):
        if left <= end - start:
            return start + left
        left -= end - start
    return end


def _is_always_open(calendar: Calendar) -> bool:
    return not calendar.days_off and calendar.quiet_from == calendar.quiet_until


def _open(calendar: Calendar, since: int, away: tuple[Span, ...]) -> Iterator[Span]:
    """The spans in which time counts, from a moment on, in order."""
    for start, end in _open_by_the_calendar(calendar, since):
        for span in _without((start, end), sorted(away)):
            if span[1] > since:
                yield max(span[0], since), span[1]


def _open_by_the_calendar(calendar: Calendar, since: int) -> Iterator[Span]:
    zone = ZoneInfo(calendar.zone)
    today = datetime.fromtimestamp(since / 1000, zone).date()
    begun = 0
    for day in (today + timedelta(days=number) for number in range(-1, LONGEST_LOOK)):
        if day.weekday() in calendar.days_off:
            continue
        for start, end in _hours(calendar):
            # Where clocks are put forward, an hour may be missing: no span begins before the last one ends.
            opens, closes = max(begun, _moment(day, start, zone)), _moment(day, end, zone)
            if opens < closes:
                begun = closes
                yield opens, closes


def _hours(calendar: Calendar) -> tuple[tuple[str, str], ...]:
    """The hours of a day in which time counts; an empty end is midnight."""
    quiet_from, quiet_until = calendar.quiet_from, calendar.quiet_until
    if quiet_from == quiet_until:
        return (("00:00", ""),)
    if quiet_from < quiet_until:
        return (("00:00", quiet_from), (quiet_until, ""))
    return ((quiet_until, quiet_from),)


def _moment(day: date, hour: str, zone: ZoneInfo) -> int:
    day, at = (day, time.fromisoformat(hour)) if hour else (day + timedelta(days=1), time())
    return int(datetime.combine(day, at, zone).timestamp() * 1000)


def _without(span: Span, holes: list[Span]) -> Iterator[Span]:
    """The rest of a span."""
    start, end = span
    for since, until in holes:
        if until <= start or since >= end:
            continue
        if since > start:
            yield start, since
        start = max(start, until)
    if start < end:
        yield start, end


def duration(milliseconds: int) -> Text:
    """
    >>> [str(duration(time)) for time in (DAY, 2 * DAY, 90_500, 3_600_000, 3_601_000, 90_061_000, 0)]
    ['1 day', '2 days', '1 min 30 s', '1 h', '1 h 1 s', '25 h 1 min 1 s', '0 s']
    """
    if milliseconds >= DAY and milliseconds % DAY == 0:
        return say_many("{count} day", "{count} days", milliseconds // DAY)
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    parts = (
        (hours, say("{hours} h", hours=hours)),
        (minutes, say("{minutes} min", minutes=minutes)),
        (seconds, say("{seconds} s", seconds=seconds)),
    )
    shown = [text for number, text in parts if number] or [say("{seconds} s", seconds=0)]
    return reduce(lambda longer, shorter: say("{longer} {shorter}", longer=longer, shorter=shorter), shown)
