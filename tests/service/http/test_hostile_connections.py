"""What a hostile or broken client may do to the server itself, over plain sockets: the service goes on.

The table is what is sent and which statuses may come back. After each of them an ordinary request is answered, nothing
broke, and nothing that was sent along was taken for a request of its own.
"""

import gzip
import json
import os
import re
import signal
import socket
import sysconfig
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from service.operations.serving import SECONDS_OF_SILENCE
from tests.events.servers import eventually
from tests.running import Service, running

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))
SECONDS = 20
THREADS = 32
GUESTS = "/api/v1/guests"
JSON = "Content-Type: application/json"
CHUNKED = "Transfer-Encoding: chunked"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
MEGABYTE = 1_000_000
MOST_GROWTH = 64 * MEGABYTE


def ask(target: str = "/healthz", *headers: str, method: str = "GET", version: str = "1.1", host: str = "x") -> bytes:
    lines = [f"{method} {target} HTTP/{version}", *([f"Host: {host}"] if host else []), "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def send(body: bytes, *headers: str, target: str = GUESTS) -> bytes:
    """With its length, unless the headers say something else about it."""
    has_length = any(header.startswith(("Content-Length", "Transfer-Encoding")) for header in headers)
    length = [] if has_length else [f"Content-Length: {len(body)}"]
    return ask(target, JSON, *length, *headers, method="POST") + body


HUNG_UP: set[int] = set()
"""Not a word comes back."""

CONVERSATIONS: dict[str, tuple[bytes, set[int]]] = {
    # Heads
    "ten thousand headers": (ask("/healthz", *(f"X-{number}: 1" for number in range(10_000))), {431}),
    "a header of a megabyte": (ask("/healthz", "X: " + "x" * MEGABYTE), {431}),
    "an address of a megabyte": (ask("/" + "x" * MEGABYTE), {414, 431}),
    "an address of sixty kilobytes": (ask("/" + "x" * 60_000), {404}),
    "a folded header": (ask("/healthz", "X: a\r\n b"), {400}),
    "a space before the colon": (ask("/healthz", "X : a"), {400}),
    "a zero byte in a header": (ask("/healthz", "X: a\0b"), {400}),
    "half a line break in a header": (ask("/healthz", "X: a\rb"), {400}),
    "no host": (ask(host=""), {200, 400}),
    "two hosts": (ask("/healthz", "Host: y"), {200, 400}),
    "lines that end in one byte": (b"GET /healthz HTTP/1.1\nHost: x\nConnection: close\n\n", {200, 400}),
    "an unknown expectation": (send(b"{}", "Expect: miracles"), {201, 417}),
    "an upgrade to WebSocket": (ask("/healthz", "Connection: Upgrade", "Upgrade: websocket"), {200, 400}),
    "an upgrade to HTTP/2": (ask("/healthz", "Connection: Upgrade", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"), {200}),
    # Protocols
    "HTTP/1.0": (ask(version="1.0", host=""), {200}),
    "HTTP/0.9": (b"GET /healthz\r\n\r\n", {400}),
    "HTTP/3.0": (ask(version="3.0"), {400}),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", HUNG_UP),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 500 + b"\r\n\r\n", {400}),
    "bytes": (bytes(range(256)) * 4, {400}),
    # Methods and targets
    "HEAD": (ask(method="HEAD"), {200}),
    "OPTIONS": (ask("/api/v1/rules", method="OPTIONS"), {200}),
    "TRACE": (ask("/api/v1/rules", "Cookie: hidalgo_session=hds_secret", method="TRACE"), {405}),
    "CONNECT": (ask("example.org:443", method="CONNECT"), {400, 404, 405}),
    "a method that does not exist": (ask("/api/v1/rules", method="BREW"), {405}),
    "the absolute form": (ask("http://elsewhere.example/healthz"), {200}),
    "the asterisk form": (ask("*", method="OPTIONS"), {200, 404}),
    "an asterisk": (ask("*"), {400, 404}),
    "a space in the address": (ask("/api/v1/ga mes"), {400}),
    "a fragment": (ask("/healthz#x"), {200, 400}),
    "two slashes": (ask("//elsewhere.example/healthz"), {404}),
    **{
        f"{path} of another host": (ask(path, host="elsewhere.example"), {404})
        for path in ("//", "//api//v1", "//healthz", "/api//v1/rules", "/api/v1//rules", "/api/v1/rules/", "/docs/")
    },
    "a body after two slashes": (send(b"{}", target="//api/v1/guests"), {404}),
    "dots": (ask("/docs/../../etc/passwd"), {404}),
    "dots that are encoded": (ask("/docs/%2e%2e/%2e%2e/etc/passwd"), {404}),
    "dots and an encoded slash": (ask("/docs/..%2f..%2fserving.py"), {404}),
    "dots and backslashes": (ask("/docs/..\\..\\serving.py"), {404}),
    "dots in overlong UTF-8": (ask("/docs/%c0%ae%c0%ae/serving.py"), {404}),
    "dots in overlong bytes": (ask("/docs/\xc0\xae\xc0\xae/serving.py"), {400, 404}),
    "a zero byte": (ask("/api/v1/games/%00"), {404}),
    "half a percent sign": (ask("/api/v1/games/%z"), {404}),
    "a query that is no text": (ask("/api/v1/games?cursor=%ff%ed%a0%80"), {400, 422}),
    # Lengths, and what could be smuggled behind them
    "a length and chunks": (send(b"0\r\n\r\n" + SMUGGLED, "Content-Length: 5", CHUNKED), {400}),
    "chunks and a length": (send(b"0\r\n\r\n" + SMUGGLED, CHUNKED, "Content-Length: 60"), {400}),
    "two lengths": (send(b"{}" + SMUGGLED, "Content-Length: 2", "Content-Length: 38"), {400}),
    "a list of lengths": (send(b"{}", "Content-Length: 2, 2"), {400}),
    "a length with a sign": (send(b"{}", "Content-Length: +2"), {400}),
    "a negative length": (send(b"{}", "Content-Length: -2"), {400}),
    "a huge length": (send(b"{}", "Content-Length: 999999999999999999"), {413}),
    "an endless length": (send(b"{}", "Content-Length: 99999999999999999999999"), {400}),
    "chunks that are none": (send(b"0\r\n\r\n" + SMUGGLED, "Transfer-Encoding: xchunked"), {400}),
    "chunks inside something": (send(b"0\r\n\r\n" + SMUGGLED, "Transfer-Encoding: chunked, identity"), {400}),
    "a chunk without a size": (send(b"zz\r\n{}\r\n0\r\n\r\n", CHUNKED), {400}),
    "a chunk of a huge size": (send(b"ffffffffffffffffff\r\n{}\r\n0\r\n\r\n", CHUNKED), {400}),
    "a chunk with a huge remark": (send(b"2;" + b"x" * 100_000 + b"\r\n{}\r\n0\r\n\r\n", CHUNKED), {400}),
    "chunks with many trailers": (send(b"2\r\n{}\r\n0\r\n" + b"X: y\r\n" * 2000 + b"\r\n", CHUNKED), {201, 400}),
    # Bodies
    "ten megabytes": (send(b" " * 10 * MEGABYTE), {413}),
    "ten megabytes in a chunk": (send(b"a00000\r\n" + b" " * 0xA00000 + b"\r\n0\r\n\r\n", CHUNKED), {413}),
    "a compressed bomb": (send(gzip.compress(b" " * 10 * MEGABYTE), "Content-Encoding: gzip"), {400, 415}),
    "a hundred thousand brackets": (send(b"[" * 60_000), {400}),
    "ten thousand objects": (send(b'{"a":' * 10_000 + b"1" + b"}" * 10_000, target="/api/v1/sessions"), {400, 413}),
    "a mark of byte order": (send(b"\xef\xbb\xbf{}"), {400}),
    "UTF-16": (send('{"handle": "x"}'.encode("utf-16")), {400}),
    "UTF-32": (send('{"handle": "x"}'.encode("utf-32")), {400}),
    "Latin-1": (send(b'{"handle": "\xf1"}'), {400}),
    "overlong UTF-8": (send(b'{"handle": "\xc0\xae"}'), {400}),
    "half a surrogate pair": (send(b'{"handle": "\\ud800"}'), {400}),
    "half a surrogate pair in bytes": (send(b'{"handle": "\xed\xa0\x80"}'), {400}),
    "the same field twice": (send(b'{"handle": "x", "handle": "y"}'), {422}),
    "not a number": (send(b'{"players": NaN}'), {400}),
    "infinity": (send(b'{"players": Infinity}'), {400}),
    "a number beyond floats": (send(b'{"players": 1e400}'), {400, 422}),
    "a number of sixty thousand digits": (send(b'{"players": ' + b"9" * 60_000 + b"}"), {400, 422}),
    "zero bytes": (send(b"\0" * 100), {400}),
    "a form": (send(b"a=b").replace(b"application/json", b"application/x-www-form-urlencoded"), {415}),
}


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    env = {**os.environ, "HIDALGO_THREADS": str(THREADS), "HIDALGO_KEEP_ALIVE": "0.2"}
    with running([HIDALGO, "serve"], tmp_path_factory.mktemp("service"), env) as service:
        yield service


@pytest.fixture(autouse=True)
def unharmed(service: Service) -> Iterator[None]:
    """Whatever was done to it: it answers, nothing broke, nothing was smuggled in, and it has not grown."""
    before = memory(service)
    yield
    assert json.loads(service.get("/readyz")) == {"status": "ready"}
    lines = [json.loads(line) for line in service.error_output().split("\n") if line.startswith("{")]
    assert [line for line in lines if line["event"] != "request" or line["status"] in (500, 501, 502, 504)] == []
    assert not [line for line in lines if line["path"] == "/smuggled"]
    assert memory(service) - before < MOST_GROWTH


def memory(service: Service) -> int:
    """Of the process that answers, in bytes."""
    pid = service.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    sizes = [re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{child}/status").read_text()) for child in children]
    return max(int(size[1]) * 1024 for size in sizes if size)


def connect(service: Service) -> socket.socket:
    host, _, port = service.url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=SECONDS)


def hear(connection: socket.socket) -> bytes:
    """Everything until the server has nothing more to say."""
    heard = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(65536):
            heard += part
    return heard


def statuses(heard: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", heard)]


@pytest.mark.parametrize(("sent", "expected"), CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_it_is_answered_at_most_once_and_the_service_goes_on(service, sent, expected):
    with connect(service) as connection:
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(sent)
        heard = hear(connection)
    answers = [status for status in statuses(heard) if status != 100]
    assert len(answers) == bool(expected), heard
    assert set(answers) <= expected
    assert b"elsewhere.example" not in heard.partition(b"\r\n\r\n")[0]
    assert b"hds_secret" not in heard


def test_requests_sent_in_one_go_are_answered_in_their_order(service):
    paths = ["/healthz", "/nowhere", "/api/v1/rules", "/healthz"] * 10
    with connect(service) as connection:
        requests = [ask(path).replace(b"Connection: close\r\n", b"") for path in paths]
        connection.sendall(b"".join([*requests, ask("/nowhere")]))
        assert statuses(hear(connection)) == [404 if path == "/nowhere" else 200 for path in [*paths, "/nowhere"]]


def test_a_client_that_sends_no_more_is_still_answered(service):
    with connect(service) as connection:
        connection.sendall(ask())
        connection.shutdown(socket.SHUT_WR)
        assert statuses(hear(connection)) in ([200], [])


PARTS = {
    "half a head": ask("/healthz")[:-10],
    "half a body": send(b"{}", "Content-Length: 50"),
    "no body": send(b"", "Content-Length: 50"),
    "half a chunk": send(b"32\r\n{", CHUNKED),
    "no chunk": send(b"", CHUNKED),
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_half_a_request_is_not_done(service, part):
    """A client that is cut off in the middle has asked for nothing."""
    before = service.error_output().count('"status":201')
    with connect(service) as connection:
        connection.sendall(part)
        connection.shutdown(socket.SHUT_WR)
        assert 201 not in statuses(hear(connection))
    assert service.error_output().count('"status":201') == before


# Slow clients


@contextmanager
def many(service: Service, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """So many connections on which this was sent, and which then say nothing and read nothing."""
    with ExitStack() as stack:
        connections = [stack.enter_context(connect(service)) for _ in range(count)]
        for connection in connections:
            connection.sendall(sent)
        yield connections


SLOW = {
    "in the middle of the head": ask("/healthz")[:-10],
    "in the middle of the body": send(b"{", "Content-Length: 50"),
    "in the middle of a chunk": send(b"32\r\n{", CHUNKED),
    "before the body of a read": ask("/api/v1/rules", "Content-Length: 50"),
    "before reading the answer": ask("/docs/openapi.json").replace(b"Connection: close\r\n", b"") * 50,
}


@pytest.mark.parametrize("sent", SLOW.values(), ids=SLOW)
def test_many_clients_that_stop_do_not_keep_others_from_asking(service, sent):
    with many(service, 2 * THREADS, sent):
        for path in ("/healthz", "/readyz", "/api/v1/rules", "/api/v1/games"):
            service.get(path)
    eventually(lambda: 201 in written(service))


def test_one_address_can_not_keep_others_from_writing(service, tmp_path):
    """Behind a proxy, each client has an address of its own."""
    with (
        running([HIDALGO, "serve", "--proxies", "1", "--threads", "64"], tmp_path) as proxied,
        many(proxied, 50, send(b"{", "Content-Length: 50", "X-Forwarded-For: 192.0.2.1")),
    ):
        assert written(proxied, "X-Forwarded-For: 192.0.2.2") == [201]
        refused = written(proxied, "X-Forwarded-For: 192.0.2.1")
        assert refused == [503]


def written(service: Service, *headers: str) -> list[int]:
    with connect(service) as connection:
        connection.sendall(send(b"{}", *headers))
        return statuses(hear(connection))


def test_a_slow_client_does_not_keep_the_service_from_stopping(tmp_path):
    with running([HIDALGO, "serve"], tmp_path) as service, many(service, 20, send(b"{", "Content-Length: 50")):
        service.get("/readyz")
        assert service.stop(signal.SIGTERM) == 0


@pytest.mark.long
@pytest.mark.parametrize("sent", [b"", ask("/healthz")[:-10]], ids=["nothing", "half a head"])
def test_a_client_that_never_ends_a_head_is_hung_up_on(service, sent):
    with many(service, 5, sent) as connections:
        for connection in connections:
            connection.settimeout(SECONDS_OF_SILENCE + 5)
            assert statuses(hear(connection)) == []
