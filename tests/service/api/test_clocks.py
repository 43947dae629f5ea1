"""Clocks over the interface: agreements, ledger, pauses, vacation, leaving."""

import time

import pytest

from events.table.time_control import TimeControl
from service.settings import Settings
from tests.service.api.asking import asked, begun, play_on, problem

BLITZ = {"bank_ms": 300_000, "increment_ms": 5_000, "policy": "bot"}
DAYS = {"limit_ms": 3 * 86_400_000, "calendar": {"zone": "Europe/Madrid", "days_off": [5, 6], "vacation_days": 10}}


def test_a_table_without_clocks_has_none(ana, ben):
    game = begun(ana, ben)
    assert (ana.game(game)["time"], ana.game(game)["clock"], ana.state(game)["clock"]) == (None, None, None)


def test_the_time_control_of_a_table_is_shown(ana):
    game = ana.game(ana.makes(time=BLITZ, may_resign=False))
    assert (game["time"] | BLITZ, game["may_resign"], game["clock"]) == (game["time"], False, None)
    assert (game["time"]["strikes"], game["time"]["calendar"]["zone"]) == (3, "UTC")


def test_from_the_start_on_the_time_of_every_seat_is_shown(ana, ben):
    game = begun(ana, ben, time=BLITZ)
    clock = ana.state(game)["clock"]
    [running] = [seat for seat, time in clock["seats"].items() if time["running"]]
    assert running in ana.state(game)["waiting"]
    mine = clock["seats"][running]
    assert mine["deadline_at"] - clock["server_time"] == mine["remaining_ms"]
    assert mine["bank_ms"] == BLITZ["bank_ms"]


def test_an_answer_stops_the_clock_and_adds_the_increment(ana, ben):
    game = begun(ana, ben, time=BLITZ)
    person, decision = asked(game, ana, ben)
    before = person.game(game)
    assert person.post(f"/games/{game}/moves", decision["example"]).status_code == 201
    after = person.game(game)["clock"]["seats"][before["mine"]]
    assert before["clock"]["seats"][before["mine"]]["remaining_ms"] < after["bank_ms"] <= 305_000


def test_an_outage_is_given_back_on_the_clocks_that_are_shown_before_any_move(ana, ben):
    """No request comes, so that this process does not beat: the service is away. No commit has told of it."""
    game = begun(ana, ben, time=BLITZ)
    before = ana.game(game)
    [seat] = before["waiting"]
    time.sleep(3)
    after = ana.game(game)
    lists = ana.get(f"/games?player={ana.account}").get_json()["games"][0]["clock"]
    ledger = ana.get(f"/games/{game}/clock").get_json()["clock"]
    assert (after["version"], after["head"]) == (before["version"], before["head"])
    for shown in (after["clock"], ana.state(game)["clock"], lists, ledger):
        passed = shown["server_time"] - before["clock"]["server_time"]
        lost = before["clock"]["seats"][seat]["remaining_ms"] - shown["seats"][seat]["remaining_ms"]
        assert passed >= 3000
        assert lost <= passed - 2500
        assert shown["seats"][seat]["deadline_at"] >= before["clock"]["seats"][seat]["deadline_at"] + 2500
    moved_by, decision = asked(game, ana, ben)
    assert moved_by.post(f"/games/{game}/moves", decision["example"]).status_code == 201
    facts = ana.get(f"/games/{game}/events").get_json()["events"][-1]["facts"]
    assert facts[0]["fact"] == "clock_credited"


def test_the_time_of_an_older_version_is_that_of_its_moment(ana, ben):
    game = begun(ana, ben, time=BLITZ)
    version = ana.game(game)["version"]
    play_on(game, ana, ben, moves=2)
    then = ana.state(game, f"?version={version}")["clock"]
    assert sorted(seat["remaining_ms"] for seat in then["seats"].values()) == [300_000, 300_000]
    assert then == ana.state(game, f"?version={version}")["clock"]


@pytest.mark.parametrize(
    "time",
    [
        {},
        {"increment_ms": 1},
        {"bank_ms": -1},
        {"bank_ms": "1"},
        {"bank_ms": 10**15},
        {"bank_ms": 60_000, "cap_ms": 10},
        {"bank_ms": 60_000, "policy": "cheat"},
        {"bank_ms": 60_000, "byoyomi": 3},
        {"limit_ms": 60_000, "calendar": {"zone": "Mars/Olympus"}},
        {"limit_ms": 60_000, "calendar": {"zone": "../../etc/passwd"}},
        {"limit_ms": 60_000, "calendar": {"days_off": [0, 1, 2, 3, 4, 5, 6]}},
        {"limit_ms": 60_000, "calendar": {"quiet_from": "25:00", "quiet_until": "08:00"}},
        {"limit_ms": 60_000, "calendar": {"quiet_from": "22:00"}},
    ],
)
def test_an_impossible_time_control_is_refused(ana, time):
    status, code = problem(ana.post("/games", {"players": 2, "time": time}))
    assert (status, code) in [(422, "invalid"), (400, "unreadable"), (422, "unreadable")]


@pytest.mark.parametrize(
    "time",
    [
        {"limit_ms": 1},
        {"limit_ms": 4_999},
        {"bank_ms": 86_400_000, "limit_ms": 1},
        {"bank_ms": 1, "increment_ms": 60_000},
        {"bank_ms": 2_000, "delay_ms": 2_999},
    ],
)
def test_a_table_with_less_time_than_a_player_needs_is_refused(ana, time):
    answer = ana.post("/games", {"players": 2, "time": time})
    assert problem(answer) == (400, "unreadable")
    assert answer.get_json()["detail"] == (
        "limit_ms, and bank_ms and delay_ms together, give at least 5000 ms for a decision"
    )


@pytest.mark.parametrize("time", [{"limit_ms": 5_000}, {"bank_ms": 2_000, "delay_ms": 3_000}, {"bank_ms": 5_000}])
def test_a_table_with_as_much_time_as_a_player_needs_is_made(ana, time):
    assert ana.post("/games", {"players": 2, "time": time}).status_code == 201


class TestAnOperatorsChoice:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(shortest_decision=0.001)

    def test_an_operator_may_allow_less_time(self, ana):
        assert ana.post("/games", {"players": 2, "time": {"limit_ms": 1}}).status_code == 201


def test_a_stored_game_with_less_time_goes_on(service, ana, ben):
    """It was created before there was a least time, or by the library."""
    games = service.services.games
    game = games.create("el_grande", 2, owner=ana.account, time=TimeControl(limit_ms=1, strikes=0)).id
    for person in (ana, ben):
        assert person.post(f"/games/{game}/seats", {}).status_code == 200
    assert ana.post(f"/games/{game}/start").status_code == 200
    person, decision = asked(game, ana, ben)
    assert person.post(f"/games/{game}/moves", decision["example"]).status_code == 201


def test_all_players_agree_on_a_pause_and_any_of_them_ends_it(ana, ben):
    game = begun(ana, ben, time=BLITZ)
    first = ana.post(f"/games/{game}/pause").get_json()
    assert (first["clock"]["paused"], first["clock"]["want_pause"]) == (None, [first["mine"]])
    assert problem(ana.post(f"/games/{game}/pause")) == (409, "not_now")
    agreed = ben.post(f"/games/{game}/pause").get_json()["clock"]
    assert agreed["paused"] == "agreement"
    assert not any(seat["running"] or seat["deadline_at"] for seat in agreed["seats"].values())
    resumed = ana.post(f"/games/{game}/resume").get_json()["clock"]
    assert (resumed["paused"], any(seat["running"] for seat in resumed["seats"].values())) == (None, True)


def test_an_owner_without_a_seat_pauses_the_table_alone(ana, ben, eve):
    game = eve.makes(time=BLITZ, join=False)
    for person in (ana, ben):
        assert person.post(f"/games/{game}/seats").status_code == 200
    assert eve.post(f"/games/{game}/start").status_code == 200
    assert eve.post(f"/games/{game}/pause").get_json()["clock"]["paused"] == "organiser"
    assert problem(ana.post(f"/games/{game}/resume")) == (409, "not_now")
    assert eve.post(f"/games/{game}/resume").get_json()["clock"]["paused"] is None


def test_vacation_is_taken_from_the_days_that_were_agreed(ana, ben):
    game = begun(ana, ben, time=DAYS)
    person, _ = asked(game, ana, ben)
    before = person.game(game)
    after = person.post(f"/games/{game}/vacation", {"days": 7}).get_json()
    moved = [shown["clock"]["seats"][before["mine"]]["deadline_at"] for shown in (before, after)]
    assert moved[1] - moved[0] >= 7 * 86_400_000 - 86_400_000 * 2
    assert problem(person.post(f"/games/{game}/vacation", {"days": 1})) == (409, "not_now")


def test_a_player_who_is_there_cannot_return(ana, ben):
    game = begun(ana, ben, time=BLITZ)
    assert problem(ana.post(f"/games/{game}/return")) == (409, "not_now")


def test_a_player_who_resigns_comes_last_and_a_lone_opponent_wins(ana, ben):
    game = begun(ana, ben)
    left = ana.post(f"/games/{game}/resign").get_json()
    mine, other = left["mine"], next(seat["seat"] for seat in left["seats"] if seat["seat"] != left["mine"])
    assert (left["status"], left["places"]) == ("over", {mine: 2, other: 1})
    assert [seat["forfeited"] for seat in left["seats"] if seat["seat"] == mine] == ["resigned"]
    assert (
        problem(ben.post(f"/games/{game}/moves", {"decision": "1-red", "kind": "play_power_card", "value": 7}))[0]
        == 409
    )
    assert game in [found["id"] for found in ana.get("/games?status=over").get_json()["games"]]


def test_a_table_may_exclude_resigning(ana, ben):
    game = begun(ana, ben, may_resign=False)
    assert problem(ana.post(f"/games/{game}/resign")) == (409, "not_now")


def test_strangers_have_no_say_in_time(ana, ben, eve):
    game = begun(ana, ben, time=BLITZ)
    for what in ("pause", "resume", "resign", "return"):
        assert problem(eve.post(f"/games/{game}/{what}")) == (403, "not_seated")


def test_the_ledger_shows_the_cost_of_every_decision_to_all_viewers(ana, ben, anonymous):
    game = begun(ana, ben, time=BLITZ)
    play_on(game, ana, ben, moves=6)
    ledger = ana.get(f"/games/{game}/clock").get_json()
    answers = [row for row in ledger["rows"] if row["what"] == "answered"]
    assert len(answers) == 6
    assert all(
        row["bank_before_ms"] - row["paid_ms"] + row["earned_ms"] == row["bank_after_ms"] for row in ledger["rows"]
    )
    assert {row["earned_ms"] for row in answers} == {BLITZ["increment_ms"]}
    assert anonymous.get(f"/games/{game}/clock").get_json()["rows"] == ledger["rows"]
    assert ana.get(f"/games/{begun(ana, ben)}/clock").get_json()["rows"] == []
