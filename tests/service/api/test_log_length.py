"""A log does not grow without end, and no limit of it hinders play or the end of a game."""

import pytest
from werkzeug.test import TestResponse

from service.games import log_length
from tests.service.api.asking import ApiClient, asked, begun, play_on, problem

TIMED = {"bank_ms": 600_000, "increment_ms": 0, "cap_ms": 600_000}
ENOUGH = 100


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(log_length, "MOST_BEFORE_THE_START", 8)
    monkeypatch.setattr(log_length, "MOST_WITH_INTERRUPTIONS", 12)


def is_long_enough(answer: TestResponse) -> bool:
    """Whether a command was refused for the length of the log, and for nothing else."""
    words = ("too many have come and gone", "this game was interrupted too often")
    return problem(answer) == (409, "not_now") and answer.get_json()["detail"].startswith(words)


def come_and_go(person: ApiClient, game: str) -> TestResponse:
    """Sit down and stand up until that is refused."""
    for _ in range(ENOUGH):
        answer = person.post(f"/games/{game}/seats")
        if answer.status_code != 200:
            return answer
        assert person.delete(f"/games/{game}/seats/mine").status_code == 200
    raise AssertionError(f"not refused {ENOUGH} times")


def test_players_who_come_and_go_do_not_lengthen_a_log_without_end(ana, ben):
    game = ana.makes()
    assert is_long_enough(come_and_go(ben, game))
    assert ana.game(game)["version"] < 12
    assert ana.post(f"/games/{game}/abort").status_code == 200


def test_bots_do_not_lengthen_a_log_without_end_either(ana):
    game = ana.makes()
    log_length.MOST_BEFORE_THE_START = ana.game(game)["version"]
    assert is_long_enough(ana.post(f"/games/{game}/seats", {"bot": "greedy"}))


def test_a_seat_that_was_taken_is_left_and_a_full_table_begins(ana, ben):
    game = ana.makes()
    for _ in range(2):
        assert ben.post(f"/games/{game}/seats").status_code == 200
        assert ben.delete(f"/games/{game}/seats/mine").status_code == 200
    sat_down = ben.post(f"/games/{game}/seats", Idempotency_Key="once")
    log_length.MOST_BEFORE_THE_START = ana.game(game)["version"]
    again = ben.post(f"/games/{game}/seats", Idempotency_Key="once")
    assert (again.status_code, again.get_json()) == (200, sat_down.get_json())
    assert ana.delete(f"/games/{game}/seats/mine").status_code == 200
    assert is_long_enough(ana.post(f"/games/{game}/seats"))


def test_a_stranger_learns_nothing_about_a_private_table(ana, ben, eve):
    game = ana.makes(visibility="private")
    log_length.MOST_BEFORE_THE_START = 1
    assert problem(eve.post(f"/games/{game}/seats")) == (404, "not_found")


def test_pauses_do_not_lengthen_a_log_without_end(ana, ben):
    game = begun(ana, ben, time=TIMED)
    for _ in range(ENOUGH):
        if (asking := ana.post(f"/games/{game}/pause")).status_code != 200:
            break
        if (agreeing := ben.post(f"/games/{game}/pause")).status_code == 200:
            assert ana.post(f"/games/{game}/resume").status_code == 200
        else:
            assert is_long_enough(agreeing)
    assert is_long_enough(asking)
    assert play_on(game, ana, ben) > 50


def test_moves_taken_back_do_not_lengthen_a_log_without_end(ana, ben):
    game = begun(ana, ben)
    for _ in range(ENOUGH):
        player, decision = asked(game, ana, ben)
        assert player.post(f"/games/{game}/moves", decision["example"]).status_code == 201
        if (back := player.post(f"/games/{game}/take-back")).status_code != 200:
            break
    assert is_long_enough(back)
    assert play_on(game, ana, ben) > 50


def test_paused_clocks_run_again_however_long_the_log_is(ana, ben):
    game = begun(ana, ben, time=TIMED)
    for player in (ana, ben):
        assert player.post(f"/games/{game}/pause").status_code == 200
    log_length.MOST_WITH_INTERRUPTIONS = 1
    assert ana.post(f"/games/{game}/resume").status_code == 200
    assert is_long_enough(ana.post(f"/games/{game}/pause"))
    assert ana.post(f"/games/{game}/resign").status_code == 200
