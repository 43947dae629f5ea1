"""One address takes all it can get: streams, silent bodies, unread answers. Another one is served as if it were alone.

Loopback has many addresses, so that the server sees two clients.
"""

import json
import os
import sysconfig
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from socket import create_connection, socket
from urllib.parse import urlsplit

import pytest

from service.live.threads import MOST_WAITING
from service.operations.open_files import allow_files
from tests.events.servers import eventually
from tests.running import Service, running

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))
GREEDY, OTHER = "127.0.0.2", "127.0.0.3"
SECONDS = 20
STREAMS = 240
"""All that a process with 256 threads has."""
BODIES = 8
WRITES = 50


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    env = {**os.environ, "HIDALGO_KEEP_ALIVE": "0.2"}
    with running([HIDALGO, "serve"], tmp_path_factory.mktemp("service"), env) as service:
        yield service


@pytest.fixture(autouse=True)
def left_empty(service) -> Iterator[None]:
    """The next test finds all threads free."""
    yield
    eventually(lambda: "\nhidalgo_streams_open 0.0\n" in service.get("/metrics"))


@contextmanager
def asked(service: Service, address: str, sent: bytes) -> Iterator[socket]:
    """A connection from the address on which this was sent."""
    place = urlsplit(service.url)
    with create_connection((str(place.hostname), place.port or 0), SECONDS, (address, 0)) as connection:
        connection.sendall(sent)
        yield connection


def head(method: str, path: str, *headers: str) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: x", *headers, "", ""]).encode()


def silent_body(path: str = "/api/v1/guests") -> bytes:
    return head("POST", path, "Content-Type: application/json", "Content-Length: 50")


def status(connection: socket) -> int:
    """The status of the answer, as soon as it begins."""
    return int(connection.recv(4096).split()[1])


def answer(
    service: Service, address: str, method: str, path: str, body: object = None, token: str = ""
) -> HTTPResponse:
    place = urlsplit(service.url)
    connection = HTTPConnection(str(place.hostname), place.port, timeout=SECONDS, source_address=(address, 0))
    headers = {"Content-Type": "application/json", "Connection": "close"}
    headers |= {"Authorization": f"Bearer {token}"} if token else {}
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    return connection.getresponse()


def made(service: Service, address: str, path: str, body: object, token: str = "") -> dict:
    response = answer(service, address, "POST", path, body, token)
    content = json.loads(response.read())
    assert response.status == 201, content
    return content


@pytest.fixture
def game(service) -> str:
    token = made(service, OTHER, "/api/v1/guests", {})["token"]
    wanted = {"rules": "el_grande", "players": 2, "options": {"game_length": "short"}}
    return made(service, OTHER, "/api/v1/games", wanted, token)["id"]


def test_writes_of_another_address_are_accepted_beside_all_streams_and_bodies_of_one(service, game):
    stream = head("GET", f"/api/v1/games/{game}/stream")
    with ExitStack() as held:
        streams = [held.enter_context(asked(service, GREEDY, stream)) for _ in range(STREAMS)]
        statuses = [status(connection) for connection in streams]
        for _ in range(BODIES):
            held.enter_context(asked(service, GREEDY, silent_body()))
        answers = [answer(service, OTHER, "POST", "/api/v1/guests", {}) for _ in range(WRITES)]
        assert {response.status for response in answers} == {201}
        assert (statuses.count(200), statuses.count(503)) == (STREAMS // 2, STREAMS // 2)
        with asked(service, OTHER, stream) as connection:
            assert status(connection) == 200


KINDS = {
    "bodies": silent_body(),
    "unread answers": head("GET", "/docs/openapi.json") * 50,
}


@pytest.mark.parametrize("sent", KINDS.values(), ids=KINDS)
def test_one_address_has_few_threads_that_wait_for_it(service, game, sent):
    """Also where it holds the streams that it can get: the order does not matter."""
    stream = head("GET", f"/api/v1/games/{game}/stream")
    with ExitStack() as held:
        for _ in range(STREAMS):
            held.enter_context(asked(service, GREEDY, sent))
        streams = [held.enter_context(asked(service, GREEDY, stream)) for _ in range(STREAMS)]
        assert {status(connection) for connection in streams} == {200, 503}
        for _ in range(10):
            assert answer(service, OTHER, "POST", "/api/v1/guests", {}).status == 201
            assert answer(service, OTHER, "GET", "/docs/openapi.json").status == 200
            assert answer(service, OTHER, "GET", "/readyz").status == 200


def test_a_refused_write_comes_with_a_problem_and_a_time_to_come_back(service):
    with ExitStack() as held:
        for _ in range(MOST_WAITING):
            held.enter_context(asked(service, GREEDY, silent_body()))

        def is_refused() -> bool:
            """One more each time: threads of the last test may still be held, and a body be refused in their stead."""
            held.enter_context(asked(service, GREEDY, silent_body()))
            return answer(service, GREEDY, "POST", "/api/v1/guests", {}).status == 503

        eventually(is_refused)
        refused = answer(service, GREEDY, "POST", "/api/v1/guests", {})
        assert refused.headers["Retry-After"] == "1"
        assert json.loads(refused.read())["code"] == "busy"


@pytest.mark.parametrize("count", [1500, pytest.param(6000, marks=pytest.mark.long)])
def test_another_address_is_answered_beside_silent_connections(service, count):
    """Many more than there are threads; or more than the server takes at once."""
    if allow_files(count + 500) < count + 500:
        pytest.skip("too few files may be open here")
    with ExitStack() as held:
        for _ in range(count):
            held.enter_context(asked(service, GREEDY, b""))
        began = time.monotonic()
        for _ in range(20):
            assert answer(service, OTHER, "POST", "/api/v1/guests", {}).status == 201
        assert time.monotonic() - began < 5
