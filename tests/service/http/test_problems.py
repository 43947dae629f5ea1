"""Problem details (RFC 9457)."""

import pytest
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Unauthorized

from service.app import create_app


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
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "code": "not_found",
        "detail": "there is nothing at /nowhere",
    }


def test_a_wrong_method_is_told_the_right_ones(client):
    answer = client.post("/healthz")
    assert answer.status_code == 405
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
    assert answer.get_json()["code"] == "method_not_allowed"
    assert answer.get_json()["detail"] == "/healthz does not answer POST, only GET, HEAD, OPTIONS"


def test_a_crash_tells_the_client_nothing_about_our_insides(app, client):
    @app.get("/crash")
    def crash():
        raise ZeroDivisionError("the secret of the shuffle is 42")

    answer = client.get("/crash")
    assert answer.status_code == 500
    assert answer.get_json()["code"] == "internal_server_error"
    assert "42" not in answer.text


def test_headers_of_an_error_survive(app, client):
    @app.get("/private")
    def private():
        raise Unauthorized("a token is needed", www_authenticate=WWWAuthenticate("bearer"))

    answer = client.get("/private")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.get_json()["detail"] == "a token is needed"


def test_a_redirect_is_no_problem(app, client):
    @app.get("/games/")
    def games():
        return []

    assert client.get("/games").status_code == 308
