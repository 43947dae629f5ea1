"""Playing over HTTP: decisions, moves, positions, events; for those who sit there and for those who watch."""

import json

import pytest
from msgspec.structs import replace

from events.audit.verify import verify
from tests.service.api.asking import asked, begun, play_on, problem


@pytest.fixture
def game(ana, ben) -> str:
    return begun(ana, ben)


# A whole game


def test_a_program_that_knows_no_rules_plays_a_game_to_its_end(ana, ben, nobody):
    game = begun(ana, ben)
    assert play_on(game, ana, ben) > 50
    told = nobody.game(game)
    assert told["status"] == "over"
    assert sorted(told["places"]) == ["blue", "red"]
    assert nobody.state(game)["viewer"] == "everything"
    assert ana.get(f"/games/{game}/decisions").get_json()["decisions"] == []
    assert verified(nobody, game)
    assert [line["id"] for line in nobody.get("/games?status=over").get_json()["games"]] == [game]
    late = ana.post(f"/games/{game}/moves", {"decision": "1-red", "kind": "stop"})
    assert problem(late) == (409, "not_your_decision")


def verified(somebody, game: str):
    return verify(somebody.get(f"/games/{game}/export").data)


# Being asked


def test_only_the_player_who_is_asked_sees_the_decision(ana, ben, game):
    told = [person.get(f"/games/{game}/decisions").get_json() for person in (ana, ben)]
    assert sorted(len(each["decisions"]) for each in told) == [0, 1]
    assert told[0]["waiting"] == told[1]["waiting"] == ana.game(game)["waiting"]


def test_a_decision_has_all_that_a_program_needs(ana, ben, game):
    person, decision = asked(game, ana, ben)
    assert decision["seat"] == person.game(game)["mine"]
    assert decision["text"] == "Which power card do you play?"
    assert decision["example"] == {"decision": decision["id"], "kind": "play_power_card", "value": 1}
    assert decision["schema"]["anyOf"][0]["properties"]["kind"] == {"const": "play_power_card"}
    answer = person.post(f"/games/{game}/moves", decision["default"])
    assert answer.status_code == 201


def test_decisions_are_for_players_of_the_table(game, eve, nobody):
    assert problem(eve.get(f"/games/{game}/decisions")) == (403, "not_seated")
    assert problem(nobody.get(f"/games/{game}/decisions")) == (401, "unauthorized")


def test_no_player_is_asked_before_the_game_begins(ana):
    game = ana.makes()
    assert ana.get(f"/games/{game}/decisions").get_json() == {"version": 2, "waiting": [], "decisions": []}


# Moving


def test_a_move_is_answered_with_its_facts(ana, ben, game):
    person, decision = asked(game, ana, ben)
    answer = person.post(f"/games/{game}/moves", decision["example"])
    moved = answer.get_json()
    assert answer.status_code == 201
    assert answer.headers["ETag"] == f'"{moved["version"]}"'
    assert moved["facts"][0] == {"fact": "power_card_played", "player": decision["seat"], "value": 1}
    assert moved["story"][0] == f"{decision['seat']} plays power card 1"
    assert moved["status"] == "running"
    assert moved["waiting"] == person.game(game)["waiting"] != [decision["seat"]]
    assert moved["hash"] == person.game(game)["head"]


def test_a_move_against_the_rules_names_the_rule(ana, ben, game):
    person, decision = asked(game, ana, ben)
    answer = person.post(f"/games/{game}/moves", decision["example"] | {"value": 14})
    assert problem(answer) == (422, "rule_broken")
    assert answer.get_json()["rule"] == "power"


def test_a_move_out_of_turn_or_to_an_old_decision_is_refused(ana, ben, game):
    person, decision = asked(game, ana, ben)
    other = ben if person is ana else ana
    assert problem(other.post(f"/games/{game}/moves", decision["example"])) == (409, "not_your_decision")
    person.post(f"/games/{game}/moves", decision["example"])
    assert problem(person.post(f"/games/{game}/moves", decision["example"])) == (409, "not_your_decision")


def test_strangers_do_not_move(game, eve):
    assert problem(eve.post(f"/games/{game}/moves", {"decision": "1-red", "kind": "stop"})) == (403, "not_seated")


def test_there_are_no_moves_before_the_game_begins(ana):
    said = {"decision": "1-red", "kind": "stop"}
    game = ana.makes()
    assert problem(ana.post(f"/games/{game}/moves", said)) == (409, "not_now")
    assert problem(ana.post(f"/games/{game}/moves?dry_run=true", said)) == (409, "not_now")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({}, (422, "invalid")),
        ({"kind": "stop"}, (422, "invalid")),
        ({"decision": "1-red"}, (422, "invalid")),
        ({"decision": 1, "kind": "stop"}, (422, "invalid")),
        ({"decision": "1-red", "kind": "stop", "more": 1}, (400, "unreadable")),
        ({"decision": "1-red", "kind": "castle"}, (400, "unreadable")),
        ({"decision": "1-red", "kind": "play_power_card"}, (400, "unreadable")),
        ({"decision": "1-red", "kind": "play_power_card", "value": "x"}, (400, "unreadable")),
        ({"decision": "1-red", "kind": "play_power_card", "value": 2**70}, (400, "unreadable")),
    ],
    ids=str,
)
def test_a_body_that_is_no_move_is_told_apart_from_a_broken_rule(ana, game, said, expected):
    assert problem(ana.post(f"/games/{game}/moves", said)) == expected


def test_a_dry_run_does_nothing(ana, ben, game):
    person, decision = asked(game, ana, ben)
    before = person.game(game)
    answer = person.post(f"/games/{game}/moves?dry_run=true", decision["example"])
    assert answer.status_code == 200
    assert answer.get_json()["accepted"] is True
    assert answer.get_json()["facts"][0]["fact"] == "power_card_played"
    assert person.game(game) == before


def test_a_dry_run_names_the_broken_rule(ana, ben, game):
    person, decision = asked(game, ana, ben)
    told = person.post(f"/games/{game}/moves?dry_run=true", decision["example"] | {"value": 14}).get_json()
    assert (told["accepted"], told["rule"], told["facts"]) == (False, "power", [])
    assert told["refusal"]


# Looking


def test_each_player_sees_the_position_as_its_own_viewer(ana, ben, nobody, game):
    for person, seat in ((ana, "red"), (ben, "blue")):
        told = person.state(game)
        assert told["viewer"] == seat
        assert [seat for seat, hand in told["state"]["hands"].items() if hand["cards"]] == [seat]
    told = nobody.state(game)
    assert told["viewer"] == "spectator"
    assert not any(hand["cards"] for hand in told["state"]["hands"].values())


def test_no_account_sees_as_another_seat_before_the_end(ana, eve, nobody, game):
    assert ana.state(game, "?viewer=spectator")["viewer"] == "spectator"
    for person in (ana, eve, nobody):
        assert problem(person.get(f"/games/{game}/state?viewer=blue")) == (403, "forbidden")
        assert problem(person.get(f"/games/{game}/events?viewer=blue")) == (403, "forbidden")
        assert problem(person.get(f"/games/{game}/export?viewer=blue")) == (403, "forbidden")
        assert problem(person.get(f"/games/{game}/state?viewer=everything")) == (409, "not_now")
        assert problem(person.get(f"/games/{game}/state?viewer=purple")) == (400, "unreadable")


def test_an_earlier_position_is_as_it_was(ana, ben, game):
    before = ana.state(game)
    play_on(game, ana, ben, moves=5)
    assert ana.state(game, f"?version={before['version']}") == before
    assert ana.state(game) != before
    assert ana.state(game, "?version=1")["state"] is None
    assert problem(ana.get(f"/games/{game}/state?version=999")) == (404, "not_found")
    for version in ("0", "-1", "x", "1.5", "9" * 30):
        assert problem(ana.get(f"/games/{game}/state?version={version}")) == (422, "invalid")


def test_before_the_game_begins_there_is_no_position(ana):
    told = ana.state(ana.makes())
    assert (told["state"], told["waiting"], told["status"]) == (None, [], "open")


def test_events_come_in_pages(ana, ben, nobody, game):
    play_on(game, ana, ben, moves=7)
    version, events = nobody.game(game)["version"], []
    after: int | None = 0
    while after is not None:
        page = nobody.get(f"/games/{game}/events?after={after}&limit=4").get_json()
        assert len(page["events"]) <= 4
        events += page["events"]
        after = page["next"]
    assert [event["version"] for event in events] == list(range(1, version + 1))
    assert events[-1]["hash"] == nobody.game(game)["head"]
    assert nobody.get(f"/games/{game}/events?after={version}").get_json() == {"events": [], "next": None}
    assert nobody.get(f"/games/{game}/events?after=100000").get_json() == {"events": [], "next": None}


def test_events_come_one_a_line_on_request(ana, ben, nobody, game, monkeypatch):
    monkeypatch.setattr("service.games.game_service.EVENTS_AT_ONCE", 3)
    play_on(game, ana, ben, moves=7)
    answer = nobody.get(f"/games/{game}/events", Accept="application/x-ndjson")
    assert answer.mimetype == "application/x-ndjson"
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines == nobody.get(f"/games/{game}/events").get_json()["events"]
    rest = nobody.get(f"/games/{game}/events?after=5", Accept="application/x-ndjson")
    assert [json.loads(line) for line in rest.text.splitlines()] == lines[5:]


def test_the_export_of_a_running_game_can_be_verified_by_every_viewer(ana, ben, nobody, game):
    play_on(game, ana, ben, moves=9)
    for person in (ana, ben, nobody):
        assert verified(person, game)


# Secrets


def test_answers_to_others_hold_no_secret_of_a_running_game(ana, ben, nobody, game, service):
    secret = service.services.games.log.secret(game).hex()
    for _ in range(12):
        play_on(game, ana, ben, moves=4)
        stacks = [card for stack in board(service, game).stacks for card in stack]
        for person in (ana, ben, nobody):
            for path in ("", "/state", "/events?limit=1000", "/export"):
                told = person.get(f"/games/{game}{path}").text
                assert secret not in told
                assert not [card for card in stacks if f'"{card}"' in told]


def board(service, game):
    return service.services.games.load(game).state.board


def test_two_games_that_differ_only_in_a_hand_look_the_same_to_others(ana, ben, nobody, game, service):
    """The same position twice, but for which power cards the player on the move holds."""
    games = service.services.games
    shown = nobody.state(game), ben.state(game)
    known, secret = games._cache.get(game)
    hands = known.state.board.hands
    swapped = {**hands, "red": tuple(value + 1 for value in hands["red"])}
    put(games, known, secret, hands=swapped)
    assert (nobody.state(game), ben.state(game)) == shown
    assert ana.state(game)["state"]["hands"]["red"]["cards"] == list(swapped["red"])


def put(games, known, secret, **changes):
    """Another position in place of the one that this process knows."""
    state = replace(known.state, board=replace(known.state.board, **changes))
    games._cache._states[known.id] = replace(known, state=state), secret


def test_after_the_end_every_account_may_be_any_viewer(ana, ben, eve, game):
    play_on(game, ana, ben)
    assert eve.state(game, "?viewer=blue&version=20")["viewer"] == "blue"
    assert eve.state(game, "?version=20")["viewer"] == "everything"
    hands = eve.state(game, "?version=20")["state"]["hands"]
    assert all(hand["cards"] for hand in hands.values())
    shuffled = eve.get(f"/games/{game}/events?limit=1000").text
    assert '"stacks":[["s1_' in shuffled
    masked = eve.get(f"/games/{game}/events?limit=1000&viewer=spectator").text
    assert '"stacks":[["s1_' not in masked
