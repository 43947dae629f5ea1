"""A table over HTTP: everything at once, and answers that are given ahead."""

import random

import pytest

from events.buckets import USUAL
from events.games import Games
from events.table.commands import Move, Play
from rules.kernel import decision_id, options, waiting
from service.games.answers_ahead import AnswersAhead
from tests.browser.studying import answer, dealt
from tests.service.api.asking import asked, begun, problem

ALLOW = {"answer": {"kind": "veto_response", "answer": "allow"}, "every": True}


def table(person, game, after=None):
    query = "" if after is None else f"?after={after}"
    return person.get(f"/games/{game}/table{query}").get_json()


def test_a_player_finds_decisions_clocks_and_outlook_in_one_answer(ana, ben):
    game = begun(ana, ben)
    person, decision = asked(game, ana, ben)
    found = table(person, game)
    assert found["decisions"] == [decision]
    assert found["asked"] == {"kind": "power", "seats": [decision["seat"]]}
    assert (found["viewer"], found["steps"], found["status"]) == (decision["seat"], [], "running")
    assert set(found["outlook"]) == {"red", "blue"}
    assert set(found["spaces"]) >= {"galicia", "castillo"}


def test_others_are_told_who_is_asked_and_nothing_that_may_be_answered(ana, ben, eve, anonymous):
    game = begun(ana, ben)
    person, _ = asked(game, ana, ben)
    other = ben if person is ana else ana
    assert table(other, game)["decisions"] == []
    for stranger in (eve, anonymous):
        found = table(stranger, game)
        assert (found["viewer"], found["decisions"], found["ahead"]) == ("spectator", [], [])
        assert found["asked"]["seats"]


def test_the_steps_since_a_version_come_along(ana, ben):
    game = begun(ana, ben)
    before = table(ana, game)["version"]
    person, decision = asked(game, ana, ben)
    person.post(f"/games/{game}/moves", decision["example"])
    found = table(ana, game, after=before)
    assert [step["version"] for step in found["steps"]] == [before + 1]
    assert found["next"] is None
    whole = ana.get(f"/games/{game}/timeline?after={before}&viewer={found['viewer']}").get_json()
    assert found["steps"] == whole["steps"]


def test_a_player_learns_what_may_be_done_about_taking_back(ana, ben):
    game = begun(ana, ben)
    assert table(ana, game)["take_back"] == {"by": [], "may": ""}
    first, decision = asked(game, ana, ben)
    other = ben if first is ana else ana
    first.post(f"/games/{game}/moves", decision["example"])
    assert table(first, game)["take_back"]["may"] == "at_once"
    assert table(other, game)["take_back"]["may"] == ""
    _, decision = asked(game, ana, ben)
    other.post(f"/games/{game}/moves", decision["example"])
    assert table(first, game)["take_back"]["may"] == "if_agreed"
    seat = first.post(f"/games/{game}/take-back").get_json()["mine"]
    assert table(other, game)["take_back"] == {"by": [seat], "may": "agree"}
    assert table(first, game)["take_back"] == {"by": [seat], "may": ""}


# Answers ahead


def test_what_was_answered_ahead_is_seen_by_its_player_alone(ana, ben, eve):
    game = begun(ana, ben)
    kept = ana.put(f"/games/{game}/ahead/veto", ALLOW).get_json()
    assert kept == {"ahead": [{"decision": "veto", **ALLOW}]}
    assert table(ana, game)["ahead"] == kept["ahead"]
    assert table(ben, game)["ahead"] == table(eve, game)["ahead"] == []
    assert ana.delete(f"/games/{game}/ahead/veto").get_json() == {"ahead": []}
    assert table(ana, game)["ahead"] == []


@pytest.mark.parametrize(
    ("decision", "body"),
    [
        ("menu", ALLOW),
        ("veto", {**ALLOW, "every": False}),
        ("veto", {**ALLOW, "answer": {"kind": "veto_response", "answer": "veto"}}),
        ("veto", {**ALLOW, "answer": {"kind": "end_turn"}}),
        ("power", {"answer": {"kind": "play_power_card"}, "every": False}),
        ("power", {"answer": {"kind": "play_power_card", "value": "high"}, "every": False}),
        ("power", {"answer": {"kind": "play_power_card", "value": 7}, "every": True}),
        ("power", {"answer": {"kind": "play_power_card", "value": 7, "more": 1}, "every": False}),
    ],
)
def test_only_what_the_game_offers_can_be_answered_ahead(ana, ben, decision, body):
    game = begun(ana, ben)
    assert problem(ana.put(f"/games/{game}/ahead/{decision}", body)) == (400, "unreadable")
    assert table(ana, game)["ahead"] == []


@pytest.fixture
def wired(service):
    return service.services


@pytest.fixture
def ahead(wired):
    """Without a pause: everything is due at once."""
    return AnswersAhead(wired.store, wired.games, wired.game_service.submit, pause=lambda left: 0)


def give(wired, ahead, game) -> int:
    """As the notifier and the scheduler do."""
    ahead.note([wired.games.load(game)])
    return ahead.attend(USUAL.all)


def test_a_planned_card_is_played_as_an_ordinary_move_when_it_is_asked_for(wired, ahead, ana, ben):
    game = begun(ana, ben)
    person, decision = asked(game, ana, ben)
    other = ben if person is ana else ana
    value = 3 if decision["example"]["value"] != 3 else 4
    other.put(f"/games/{game}/ahead/power", {"answer": {"kind": "play_power_card", "value": value}, "every": False})
    assert give(wired, ahead, game) == 0, "another player is asked"
    person.post(f"/games/{game}/moves", decision["example"])
    assert give(wired, ahead, game) == 1
    seat = wired.games.load(game).seat_of(other.account)
    assert wired.games.load(game).state.board.power[seat] == value
    assert table(other, game)["ahead"] == [], "it was for once"
    last = person.get(f"/games/{game}/events").get_json()["events"][-1]
    assert (last["by"], last["facts"][0]["fact"]) == (seat, "power_card_played")


def test_a_planned_card_that_cannot_be_played_is_forgotten_and_the_player_is_asked(wired, ahead, ana, ben):
    game = begun(ana, ben)
    person, decision = asked(game, ana, ben)
    other = ben if person is ana else ana
    taken = {"kind": "play_power_card", "value": decision["example"]["value"]}
    other.put(f"/games/{game}/ahead/power", {"answer": taken, "every": False})
    person.post(f"/games/{game}/moves", decision["example"])
    assert give(wired, ahead, game) == 0
    assert table(other, game)["ahead"] == []
    assert table(other, game)["decisions"]


def test_every_veto_window_is_allowed_until_the_player_says_otherwise(wired, ahead):
    accounts = [wired.accounts.make_guest().id for _ in range(3)]
    game = dealt(Games(wired.games.log, draw=random.Random(5).randbytes), accounts)
    pick, windows = random.Random(7).randrange, 0
    while windows < 2:
        loaded = wired.games.load(game)
        [seat, *_] = waiting(loaded.state)
        decision = options(loaded.state, seat)[0]
        if decision.kind != "veto":
            wired.games.submit(game, Play(answer(loaded.state, decision, pick)))
            continue
        if not ahead.kept(loaded, seat):
            ahead.keep(loaded, seat, "veto", ALLOW["answer"], every=True)
        assert give(wired, ahead, game) == 1
        windows += 1
        assert decision_id(wired.games.load(game).state, seat) != decision.id
    assert ahead.kept(wired.games.load(game), seat)


def test_a_player_who_is_faster_is_not_answered_for(wired, ahead, ana, ben):
    game = begun(ana, ben)
    person, decision = asked(game, ana, ben)
    value = decision["example"]["value"]
    person.put(f"/games/{game}/ahead/power", {"answer": {"kind": "play_power_card", "value": value}, "every": False})
    ahead.note([wired.games.load(game)])
    wired.games.submit(game, Move(person.account, decision["example"]))
    version = wired.games.load(game).version
    assert ahead.attend(USUAL.all) == 0
    assert wired.games.load(game).version == version


def test_nothing_is_kept_of_a_game_that_is_over(wired, ahead, ana, ben):
    game = begun(ana, ben)
    ana.put(f"/games/{game}/ahead/veto", ALLOW)
    ana.post(f"/games/{game}/resign")
    ahead.note([wired.games.load(game)])
    assert wired.store.commands.exists(f"hidalgo:{{{USUAL.of(game):02}}}:ahead:{game}") == 0
