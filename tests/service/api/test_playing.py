"""Playing over HTTP: decisions, moves, positions, events; for players and for spectators."""

import json

import pytest
from msgspec.structs import replace

from events.audit.verify import verify
from tests.service.api.asking import asked, begun, play_on, problem


@pytest.fixture
def game(ana, ben) -> str:
    return begun(ana, ben)


# A whole game


def test_a_program_that_knows_no_rules_plays_a_game_to_its_end(ana, ben, anonymous):
    game = begun(ana, ben)
    assert play_on(game, ana, ben) > 50
    shown = anonymous.game(game)
    assert shown["status"] == "over"
    assert sorted(shown["places"]) == ["blue", "red"]
    assert anonymous.state(game)["viewer"] == "everything"
    assert ana.get(f"/games/{game}/decisions").get_json()["decisions"] == []
    assert verified(anonymous, game)
    assert [line["id"] for line in anonymous.get("/games?status=over").get_json()["games"]] == [game]
    late = ana.post(f"/games/{game}/moves", {"decision": "1-red", "kind": "stop"})
    assert problem(late) == (409, "not_your_decision")


def verified(client, game: str):
    return verify(client.get(f"/games/{game}/export").data)


# Being asked


def test_only_the_player_who_is_asked_sees_the_decision(ana, ben, game):
    shown = [person.get(f"/games/{game}/decisions").get_json() for person in (ana, ben)]
    assert sorted(len(each["decisions"]) for each in shown) == [0, 1]
    assert shown[0]["waiting"] == shown[1]["waiting"] == ana.game(game)["waiting"]


def test_a_decision_has_all_that_a_program_needs(ana, ben, game):
    person, decision = asked(game, ana, ben)
    assert decision["seat"] == person.game(game)["mine"]
    assert decision["text"] == "Which power card do you play?"
    assert decision["example"] == {"decision": decision["id"], "kind": "play_power_card", "value": 1}
    assert decision["schema"]["anyOf"][0]["properties"]["kind"] == {"const": "play_power_card"}
    answer = person.post(f"/games/{game}/moves", decision["default"])
    assert answer.status_code == 201


def test_decisions_are_for_players_of_the_table(game, eve, anonymous):
    assert problem(eve.get(f"/games/{game}/decisions")) == (403, "not_seated")
    assert problem(anonymous.get(f"/games/{game}/decisions")) == (401, "unauthorized")


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
    move = {"decision": "1-red", "kind": "stop"}
    game = ana.makes()
    assert problem(ana.post(f"/games/{game}/moves", move)) == (409, "not_now")
    assert problem(ana.post(f"/games/{game}/moves?dry_run=true", move)) == (409, "not_now")


@pytest.mark.parametrize(
    ("body", "expected"),
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
def test_a_body_that_is_no_move_differs_from_a_broken_rule(ana, game, body, expected):
    assert problem(ana.post(f"/games/{game}/moves", body)) == expected


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
    shown = person.post(f"/games/{game}/moves?dry_run=true", decision["example"] | {"value": 14}).get_json()
    assert (shown["accepted"], shown["rule"], shown["facts"]) == (False, "power", [])
    assert shown["refusal"]


def test_a_dry_run_shows_what_would_be_seen_only_if_that_is_asked_for(ana, ben, game):
    person, decision = asked(game, ana, ben)
    plain = person.post(f"/games/{game}/moves?dry_run=true", decision["example"]).get_json()
    shown = person.post(f"/games/{game}/moves?dry_run=true&beats=true", decision["example"]).get_json()
    assert plain == shown | {"told": []}, "nothing flies when a power card is played"
    assert (shown["beats"], shown["further"], shown["told"]) == ([], None, ["plays power card 1"])


def test_a_question_comes_in_parts_that_make_it_up(ana, ben, game):
    _, decision = asked(game, ana, ben)
    whole = "".join(part if isinstance(part, str) else part["name"] for part in decision["parts"])
    assert whole == decision["text"]


# Looking


def test_each_player_sees_the_position_as_its_own_viewer(ana, ben, anonymous, game):
    for person, seat in ((ana, "red"), (ben, "blue")):
        shown = person.state(game)
        assert shown["viewer"] == seat
        assert [seat for seat, hand in shown["state"]["hands"].items() if hand["cards"]] == [seat]
    shown = anonymous.state(game)
    assert shown["viewer"] == "spectator"
    assert not any(hand["cards"] for hand in shown["state"]["hands"].values())


def test_no_account_sees_as_another_seat_before_the_end(ana, eve, anonymous, game):
    assert ana.state(game, "?viewer=spectator")["viewer"] == "spectator"
    for person in (ana, eve, anonymous):
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
    shown = ana.state(ana.makes())
    assert (shown["state"], shown["waiting"], shown["status"]) == (None, [], "open")


def test_events_come_in_pages(ana, ben, anonymous, game):
    play_on(game, ana, ben, moves=7)
    version, events = anonymous.game(game)["version"], []
    after: int | None = 0
    while after is not None:
        page = anonymous.get(f"/games/{game}/events?after={after}&limit=4").get_json()
        assert len(page["events"]) <= 4
        events += page["events"]
        after = page["next"]
    assert [event["version"] for event in events] == list(range(1, version + 1))
    assert events[-1]["hash"] == anonymous.game(game)["head"]
    assert anonymous.get(f"/games/{game}/events?after={version}").get_json() == {"events": [], "next": None}
    assert anonymous.get(f"/games/{game}/events?after=100000").get_json() == {"events": [], "next": None}


def test_events_come_one_a_line_on_request(ana, ben, anonymous, game, monkeypatch):
    monkeypatch.setattr("service.games.game_service.EVENTS_AT_ONCE", 3)
    play_on(game, ana, ben, moves=7)
    answer = anonymous.get(f"/games/{game}/events", Accept="application/x-ndjson")
    assert answer.mimetype == "application/x-ndjson"
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines == anonymous.get(f"/games/{game}/events").get_json()["events"]
    rest = anonymous.get(f"/games/{game}/events?after=5", Accept="application/x-ndjson")
    assert [json.loads(line) for line in rest.text.splitlines()] == lines[5:]


def test_the_export_of_a_running_game_can_be_verified_by_every_viewer(ana, ben, anonymous, game):
    play_on(game, ana, ben, moves=9)
    for person in (ana, ben, anonymous):
        assert verified(person, game)


# Secrets


def test_answers_to_others_hold_no_secret_of_a_running_game(ana, ben, anonymous, game, service):
    secret = service.services.games.log.secret(game).hex()
    for _ in range(12):
        play_on(game, ana, ben, moves=4)
        stacks = [card for stack in board(service, game).stacks for card in stack]
        for person in (ana, ben, anonymous):
            for path in ("", "/state", "/events?limit=1000", "/export"):
                shown = person.get(f"/games/{game}{path}").text
                assert secret not in shown
                assert not [card for card in stacks if f'"{card}"' in shown]


def board(service, game):
    return service.services.games.load(game).state.board


def test_two_games_that_differ_only_in_a_hand_look_the_same_to_others(ana, ben, anonymous, game, service):
    """The same position twice, but for which power cards the player on the move holds."""
    games = service.services.games
    shown = anonymous.state(game), ben.state(game)
    cached, secret = games._cache.get(game)
    hands = cached.state.board.hands
    swapped = {**hands, "red": tuple(value + 1 for value in hands["red"])}
    put(games, cached, secret, hands=swapped)
    assert (anonymous.state(game), ben.state(game)) == shown
    assert ana.state(game)["state"]["hands"]["red"]["cards"] == list(swapped["red"])


def put(games, cached, secret, **changes):
    """Another position in place of the one that this process knows."""
    state = replace(cached.state, board=replace(cached.state.board, **changes))
    games._cache._states[cached.id] = replace(cached, state=state), secret


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
