"""Reminders: once for each decision, before its time is over, and never after its answer."""

import pytest

from events.buckets import USUAL
from events.decider import Outage
from events.games import Games
from events.table.commands import AnswerOverdue, Join, Move, Pause, Resume, SeatBot, Start
from events.table.time_control import TimeControl
from rules.kernel import options
from service.notifications.notices import pairing
from service.notifications.postings import Postings
from service.notifications.reminders import ReminderIndex, Reminders, next_reminder
from tests.service.notifications.harness import Harness

MINUTE = 60_000
START = 1_800_000_000_000
CONTROL = TimeControl(limit_ms=10 * MINUTE)
SHORTEST = 5 * MINUTE


class Reminded:
    """A table of two on a store, and time that passes when a test says so."""

    def __init__(self, harness: Harness, control: TimeControl = CONTROL) -> None:
        self.harness, self.now, self.outages = harness, START, list[Outage]()
        self.games = harness.games = Games(harness.log, now=lambda: self.now, outages=lambda: self.outages)
        self.people = harness.people(2)
        self.id = self.games.create("el_grande", 2, owner=self.people[0], time=control).id
        for account in self.people:
            self.games.submit(self.id, Join(account))
        self.games.submit(self.id, Start(self.people[0]))
        self.reminders = self.another_scheduler()

    def another_scheduler(self) -> Reminders:
        return Reminders(self.games, self.harness.store, Postings(self.harness.store), SHORTEST)

    @property
    def asked(self) -> str:
        game = self.games.load(self.id)
        [seat] = game.asked
        return game.seats[seat]

    def notify(self) -> None:
        """The notifier reads all commits, and the index is written."""
        notifier = self.harness.notifier(changed=self.index)
        while notifier.attend(USUAL.all):
            pass

    def index(self, games) -> None:
        ReminderIndex(self.harness.store).put({name: next_reminder(game, SHORTEST) for name, game in games.items()})

    def wait(self, minutes: float) -> "Reminded":
        self.now += round(minutes * MINUTE)
        return self

    def remind(self) -> int:
        return self.reminders.attend(USUAL.all)

    def move(self) -> None:
        game = self.games.load(self.id)
        [seat] = game.asked
        [decision] = options(game.state, seat)
        self.games.submit(self.id, Move(game.seats[seat], decision.example()))


@pytest.fixture
def table(harness):
    table = Reminded(harness)
    table.notify()
    return table


def test_a_player_is_reminded_once_when_four_fifths_of_the_time_are_gone(table):
    asked = table.asked
    assert table.wait(7.9).remind() == 0
    assert table.wait(0.1).remind() == 1
    assert table.wait(0.5).remind() == 0
    notice = table.harness.notices(asked)[-1]
    assert (notice.kind, notice.game, notice.at) == ("reminder", table.id, START + 8 * MINUTE)
    assert notice.text == f"2 min left for your answer as {notice.seat}: Which power card do you play?"


def test_two_schedulers_remind_once(table):
    """Also if the first one died before it could note that it has done so."""
    table.wait(8)
    again = table.another_scheduler()
    again._index = table.reminders._index = StaleIndex(table.harness.store)
    assert (table.remind(), again.attend(USUAL.all), table.remind()) == (1, 0, 0)
    assert table.harness.kinds(table.asked).count("reminder") == 1


class StaleIndex(ReminderIndex):
    """Of a process that dies before it writes."""

    def move(self, due, at):
        pass


def test_nobody_is_reminded_after_the_answer(table):
    """Neither if the notifier has not read it yet, nor later."""
    asked = table.asked
    table.wait(7).move()
    assert table.wait(1).remind() == 0
    table.notify()
    assert table.remind() == 0
    assert "reminder" not in table.harness.kinds(asked)


def test_the_next_decision_has_a_reminder_of_its_own(table):
    table.wait(8).remind()
    table.move()
    table.notify()
    assert table.wait(8).remind() == 1
    assert [table.harness.kinds(account).count("reminder") for account in table.people] == [1, 1]


def test_nobody_is_reminded_when_the_time_is_over(table):
    assert table.wait(10).remind() == 0


def test_time_of_an_outage_does_not_count(table):
    table.outages.append(Outage(since=START + MINUTE, until=START + 6 * MINUTE))
    assert table.wait(8).remind() == 0
    assert table.wait(4.9).remind() == 0
    assert table.wait(0.2).remind() == 1


def test_a_pause_stops_the_time_to_the_reminder(harness):
    table = Reminded(harness)
    table.wait(5)
    table.games.submit(table.id, Pause("olga", is_admin=True))
    table.notify()
    assert table.wait(60).remind() == 0
    table.games.submit(table.id, Resume("olga", is_admin=True))
    table.notify()
    assert table.wait(2.9).remind() == 0
    assert table.wait(0.2).remind() == 1


@pytest.mark.parametrize(
    ("control", "reminded"),
    [
        (TimeControl(limit_ms=SHORTEST - 1), 0),
        (TimeControl(limit_ms=SHORTEST), 4),
        (TimeControl(bank_ms=10 * MINUTE, increment_ms=1000), 8),
        (TimeControl(bank_ms=10 * MINUTE, limit_ms=6 * MINUTE), 4.8),
        (TimeControl(limit_ms=24 * 60 * MINUTE), 24 * 48),
    ],
    ids=["too short", "just long enough", "a bank", "a limit", "a day"],
)
def test_the_reminder_depends_on_the_time_for_the_decision(harness, control, reminded):
    game = Reminded(harness, control).games
    [name] = [name for bucket in USUAL.all for name in game.log.games(bucket)]
    assert next_reminder(game.load(name), SHORTEST) == (START + round(reminded * MINUTE) if reminded else 0)


def test_seats_that_are_played_automatically_are_not_reminded(harness):
    table = Reminded(harness, TimeControl(limit_ms=10 * MINUTE, strikes=1))
    late = table.asked
    table.wait(10).games.submit(table.id, AnswerOverdue())
    for _ in range(20):
        if table.asked == late:
            break
        table.move()
    assert next_reminder(table.games.load(table.id), SHORTEST) == 0


def test_a_bot_is_not_reminded(harness):
    table = Reminded(harness)
    game = table.games.create("el_grande", 2, owner="ana", time=CONTROL).id
    for _ in range(2):
        table.games.submit(game, SeatBot("ana", "random"))
    assert next_reminder(table.games.submit(game, Start("ana")).after, SHORTEST) == 0


def test_a_webhook_is_called_with_a_reminder(harness, bot):
    table = Reminded(harness)
    table.notify()
    harness.hook(table.asked, bot.url, "reminder", "pairing")
    table.wait(8).remind()
    with harness.delivering():
        harness.until_all_are_delivered(table.asked)
    [got] = bot.taken
    assert (got.payload["kind"], got.payload["notice"]["game"]) == ("reminder", table.id)


def test_a_pairing_is_posted_like_any_notice(harness, bot):
    table = Reminded(harness)
    account, game = table.asked, table.games.load(table.id)
    harness.hook(account, bot.url, "pairing")
    notice = pairing(game, game.seat_of(account), "Copa de Castilla", 2, START)
    postings = Postings(harness.store)
    assert [postings.post(account, notice, "round 2") for _ in range(2)] == [True, False]
    assert harness.notices(account)[-1].text == f"round 2 of Copa de Castilla is paired: you play {notice.seat}"
    with harness.delivering():
        harness.until_all_are_delivered(account)
    assert [got.payload["kind"] for got in bot.taken] == ["pairing"]


def test_who_has_no_account_is_not_reminded(harness):
    table = Reminded(harness)
    notice = pairing(table.games.load(table.id), "red", "Copa", 1, START)
    assert not Postings(harness.store).post("bot:greedy", notice, "once")
    assert not Postings(harness.store).post("a_0000000000000000", notice, "once")
