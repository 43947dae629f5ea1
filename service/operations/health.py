"""The endpoints of a scheduler, which serves nobody else: is it well, is it ready, and its figures.

Three answers on a loopback port need no web framework.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from socket import AF_INET, AF_INET6
from socketserver import TCPServer, ThreadingMixIn
from threading import Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CONTENT_TYPE_LATEST

from events.errors import StoreError
from service.operations.metrics import store_figures, written
from service.operations.serving import listening_address, url
from service.services import Services
from service.settings import Settings

Answer = tuple[str, str, bytes]
"""Status, type of the content, content."""

SECONDS_OF_SILENCE = 5
JSON = "application/json"


@contextmanager
def health_endpoints(wired: Services, settings: Settings) -> Iterator[str | None]:
    """The endpoints, while the scheduler works; gives their address, if they are wanted."""
    if settings.health_port is None:
        yield None
        return
    place = listening_address(settings.health_host, settings.health_port, "--health-")
    with Server(place, Handler) as server:
        server.set_app(Endpoints(wired, settings))
        Thread(target=server.serve_forever, name="health", daemon=True).start()
        yield url(*place)
        server.shutdown()


class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True

    def __init__(self, place: tuple[str, int], handler: type[WSGIRequestHandler]) -> None:
        self.address_family = AF_INET6 if ":" in place[0] else AF_INET
        super().__init__(place, handler)

    def server_bind(self) -> None:
        """As the library does, without asking the network for this machine's name."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]
        self.setup_environ()


class Handler(WSGIRequestHandler):
    timeout = SECONDS_OF_SILENCE

    def log_message(self, format: str, *args: Any) -> None:
        """Probes ask every few seconds, and are no news."""


class Endpoints:
    """A WSGI application."""

    def __init__(self, wired: Services, settings: Settings) -> None:
        self._wired, self._settings = wired, settings

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        status, kind, content = self._answer(environ["REQUEST_METHOD"], environ["PATH_INFO"])
        start_response(status, [("Content-Type", kind), ("Content-Length", str(len(content)))])
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else content]

    def _answer(self, method: str, path: str) -> Answer:
        views = {"/healthz": self.health, "/readyz": self.readiness, "/metrics": self.metrics}
        if path not in views:
            return as_json("404 Not Found", {"status": "unknown", "paths": sorted(views)})
        if method not in ("GET", "HEAD"):
            return as_json("405 Method Not Allowed", {"status": "refused"})
        return views[path]()

    def health(self) -> Answer:
        """This process lives; `store` names the trouble that it had with its store the last time."""
        trouble = self._wired.leases.trouble
        about = {"status": "ok", "version": version("hidalgo"), "store": trouble.code if trouble else "ok"}
        return as_json("200 OK", about)

    def readiness(self) -> Answer:
        """Its store answers, and it has renewed its leases in time: the games of its buckets are looked after."""
        try:
            self._wired.store.ping()
        except StoreError as trouble:
            return as_json("503 Service Unavailable", {"status": "unready", "code": trouble.code})
        if not self._wired.leases.are_current:
            return as_json("503 Service Unavailable", {"status": "unready", "code": "leases_lost"})
        return as_json("200 OK", {"status": "ready", "buckets": len(self._wired.leases.fences)})

    def metrics(self) -> Answer:
        figures = written(self._settings.shared_metrics) + store_figures(self._wired.store)
        return "200 OK", CONTENT_TYPE_LATEST, figures


def as_json(status: str, about: dict[str, Any]) -> Answer:
    return status, JSON, json.dumps(about).encode()
