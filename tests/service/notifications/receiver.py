"""A receiver of webhooks on loopback that behaves as a test says."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from tests.service.schemas import check


@dataclass(frozen=True)
class Got:
    """A request that has arrived, and the status of its answer."""

    path: str
    headers: dict[str, str]
    body: bytes
    status: int

    @property
    def payload(self) -> Any:
        return json.loads(self.body)

    @property
    def delivery(self) -> str:
        return self.headers["webhook-id"]


Behaviour = Callable[[Any], int]
"""From the payload of a request to the status of its answer; `HANG`, `CLOSE` and `TRICKLE` are no statuses."""

HANG, CLOSE, REDIRECT, TRICKLE = -1, -2, 307, -3


def accept(payload: Any) -> int:
    return 204


@dataclass
class Receiver:
    url: str = ""
    behaviour: Behaviour = accept
    got: list[Got] = field(default_factory=list)
    ending: Event = field(default_factory=Event)

    @property
    def taken(self) -> list[Got]:
        """The requests that were answered with success."""
        return [got for got in self.got if 200 <= got.status < 300]


@contextmanager
def receiver(behaviour: Behaviour = accept, tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    receiving = Receiver(behaviour=behaviour)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = receiving.behaviour(json.loads(body))
            receiving.got.append(Got(self.path, dict(self.headers), body, status))
            match status:
                case -1:
                    receiving.ending.wait(600)
                case -2:
                    pass
                case -3:
                    while not receiving.ending.wait(0.02):
                        self.wfile.write(b"x")
                case 307:
                    self.send_response(307)
                    self.send_header("Location", f"{receiving.url}/elsewhere")
                    self.end_headers()
                case _:
                    self.send_response(status)
                    self.send_header("Content-Length", "0")
                    self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A sender that has gone away is no error."""

    with Server(("127.0.0.1", 0), Handler) as server:
        if tls:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        receiving.url = f"{'https' if tls else 'http'}://127.0.0.1:{server.server_port}"
        try:
            yield receiving
        finally:
            receiving.ending.set()
            server.shutdown()
        for payload in [got.payload for got in receiving.got]:
            if "delivery" in payload:
                check("Delivery", payload)
