"""A tiny HTTP server that says what a test has written down for it."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from service.client import Hidalgo


@dataclass(frozen=True)
class Say:
    """One answer. A list of chunks is streamed piece by piece; `hang_up` ends the connection in the middle of it."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    chunks: Sequence[bytes] | None = None
    hang_up: bool = False


@dataclass(frozen=True)
class Heard:
    method: str
    path: str
    headers: dict[str, str]
    body: Any
    port: int


class Fake:
    """`script` has the answers in order; a path that is in `always` gets that one every time."""

    def __init__(self, script: Sequence[Say], always: dict[str, Say]) -> None:
        self.script = list(script)
        self.always = always
        self.heard: list[Heard] = []
        self.url = ""
        self.clients: list[Hidalgo] = []

    def client(self, token: str | None = None, *, below: str = "", **how: Any) -> Hidalgo:
        """A client, which is closed with the server."""
        self.clients.append(Hidalgo(self.url + below, token, **how))
        return self.clients[-1]


@contextmanager
def fake(*script: Say, **always: Say) -> Iterator[Fake]:
    """The server; `always` maps the last word of a path to an answer."""
    fake = Fake(script, always)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            path = self.path.removeprefix("/api/v1")
            fake.heard.append(Heard(self.command, path, dict(self.headers), body, self.client_address[1]))
            word = path.partition("?")[0].rpartition("/")[2]
            self.say(fake.always[word] if word in fake.always else fake.script.pop(0))

        def say(self, answer: Say) -> None:
            if answer.chunks is not None:
                self.stream(answer)
                return
            if answer.hang_up:
                self.close_connection = True
                return
            body = b"" if answer.body is None else json.dumps(answer.body).encode()
            self.send_response(answer.status)
            for name, value in {"Content-Length": str(len(body)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def stream(self, answer: Say) -> None:
            self.send_response(answer.status)
            headers = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked", **answer.headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            for chunk in answer.chunks or ():
                self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
                self.wfile.flush()
                time.sleep(0.01)
            if answer.hang_up:
                self.close_connection = True
            else:
                self.wfile.write(b"0\r\n\r\n")

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A client that has gone away is no news."""

    with Server(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        fake.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield fake
        finally:
            for client in fake.clients:
                client.close()
            server.shutdown()


def problem(status: int, code: str, detail: str = "so it is", **more: Any) -> Say:
    about = {"type": "about:blank", "title": "Title", "status": status, "code": code, "detail": detail, **more}
    return Say(status, about)


def game(version: int, status: str = "running") -> Say:
    return Say(body={"id": "g", "rules": "el_grande", "players": 2, "status": status, "version": version, "seats": []})


def commit(version: int) -> dict[str, Any]:
    return {"version": version, "facts": [], "story": ["a", "b"], "by": "red", "at": 1, "decision": None, "hash": ""}


def event(version: int) -> bytes:
    return f"id: {version}\nevent: commit\ndata: {json.dumps(commit(version))}\n\n".encode()
