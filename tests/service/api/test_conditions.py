"""ETags, If-Match, If-None-Match and Idempotency-Key: nothing is done twice, and nothing to a game unseen."""

import pytest

from tests.service.api.asking import TWO, asked, begun, problem

KEY = {"Idempotency_Key": "once"}


@pytest.fixture
def game(ana, ben) -> str:
    return begun(ana, ben)


# Versions


def test_what_the_client_has_is_not_sent_again(ana, ben, nobody, game):
    for path in ("", "/state", "/events"):
        first = nobody.get(f"/games/{game}{path}")
        assert first.headers["ETag"] == f'"{ana.game(game)["version"]}"'
        again = nobody.get(f"/games/{game}{path}", If_None_Match=first.headers["ETag"])
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
    person, decision = asked(game, ana, ben)
    person.post(f"/games/{game}/moves", decision["example"])
    assert nobody.get(f"/games/{game}", If_None_Match=first.headers["ETag"]).status_code == 200


def test_an_answer_that_depends_on_who_asks_says_so(nobody, game):
    answer = nobody.get(f"/games/{game}")
    assert {"authorization", "cookie", "accept"} <= set(answer.vary.as_set())
    assert answer.cache_control.private
    assert answer.cache_control.no_cache


def test_a_game_that_has_changed_is_left_alone(ana, ben, game):
    person, decision = asked(game, ana, ben)
    version = person.game(game)["version"]
    answer = person.post(f"/games/{game}/moves", decision["example"], If_Match=f'"{version - 1}"')
    assert problem(answer) == (412, "precondition_failed")
    assert person.game(game)["version"] == version
    assert person.post(f"/games/{game}/moves", decision["example"], If_Match=f'"{version}"').status_code == 201


@pytest.mark.parametrize("etag", ['"x"', "x", '""', 'W/"2"', ","], ids=str)
def test_a_version_that_never_was_is_not_the_one(ana, etag):
    game = ana.makes()
    assert problem(ana.post(f"/games/{game}/abort", If_Match=etag))[0] in (400, 412)


def test_any_version_will_do_if_the_client_says_so(ana):
    assert ana.post(f"/games/{ana.makes()}/abort", If_Match="*").status_code == 200


def test_sitting_down_and_beginning_heed_the_version_too(ana, ben):
    game = ana.makes()
    assert problem(ben.post(f"/games/{game}/seats", {}, If_Match='"1"')) == (412, "precondition_failed")
    ben.post(f"/games/{game}/seats", {}, If_Match='"2"')
    assert problem(ana.post(f"/games/{game}/start", If_Match='"2"')) == (412, "precondition_failed")
    assert problem(ben.delete(f"/games/{game}/seats/mine", If_Match='"2"')) == (412, "precondition_failed")
    assert ana.post(f"/games/{game}/start", If_Match='"3"').status_code == 200


# Keys


def test_the_same_key_makes_the_same_table(ana, ben):
    first, again = (ana.post("/games", TWO, **KEY) for _ in range(2))
    assert (again.status_code, again.get_json()) == (201, first.get_json())
    assert len(ana.get("/games").get_json()["games"]) == 1
    assert ben.post("/games", TWO, **KEY).get_json()["id"] != first.get_json()["id"]


def test_a_table_that_was_made_but_not_sat_down_at_is_sat_down_at(ana, service):
    """The process ended between the two commits; the client sends the same again."""
    unfinished = ana.post("/games", TWO | {"join": False}, **KEY).get_json()
    again = ana.post("/games", TWO, **KEY).get_json()
    assert (again["id"], again["mine"]) == (unfinished["id"], "red")


def test_the_same_key_moves_once_and_is_answered_as_the_first_time(ana, ben, game):
    person, decision = asked(game, ana, ben)
    first = person.post(f"/games/{game}/moves", decision["example"], **KEY)
    person_2, decision_2 = asked(game, ana, ben)
    person_2.post(f"/games/{game}/moves", decision_2["example"])
    again = person.post(f"/games/{game}/moves", decision["example"], **KEY)
    assert (again.status_code, again.get_json()) == (201, first.get_json())
    assert again.headers["ETag"] == first.headers["ETag"]


def test_a_repeated_move_is_answered_even_if_the_game_has_gone_on(ana, ben, game):
    person, decision = asked(game, ana, ben)
    version = person.game(game)["version"]
    send = dict(If_Match=f'"{version}"', **KEY)
    first = person.post(f"/games/{game}/moves", decision["example"], **send)
    assert person.post(f"/games/{game}/moves", decision["example"], **send).get_json() == first.get_json()


def test_sitting_down_standing_up_and_beginning_are_done_once(ana, ben):
    game = ana.makes()
    told = [ben.post(f"/games/{game}/seats", {}, Idempotency_Key="sit").get_json() for _ in range(2)]
    assert told[0] == told[1]
    told = [ben.delete(f"/games/{game}/seats/mine", Idempotency_Key="stand").get_json() for _ in range(2)]
    assert told[0] == told[1]
    ben.post(f"/games/{game}/seats", {}, Idempotency_Key="sit again")
    ben.post(f"/games/{game}/seats", {}, Idempotency_Key="sit-again")
    told = [ana.post(f"/games/{game}/start", Idempotency_Key="start").get_json() for _ in range(2)]
    assert told[0] == told[1]
    assert told[0]["status"] == "running"


def test_the_same_key_writes_the_same_invitation(ana):
    game = ana.makes(visibility="private")
    words = [ana.post(f"/games/{game}/invitations", {}, Idempotency_Key=key).get_json() for key in "aab"]
    assert words[0] == words[1] != words[2]


def test_one_key_for_two_requests_is_a_mistake(ana, ben, game):
    ana.post("/games", TWO, **KEY)
    assert problem(ana.post("/games", TWO | {"players": 3}, **KEY)) == (422, "key_reused")
    person, decision = asked(game, ana, ben)
    person.post(f"/games/{game}/moves", decision["example"], **KEY)
    other = decision["example"] | {"decision": "99-red"}
    assert problem(person.post(f"/games/{game}/moves", other, **KEY)) == (422, "key_reused")


@pytest.mark.parametrize("key", ["", " ", "a b", "ñ", "x" * 65], ids=["empty", "blank", "space", "not ASCII", "long"])
def test_a_key_is_short_and_visible(ana, key):
    assert problem(ana.post("/games", TWO, Idempotency_Key=key)) == (400, "unreadable")


# Round trips


def test_a_move_is_one_round_trip_to_the_store(ana, ben, game, service):
    for _ in range(3):
        person, decision = asked(game, ana, ben)
        before = scripts(service)
        assert person.post(f"/games/{game}/moves", decision["example"]).status_code == 201
        assert scripts(service) == before + 1


def scripts(service) -> int:
    """How many commands the server was sent, but for the one that asks."""
    stats = service.extensions["store"].commands.info("commandstats")
    inside_the_script = ("hget", "hset", "hsetnx", "xlen", "xadd", "zadd", "zrem", "publish", "time", "info")
    return sum(row["calls"] for name, row in stats.items() if name.partition("_")[2] not in inside_the_script)
