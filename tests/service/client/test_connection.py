"""What the client sends, sends again, and raises."""

import socket
from contextlib import closing

import pytest

from service.client import (
    Changed,
    Forbidden,
    Hidalgo,
    NotFound,
    NotNow,
    NotYourDecision,
    Problem,
    RateLimited,
    RuleBroken,
    Unauthorized,
    Unavailable,
    Unreadable,
)
from service.client.connection import Connection
from tests.service.client.fake import Say, commit, fake, game, problem

ACCEPTED = Say(201, {"version": 2, "facts": [], "story": [], "waiting": ["blue"], "status": "running", "hash": "h"})


@pytest.mark.parametrize(
    ("status", "code", "raised"),
    [
        (400, "unreadable", Unreadable),
        (422, "invalid", Unreadable),
        (422, "rule_broken", RuleBroken),
        (409, "not_your_decision", NotYourDecision),
        (409, "not_now", NotNow),
        (404, "not_found", NotFound),
        (404, "no_such_game", NotFound),
        (401, "unauthorized", Unauthorized),
        (403, "forbidden", Forbidden),
        (412, "precondition_failed", Changed),
        (500, "internal_server_error", Problem),
    ],
)
def test_every_refusal_has_an_exception_of_its_own(status, code, raised):
    with fake(problem(status, code)) as server, pytest.raises(raised) as refused:
        server.client().game("g")
    assert type(refused.value) is raised
    assert (refused.value.status, refused.value.code, refused.value.detail) == (status, code, "so it is")


def test_a_broken_rule_is_named_and_so_is_the_request():
    refusal = problem(422, "rule_broken", "the king's region is taboo", rule="king", request_id="r1")
    with fake(refusal) as server, pytest.raises(RuleBroken) as refused:
        server.client().move("g", "1-red", "place", to={"granada": 1})
    assert (refused.value.rule, refused.value.request_id) == ("king", "r1")
    assert str(refused.value) == "the king's region is taboo (rule_broken, rule king)"


def test_a_refusal_that_is_no_problem_document_is_understood_by_its_status():
    with fake(Say(404, "a page of a proxy")) as server, pytest.raises(NotFound) as refused:
        server.client().game("g")
    assert refused.value.code == "http_404"


def test_an_answer_names_its_decision_and_carries_the_token():
    with fake(ACCEPTED) as server:
        server.client("hdg_x").move("g", "1-red", "place", to={"granada": 1})
        [sent] = server.heard
    assert (sent.method, sent.path) == ("POST", "/games/g/moves")
    assert sent.body == {"decision": "1-red", "kind": "place", "to": {"granada": 1}}
    assert sent.headers["Authorization"] == "Bearer hdg_x"


@pytest.mark.parametrize(
    "trouble",
    [Say(hang_up=True), problem(503, "busy"), problem(429, "too_many_requests"), Say(502, "a page of a proxy")],
    ids=["connection lost", "busy", "too many requests", "gateway"],
)
def test_a_write_is_sent_again_with_the_same_key(trouble):
    with fake(trouble, trouble, ACCEPTED) as server:
        assert server.client().move("g", "1-red", "end_turn").version == 2
        keys = {sent.headers["Idempotency-Key"] for sent in server.heard}
    assert len(server.heard) == 3
    assert len(keys) == 1


def test_two_writes_have_two_keys_unless_one_is_given():
    with fake(moves=ACCEPTED) as server:
        hidalgo = server.client()
        for key in (None, None, "mine"):
            hidalgo.move("g", "1-red", "end_turn", idempotency_key=key)
        keys = [sent.headers["Idempotency-Key"] for sent in server.heard]
    assert len(set(keys)) == 3
    assert keys[-1] == "mine"


def test_a_move_against_the_rules_is_not_sent_again():
    with fake(problem(422, "rule_broken")) as server, pytest.raises(RuleBroken):
        server.client().move("g", "1-red", "end_turn")
    assert len(server.heard) == 1


def test_it_waits_for_the_seconds_of_retry_after():
    pauses: list[float] = []
    waits = Say(503, {"code": "store_away"}, {"Retry-After": "2"})
    with fake(waits, waits, game(1)) as server, closing(Connection(server.url, sleep=pauses.append)) as connection:
        connection.get("/games/g")
    assert pauses == [2, 2]


def test_a_wait_longer_than_the_time_for_retries_raises_at_once():
    waits = Say(429, {"code": "too_many_requests"}, {"Retry-After": "3600"})
    with fake(waits) as server, pytest.raises(RateLimited) as refused:
        server.client().game("g")
    assert refused.value.retry_after == 3600
    assert len(server.heard) == 1


def test_retrying_has_an_end():
    reported: list[Problem] = []
    with fake(g=problem(503, "busy")) as server, pytest.raises(Unavailable):
        server.client(retry_for=0.3, on_retry=reported.append).game("g")
    assert len(server.heard) > 1
    assert {trouble.code for trouble in reported} == {"busy"}


def test_a_service_that_is_not_there_is_unavailable():
    with pytest.raises(Unavailable) as refused:
        Hidalgo("http://127.0.0.1:1", retry_for=0.1).game("g")
    assert (refused.value.status, refused.value.code) == (0, "unreachable")


def test_a_service_that_keeps_silent_is_unavailable():
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(Unavailable, match="timed out"):
        Hidalgo(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.05, retry_for=0.1).game("g")


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "ftp://example.org", "http://", "http://x:port"])
def test_a_url_that_is_no_address_is_refused(url):
    with pytest.raises(ValueError, match="is not the address of a service"):
        Hidalgo(url)


def test_a_token_that_cannot_be_one_is_refused():
    with pytest.raises(ValueError, match="characters that no token has"):
        Hidalgo("http://127.0.0.1", "hdg_…")


@pytest.mark.parametrize(
    ("elsewhere", "code"),
    [(Say(200, headers={"Content-Length": "0"}), "not_json"), (Say(301, headers={"Location": "/"}), "http_301")],
    ids=["a page", "a redirection"],
)
def test_a_server_that_is_no_service_is_recognised(elsewhere, code):
    with fake(elsewhere) as server, pytest.raises(Problem) as refused:
        server.client().game("g")
    assert refused.value.code == code


def test_a_service_may_live_below_a_path():
    with fake(game(1)) as server:
        server.client(below="/somewhere/").game("g")
        assert server.heard[0].path == "/somewhere/api/v1/games/g"


def test_all_requests_share_one_connection():
    with fake(g=game(1), moves=ACCEPTED) as server:
        hidalgo = server.client()
        hidalgo.game("g")
        hidalgo.move("g", "1-red", "end_turn")
        hidalgo.game("g")
        assert len({sent.port for sent in server.heard}) == 1


def test_requests_after_a_new_guest_carry_its_token():
    account = Say(201, {"id": "a_1", "handle": "guest", "role": "guest", "token": "hdg_new"})
    with fake(account, game(1)) as server:
        server.client().guest().game("g")
        assert "Authorization" not in server.heard[0].headers
        assert server.heard[1].headers["Authorization"] == "Bearer hdg_new"


def test_fields_of_a_newer_service_are_ignored():
    newer = game(1).body | {"weather": "fine"}
    with fake(Say(body=newer)) as server:
        assert server.client().game("g").version == 1


def test_events_are_fetched_page_by_page():
    pages = [Say(body={"events": [commit(1), commit(2)], "next": 2}), Say(body={"events": [commit(3)], "next": None})]
    with fake(*pages) as server:
        assert [commit.version for commit in server.client().events("g", limit=2)] == [1, 2, 3]
        assert [sent.path for sent in server.heard] == [
            "/games/g/events?after=0&limit=2",
            "/games/g/events?after=2&limit=2",
        ]


def test_games_are_fetched_page_by_page():
    pages = [Say(body={"games": [game(n).body], "next": next}) for n, next in [(1, "c"), (2, None)]]
    with fake(*pages) as server:
        assert [game.version for game in server.client().games(status="open")] == [1, 2]
        assert server.heard[1].path == "/games?status=open&limit=100&cursor=c"


def test_a_nonce_is_added_after_the_table_is_made_and_is_the_same_when_sent_again():
    with fake(game(1), problem(503, "busy"), game(2)) as server:
        client = server.client("t")
        made = client.create_game(players=2)
        create, first, again = [sent.body for sent in server.heard]
    assert (create["join"], "nonce" in create) == (False, False)
    assert first == again == {"nonce": client.nonce(made)}
    assert len(first["nonce"]) == 32


@pytest.mark.parametrize(("nonce", "sent"), [("my dice", {"nonce": "my dice"}), ("", {})])
def test_a_player_can_choose_its_nonce_or_add_none(nonce, sent):
    with fake(game(2)) as server:
        client = server.client("t")
        client.join("g", nonce=nonce)
        assert server.heard[0].body == sent
        assert client.nonce("g") == (nonce or None)


def test_a_table_can_be_made_without_sitting_down():
    with fake(game(1)) as server:
        server.client("t").create_game(players=2, join=False)
        assert len(server.heard) == 1
