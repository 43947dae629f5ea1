"""Which games are looked after first: those in which a player's clock runs, then those in which a player waits."""

import pytest

from events.log import priorities
from events.table.commands import Pause, Resign, Resume, Return
from events.table.game import ABSENT, PEOPLE, SELF_PLAYING
from events.table.time_control import BOT, DEFAULTS, TimeControl
from tests.events.timed import MINUTE, SECOND, Timed

ONE_STRIKE = TimeControl(limit_ms=MINUTE, strikes=1, policy=DEFAULTS)


def stored(table: Timed) -> int:
    return priorities.due(table.id, table.log.deadline(table.id)).priority


def test_a_players_clock_comes_first():
    table = Timed(ONE_STRIKE)
    assert stored(table) == PEOPLE
    table.wait(SECOND).move()
    assert stored(table) == PEOPLE


def test_a_seat_that_is_played_automatically_comes_second_while_a_player_waits_for_it():
    table = Timed(ONE_STRIKE, 2)
    [late] = table.asked
    table.run_out()
    assert stored(table) == (ABSENT if table.asked == [late] else PEOPLE)
    table.move_until(late)
    assert stored(table) == ABSENT
    table.games.submit(table.id, Return(table.account_on(late)))
    assert stored(table) == PEOPLE


def test_a_player_who_is_asked_together_with_an_automated_seat_does_not_come_second():
    table = Timed(ONE_STRIKE, 3)
    [late] = table.asked
    table.run_out()
    while len(table.asked) == 1:
        table.time_up() if table.asked == [late] else table.move()
    assert late in table.asked
    assert (stored(table), table.deadline) == (PEOPLE, table.now)


def test_a_game_in_which_no_player_is_there_comes_last():
    table = Timed(ONE_STRIKE, 2)
    while len(table.game.unattended) < 2:
        table.run_out()
    assert stored(table) == SELF_PLAYING


def test_players_who_are_only_ever_late_are_not_there_whatever_was_agreed_on_strikes():
    table = Timed(TimeControl(limit_ms=MINUTE, strikes=0), 2)
    while not all(table.strikes(seat) >= 3 for seat in table.game.players):
        [asked] = table.asked
        assert stored(table) == (PEOPLE if table.strikes(asked) < 3 else ABSENT)
        table.run_out()
    assert stored(table) == ABSENT
    table.wait(SECOND).move()
    assert stored(table) == PEOPLE


def test_a_player_whose_bank_is_empty_does_not_make_a_game_urgent():
    table = Timed(TimeControl(bank_ms=MINUTE, strikes=0), 2)
    while any(table.bank(seat) for seat in table.game.players):
        [asked] = table.asked
        assert stored(table) == (PEOPLE if table.bank(asked) else ABSENT)
        table.run_out()
    assert stored(table) == SELF_PLAYING


def test_a_player_without_a_clock_is_there():
    table = Timed(None, 3)
    leaving = table.asked[0]
    table.games.submit(table.id, Resign(table.account_on(leaving)))
    assert stored(table) == ABSENT


@pytest.mark.parametrize(
    ("control", "priority"),
    [
        (TimeControl(limit_ms=1, strikes=0), SELF_PLAYING),
        (TimeControl(bank_ms=MINUTE, limit_ms=1), SELF_PLAYING),
        (TimeControl(bank_ms=1, policy=BOT), SELF_PLAYING),
        (TimeControl(limit_ms=SECOND), PEOPLE),
        (TimeControl(bank_ms=1, delay_ms=SECOND), PEOPLE),
    ],
    ids=["limit", "bank and limit", "bank", "a second", "a second of delay"],
)
def test_a_table_at_which_no_person_can_answer_in_time_comes_last(control, priority):
    assert stored(Timed(control)) == priority


def test_a_pause_takes_a_game_out_of_every_line_and_its_end_puts_it_back():
    table = Timed(ONE_STRIKE, 2)
    while len(table.game.unattended) < 2:
        table.run_out()
    table.games.submit(table.id, Pause("olga", is_admin=True))
    assert table.log.deadline(table.id) == 0
    table.games.submit(table.id, Resume("olga", is_admin=True))
    assert stored(table) == SELF_PLAYING
