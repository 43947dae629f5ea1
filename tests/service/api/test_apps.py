"""Apps over REST: registering, changing and deleting them, and ending what accounts allow them."""

import pytest

from service.accounts.apps import MOST_APPS
from service.accounts.authorizations import MOST_GRANTS

CLUB = {"name": "Club site", "redirect_uris": ["https://club.example/back"]}


@pytest.fixture
def author(service, described, guest):
    """A player, with a token of all scopes."""
    client = guest()
    service.services.accounts.upgrade(client.account, "Author", "tizona y colada")
    return client


def patch(client, path, body):
    return client.ask("PATCH", path, json=body)


def allow(service, account, app, **changed):
    fields = {"name": "Club site", "scopes": ["read"], "days": 0, "redirect_uri": CLUB["redirect_uris"][0]} | changed
    return service.services.authorizations.allow(account, app, challenge="c" * 43, **fields)


def test_an_app_is_registered_looked_at_changed_and_deleted(author):
    made = author.post("/me/apps", CLUB)
    assert made.status_code == 201
    app = made.json
    assert app["id"].startswith("c_")
    assert author.get("/me/apps").json["apps"] == [app]
    assert author.get(f"/me/apps/{app['id']}").json == app
    changed = patch(author, f"/me/apps/{app['id']}", {"name": "Club"})
    assert (changed.json["name"], changed.json["redirect_uris"]) == ("Club", CLUB["redirect_uris"])
    assert author.delete(f"/me/apps/{app['id']}").status_code == 204
    assert author.get("/me/apps").json["apps"] == []
    assert author.delete(f"/me/apps/{app['id']}").status_code == 404


@pytest.mark.parametrize(
    "uri",
    [
        "http://club.example/back",
        "ftp://club.example/",
        "https://club.example/#part",
        "https://user@club.example/",
        "https:///back",
        "https://",
        "club.example",
        "/back",
        "javascript:alert(1)",
        "myapp://back",
        "https://club.example/\nSet-Cookie: x",
        'https://club.example/"',
        "https://club.example/\\",
        "https://clüb.example/",
        "http://localhost.evil.example/",
        "http://127.0.0.1.evil.example/",
        "http://[::1",
        "https://club.example:99999/",
        "https://club.example/" + "x" * 500,
    ],
)
def test_an_address_that_could_lead_elsewhere_is_refused(author, uri):
    answer = author.post("/me/apps", CLUB | {"redirect_uris": [uri]})
    assert (answer.status_code, answer.json["code"]) == (422, "invalid")


@pytest.mark.parametrize(
    "uri", ["https://club.example", "http://localhost:5173/x?y=1", "http://[::1]/", "http://127.0.0.1/"]
)
def test_an_address_of_https_or_of_the_own_machine_is_taken(author, uri):
    assert author.post("/me/apps", CLUB | {"redirect_uris": [uri]}).status_code == 201


@pytest.mark.parametrize("body", [{"name": " "}, {"name": "x" * 61}, {"name": "a\u202eb"}, {"redirect_uris": []}])
def test_a_name_that_cannot_be_read_and_no_address_are_refused(author, body):
    assert author.post("/me/apps", CLUB | body).status_code == 422
    app = author.post("/me/apps", CLUB).json["id"]
    assert patch(author, f"/me/apps/{app}", body).status_code == 422


def test_the_same_address_twice_is_refused(author):
    twice = {"redirect_uris": ["https://club.example/back"] * 2}
    assert author.post("/me/apps", CLUB | twice).status_code == 422


def test_the_same_request_registers_one_app(author):
    first, again = (author.post("/me/apps", CLUB, Idempotency_Key="one") for _ in "ab")
    assert first.json == again.json
    other = author.post("/me/apps", CLUB | {"name": "Other"}, Idempotency_Key="one")
    assert (other.status_code, other.json["code"]) == (422, "key_reused")
    assert author.post("/me/apps", CLUB, Idempotency_Key="two").json["id"] != first.json["id"]


def test_an_account_has_so_many_apps_and_a_guest_none(author, ana):
    for _ in range(MOST_APPS):
        assert author.post("/me/apps", CLUB).status_code == 201
    refused = author.post("/me/apps", CLUB)
    assert (refused.status_code, refused.json["code"]) == (409, "too_many_apps")
    assert ana.post("/me/apps", CLUB).json["code"] == "still_a_guest"


def test_the_app_of_another_account_is_not_found(author, eve, service):
    app = author.post("/me/apps", CLUB).json["id"]
    service.services.accounts.upgrade(eve.account, "Eve", "tizona y colada")
    for answer in (
        eve.get(f"/me/apps/{app}"),
        patch(eve, f"/me/apps/{app}", {"name": "x"}),
        eve.delete(f"/me/apps/{app}"),
    ):
        assert answer.status_code == 404
    assert author.get("/me/apps").json["apps"][0]["name"] == "Club site"


def test_an_account_sees_what_it_allows_and_ends_it(service, author, ben):
    app = author.post("/me/apps", CLUB).json["id"]
    allow(service, ben.account, app, days=90)
    [found] = ben.get("/me/authorizations").json["authorizations"]
    assert (found["app"], found["name"], found["scopes"]) == (app, "Club site", ["read"])
    assert found["until"] - found["created_at"] == 90 * 86_400_000
    assert author.get("/me/authorizations").json["authorizations"] == []
    assert author.delete(f"/me/authorizations/{app}").status_code == 404
    assert ben.delete(f"/me/authorizations/{app}").status_code == 204
    assert ben.get("/me/authorizations").json["authorizations"] == []
    assert ben.delete(f"/me/authorizations/{app}").status_code == 404


def test_what_is_allowed_until_it_is_ended_has_no_day(service, author, ben):
    app = author.post("/me/apps", CLUB).json["id"]
    allow(service, ben.account, app)
    assert ben.get("/me/authorizations").json["authorizations"][0]["until"] is None


def test_an_account_allows_so_many_apps(service, ben):
    for number in range(MOST_GRANTS):
        allow(service, ben.account, f"c_{number:028}")
    with pytest.raises(Exception, match="end one first"):
        allow(service, ben.account, "c_" + "x" * 28)
    allow(service, ben.account, f"c_{1:028}")
