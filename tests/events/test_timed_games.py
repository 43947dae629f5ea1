"""Games in which time counts: players who are late, come back, leave, or are owed time."""

import random
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from msgspec.structs import replace

from events.audit.export import export
from events.audit.verify import verify, verify_stored
from events.decider import Outage
from events.errors import NothingDue, NotNow, TooLate
from events.games import Games
from events.history import fold
from events.log import NO_DEADLINE
from events.log.redis import RedisLog
from events.store import Store
from events.submission import Submission
from events.table.calendar import DAY, Calendar
from events.table.commands import AnswerOverdue, Move, Pause, Resign, Resume, Return, TakeVacation
from events.table.decider import GAME
from events.table.facts import (
    AutopilotAnswered,
    ClockCredited,
    GameDecided,
    SeatAutomated,
    SeatForfeited,
    SeatTakenBack,
    SecretRevealed,
    TimeRanOut,
)
from events.table.time_control import BOT, DEFAULTS, FORFEIT, TimeControl
from rules.kernel import SPECTATOR, TIME_UP, AnsweredForPlayer, options
from tests.events.timed import HOUR, MINUTE, SECOND, START, Timed

RAPID = TimeControl(bank_ms=10 * MINUTE, increment_ms=10 * SECOND)
SLOW = TimeControl(limit_ms=DAY)


def strict(policy: str, strikes: int = 2, limit: int = MINUTE) -> TimeControl:
    """A control whose policy takes over soon."""
    return TimeControl(limit_ms=limit, strikes=strikes, policy=policy)


# Being asked


def test_the_first_clocks_run_from_the_start_on():
    table = Timed(RAPID)
    [first] = table.asked
    assert table.wait(MINUTE).left(first) == 9 * MINUTE
    assert table.deadline == START + 10 * MINUTE


def test_a_move_stops_ones_clock_and_starts_that_of_the_next():
    table = Timed(RAPID)
    [first] = table.asked
    table.wait(MINUTE).move()
    [second] = table.asked
    assert table.bank(first) == 9 * MINUTE + 10 * SECOND
    assert table.deadline == table.now + 10 * MINUTE
    assert table.wait(SECOND).left(second) == 10 * MINUTE - SECOND


def test_a_game_without_a_time_control_has_no_clocks_and_no_deadline():
    table = Timed(None)
    table.wait(400 * DAY).move()
    assert (table.game.clock, table.deadline, table.time_up()) == (None, NO_DEADLINE, None)


def test_players_pay_for_their_own_time_in_a_secret_decision():
    table = Timed(RAPID, 3)
    while len(table.asked) == 1:
        table.move()
    first, *others = table.asked
    before = {seat: table.left(seat) for seat in table.asked}
    table.wait(MINUTE).move(first)
    table.wait(MINUTE)
    assert table.bank(first) == before[first] - MINUTE + 10 * SECOND
    assert [table.left(seat) for seat in others] == [before[seat] - 2 * MINUTE for seat in others]


def test_every_process_folds_the_same_clocks():
    table = Timed(RAPID)
    for _ in range(30):
        table.wait(3 * SECOND).move()
    assert table.another_process().load(table.id) == table.game == fold(GAME, table.log.read(table.id))


# Being late


def test_nothing_happens_before_the_time_is_over():
    table = Timed(RAPID).wait(10 * MINUTE - 1)
    assert table.time_up() is None
    assert table.wait(1).time_up() is not None


def test_a_late_player_gets_the_default_answer_and_a_strike():
    table = Timed(RAPID)
    [late] = table.asked
    decision = table.game.asked[late]
    commit = table.run_out().commit
    assert commit.facts[:2] == (TimeRanOut(late, decision), AnsweredForPlayer(late, "power", TIME_UP))
    assert commit.header.by == "clock"
    assert (table.strikes(late), table.bank(late)) == (1, 10 * SECOND)


def test_an_answer_in_time_takes_all_strikes_away():
    table = Timed(strict(DEFAULTS, strikes=3))
    [late] = table.asked
    table.run_out()
    table.move_until(late).move()
    assert table.strikes(late) == 0


def test_an_answer_that_comes_after_the_deadline_but_before_the_time_out_stands():
    table = Timed(RAPID)
    [late] = table.asked
    table.wait(HOUR).move(late)
    assert (table.strikes(late), table.bank(late)) == (0, 10 * SECOND)


def test_an_answer_after_the_time_out_is_too_late():
    table = Timed(RAPID)
    [late] = table.asked
    answer = table.answer(late)
    table.run_out()
    with pytest.raises(TooLate, match="was over before your answer came"):
        table.games.submit(table.id, Move(table.account_on(late), answer))


def test_an_answer_that_was_taken_is_never_refused_as_too_late():
    """The same command again, after the clock has gone on: answered as the first time."""
    table = Timed(RAPID, 2)
    [seat] = table.asked
    answer = table.answer(seat)
    first = table.games.submit(table.id, Move(table.account_on(seat), answer), Submission(key="mine"))
    table.run_out()
    again = table.games.submit(table.id, Move(table.account_on(seat), answer), Submission(key="mine"))
    assert (again.repeated, again.commit) == (True, first.commit)


def test_a_second_time_out_of_the_same_decision_changes_nothing():
    table = Timed(RAPID)
    table.run_out()
    assert table.time_up() is None


def test_strikes_that_are_never_too_many():
    table = Timed(strict(FORFEIT, strikes=0), 2)
    for _ in range(20):
        table.run_out()
    assert (table.game.forfeited, table.game.unattended) == ({}, {})


# What was agreed for those who are late too often


def test_a_seat_is_not_waited_for_after_too_many_strikes_in_a_row():
    table = Timed(strict(DEFAULTS), 2)
    [late] = table.asked
    table.run_out()
    table.move_until(late)
    assert SeatAutomated(late, DEFAULTS) in table.run_out().commit.facts
    table.move_until(late)
    assert table.deadline == table.now
    table.run_out()
    assert (table.facts[0].player, table.facts[0].because) == (late, TIME_UP)
    assert table.strikes(late) == 2


def test_the_autopilot_plays_for_a_player_late_too_often_if_that_was_agreed():
    table = Timed(strict(BOT, strikes=1), 2)
    [late] = table.asked
    assert SeatAutomated(late, BOT) in table.run_out().commit.facts
    assert table.move_until(late).run_out().commit.facts[0] == AutopilotAnswered(late)


def test_an_answer_of_the_autopilot_was_fixed_with_the_shuffles():
    """Neither the moment nor the name of the command makes a difference."""
    answers = []
    for waited in (0, 1, HOUR):
        table = Timed(strict(BOT, strikes=1), 2)
        [late] = table.asked
        table.run_out()
        answers.append(table.wait(waited).move_until(late).run_out().commit.facts[:-1])
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("policy", [DEFAULTS, BOT])
def test_a_player_who_was_away_takes_over_again_by_moving(policy):
    table = Timed(strict(policy, strikes=1), 2)
    [late] = table.asked
    table.run_out()
    table.move_until(late).wait(5 * SECOND).move(late)
    assert table.facts[0] == SeatTakenBack(late)
    assert (table.game.unattended, table.strikes(late)) == ({}, 0)


@pytest.mark.parametrize("policy", [DEFAULTS, BOT])
def test_a_player_who_was_away_takes_over_again_by_saying_so(policy):
    table = Timed(strict(policy, strikes=1), 2)
    [late] = table.asked
    table.run_out()
    table.move_until(late)
    table.games.submit(table.id, Return(table.account_on(late)))
    assert table.game.unattended == {}
    assert (table.time_up(), table.left(late)) == (None, MINUTE)


def test_only_a_player_who_was_away_can_come_back():
    table = Timed(strict(DEFAULTS, strikes=1), 2)
    with pytest.raises(NotNow, match="your seat is not played automatically"):
        table.games.submit(table.id, Return("ana"))
    with pytest.raises(NotNow, match="you do not sit"):
        table.games.submit(table.id, Return("eve"))


def test_all_players_may_be_away_and_the_game_still_ends():
    table = Timed(strict(DEFAULTS, strikes=1), 3)
    for _ in range(2000):
        if table.game.status != "running":
            break
        table.run_out()
    assert (table.game.status, table.deadline) == ("over", NO_DEADLINE)
    assert verify_stored(table.games, table.id).finished


# Leaving


def test_a_forfeited_seat_comes_last_and_the_others_play_on():
    table = Timed(strict(FORFEIT, strikes=1), 3)
    [late] = table.asked
    assert SeatForfeited(late, "time") in table.run_out().commit.facts
    assert table.finish().game.places[late] == 3
    by_the_rules = table.game.state.board.places
    others = [seat for seat in table.game.players if seat != late]
    ahead = min(others, key=lambda seat: by_the_rules[seat])
    assert table.game.places[ahead] == 1


def test_a_forfeited_seat_is_never_taken_back():
    table = Timed(strict(FORFEIT, strikes=1), 3)
    [late] = table.asked
    table.run_out()
    table.move_until(late)
    with pytest.raises(NotNow, match="for good"):
        table.move(late)
    with pytest.raises(NotNow, match="for good"):
        table.games.submit(table.id, Return(table.account_on(late)))
    with pytest.raises(NotNow, match="for good"):
        table.games.submit(table.id, Resign(table.account_on(late)))


def test_players_who_left_share_the_last_place():
    table = Timed(RAPID, 4)
    table.games.submit(table.id, Resign("ana"))
    table.games.submit(table.id, Resign("cleo"))
    places = table.finish().game.places
    assert (places["red"], places["yellow"]) == (3, 3)
    assert sorted((places["blue"], places["green"])) in ([1, 2], [1, 1])


@pytest.mark.parametrize("control", [RAPID, None], ids=["timed", "untimed"])
def test_with_one_left_the_game_is_decided_and_its_secret_is_revealed(control):
    table = Timed(control, 3)
    table.games.submit(table.id, Resign("ana"))
    commit = table.games.submit(table.id, Resign("ben")).commit
    assert [fact for fact in commit.facts if isinstance(fact, (GameDecided, SecretRevealed))] == list(
        commit.facts[-2:] if control is None else (commit.facts[1], commit.facts[-1])
    )
    assert (table.game.status, table.game.places) == ("over", {"yellow": 1, "red": 2, "blue": 2})
    assert (table.game.asked, table.game.attention_at, table.time_up()) == ({}, NO_DEADLINE, None)
    verified = verify(export(table.games, table.id, SPECTATOR))
    assert (verified.finished, verified.places) == (True, table.game.places)


def test_a_player_late_too_often_in_a_game_of_two_has_lost_it():
    table = Timed(strict(FORFEIT, strikes=1), 2)
    [late] = table.asked
    facts = table.run_out().commit.facts
    assert isinstance(facts[-1], SecretRevealed)
    assert table.game.places[late] == 2
    assert verify_stored(table.games, table.id).places == table.game.places


@pytest.mark.parametrize("control", [RAPID, None], ids=["timed", "untimed"])
def test_a_seat_that_was_resigned_is_attended_to_at_once(control):
    table = Timed(control, 3)
    [first] = table.asked
    table.games.submit(table.id, Resign(table.account_on(first)))
    assert 0 < table.deadline <= table.now
    assert table.time_up() is not None
    assert first not in table.asked
    table.finish()
    assert verify_stored(table.games, table.id).places[first] == 3


def test_a_seat_that_is_resigned_out_of_turn_is_attended_to_when_it_is_asked():
    table = Timed(None, 3)
    [first] = table.asked
    other = next(seat for seat in table.game.players if seat != first)
    table.games.submit(table.id, Resign(table.account_on(other)))
    assert (table.deadline, table.time_up()) == (NO_DEADLINE, None)
    table.move_until(other)
    assert table.deadline == table.now


def test_no_player_resigns_where_that_was_agreed_nor_from_outside_nor_twice():
    with pytest.raises(NotNow, match="no player resigns"):
        Timed(RAPID, 2, may_resign=False).games.submit("timed 1", Resign("ana"))
    table = Timed(RAPID, 3)
    with pytest.raises(NotNow, match="you do not sit"):
        table.games.submit(table.id, Resign("eve"))
    table.games.submit(table.id, Resign("ana"))
    with pytest.raises(NotNow, match="for good"):
        table.games.submit(table.id, Resign("ana"), Submission(key="again"))


def test_nothing_is_played_in_a_game_that_is_decided():
    table = Timed(RAPID, 2)
    [seat] = table.asked
    answer = table.answer(seat)
    table.games.submit(table.id, Resign(table.account_on(next(other for other in table.game.players if other != seat))))
    with pytest.raises(NotNow, match="over"):
        table.games.submit(table.id, Move(table.account_on(seat), answer))


# Pauses


def test_a_pause_begins_when_all_have_asked_for_it():
    table = Timed(RAPID, 3)
    [first] = table.asked
    table.games.submit(table.id, Pause("ana"))
    table.games.submit(table.id, Pause("ben"))
    assert table.wait(MINUTE).left(first) == 9 * MINUTE
    table.games.submit(table.id, Pause("cleo"))
    assert table.wait(DAY).left(first) == 9 * MINUTE
    assert (table.deadline, table.time_up()) == (NO_DEADLINE, None)


def test_any_player_can_end_a_pause_that_all_agreed_on():
    table = Timed(RAPID, 2)
    [first] = table.asked
    for account in ("ana", "ben"):
        table.games.submit(table.id, Pause(account))
    table.wait(DAY).games.submit(table.id, Resume("ben"))
    assert table.wait(MINUTE).left(first) == 9 * MINUTE


def test_clocks_stopped_by_an_organiser_run_again_only_by_an_organiser():
    table = Timed(RAPID, 2)
    table.games.submit(table.id, Pause("olga", is_admin=True))
    with pytest.raises(NotNow, match="only an organiser"):
        table.games.submit(table.id, Resume("ana"))
    table.wait(DAY).games.submit(table.id, Resume("olga", is_admin=True))
    assert table.left(table.asked[0]) == 10 * MINUTE


def test_a_pause_is_for_those_at_the_table_and_asked_for_once():
    table = Timed(RAPID, 2)
    with pytest.raises(NotNow, match="you do not sit"):
        table.games.submit(table.id, Pause("eve"))
    table.games.submit(table.id, Pause("ana"))
    with pytest.raises(NotNow, match="already"):
        table.games.submit(table.id, Pause("ana"))
    with pytest.raises(NotNow, match="run already"):
        table.games.submit(table.id, Resume("ana"))
    table.games.submit(table.id, Pause("ben"))
    with pytest.raises(NotNow, match="stand still"):
        table.games.submit(table.id, Pause("ana"))


def test_players_who_are_not_there_need_not_agree():
    """Two of three have asked, and then the third leaves: asking once more is enough."""
    table = Timed(RAPID, 3)
    table.games.submit(table.id, Pause("ana"))
    table.games.submit(table.id, Pause("ben"))
    table.games.submit(table.id, Resign("cleo"))
    table.games.submit(table.id, Pause("ana"))
    assert table.clock.paused == "agreement"


def test_a_pause_that_begins_too_late_wins_no_time():
    table = Timed(SLOW, 2)
    [late] = table.asked
    table.wait(DAY + SECOND)
    for _ in range(3):
        table.games.submit(table.id, Pause("olga", is_admin=True))
        table.wait(DAY).games.submit(table.id, Resume("olga", is_admin=True))
        assert (table.left(late), table.deadline) == (0, table.now)
    assert table.time_up()
    assert table.strikes(late) == 1


def test_in_a_pause_players_may_move_but_no_seat_is_played_automatically():
    table = Timed(strict(BOT, strikes=1), 3)
    [late] = table.asked
    table.run_out()
    table.games.submit(table.id, Pause("olga", is_admin=True))
    table.move_until(late)
    assert (table.time_up(), table.deadline) == (None, NO_DEADLINE)
    table.wait(HOUR).games.submit(table.id, Resume("olga", is_admin=True))
    assert table.deadline == table.now
    assert AutopilotAnswered(late) in table.run_out().commit.facts


def test_where_no_clock_runs_none_is_stopped():
    table = Timed(None, 2)
    with pytest.raises(NotNow, match="no clock"):
        table.games.submit(table.id, Pause("olga", is_admin=True))


# Vacation


def test_on_vacation_the_clock_of_one_player_stands_still():
    table = Timed(replace(SLOW, calendar=Calendar(vacation_days=10)), 2)
    [first] = table.asked
    table.games.submit(table.id, TakeVacation(table.account_on(first), 7))
    assert table.deadline == START + 8 * DAY
    assert table.wait(7 * DAY).left(first) == DAY


def test_a_vacation_that_is_taken_too_late_wins_no_time():
    table = Timed(replace(SLOW, calendar=Calendar(vacation_days=10)), 2)
    [late] = table.asked
    table.wait(DAY + SECOND)
    table.games.submit(table.id, TakeVacation(table.account_on(late), 7))
    assert (table.left(late), table.deadline) == (0, table.now)
    assert TimeRanOut(late, "1-" + late) in table.run_out().commit.facts


def test_no_player_has_more_vacation_than_was_agreed():
    table = Timed(replace(SLOW, calendar=Calendar(vacation_days=10)), 2)
    for days in (0, -1, 11):
        with pytest.raises(NotNow, match="10 days"):
            table.games.submit(table.id, TakeVacation("ana", days))
    table.games.submit(table.id, TakeVacation("ana", 7))
    with pytest.raises(NotNow, match="away already"):
        table.games.submit(table.id, TakeVacation("ana", 1))
    table.wait(8 * DAY)
    with pytest.raises(NotNow, match="3 days"):
        table.games.submit(table.id, TakeVacation("ana", 4))
    table.games.submit(table.id, TakeVacation("ana", 3))


# Outages


def test_an_outage_without_moves_is_given_back_by_the_next_look():
    table = Timed(RAPID)
    [first] = table.asked
    table.wait(9 * MINUTE).outage(HOUR)
    assert table.time_up() is not None
    assert table.facts[0] == ClockCredited(table.now - HOUR, table.now)
    assert (table.left(first), table.deadline) == (MINUTE, table.now + MINUTE)
    assert table.time_up() is None


def test_a_move_right_after_an_outage_does_not_pay_for_it():
    table = Timed(RAPID)
    [first] = table.asked
    table.wait(9 * MINUTE).outage(HOUR).wait(SECOND).move(first)
    assert table.bank(first) == MINUTE - SECOND + 10 * SECOND
    assert isinstance(table.facts[0], ClockCredited)


def test_a_process_that_has_not_looked_since_the_outage_gives_it_back_too():
    table = Timed(RAPID)
    other = table.another_process()
    [first] = table.asked
    other.load(table.id)
    table.wait(MINUTE).outage(HOUR)
    other.submit(table.id, Move(table.account_on(first), table.answer(first)))
    assert table.bank(first) == 9 * MINUTE + 10 * SECOND


def test_several_outages_are_given_back_each_once():
    table = Timed(RAPID)
    [first] = table.asked
    table.outage(5 * MINUTE).wait(MINUTE).outage(7 * MINUTE).wait(MINUTE)
    table.time_up()
    assert table.left(first) == 8 * MINUTE
    assert [fact.until - fact.since for fact in table.facts if isinstance(fact, ClockCredited)] == [
        5 * MINUTE,
        7 * MINUTE,
    ]
    table.outage(MINUTE).games.submit(table.id, Pause("ana"))
    assert table.left(first) == 8 * MINUTE
    table.wait(MINUTE).move(first)
    assert table.bank(first) == 7 * MINUTE + 10 * SECOND
    assert "clock_credited" not in table.fact_names


def test_an_outage_is_not_given_back_to_players_asked_after_it():
    table = Timed(RAPID)
    table.outage(HOUR).move()
    [second] = table.asked
    assert table.wait(MINUTE).left(second) == 9 * MINUTE


def test_no_player_is_late_because_of_an_outage():
    table = Timed(strict(FORFEIT, strikes=1), 2).wait(59 * SECOND).outage(DAY)
    taken = table.time_up()
    assert taken is not None
    assert "time_ran_out" not in table.fact_names
    assert table.wait(SECOND).time_up() is not None
    assert table.game.status == "over"


def test_all_players_get_an_outage_back_in_a_secret_decision():
    table = Timed(RAPID, 3)
    while len(table.asked) == 1:
        table.move()
    before = {seat: table.left(seat) for seat in table.asked}
    first, *others = table.asked
    table.outage(HOUR).move(first)
    assert {seat: table.left(seat) for seat in others} == {seat: before[seat] for seat in others}
    table.wait(MINUTE).move(others[0])
    assert table.bank(others[0]) == before[others[0]] - MINUTE + 10 * SECOND


# A move together with its own time-out


def test_of_a_move_and_its_time_out_exactly_one_stands():
    """Both were decided on the same version; the second decides again."""
    for slower in ("clock", "player"):
        table = Timed(RAPID, 2)
        [seat] = table.asked
        answer, other = table.answer(seat), table.another_process()
        other.load(table.id)
        table.wait(10 * MINUTE)
        if slower == "clock":
            table.games.submit(table.id, Move(table.account_on(seat), answer))
            with pytest.raises(NothingDue):
                other.submit(table.id, AnswerOverdue())
        else:
            table.time_up()
            with pytest.raises(TooLate):
                other.submit(table.id, Move(table.account_on(seat), answer))
        assert table.game.version == other.load(table.id).version


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_when_players_and_clocks_race_every_decision_is_answered_once(store: Store):
    """Many rounds at the very moment of the deadline: one commit a round, and the loser knows."""
    table = Timed(
        replace(RAPID, strikes=0, increment_ms=0, bank_ms=0, limit_ms=MINUTE), 2, log=RedisLog(store), length="full"
    )
    clock, start = table.another_process(), Barrier(2, timeout=60)
    won = {"player": 0, "clock": 0}

    def late(seat: str, answer: dict) -> str:
        start.wait()
        try:
            table.games.submit(table.id, Move(table.account_on(seat), answer))
        except TooLate:
            return "clock"
        return "player"

    def overdue() -> str:
        start.wait()
        try:
            clock.submit(table.id, AnswerOverdue())
        except NothingDue:
            return "player"
        return "clock"

    with ThreadPoolExecutor(2) as pool:
        for _ in range(60):
            seat, *others = table.asked
            if others:
                table.move(seat)
                continue
            answer, version = table.answer(seat), table.game.version
            table.now = table.game.attention_at
            answered = pool.submit(late, seat, answer)
            noticed, winner = pool.submit(overdue).result(timeout=60), answered.result(timeout=60)
            assert noticed == winner
            assert table.game.version == version + 1
            assert ("time_ran_out" in table.fact_names) == (winner == "clock")
            won[winner] += 1
    assert sum(won.values()) > 20
    assert verify_stored(table.games, table.id).commits == table.game.version


# Whole games


CONTROLS = {
    "fischer, defaults": replace(RAPID, strikes=2),
    "delay and cap, a bot": TimeControl(5 * MINUTE, 5 * SECOND, 6 * MINUTE, 3 * SECOND, strikes=1, policy=BOT),
    "a day each, forfeits": TimeControl(
        limit_ms=DAY,
        calendar=Calendar("Europe/Madrid", "22:00", "08:00", (5, 6), vacation_days=5),
        strikes=2,
        policy=FORFEIT,
    ),
    "bank and limit": TimeControl(bank_ms=HOUR, increment_ms=MINUTE, limit_ms=10 * MINUTE, strikes=0),
    "no clock": None,
}


@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("name", CONTROLS)
def test_whole_games_with_everything_that_can_happen_are_genuine(name, players):
    table = Timed(CONTROLS[name], players, seed=players)
    chance = random.Random(f"{name} {players}")
    for _ in range(3000):
        if table.game.status != "running":
            break
        happen(table, chance)
        check(table)
    assert table.game.status == "over"
    file = export(table.games, table.id, SPECTATOR)
    verified = verify(file)
    assert (verified.finished, verified.places) == (True, table.game.places)
    assert fold(GAME, table.log.read(table.id)) == table.game


def happen(table: Timed, chance: random.Random) -> None:
    """Mostly moves; sometimes anything else. What the table does not allow now is refused, and that is fine."""
    game, account = table.game, table.account_on(chance.choice(table.game.players))
    table.wait(chance.choice([0, 1, 500, 7 * SECOND, chance.randrange(10 * MINUTE)]))
    organiser = chance.random() < 0.5
    unusual = chance.random()
    try:
        if set(game.asked) & set(game.unattended) and not (game.clock and game.clock.paused):
            table.time_up()
        elif unusual < 0.80:
            here = [seat for seat in game.asked if seat not in game.unattended]
            if here:
                table.move(chance.choice(here))
            else:
                table.games.submit(table.id, Resume("olga", is_admin=True))
        elif unusual < 0.86:
            table.now = max(table.now, game.attention_at + chance.choice([0, 0, HOUR]))
            table.time_up()
        elif unusual < 0.89:
            table.outage(chance.randrange(5 * SECOND, HOUR))
        elif unusual < 0.92:
            table.games.submit(table.id, Pause(account, is_admin=organiser))
        elif unusual < 0.96:
            table.games.submit(table.id, Resume(account, is_admin=organiser))
        elif unusual < 0.97:
            table.games.submit(table.id, TakeVacation(account, 1 + chance.randrange(3)))
        elif unusual < 0.995:
            table.games.submit(table.id, Return(account))
        else:
            table.games.submit(table.id, Resign(account))
    except NotNow:
        pass


def check(table: Timed) -> None:
    game = table.game
    assert table.deadline == max(game.attention_at, NO_DEADLINE)
    if game.status != "running":
        return
    assert all(options(game.state, seat) for seat in game.asked)
    if not game.clock:
        return
    for seat, hand in game.clock.hands.items():
        assert hand.bank_ms >= 0
        assert bool(hand.since or hand.deadline or hand.held) == (seat in game.asked)
        assert seat not in game.unattended or not hand.since


def test_games_of_several_processes_agree_on_what_is_owed():
    """Two processes that heard of an outage at different times give it back once."""
    table = Timed(RAPID, 2)
    heard: list[Outage] = []
    late = Games(table.log, lambda: table.now, outages=lambda: tuple(heard))
    [first] = table.asked
    late.load(table.id)
    table.wait(MINUTE).outage(HOUR)
    table.time_up()
    heard.extend(table.outages)
    with pytest.raises(NothingDue):
        late.submit(table.id, AnswerOverdue())
    assert table.left(first) == 9 * MINUTE
