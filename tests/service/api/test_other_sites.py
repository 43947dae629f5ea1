"""Scripts of other sites: what the browser lets them send and read, and what counts when it is sent anyway."""

from __future__ import annotations

import pytest

from service.http.cors import REQUEST_HEADERS
from service.settings import Limit, Settings
from tests.service.api.asking import TWO, begun

SITE = "https://club.example"
FOREIGN = [
    {"Origin": SITE},
    {"Origin": "null"},
    {"Origin": SITE, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"},
    {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
    {"Origin": "http://localhost:8123"},
]
FOREIGN_IDS = ["origin", "sandbox", "cross-site", "same-site", "another port"]


@pytest.fixture
def http(service):
    return service.test_client()


@pytest.fixture
def visitor(service):
    """The browser of a player who is signed in here, and its CSRF token."""
    accounts = service.services.accounts
    accounts.register("El_Cid", "tizona y colada")
    session = accounts.sessions.sign_in("El_Cid", "tizona y colada")
    client = service.test_client()
    client.set_cookie("hidalgo_session", session.secret)
    return client, session.csrf


def preflight(http, path: str, method: str, *headers: str):
    asked = {"Origin": SITE, "Access-Control-Request-Method": method}
    return http.options(
        path, headers=asked | ({"Access-Control-Request-Headers": ",".join(headers)} if headers else {})
    )


# Asking first


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
def test_with_a_token_every_method_and_every_header_of_ours_is_allowed(http, method):
    answer = preflight(http, "/api/v1/games/g/moves", method, *(name.lower() for name in REQUEST_HEADERS))
    assert (answer.status_code, answer.data) == (204, b"")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert method in answer.headers["Access-Control-Allow-Methods"].split(", ")
    allowed = {name.lower() for name in answer.headers["Access-Control-Allow-Headers"].split(", ")}
    assert {name.lower() for name in REQUEST_HEADERS} <= allowed
    assert int(answer.headers["Access-Control-Max-Age"]) >= 7200
    assert "Access-Control-Request-Headers" in answer.headers["Vary"]


def test_without_a_token_only_reading_is_allowed(http):
    for headers in ((), ("content-type",), ("content-type", "x-authorization")):
        answer = preflight(http, "/api/v1/guests", "POST", *headers)
        assert answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD"


def test_neither_cookies_nor_their_csrf_header_are_ever_allowed(http, ana):
    answers = [
        preflight(http, "/api/v1/me", "DELETE", "authorization", "x-csrf-token"),
        http.get("/api/v1/games", headers={"Origin": SITE}),
        ana.post("/games", TWO, Origin=SITE),
        http.get("/", headers={"Origin": SITE}),
    ]
    assert all("Access-Control-Allow-Credentials" not in answer.headers for answer in answers)
    assert "csrf" not in answers[0].headers["Access-Control-Allow-Headers"].lower()


def test_pages_are_not_for_scripts_of_other_sites(http):
    assert "Access-Control-Allow-Origin" not in http.get("/", headers={"Origin": SITE}).headers
    answer = preflight(http, "/account", "POST", "authorization")
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_preflight_asks_nothing_of_the_store(service, monkeypatch):
    monkeypatch.setattr(service, "wired", None)
    assert preflight(service.test_client(), "/api/v1/games", "POST", "authorization").status_code == 204


# With a token


def test_a_script_with_a_token_plays_and_may_read_every_answer(ana, ben):
    game = begun(ana, ben)
    [seat] = ana.get(f"/games/{game}", Origin=SITE).json["waiting"]
    player = ana if ana.get(f"/games/{game}").json["mine"] == seat else ben
    [decision] = player.get(f"/games/{game}/decisions", Origin=SITE).json["decisions"]
    moved = player.post(f"/games/{game}/moves", decision["example"], Origin=SITE, Sec_Fetch_Site="cross-site")
    again = player.post(f"/games/{game}/moves", decision["example"], Origin=SITE, Sec_Fetch_Site="cross-site")
    assert (moved.status_code, again.status_code) == (201, 409)
    for answer in (moved, again):
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
        assert {"ETag", "Location", "Retry-After", "X-Request-Id"} <= set(exposed)
        assert "Origin" in answer.headers["Vary"]


def test_streams_of_other_sites_are_readable(ana, ben):
    game = begun(ana, ben)
    with ana.http.get(
        f"/api/v1/games/{game}/stream", headers={"Origin": SITE, "Authorization": f"Bearer {ana.token}"}
    ) as answer:
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/api/v1/games/none", {}, 404),
        ("/api/v1/me", {}, 401),
        ("/api/v1/me", {"Authorization": "Bearer nothing"}, 401),
        ("/api/v1/games?limit=x", {}, 422),
        ("/api/v1/nothing", {}, 404),
    ],
)
def test_refusals_are_readable_too(http, path, headers, status):
    answer = http.get(path, headers=headers | {"Origin": SITE})
    assert (answer.status_code, answer.json["status"]) == (status, status)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


class TestTooOften:
    @pytest.fixture
    def settings(self):
        return Settings(limits=dict(Settings().limits) | {"reads_from_an_address": Limit(1, 60)})

    def test_a_script_may_read_when_to_come_back(self, http):
        answers = [http.get("/api/v1/games", headers={"Origin": SITE}) for _ in range(2)]
        assert answers[1].status_code == 429
        assert answers[1].headers["Access-Control-Allow-Origin"] == "*"
        assert "Retry-After" in answers[1].headers["Access-Control-Expose-Headers"]


def test_trouble_with_the_store_is_readable(service, monkeypatch):
    monkeypatch.setattr(service, "wired", None)
    answer = service.test_client().get("/api/v1/games", headers={"Origin": SITE})
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (503, "*")


# Without one


WRITES = [
    ("POST", "/api/v1/guests", {}),
    ("POST", "/api/v1/accounts", {"handle": "babieca", "password": "tizona y colada"}),
    ("POST", "/api/v1/sessions", {"handle": "El_Cid", "password": "tizona y colada"}),
    ("POST", "/api/v1/games", {"players": 2}),
    ("DELETE", "/api/v1/me", {"password": "tizona y colada"}),
    ("POST", "/api/v1/tokens", {"name": "stolen"}),
]


@pytest.mark.parametrize("headers", FOREIGN, ids=FOREIGN_IDS)
def test_without_a_token_another_site_changes_nothing_with_or_without_a_cookie(service, visitor, headers):
    client, csrf = visitor
    for method, path, body in WRITES:
        for more in ({}, {"X-CSRF-Token": csrf}, {"Authorization": "Basic eDp5"}):
            answer = client.open(path, method=method, json=body, headers=headers | more)
            assert (answer.status_code, answer.json["code"]) == (403, "csrf"), path
            assert "Set-Cookie" not in answer.headers
    assert service.services.accounts.account_named("El_Cid")
    assert service.services.accounts.account_named("babieca") is None


@pytest.mark.parametrize("headers", FOREIGN, ids=FOREIGN_IDS)
def test_a_made_up_token_is_no_token(visitor, headers):
    client, csrf = visitor
    for token in ("hdg_" + "x" * 59, "nothing"):
        shown = headers | {"Authorization": f"Bearer {token}", "X-CSRF-Token": csrf}
        assert client.post("/api/v1/guests", headers=shown).status_code == 401


@pytest.mark.parametrize("headers", FOREIGN, ids=FOREIGN_IDS)
def test_a_move_of_another_site_by_a_cookie_is_not_known(visitor, headers):
    """The path of moves has its own dispatch."""
    client, csrf = visitor
    answer = client.post("/api/v1/games/g/moves", json={}, headers=headers | {"X-CSRF-Token": csrf})
    assert answer.status_code == 401


@pytest.mark.parametrize("headers", FOREIGN, ids=FOREIGN_IDS)
def test_by_a_cookie_another_site_reads_what_is_public_and_nothing_else(visitor, headers):
    client, _ = visitor
    assert client.get("/api/v1/me").json["handle"] == "El_Cid"
    assert client.get("/api/v1/me", headers=headers).status_code == 401
    assert client.get("/api/v1/me/inbox", headers=headers).status_code == 401
    assert client.get("/api/v1/games", headers=headers).status_code == 200
    assert "El_Cid" not in client.get("/", headers=headers).text


def test_a_link_of_another_site_leads_to_the_page_of_the_visitor(visitor):
    client, _ = visitor
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert "El_Cid" in client.get("/account", headers=link).text


def test_our_own_pages_write_with_the_cookie(visitor):
    client, csrf = visitor
    for own in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": "http://localhost"}, {}):
        assert client.post("/api/v1/games", json=TWO, headers=own | {"X-CSRF-Token": csrf}).status_code == 201
