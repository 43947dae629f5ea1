"""The ledger tells what happened to every clock, and its sums are right."""

import random

import pytest
from msgspec.structs import replace

from events.log.codec import Commit
from events.table.clock_ledger import Row, ledger, ledger_rows
from events.table.commands import Pause, Resume
from events.table.game import redact
from events.table.time_control import TimeControl
from rules.kernel import SPECTATOR
from tests.events.test_timed_games import CONTROLS, happen
from tests.events.timed import HOUR, MINUTE, SECOND, START, Timed, decided, eventful

RAPID = TimeControl(bank_ms=10 * MINUTE, increment_ms=10 * SECOND, delay_ms=2 * SECOND)


def rows(table: Timed) -> list[Row]:
    return ledger(table.games.commits(table.id))


def columns(table: Timed, *fields: str) -> list[tuple]:
    return [tuple(getattr(row, field) for field in fields) for row in rows(table)]


def test_the_rows_of_a_commit_are_there_before_the_next_one_is_read():
    table = Timed(RAPID, 2)
    table.wait(MINUTE).move()
    commits = iter(table.games.commits(table.id))
    assert next(ledger_rows(commits)).what == "asked"
    assert list(commits), "all commits were read for one row"


def test_an_answer_is_paid_for_and_earns_its_increment():
    table = Timed(RAPID, 2)
    [first] = table.asked
    decision = table.game.asked[first]
    table.wait(MINUTE).move()
    asked, answered, following = rows(table)
    assert (asked.what, asked.player, asked.decision, asked.at) == ("asked", first, decision, START)
    assert (asked.remaining_ms, asked.deadline_at) == (602 * SECOND, START + 602 * SECOND)
    assert (answered.what, answered.decision, answered.used_ms) == ("answered", decision, MINUTE)
    assert (answered.paid_ms, answered.earned_ms, answered.bank_after_ms) == (58 * SECOND, 10 * SECOND, 552 * SECOND)
    assert (following.what, following.player) == ("asked", table.asked[0])


def test_everything_that_happens_to_a_clock_has_its_row():
    assert {what for (what,) in columns(eventful(), "what")} == {
        "asked",
        "answered",
        "ran_out",
        "stood_in",
        "paused",
        "resumed",
        "credited",
        "vacation",
        "automated",
        "taken_back",
        "forfeited",
        "released",
        "move_taken_back",
    }


def test_an_outage_is_named_with_what_it_gave_back():
    table = Timed(RAPID, 2).wait(MINUTE).outage(HOUR)
    table.time_up()
    [credit] = [row for row in rows(table) if row.what == "credited"]
    assert (credit.since, credit.until) == (START + MINUTE, START + MINUTE + HOUR)
    assert (credit.used_ms, credit.remaining_ms) == (MINUTE, 542 * SECOND)


def test_a_time_out_comes_before_its_consequence_for_the_seat():
    table = Timed(replace(RAPID, strikes=1), 2)
    table.run_out()
    assert [what for (what,) in columns(table, "what")][:3] == ["asked", "ran_out", "asked"]
    assert rows(table)[-1].what == "automated"


def test_a_pause_stops_the_clocks_that_run():
    table = Timed(RAPID, 2).wait(MINUTE)
    table.games.submit(table.id, Pause("olga", is_admin=True))
    table.wait(HOUR).games.submit(table.id, Resume("olga", is_admin=True))
    _, paused, resumed = rows(table)
    assert (paused.what, paused.used_ms, paused.deadline_at) == ("paused", MINUTE, 0)
    assert (resumed.what, resumed.used_ms, resumed.deadline_at) == ("resumed", MINUTE, table.now + 542 * SECOND)


def test_a_game_without_a_time_control_has_an_empty_ledger():
    table = Timed(None, 2)
    table.move()
    assert rows(table) == []


def test_a_game_that_has_not_begun_has_an_empty_ledger():
    table = Timed(RAPID, 2)
    assert ledger(table.games.commits(table.id, until=2)) == []


# What holds in every ledger


def check(table: Timed) -> None:
    control = table.clock.control
    banks = dict.fromkeys(table.game.players, control.bank_ms)
    asked: dict[str, str] = {}
    for row in rows(table):
        assert row.bank_before_ms == banks[row.player], row
        assert row.bank_before_ms - row.paid_ms + row.earned_ms == row.bank_after_ms, row
        assert 0 <= row.paid_ms <= row.bank_before_ms, row
        assert 0 <= row.earned_ms <= control.increment_ms or row.what == "move_taken_back", row
        banks[row.player] = row.bank_after_ms
        if row.what == "asked":
            assert row.player not in asked, row
            asked[row.player] = row.decision
        elif row.what in ("answered", "ran_out", "stood_in", "released"):
            assert asked.pop(row.player) == row.decision, row
        elif row.decision:
            assert asked[row.player] == row.decision, row
    assert asked == table.game.asked
    assert banks == {player: hand.bank_ms for player, hand in table.clock.hands.items()}


@pytest.mark.parametrize("table", [eventful, decided])
def test_the_sums_of_an_eventful_game_are_right(table):
    check(table())


@pytest.mark.parametrize("name", [name for name in CONTROLS if CONTROLS[name]])
def test_time_spent_and_time_left_add_up_to_the_time_given(name):
    for seed in range(6):
        table = Timed(CONTROLS[name], 2 + seed % 4, seed=seed)
        chance = random.Random(f"{name} {seed}")
        for _ in range(150):
            if table.game.status == "running":
                happen(table, chance)
        check(table)


def test_every_viewer_reads_the_same_ledger():
    table = eventful()
    commits = table.games.commits(table.id)[:-1]
    for viewer in (*table.game.players, SPECTATOR):
        seen = [Commit(commit.header, tuple(redact(commit, viewer)), commit.hash) for commit in commits]
        assert seen != commits
        assert ledger(seen) == ledger(commits)
