"""A rulebook of time: who pays for what, and what can never happen to a clock."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace

from events.decider import Outage
from events.table.calendar import DAY, HOUR, Calendar, counted
from events.table.clock import (
    Clock,
    adjusted,
    apply,
    asked,
    credited,
    days_left,
    owed,
    remaining,
    seat,
    set_up,
    used,
)
from events.table.facts import (
    ClockCredited,
    ClocksPaused,
    ClocksResumed,
    PauseWanted,
    SeatAutomated,
    SeatForfeited,
    SeatTakenBack,
    TimeRanOut,
    VacationTaken,
)
from events.table.time_control import BOT, DEFAULTS, TimeControl, check_control
from rules.errors import Unreadable
from tests.events.table.test_calendar import absences, at, calendars, shown

SECOND, MINUTE = 1000, 60_000
START = at("2026-05-04 12:00")
"""A Monday."""


class Table:
    """Clocks, and the players who are asked, by the minute."""

    def __init__(self, control: TimeControl, *players: str, start: int = START) -> None:
        self.clock = set_up(control, players or ("red", "blue", "green"))
        self.now, self.start = start, start
        self.open: dict[str, str] = {}
        self.number = 0

    def wait(self, milliseconds: int) -> "Table":
        self.now += milliseconds
        return self

    def ask(self, *players: str, answered: str = "", in_time: bool = True) -> "Table":
        """A player may have answered, and now other decisions wait for these players."""
        self.number += 1
        return self.go_on({player: f"{self.number}-{player}" for player in players}, answered, in_time=in_time)

    def seal(self, player: str) -> "Table":
        """A player has answered, and the others are still asked the same."""
        return self.go_on({other: name for other, name in self.open.items() if other != player}, player)

    def go_on(self, following: dict[str, str], answered: str, *, in_time: bool = True) -> "Table":
        changed = asked(self.clock, self.now, self.open, following, answered=answered, in_time=in_time)
        self.clock, self.open = apply(self.clock, changed), following
        return self

    def tell(self, fact) -> "Table":
        after = apply(self.clock, fact)
        self.clock = apply(after, adjusted(self.clock, after, self.now))
        return self

    def credit(self, since: int, until: int) -> "Table":
        """An outage, in milliseconds since the start."""
        outage = Outage(since=self.start + since, until=self.start + until)
        if given := credited(self.clock, outage, self.now):
            self.clock = apply(apply(self.clock, ClockCredited(outage.since, outage.until)), given)
        return self

    def bank(self, player: str) -> int:
        return self.clock.hands[player].bank_ms

    def left(self, player: str) -> int:
        return remaining(self.clock, player, self.now)

    def over(self) -> tuple[str, ...]:
        return self.clock.expired(self.now)


BLITZ = TimeControl(bank_ms=5 * MINUTE, increment_ms=10 * SECOND)


# A bank for the whole game


def test_time_runs_for_players_who_are_asked_and_for_no_other():
    table = Table(BLITZ).ask("red").wait(MINUTE)
    assert (table.left("red"), table.left("blue")) == (4 * MINUTE, 5 * MINUTE)


def test_every_answer_earns_the_increment():
    """Fischer: who takes less than the increment gains time."""
    table = Table(BLITZ).ask("red").wait(MINUTE).ask("blue", answered="red")
    assert table.bank("red") == 4 * MINUTE + 10 * SECOND
    assert table.wait(4 * SECOND).ask("red", answered="blue").bank("blue") == 5 * MINUTE + 6 * SECOND


def test_increments_do_not_lift_a_bank_above_its_cap():
    table = Table(replace(BLITZ, cap_ms=5 * MINUTE)).ask("red").wait(4 * SECOND).ask("blue", answered="red")
    assert table.bank("red") == 5 * MINUTE


def test_the_beginning_of_a_decision_is_free():
    """A delay: only what goes beyond it comes out of the bank."""
    control = TimeControl(bank_ms=MINUTE, delay_ms=10 * SECOND)
    assert Table(control).ask("red").wait(9 * SECOND).ask("blue", answered="red").bank("red") == MINUTE
    assert Table(control).ask("red").wait(15 * SECOND).ask("blue", answered="red").bank("red") == 55 * SECOND
    assert Table(control).ask("red").clock.deadline == START + 70 * SECOND


def test_one_decision_may_not_take_longer_than_its_limit_whatever_is_in_the_bank():
    table = Table(TimeControl(bank_ms=HOUR, limit_ms=2 * MINUTE)).ask("red")
    assert table.clock.deadline == START + 2 * MINUTE
    assert table.wait(2 * MINUTE - 1).over() == ()
    assert table.wait(1).over() == ("red",)


def test_no_player_pays_for_a_late_look_at_the_clock():
    """The limit was two minutes, and it was noticed after ten: two minutes are gone."""
    table = Table(TimeControl(bank_ms=HOUR, limit_ms=2 * MINUTE)).ask("red").wait(10 * MINUTE)
    assert table.ask("blue", answered="red", in_time=False).bank("red") == 58 * MINUTE


def test_a_bank_is_never_less_than_empty():
    table = Table(BLITZ).ask("red").wait(HOUR)
    assert table.left("red") == 0
    assert table.ask("blue", answered="red", in_time=False).bank("red") == 10 * SECOND


def test_a_player_without_time_is_late_at_once():
    sudden = Table(TimeControl(bank_ms=MINUTE)).ask("red").wait(MINUTE).ask("blue", answered="red", in_time=False)
    assert sudden.ask("red", answered="blue").over() == ("red",)


def test_the_longest_overdue_comes_first():
    table = Table(BLITZ).ask("red").wait(MINUTE).ask("red", "blue", answered="red").wait(HOUR)
    assert table.over() == ("red", "blue")


# Clocks that run


def test_in_a_secret_decision_the_time_of_each_player_runs_until_the_answer():
    table = Table(BLITZ).ask("red", "blue", "green").wait(MINUTE).seal("blue").wait(MINUTE)
    assert [table.left(player) for player in ("red", "blue", "green")] == [
        3 * MINUTE,
        4 * MINUTE + 10 * SECOND,
        3 * MINUTE,
    ]


def test_an_answer_does_not_move_the_deadline_of_others_who_are_still_asked():
    table = Table(BLITZ).ask("red", "blue").wait(MINUTE)
    before = table.clock.hands["red"]
    assert table.seal("blue").clock.hands["red"] == before


def test_while_a_player_is_asked_for_a_veto_only_their_time_runs():
    """The player whose action it is waits, and pays nothing."""
    table = Table(BLITZ).ask("red").wait(MINUTE).ask("blue", answered="red").wait(MINUTE).ask("red", answered="blue")
    assert (table.bank("red"), table.bank("blue")) == (4 * MINUTE + 10 * SECOND, 4 * MINUTE + 10 * SECOND)


def test_a_player_no_longer_asked_pays_for_the_time_but_earns_nothing():
    table = Table(BLITZ).ask("red", "blue").wait(MINUTE).ask("green", answered="red")
    assert (table.bank("red"), table.bank("blue")) == (4 * MINUTE + 10 * SECOND, 4 * MINUTE)


# Time for each decision


def test_time_for_each_decision_begins_anew_with_every_decision():
    table = Table(TimeControl(limit_ms=DAY)).ask("red").wait(20 * HOUR).ask("blue", answered="red")
    assert table.ask("red", answered="blue").left("red") == DAY


def test_two_days_of_fourteen_hours_with_nights_and_weekends_off():
    calendar = Calendar(zone="Europe/Madrid", quiet_from="22:00", quiet_until="08:00", days_off=(5, 6))
    table = Table(TimeControl(limit_ms=28 * HOUR, calendar=calendar), start=at("2026-05-07 20:00")).ask("red")
    # Two hours on Thursday, fourteen on Friday, twelve on Monday.
    assert shown(table.clock.deadline) == "2026-05-11 20:00"


def test_a_deadline_stays_at_the_same_hour_when_clocks_are_put_forward():
    calendar = Calendar(zone="Europe/Madrid", quiet_from="22:00", quiet_until="08:00")
    table = Table(TimeControl(limit_ms=14 * HOUR, calendar=calendar), start=at("2026-03-28 12:00")).ask("red")
    assert shown(table.clock.deadline) == "2026-03-29 12:00"


# Strikes


def test_strikes_are_counted_in_a_row():
    table = Table(BLITZ).ask("red").ask("red", answered="red", in_time=False).ask("red", answered="red", in_time=False)
    assert table.clock.hands["red"].strikes == 2
    assert table.ask("blue", answered="red").clock.hands["red"].strikes == 0


@pytest.mark.parametrize("how", [DEFAULTS, BOT])
def test_a_seat_played_automatically_is_due_at_once_and_pays_nothing(how):
    table = Table(BLITZ).ask("blue").tell(SeatAutomated("red", how)).ask("red", answered="blue").wait(HOUR)
    assert table.over() == ("red",)
    assert table.left("red") == 5 * MINUTE
    assert seat(table.clock, "red", table.now)["played_by"] == how


def test_a_player_who_comes_back_goes_on_with_the_time_that_was_left():
    table = Table(BLITZ).ask("red").wait(MINUTE).tell(SeatAutomated("red", DEFAULTS)).wait(HOUR)
    assert table.tell(SeatTakenBack("red")).wait(MINUTE).left("red") == 3 * MINUTE


def test_a_forfeited_seat_is_not_waited_for():
    assert Table(BLITZ).ask("red").tell(SeatForfeited("red", "resigned")).over() == ("red",)


# Pauses


def test_in_a_pause_no_time_runs():
    table = Table(BLITZ).ask("red", "blue").wait(MINUTE).tell(ClocksPaused("organiser")).wait(DAY)
    assert (table.left("red"), table.left("blue"), table.clock.deadline) == (4 * MINUTE, 4 * MINUTE, 0)
    assert table.tell(ClocksResumed()).wait(MINUTE).left("red") == 3 * MINUTE


def test_a_player_asked_in_a_pause_begins_to_pay_when_it_ends():
    table = Table(BLITZ).ask("red").tell(ClocksPaused("organiser")).wait(HOUR).ask("blue", answered="red").wait(HOUR)
    assert table.clock.deadline == 0
    assert table.tell(ClocksResumed()).wait(MINUTE).left("blue") == 4 * MINUTE


def test_an_answer_in_a_pause_costs_what_was_used_before_it():
    table = Table(BLITZ).ask("red").wait(MINUTE).tell(ClocksPaused("organiser")).wait(HOUR).ask("blue", answered="red")
    assert table.bank("red") == 4 * MINUTE + 10 * SECOND


def test_asking_for_a_pause_stops_no_clock():
    table = Table(BLITZ).ask("red").wait(MINUTE).tell(PauseWanted("blue"))
    assert (table.left("red"), table.clock.deadline) == (4 * MINUTE, START + 5 * MINUTE)


def test_a_seat_played_automatically_is_due_when_the_pause_ends():
    table = Table(BLITZ).ask("red").tell(ClocksPaused("organiser")).tell(SeatAutomated("red", BOT))
    assert table.over() == ()
    assert table.wait(HOUR).tell(ClocksResumed()).over() == ("red",)


# Vacation


def test_on_vacation_time_does_not_run_and_no_other_clock_stops():
    control = TimeControl(limit_ms=DAY, calendar=Calendar(vacation_days=10))
    table = Table(control).ask("red", "blue").wait(HOUR)
    table.tell(VacationTaken("red", table.now, table.now + 3 * DAY)).wait(2 * DAY)
    assert (table.left("red"), table.over()) == (23 * HOUR, ("blue",))
    assert days_left(table.clock, "red") == 7
    assert table.wait(DAY + HOUR).left("red") == 22 * HOUR


def test_a_decision_that_comes_while_a_player_is_away_waits_for_them():
    table = Table(TimeControl(limit_ms=DAY)).tell(VacationTaken("red", START, START + 2 * DAY)).wait(HOUR).ask("red")
    assert table.clock.deadline == START + 3 * DAY


# Outages


def test_time_in_which_we_did_not_serve_is_given_back():
    table = Table(BLITZ).ask("red").wait(3 * MINUTE).credit(MINUTE, 2 * MINUTE)
    assert (table.left("red"), table.clock.deadline) == (3 * MINUTE, START + 6 * MINUTE)


def test_only_the_part_of_an_outage_in_which_a_clock_ran_is_given_back():
    table = Table(BLITZ).wait(90 * SECOND).ask("red").wait(MINUTE).credit(MINUTE, 2 * MINUTE)
    assert table.left("red") == 4 * MINUTE + 30 * SECOND
    assert table.left("blue") == 5 * MINUTE


def test_an_outage_in_a_pause_takes_nothing_and_gives_nothing():
    table = Table(BLITZ).ask("red").tell(ClocksPaused("organiser")).wait(HOUR).credit(MINUTE, 2 * MINUTE)
    assert table.left("red") == 5 * MINUTE
    assert table.clock.credited_until == 0


def test_an_outage_at_night_takes_nothing_and_gives_nothing():
    control = TimeControl(limit_ms=DAY, calendar=Calendar(quiet_from="00:00", quiet_until="06:00"))
    table = Table(control, start=at("2026-05-04 00:00", "UTC")).ask("red").wait(7 * HOUR).credit(5 * HOUR, 6 * HOUR)
    assert (table.left("red"), table.clock.credited_until) == (23 * HOUR, 0)
    assert table.credit(5 * HOUR, 6 * HOUR + MINUTE).left("red") == 23 * HOUR + MINUTE


def test_an_outage_is_owed_until_it_was_dealt_with():
    table = Table(BLITZ).ask("red").wait(10 * MINUTE)
    first, second = (Outage(since=START + since, until=START + since + MINUTE) for since in (MINUTE, 3 * MINUTE))
    assert owed(table.clock, [second, first]) == [first, second]
    assert owed(table.credit(MINUTE, 2 * MINUTE).clock, [second, first]) == [second]


def test_several_outages_add_up():
    table = Table(BLITZ).ask("red").wait(4 * MINUTE).credit(MINUTE, 2 * MINUTE).credit(3 * MINUTE, 4 * MINUTE)
    assert table.left("red") == 3 * MINUTE


def test_a_player_late_only_because_of_an_outage_is_not_late():
    table = Table(BLITZ).ask("red").wait(6 * MINUTE)
    assert table.over() == ("red",)
    assert table.credit(2 * MINUTE, 4 * MINUTE).over() == ()


# What can be agreed


@pytest.mark.parametrize(
    "control",
    [
        TimeControl(),
        TimeControl(increment_ms=5),
        TimeControl(limit_ms=5, increment_ms=5),
        TimeControl(limit_ms=5, delay_ms=5),
        TimeControl(limit_ms=5, cap_ms=5),
        TimeControl(bank_ms=10, cap_ms=5),
        TimeControl(bank_ms=-1),
        TimeControl(bank_ms=401 * DAY),
        TimeControl(bank_ms=5, strikes=-1),
        TimeControl(bank_ms=5, strikes=101),
        TimeControl(bank_ms=5, policy="shout"),
        TimeControl(bank_ms=5, calendar=Calendar(zone="nowhere")),
    ],
    ids=repr,
)
def test_a_control_that_cannot_be_played_by_is_refused(control):
    with pytest.raises(Unreadable):
        check_control(control)


# What holds in every course of time


@st.composite
def controls(draw) -> TimeControl:
    calendar = draw(calendars())
    limit = draw(st.one_of(st.just(0), st.integers(1, HOUR)))
    if limit and draw(st.booleans()):
        return TimeControl(limit_ms=limit, calendar=calendar)
    bank = draw(st.integers(1, HOUR))
    cap = draw(st.one_of(st.just(0), st.integers(bank, 2 * HOUR)))
    delay, increment = draw(st.integers(0, MINUTE)), draw(st.integers(0, MINUTE))
    return TimeControl(bank, increment, cap, delay, limit, calendar)


@given(controls(), st.integers(0, 3 * DAY), absences())
def test_a_deadline_never_comes_before_the_allowance_is_used(control, waited, away):
    table = Table(control, start=at("2026-03-26 12:00"))
    table.clock = replace(table.clock, away={"red": tuple(away)})
    table.ask("red").wait(waited)
    allowance = min(filter(None, (control.has_bank and control.bank_ms + control.delay_ms, control.limit_ms)))
    deadline = table.clock.hands["red"].deadline
    assert counted(control.calendar, table.start, deadline, away) == allowance
    assert (table.over() == ("red",)) == (table.left("red") == 0) == (deadline <= table.now)


class ClocksOfATable(RuleBasedStateMachine):
    """Anything that can happen to clocks, in any order, at any moment. An account beside them is kept by hand."""

    players = ("red", "blue", "green")

    @initialize(control=controls(), start=st.integers(at("2026-03-20 00:00"), at("2026-04-10 00:00")))
    def sit_down(self, control, start):
        self.control = control
        self.table = Table(control, *self.players, start=start)
        self.spent = dict.fromkeys(self.players, 0)
        self.earned = dict.fromkeys(self.players, 0)
        self.facts: list = []
        self.first = self.before = self.table.clock

    # Everything that changes clocks goes through here, so that it can be folded again.

    def happen(self, *facts):
        for fact in facts:
            if fact is not None:
                self.facts.append(fact)
                self.table.clock = apply(self.table.clock, fact)

    def decided(self, following, answered, *, in_time=True):
        table = self.table
        changed = asked(table.clock, table.now, table.open, following, answered=answered, in_time=in_time)
        for player in table.open:
            if table.open[player] == following.get(player):
                continue
            cost = min(max(0, self.cost(player)), self.allowance(player))
            paid = max(0, cost - self.control.delay_ms) if self.control.has_bank else 0
            self.spent[player] += paid
            if player == answered:
                bank = table.bank(player) - paid
                cap = max(bank, self.control.cap_ms or bank + self.control.increment_ms)
                self.earned[player] += min(self.control.increment_ms, cap - bank)
        if answered and not in_time:
            self.happen(TimeRanOut(answered, table.open[answered]))
        self.happen(changed)
        table.open = following

    def changed(self, fact):
        after = apply(self.table.clock, fact)
        self.happen(fact, adjusted(self.table.clock, after, self.table.now))

    def cost(self, player):
        return used(self.table.clock, player, self.table.now)

    def allowance(self, player):
        bank = self.table.bank(player) + self.control.delay_ms if self.control.has_bank else None
        return min(limit for limit in (bank, self.control.limit_ms or None) if limit is not None)

    @rule(milliseconds=st.one_of(st.integers(0, 10 * MINUTE), st.integers(0, 3 * DAY)))
    def wait(self, milliseconds):
        before = {player: self.table.left(player) for player in self.players}
        self.table.wait(milliseconds)
        for player in self.players:
            hand = self.table.clock.hands[player]
            assert self.table.left(player) <= before[player]
            assert hand.since or self.table.left(player) == before[player]

    @rule(players=st.sets(st.sampled_from(players), min_size=1), data=st.data())
    def answer(self, players, data):
        """One of those who are asked answers, and others are asked."""
        answered = data.draw(st.sampled_from(sorted(self.table.open))) if self.table.open else ""
        self.table.number += 1
        self.decided({player: f"{self.table.number}-{player}" for player in sorted(players)}, answered)

    @rule()
    def seal(self):
        if len(self.table.open) > 1:
            answered, *others = self.table.open
            self.decided({player: self.table.open[player] for player in others}, answered)

    @rule(players=st.sets(st.sampled_from(players), min_size=1))
    def time_up(self, players):
        if over := self.table.over():
            self.table.number += 1
            following = {player: f"{self.table.number}-{player}" for player in sorted(players)}
            self.decided(following, over[0], in_time=False)

    @rule(by=st.sampled_from(["agreement", "organiser"]))
    def pause(self, by):
        if not self.table.clock.paused:
            self.changed(ClocksPaused(by))

    @rule()
    def resume(self):
        if self.table.clock.paused:
            self.changed(ClocksResumed())

    @rule(player=st.sampled_from(players), days=st.integers(1, 3))
    def take_vacation(self, player, days):
        away = self.table.clock.away.get(player, ())
        if not away or away[-1][1] <= self.table.now:
            self.changed(VacationTaken(player, self.table.now, self.table.now + days * DAY))

    @rule(player=st.sampled_from(players), how=st.sampled_from([BOT, DEFAULTS]))
    def automate(self, player, how):
        self.changed(SeatAutomated(player, how))

    @rule(player=st.sampled_from(players))
    def take_back(self, player):
        self.changed(SeatTakenBack(player))

    @rule(player=st.sampled_from(players))
    def look(self, player):
        """An event that stops no clock leaves every player their time."""
        before = {player: self.table.left(player) for player in self.players}, self.table.over()
        self.changed(PauseWanted(player))
        assert before == ({player: self.table.left(player) for player in self.players}, self.table.over())

    @rule(ago=st.integers(0, 2 * HOUR), length=st.integers(1, HOUR))
    def give_back_an_outage(self, ago, length):
        table = self.table
        until = table.now - ago
        outage = Outage(since=max(until - length, table.clock.credited_until), until=until)
        if outage.since >= until or not owed(table.clock, [outage]):
            return
        before = {player: table.left(player) for player in self.players}
        if given := credited(table.clock, outage, table.now):
            self.happen(ClockCredited(outage.since, outage.until), given)
        for player in self.players:
            assert 0 <= table.left(player) - before[player] <= length
        assert credited(table.clock, outage, table.now) is None or not owed(table.clock, [outage])

    @invariant()
    def what_was_spent_and_what_is_left_are_what_was_given(self):
        for player in self.players:
            given = self.control.bank_ms + self.earned[player]
            assert self.table.bank(player) + self.spent[player] == given

    @invariant()
    def a_bank_rises_only_by_an_increment_and_falls_only_on_the_clock(self):
        for player in self.players:
            before, after = self.before.hands[player].bank_ms, self.table.bank(player)
            assert 0 <= after <= before + self.control.increment_ms
            assert after >= before or self.before.hands[player].since or self.before.hands[player].used_ms
        self.before = self.table.clock

    @invariant()
    def only_who_is_asked_is_on_the_clock(self):
        for player, hand in self.table.clock.hands.items():
            is_waited_for = player in self.table.open
            assert bool(hand.since or hand.deadline or hand.held) == is_waited_for
            assert not (self.table.clock.paused and (hand.since or hand.deadline))

    @invariant()
    def who_is_over_has_nothing_left_and_who_is_not_has_something(self):
        over = self.table.over()
        for player in self.table.open:
            if self.table.clock.hands[player].since:
                assert (player in over) == (self.table.left(player) == 0)

    @invariant()
    def folding_the_facts_again_gives_the_same_clocks(self):
        clock: Clock = self.first
        for fact in self.facts:
            clock = apply(clock, fact)
        assert clock == self.table.clock


TestClocksOfATable = ClocksOfATable.TestCase


@given(st.lists(st.tuples(st.integers(0, MINUTE), st.sampled_from(["red", "blue", "green"])), min_size=2, max_size=30))
def test_without_increments_all_time_that_passes_comes_out_of_some_bank(moves):
    """One at a time is asked: what all have left and what has passed is always the same sum."""
    table = Table(TimeControl(bank_ms=DAY)).ask(moves[0][1])
    for (waited, player), (_, following) in pairwise(moves):
        table.wait(waited).ask(following, answered=player)
        assert sum(table.bank(player) for player in table.clock.hands) + table.now - START == 3 * DAY
