"""Time in words: how fast a table plays, and how long is left."""

from __future__ import annotations

from datetime import UTC, datetime

from events.table.calendar import DAY
from events.table.time_control import TimeControl
from rules.texts import Text, say

SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000


def pace(control: TimeControl | None) -> Text:
    """
    >>> str(pace(None)), str(pace(TimeControl(bank_ms=20 * MINUTE))), str(pace(TimeControl(limit_ms=DAY)))
    ('no clock', '20 min each', 'a move a day')
    >>> str(pace(TimeControl(bank_ms=5 * MINUTE, increment_ms=15 * SECOND))), str(pace(TimeControl(limit_ms=3 * DAY)))
    ('5 min each, 15 s a move', '3 days a move')
    """
    if control is None:
        return say("no clock")
    if not control.has_bank:
        return _each_move(control.limit_ms)
    bank = say("{time} each", time=span(control.bank_ms))
    if not control.increment_ms:
        return bank
    return say("{bank}, {increment} a move", bank=bank, increment=span(control.increment_ms))


def _each_move(limit_ms: int) -> Text:
    if limit_ms % DAY or not limit_ms:
        return say("{time} a move", time=span(limit_ms))
    days = limit_ms // DAY
    return say("a move a day") if days == 1 else say("{count} days a move", count=days)


def span(milliseconds: int) -> Text:
    """A length of time, in one or two of its units.

    >>> [str(span(each)) for each in (15 * SECOND, 90 * SECOND, 20 * MINUTE, 90 * MINUTE, 28 * HOUR, 3 * DAY)]
    ['15 s', '1 min 30 s', '20 min', '1 h 30 min', '1 d 4 h', '3 d']
    """
    units = [
        (DAY, lambda count: say("{count} d", count=count)),
        (HOUR, lambda count: say("{count} h", count=count)),
        (MINUTE, lambda count: say("{count} min", count=count)),
        (SECOND, lambda count: say("{count} s", count=count)),
    ]
    largest = next((at for at, (size, _) in enumerate(units) if milliseconds >= size), len(units) - 1)
    size, told = units[largest]
    count, rest = divmod(milliseconds, size)
    first = told(count)
    if largest + 1 == len(units) or not (second := rest // units[largest + 1][0]):
        return first
    return say("{first} {second}", first=first, second=units[largest + 1][1](second))


def left(milliseconds: int) -> Text:
    """The time that is left on a clock; below an hour as a clock shows it.

    >>> [str(left(each)) for each in (27 * SECOND, 760 * SECOND, 28 * HOUR, -5)]
    ['0:27 left', '12:40 left', '1 d 4 h left', '0:00 left']
    """
    if milliseconds >= HOUR:
        return say("{time} left", time=span(milliseconds))
    minutes, seconds = divmod(max(0, milliseconds) // SECOND, 60)
    return say("{time} left", time=f"{minutes}:{seconds:02}")


def minute(at: int) -> Text:
    """A moment as a page without a script tells it.

    >>> str(minute(1_700_000_000_000))
    '2023-11-14 22:13 UTC'
    """
    told = datetime.fromtimestamp(at / 1000, UTC)
    return say("{day} {time} UTC", day=f"{told:%Y-%m-%d}", time=f"{told:%H:%M}")


def moment(milliseconds: int) -> str:
    """
    >>> moment(1767225600000)
    '2026-01-01T00:00:00Z'
    """
    return datetime.fromtimestamp(milliseconds // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def day(milliseconds: int) -> str:
    """
    >>> day(1767225600000)
    '2026-01-01'
    """
    return moment(milliseconds)[:10]
