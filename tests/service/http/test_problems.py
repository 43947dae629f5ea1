"""Problem details (RFC 9457)."""

import pytest
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from events.errors import Busy, Declined, StoreFull, StoreUnavailable, VersionChanged
from rules.errors import Refused, RuleBroken
from rules.texts import say
from service.accounts.errors import SignInFailed
from service.accounts.rate_limits import TooOften
from service.app import create_app
from service.games.invitations import NotInvited
from service.http.authentication import UnknownToken
from service.http.problems import CODES, STATUSES
from service.live.threads import NoRoom
from service.notifications.webhooks import TooManyWebhooks
from service.settings import Limit


@pytest.fixture
def app():
    return create_app()


@pytest.fixture
def client(app):
    return app.test_client()


def test_an_unknown_address_is_a_problem_with_a_code(client):
    answer = client.get("/nowhere")
    assert answer.content_type == "application/problem+json"
    assert answer.status_code == 404
    assert answer.get_json() == {
        "request_id": answer.headers["X-Request-Id"],
        "type": "/docs/problems#not_found",
        "title": "Not Found",
        "status": 404,
        "code": "not_found",
        "detail": "there is nothing at /nowhere",
    }


def test_a_wrong_method_is_answered_with_the_right_ones(client):
    answer = client.post("/healthz")
    assert answer.status_code == 405
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
    assert answer.get_json()["code"] == "method_not_allowed"
    assert answer.get_json()["detail"] == "/healthz does not answer POST, only GET, HEAD, OPTIONS"


def test_a_crash_tells_the_client_nothing_about_our_insides(app, client):
    @app.get("/crash")
    def crash():
        raise ZeroDivisionError("the secret of the shuffle")

    answer = client.get("/crash")
    assert answer.status_code == 500
    assert answer.get_json()["code"] == "internal_server_error"
    assert "shuffle" not in answer.text


def test_headers_of_an_error_survive(app, client):
    @app.get("/private")
    def private():
        raise Unauthorized("a token is needed", www_authenticate=WWWAuthenticate("bearer"))

    answer = client.get("/private")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.get_json()["detail"] == "a token is needed"


def kinds(family: type[Refused]) -> set[type[Refused]]:
    return {family}.union(*(kinds(kind) for kind in family.__subclasses__()))


def test_every_refusal_of_the_service_has_a_status():
    ours = {kind for kind in kinds(Refused) - {Refused, Declined} if not kind.__module__.startswith("tests.")}
    assert {Busy, NoRoom, NotInvited, RuleBroken, StoreFull, TooManyWebhooks, TooOften, UnknownToken} <= ours
    assert {kind.code for kind in ours} | set(CODES.values()) == STATUSES.keys()


TABLES = ("tables_of_an_account", Limit(3, 60))


@pytest.mark.parametrize(
    ("error", "status", "code", "headers"),
    [
        (RuleBroken(say("only {left} left", left=2), "move"), 422, "rule_broken", {}),
        (VersionChanged(say("look again")), 412, "precondition_failed", {}),
        (Busy(say("later")), 503, "busy", {"Retry-After": "1"}),
        (TooOften(0.2, *TABLES), 429, "too_many_requests", {"Retry-After": "1"}),
        (TooOften(61.5, *TABLES), 429, "too_many_requests", {"Retry-After": "62"}),
        (StoreFull(say("full")), 503, "store_full", {"Retry-After": "30"}),
        (NoRoom(16, 16), 503, "too_many_streams", {"Retry-After": "5"}),
        (SignInFailed(), 401, "unauthorized", {"WWW-Authenticate": "Bearer"}),
        (UnknownToken(say("no")), 401, "unauthorized", {"WWW-Authenticate": 'Bearer error="invalid_token"'}),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_a_refusal_has_the_status_of_its_code_and_says_how_to_go_on(app, client, error, status, code, headers):
    @app.get("/refused")
    def refused():
        raise error

    answer = client.get("/refused")
    assert (answer.status_code, answer.get_json()["code"], answer.get_json()["detail"]) == (status, code, str(error))
    assert {
        name: answer.headers.get(name) for name in ("Retry-After", "WWW-Authenticate") if name in answer.headers
    } == headers


def test_a_refused_move_names_the_rule_and_a_store_error_does_not_name_the_store(app, client):
    @app.get("/broken-rule")
    def broken_rule():
        raise RuleBroken(say("only {left} left", left=2), "move")

    @app.get("/away")
    def away():
        raise StoreUnavailable(say("the store cannot be reached"), "10.0.0.7:6379 refused")

    assert client.get("/broken-rule").get_json()["rule"] == "move"
    assert client.get("/away").get_json()["detail"] == "the store cannot be reached"


def test_a_redirect_is_no_problem(app, client):
    @app.get("/games/")
    def games():
        return []

    assert client.get("/games").status_code == 308
