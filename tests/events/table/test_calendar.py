"""When time counts: a rulebook of nights, days off, vacations, and clocks that are put forward and back."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.table.calendar import ALWAYS, DAY, HOUR, Calendar, check_calendar, counted, later
from rules.errors import Unreadable

MADRID = "Europe/Madrid"
NIGHTS = Calendar(zone=MADRID, quiet_from="22:00", quiet_until="08:00")
SIESTA = Calendar(zone=MADRID, quiet_from="13:00", quiet_until="17:00")
WEEKDAYS = Calendar(zone=MADRID, days_off=(5, 6))
OFFICE = Calendar(zone=MADRID, quiet_from="18:00", quiet_until="09:00", days_off=(5, 6))


def at(text: str, zone: str = MADRID) -> int:
    """A moment as a clock on the wall shows it there."""
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def shown(moment: int, zone: str = MADRID) -> str:
    return datetime.fromtimestamp(moment / 1000, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")


# Worked examples


def test_without_a_calendar_all_time_counts():
    assert counted(ALWAYS, 1000, 5000) == 4000
    assert later(ALWAYS, 1000, 4000) == 5000


def test_time_never_runs_backwards():
    assert counted(ALWAYS, 5000, 1000) == counted(OFFICE, 5000, 1000) == 0


def test_the_night_does_not_count():
    assert counted(NIGHTS, at("2026-05-04 21:00"), at("2026-05-05 09:00")) == 2 * HOUR
    assert shown(later(NIGHTS, at("2026-05-04 21:00"), 2 * HOUR)) == "2026-05-05 09:00"


def test_a_player_asked_in_the_night_has_time_from_the_morning_on():
    assert shown(later(NIGHTS, at("2026-05-05 03:00"), HOUR)) == "2026-05-05 09:00"


def test_a_siesta_is_quiet_in_the_middle_of_the_day():
    assert counted(SIESTA, at("2026-05-04 12:00"), at("2026-05-04 18:00")) == 2 * HOUR
    assert counted(SIESTA, at("2026-05-04 00:00"), at("2026-05-05 00:00")) == 20 * HOUR


def test_a_day_per_move_given_on_friday_ends_on_monday():
    assert shown(later(WEEKDAYS, at("2026-05-08 20:00"), DAY)) == "2026-05-11 20:00"


def test_nights_and_weekends_add_up():
    """Nine hours a day, five days a week: a working week is 45 hours."""
    assert counted(OFFICE, at("2026-05-04 00:00"), at("2026-05-11 00:00")) == 45 * HOUR
    assert shown(later(OFFICE, at("2026-05-08 17:00"), 2 * HOUR)) == "2026-05-11 10:00"


def test_exactly_used_up_at_the_end_of_the_day_is_used_up_then():
    assert shown(later(NIGHTS, at("2026-05-04 21:00"), HOUR)) == "2026-05-04 22:00"


def test_days_are_those_of_the_place():
    """Saturday begins in Tokyo while it is Friday afternoon in Madrid."""
    tokyo = Calendar(zone="Asia/Tokyo", days_off=(5,))
    assert counted(tokyo, at("2026-05-08 17:00"), at("2026-05-08 18:00")) == 0
    assert counted(WEEKDAYS, at("2026-05-08 17:00"), at("2026-05-08 18:00")) == HOUR


def test_a_day_on_which_clocks_are_put_forward_has_23_hours():
    sunday = at("2026-03-29 00:00"), at("2026-03-30 00:00")
    assert counted(SIESTA, *sunday) == 19 * HOUR
    assert counted(NIGHTS, *sunday) == 14 * HOUR


def test_a_day_on_which_clocks_are_put_back_has_25_hours():
    sunday = at("2026-10-25 00:00"), at("2026-10-26 00:00")
    assert counted(SIESTA, *sunday) == 21 * HOUR
    assert shown(later(NIGHTS, at("2026-10-24 21:00"), 2 * HOUR)) == "2026-10-25 09:00"


def test_quiet_hours_that_a_day_does_not_have_come_an_hour_later():
    """In the night of 29 March it is three o'clock right after two."""
    small_hours = Calendar(zone=MADRID, quiet_from="02:15", quiet_until="02:45")
    assert counted(small_hours, at("2026-03-29 00:00"), at("2026-03-30 00:00")) == 22.5 * HOUR
    assert counted(small_hours, at("2026-03-29 03:15"), at("2026-03-29 03:45")) == 0


def test_a_day_that_a_country_has_skipped_is_no_day():
    """Samoa had no 30 December 2011."""
    samoa = Calendar(zone="Pacific/Apia", quiet_from="22:00", quiet_until="08:00")
    assert counted(samoa, at("2011-12-29 08:00", samoa.zone), at("2011-12-31 22:00", samoa.zone)) == 28 * HOUR


def test_a_player_who_is_away_loses_no_time():
    away = [(at("2026-05-05 00:00"), at("2026-05-07 00:00"))]
    assert counted(ALWAYS, at("2026-05-04 12:00"), at("2026-05-07 12:00"), away) == DAY
    assert shown(later(NIGHTS, at("2026-05-04 21:00"), 2 * HOUR, away)) == "2026-05-07 09:00"


@pytest.mark.parametrize(
    "calendar",
    [
        Calendar(zone="Europe/Atlantis"),
        Calendar(zone=""),
        Calendar(zone="../../etc/passwd"),
        Calendar(zone="Europe"),
        Calendar(zone="a\0b"),
        Calendar(zone="x" * 5000),
        Calendar(quiet_from="22:00"),
        Calendar(quiet_until="22:00"),
        Calendar(quiet_from="22:00", quiet_until="24:00"),
        Calendar(quiet_from="8:00", quiet_until="09:00"),
        Calendar(quiet_from="٠٨:٠٠", quiet_until="09:00"),
        Calendar(days_off=(0, 1, 2, 3, 4, 5, 6)),
        Calendar(days_off=(7,)),
        Calendar(days_off=(-1,)),
        Calendar(vacation_days=-1),
        Calendar(vacation_days=366),
    ],
    ids=repr,
)
def test_a_calendar_that_leaves_no_time_to_play_is_refused(calendar):
    with pytest.raises(Unreadable):
        check_calendar(calendar)


# What holds in every calendar

HOURS = st.builds("{:02}:{:02}".format, st.integers(0, 23), st.sampled_from([0, 15, 59]))
ZONES = st.sampled_from([MADRID, "UTC", "America/New_York", "Asia/Kathmandu", "Africa/Cairo", "Australia/Lord_Howe"])


@st.composite
def calendars(draw) -> Calendar:
    quiet_from, quiet_until = draw(st.one_of(st.just(("", "")), st.tuples(HOURS, HOURS)))
    days_off = draw(st.sets(st.integers(0, 6), max_size=6))
    return Calendar(draw(ZONES), quiet_from, quiet_until, tuple(sorted(days_off)))


MOMENTS = st.integers(at("2026-01-01 00:00"), at("2026-12-31 00:00"))
SPANS = st.integers(0, 20 * DAY)


@st.composite
def absences(draw) -> list[tuple[int, int]]:
    starts = draw(st.lists(MOMENTS, max_size=3))
    return [(start, start + draw(st.integers(1, 10)) * DAY) for start in starts]


@given(calendars(), MOMENTS, SPANS, SPANS, absences())
def test_two_spans_in_a_row_count_as_much_as_both_together(calendar, start, first, second, away):
    middle, end = start + first, start + first + second
    apart = counted(calendar, start, middle, away) + counted(calendar, middle, end, away)
    assert apart == counted(calendar, start, end, away) <= end - start


@given(calendars(), MOMENTS, st.integers(1, 3 * HOUR), absences())
def test_later_is_the_first_moment_at_which_so_much_has_counted(calendar, start, milliseconds, away):
    end = later(calendar, start, milliseconds, away)
    assert counted(calendar, start, end, away) == milliseconds
    assert counted(calendar, start, end - 1, away) == milliseconds - 1


@given(calendars(), MOMENTS, SPANS, absences())
def test_counting_on_from_any_moment_ends_at_the_same_one(calendar, start, waited, away):
    """Looking at a clock in between does not change when it is over."""
    end, now = later(calendar, start, 2 * HOUR, away), start + waited
    left = 2 * HOUR - counted(calendar, start, now, away)
    assert max(end, now) == max(later(calendar, now, left, away), now)
