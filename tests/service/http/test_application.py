"""What surrounds every request, whatever becomes of it."""

import json
import re

import pytest

from service.app import create_app
from service.operations import logs


@pytest.fixture
def app():
    app = create_app()
    app.config["PROPAGATE_EXCEPTIONS"] = False

    @app.get("/broken")
    def broken():
        raise RuntimeError("ay")

    return app


@pytest.mark.parametrize(
    ("path", "endpoint", "status"),
    [("/docs/tour", "docs.read", 200), ("/nowhere", "None", 404), ("/broken", "broken", 500)],
    ids=["answered", "not found", "broken"],
)
def test_every_request_is_named_guarded_logged_and_counted(app, capsys, path, endpoint, status):
    client = app.test_client()
    before = count(client, endpoint, status)
    answer = client.get(path, headers={"X-Request-Id": "my-name"})
    assert answer.status_code == status
    assert answer.headers.getlist("X-Request-Id") == ["my-name"]
    assert answer.headers.getlist("X-Content-Type-Options") == ["nosniff"]
    logs.flush()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    [line] = [line for line in lines if line["event"] == "request" and line["path"] == path]
    assert (line["method"], line["status"], line["request_id"]) == ("GET", status, "my-name")
    assert count(client, endpoint, status) == before + 1


@pytest.mark.parametrize("path", ["//healthz", "//api/v1/rules", "//api//v1/rules", "/api//v1/rules", "/docs//tour"])
def test_a_path_with_two_slashes_is_none_of_ours(app, path):
    """A framework that mended it would send the client on to whatever host the client has named."""
    answer = app.test_client().open(environ_overrides={"PATH_INFO": path, "HTTP_HOST": "evil.example"})
    assert (answer.status_code, answer.headers.get("Location")) == (404, None)


def test_a_probe_is_logged_only_if_it_finds_something_wrong(app, capsys):
    client = app.test_client()
    assert [client.get(path).status_code for path in ("/healthz", "/readyz")] == [200, 503], "there is no store"
    logs.flush()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["path"] for line in lines if line["event"] == "request"] == ["/readyz"]


def count(client, endpoint, status):
    name = re.escape(f'hidalgo_request_seconds_count{{endpoint="{endpoint}",status="{status}"}}')
    found = re.search(rf"^{name} (\S+)$", client.get("/metrics").text, re.MULTILINE)
    return float(found[1]) if found else 0
