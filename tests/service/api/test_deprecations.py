"""What is deprecated says so: in the description, in the headers of answers, in the documentation."""

from datetime import date

import pytest

from service import api
from service.api import deprecations
from service.api.deprecations import DEPRECATIONS, Deprecation
from service.app import create_app
from service.settings import Settings
from tests.repository.checkout import ROOT

OLD = Deprecation(date(2026, 11, 18), date(2027, 6, 1), "use GET /games")
OLDER = Deprecation(date(2026, 1, 1), None, "there is no such thing any more")


@pytest.fixture
def client(monkeypatch):
    """Of a service that has deprecated an operation, a field of a request and a field of answers."""
    rows = {"get_rules": OLD, "NewGame.nonce": OLDER, "Game.scores": OLD}
    monkeypatch.setattr(deprecations, "DEPRECATIONS", rows)
    return create_app(Settings(access_log=False)).test_client()


def test_a_deprecated_operation_says_since_when_until_when_and_where_to_read_on(client):
    headers = client.get("/api/v1/rules").headers
    assert headers["Deprecation"] == "@1794960000"
    assert headers["Sunset"] == "Tue, 01 Jun 2027 00:00:00 GMT"
    assert headers.getlist("Link") == [
        '</docs>; rel="deprecation"; type="text/html"',
        '</docs>; rel="sunset"; type="text/html"',
    ]


def test_a_refusal_of_a_deprecated_operation_says_so_too(client):
    answer = client.get("/api/v1/rules?colour=red", headers={"If-None-Match": "x"})
    assert "Deprecation" in answer.headers


def test_a_deprecated_field_is_announced_to_those_who_send_it(client):
    sent = client.post("/api/v1/games", json={"players": 2, "nonce": "mine"})
    assert sent.headers["Deprecation"] == "@1767225600"
    assert "Sunset" not in sent.headers
    assert "Deprecation" not in client.post("/api/v1/games", json={"players": 2}).headers


def test_other_operations_say_nothing(client):
    assert "Deprecation" not in client.get("/api/v1/rules/el_grande").headers
    assert "Deprecation" not in client.get("/api/v1/nothing").headers


def test_the_description_marks_them(client):
    document = client.get("/api/v1/openapi.json").get_json()
    rules = document["paths"]["/api/v1/rules"]["get"]
    assert rules["deprecated"] is True
    assert rules["description"].endswith("Deprecated since 2026-11-18, gone on 2027-06-01: use GET /games.")
    new_game = document["components"]["requestBodies"]["NewGame"]["content"]["application/json"]["schema"]
    assert new_game["properties"]["nonce"]["deprecated"] is True
    assert document["components"]["schemas"]["Game"]["properties"]["scores"]["deprecated"] is True
    assert "deprecated" not in document["paths"]["/api/v1/games"]["get"]


def test_a_name_that_is_nothing_is_an_error(monkeypatch):
    monkeypatch.setattr(deprecations, "DEPRECATIONS", {"get_nonsense": OLD})
    with pytest.raises(KeyError):
        deprecations.mark({"paths": {}, "components": {"schemas": {}, "requestBodies": {}}})


def test_answers_that_need_headers_are_not_direct(client):
    assert api.direct_endpoints() == ()


def test_clients_get_time():
    with pytest.raises(AssertionError, match="need time"):
        Deprecation(date(2026, 1, 1), date(2026, 1, 1), "nothing")


@pytest.mark.parametrize("page", ["api.md", "changelog.md"])
def test_everything_that_is_deprecated_is_in_the_documentation(page):
    text = (ROOT / "docs" / page).read_text()
    assert all(f"`{name}`" in text for name in DEPRECATIONS)
    assert not DEPRECATIONS or "deprecated" in text.lower()
