"""Moves are answered without Flask's dispatch: to the last byte as Flask would answer them."""

import pytest

from tests.service.api.asking import PREFIX, begun

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def table(ana, guest):
    bea = guest()
    game = begun(ana, bea)
    player = ana if ana.decision(game) else bea
    return game, player, player.decision(game)["example"]


def answers(app, path: str, body, headers: dict[str, str], method: str = "POST"):
    """The answer without Flask's dispatch, and with it. The same key makes one move of both."""
    asked = {"X-Request-Id": "the-same", **headers}
    direct, by_flask_alone = app.direct_views, ()
    for views in (direct, by_flask_alone):
        app.direct_views = views
        sent = {"json": body} if isinstance(body, dict) else {"data": body}
        answer = app.test_client().open(PREFIX + path, method=method, headers=asked, **sent)
        yield answer.status_code, sorted(answer.headers.items()), answer.data
    app.direct_views = direct


def token(player) -> dict[str, str]:
    return {"Authorization": f"Bearer {player.token}"}


@pytest.mark.parametrize("more", [{}, {"Accept-Encoding": "gzip"}], ids=["plain", "compressed"])
def test_an_accepted_move_is_answered_alike(service, table, more):
    game, player, move = table
    headers = token(player) | {"Idempotency-Key": "one"} | more
    direct, by_flask = answers(service, f"/games/{game}/moves", move, headers)
    assert direct[0] == 201
    assert direct == by_flask


REFUSED = {
    "no account": (401, {}, {}),
    "an unknown token": (401, {"Authorization": "Bearer hdg_unknown"}, {}),
    "another version": (412, {"If-Match": '"999"'}, {}),
    "a wrong key": (400, {"Idempotency-Key": "ñ"}, {}),
    "an unknown decision": (409, {}, {"decision": "999-red"}),
    "a field that does not fit": (422, {}, {"decision": 7}),
    "a rule": (422, {}, {"value": 77}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_move_is_answered_alike(service, table, case):
    game, player, move = table
    status, headers, changes = REFUSED[case]
    known = {} if status == 401 else token(player)
    direct, by_flask = answers(service, f"/games/{game}/moves", move | changes, known | headers)
    assert direct[0] == status, direct
    assert direct == by_flask


BODIES = {
    "no JSON": (400, b"{", JSON),
    "no object": (400, b"[]", JSON),
    "another type": (415, b"decision=1", {"Content-Type": "text/plain"}),
    "too long": (413, b" " * 100_000, JSON),
}


@pytest.mark.parametrize("case", BODIES)
def test_a_body_that_cannot_be_used_is_refused_alike(service, table, case):
    game, player, _ = table
    status, body, headers = BODIES[case]
    direct, by_flask = answers(service, f"/games/{game}/moves", body, token(player) | headers)
    assert direct[0] == status
    assert direct == by_flask


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/games/unknown/moves", 404),
        ("POST", "/games/ñ/moves", 404),
        ("GET", "/games/unknown/moves", 405),
        ("POST", "/games/unknown/moves/", 404),
    ],
)
def test_other_paths_and_methods_are_answered_alike(service, ana, method, path, status):
    direct, by_flask = answers(service, path, {"decision": "1-red", "kind": "x"}, token(ana), method)
    assert direct[0] == status
    assert direct == by_flask


def test_a_preview_moves_nothing(service, table):
    game, player, move = table
    direct, by_flask = answers(service, f"/games/{game}/moves?dry_run=true", move, token(player))
    assert direct[0] == 200
    assert direct == by_flask
    assert player.decision(game)["example"] == move


def test_a_crash_is_answered_alike(service, table, monkeypatch):
    def crash(*_):
        raise RuntimeError("ay")

    game, player, move = table
    monkeypatch.setattr("service.games.representations.move_result", crash)
    monkeypatch.setitem(service.config, "PROPAGATE_EXCEPTIONS", False)
    direct, by_flask = answers(service, f"/games/{game}/moves", move, token(player) | {"Idempotency-Key": "one"})
    assert direct[0] == 500
    assert direct == by_flask
