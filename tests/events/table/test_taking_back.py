"""Taking a move back: one's own last answer, while nothing has come of it; otherwise if all agree."""

import pytest

from events.audit.export import export
from events.audit.verify import RULES, TIME, verify, verify_stored
from events.errors import NotNow, NotSeated
from events.history import fold
from events.table.clock_ledger import ledger
from events.table.commands import Move, TakeBack
from events.table.decider import GAME
from events.table.facts import MoveTakenBack
from events.table.narration import tell
from events.table.time_control import TimeControl
from rules.errors import NotYourDecision
from rules.kernel import SPECTATOR
from tests.events.timed import HOUR, MINUTE, SECOND, Timed

RAPID = TimeControl(bank_ms=10 * MINUTE, increment_ms=10 * SECOND, delay_ms=2 * SECOND)
A_MINUTE_EACH = TimeControl(limit_ms=MINUTE)


def test_the_board_is_as_it_was_and_both_stay_in_the_log():
    table = Timed(None, 2)
    [seat] = table.asked
    before = table.game
    table.move()
    taken = table.take_back(seat)
    assert taken.commit.facts == (MoveTakenBack(seat, before.version + 1),)
    assert (taken.after.state.board, taken.after.state.agenda) == (before.state.board, before.state.agenda)
    assert taken.after.version == before.version + 2
    assert tell("el_grande", taken.commit.facts) == [f"{seat} takes the last move back"]


def test_the_decision_has_another_name_so_that_the_old_answer_cannot_come_again():
    table = Timed(None, 2)
    [seat] = table.asked
    answer = table.answer(seat)
    table.games.submit(table.id, Move(table.account_on(seat), answer))
    table.take_back(seat)
    with pytest.raises(NotYourDecision):
        table.games.submit(table.id, Move(table.account_on(seat), answer))
    table.move(seat)


def test_answers_given_in_a_row_are_taken_back_one_after_the_other():
    table = Timed(None, 2, seed=3)
    for _ in range(60):
        run = table.game.answers
        if len(run) >= 3 and len({answer.by for answer in run[-3:]}) == 1 and not any(a.turned_up for a in run[-3:]):
            break
        table.move()
    seat, first = table.game.answers[-1].by, table.game.answers[-3]
    for _ in range(3):
        table.take_back(seat)
    assert table.game.state.board == first.state.board


def test_an_answer_since_needs_the_agreement_of_all():
    table = Timed(None, 3)
    [first] = table.asked
    before = table.game.state.board
    table.move()
    [second] = table.asked
    table.move()
    third = next(seat for seat in table.game.players if seat not in (first, second))
    assert table.game.state.board != before
    assert table.take_back(first).after.take_back == (first,)
    assert table.take_back(second, first).after.take_back == (first, second)
    assert table.take_back(third, first).after.state.board == before
    assert table.fact_names == ["take_back_wanted", "move_taken_back"]


def test_playing_on_is_an_answer_too():
    table = Timed(None, 3)
    [first] = table.asked
    table.move()
    [second] = table.asked
    table.move()
    table.take_back(first)
    table.move()
    assert table.game.take_back == ()
    with pytest.raises(NotNow, match="has not asked"):
        table.take_back(second, first)


def test_an_answer_that_turned_something_up_needs_agreement():
    table = Timed(None, 2, seed=2)
    for _ in range(100):
        table.move()
        last = table.game.answers[-1]
        if last.turned_up:
            break
    assert table.take_back(last.by).after.take_back == (last.by,)


def test_a_default_of_the_clock_is_no_answer_of_a_player():
    table = Timed(A_MINUTE_EACH, 2)
    [late] = table.asked
    table.run_out()
    with pytest.raises(NotNow, match="no answer"):
        table.take_back(late)


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        (lambda table, first, second: table.take_back(second), "no answer"),
        (lambda table, first, second: table.take_back(second, first), "has not asked"),
        (lambda table, first, second: table.take_back(second, "brown"), "no answer"),
    ],
)
def test_no_player_takes_back_an_answer_of_another(how, reason):
    table = Timed(None, 2)
    first, second = table.asked[0], next(seat for seat in table.game.players if seat not in table.asked)
    table.move()
    with pytest.raises(NotNow, match=reason):
        how(table, first, second)


def test_a_request_is_made_once_and_one_at_a_time():
    table = Timed(None, 3)
    [first] = table.asked
    table.move()
    [second] = table.asked
    table.move()
    table.move()
    table.take_back(first)
    with pytest.raises(NotNow, match="already"):
        table.take_back(first)
    with pytest.raises(NotNow, match="must agree, or play on"):
        table.take_back(second)


def test_strangers_and_tables_that_forbid_it_are_refused():
    table = Timed(None, 2, may_take_back=False)
    [seat] = table.asked
    table.move()
    with pytest.raises(NotNow, match="agreed"):
        table.take_back(seat)
    with pytest.raises(NotSeated):
        table.games.submit(table.id, TakeBack("eve"))
    assert table.game.answers == ()


def test_seats_that_are_played_automatically_need_not_agree():
    table = Timed(TimeControl(bank_ms=MINUTE, strikes=1), 3)
    [away] = table.asked
    table.run_out()
    [first] = table.asked
    table.move()
    [second] = table.asked
    table.move()
    table.take_back(first)
    assert "move_taken_back" not in table.fact_names
    table.take_back(second, first)
    assert "move_taken_back" in table.fact_names
    assert away in table.game.unattended


# Time


def test_no_time_is_won_by_answering_and_taking_back():
    table = Timed(RAPID, 2)
    [seat] = table.asked
    for _ in range(5):
        table.wait(8 * SECOND).move()
        table.wait(30 * SECOND)
        table.take_back(seat)
    assert table.left(seat) == 10 * MINUTE + 2 * SECOND - 5 * 8 * SECOND
    table.move()
    assert table.bank(seat) == 10 * MINUTE - 38 * SECOND + 10 * SECOND


def test_a_question_that_is_withdrawn_costs_nothing():
    table = Timed(RAPID, 2)
    [seat] = table.asked
    table.move()
    [other] = table.asked
    table.wait(30 * SECOND)
    table.take_back(seat)
    assert table.bank(other) == 10 * MINUTE
    assert not table.clock.hands[other].since


def test_a_limit_for_each_decision_goes_on_where_it_stopped():
    table = Timed(A_MINUTE_EACH, 2)
    [seat] = table.asked
    table.wait(50 * SECOND).move()
    table.take_back(seat)
    assert table.left(seat) == 10 * SECOND


def test_an_outage_during_the_decision_is_not_paid_when_it_goes_on():
    table = Timed(A_MINUTE_EACH, 2)
    [seat] = table.asked
    table.wait(20 * SECOND).outage(HOUR).move()
    table.take_back(seat)
    assert table.left(seat) == 40 * SECOND


# Whole games


def restless(control: TimeControl | None) -> Timed:
    """A game to its end in which moves are taken back, some by agreement."""
    table = Timed(control, 3, seed=5)
    for number in range(20_000):
        if table.game.status != "running":
            return table
        table.wait(SECOND).move()
        if number % 7 == 3 and table.game.status == "running":
            last = table.game.answers[-1].by
            table.take_back(last)
            for seat in table.game.players:
                if table.game.take_back and seat != last:
                    table.take_back(seat, last)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("control", [None, RAPID], ids=["untimed", "timed"])
def test_a_game_with_moves_taken_back_is_genuine_and_folds_to_what_was_played(control):
    table = restless(control)
    assert sum(isinstance(f, MoveTakenBack) for c in table.games.commits(table.id) for f in c.facts) > 10
    assert fold(GAME, table.log.read(table.id)) == table.game
    verified = verify(export(table.games, table.id, SPECTATOR))
    assert verify_stored(table.games, table.id) == verified
    assert verified.checked[-1] == (TIME if control else RULES)


def test_the_ledger_of_such_a_game_adds_up():
    table = restless(RAPID)
    banks: dict[str, int] = {}
    for row in ledger(table.games.commits(table.id)):
        assert row.bank_before_ms - row.paid_ms + row.earned_ms == row.bank_after_ms
        assert row.bank_before_ms == banks.get(row.player, row.bank_before_ms)
        banks[row.player] = row.bank_after_ms
    assert "move_taken_back" in {row.what for row in ledger(table.games.commits(table.id))}
