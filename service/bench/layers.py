"""Where the time of a move goes: the real application and store, without a network, and a clock at every layer's door.

A layer's time is what passes between its doors less what passes behind the doors of others inside it. The clocks take a
little themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr
from io import BytesIO
from pkgutil import resolve_name
from statistics import median
from tempfile import TemporaryFile
from time import perf_counter_ns
from typing import Any
from unittest.mock import patch

from service.app import create_app
from service.bench.figures import Figure
from service.operations import logs
from service.settings import Settings

MOVES_A_TURN = 50
"""So many moves are measured before the service is asked again."""
FLASK = "Flask"
DOORS = {
    "log, metrics, headers": [
        "service.http.access_log.answered",
        "service.operations.metrics.answered",
        "service.http.headers.missing",
    ],
    "authentication": ["service.http.authentication.current"],
    "reading and checking the body": [
        "service.http.request_bodies.parsed",
        "service.api.operation.load",
    ],
    "authorisation, games at hand": ["service.games.game_service.GameService.submit"],
    "rules, clocks": ["events.table.decider.decide", "rules.codec.Codec.answer"],
    "codec, hash chain": ["events.log.codec.write"],
    "store": ["events.log.redis.RedisLog.append", "events.log.redis.RedisLog.read", "events.log.redis.RedisLog.secret"],
    "answer": [
        "service.games.representations.move_result",
        "service.api.moves.plain_json_response",
        "service.http.direct.plain",
    ],
}
"""Layers, and the functions by which they are entered. What is behind none of them is Flask itself."""


def layers(store_url: str, requests: Sequence[bytes], served: Callable[[], list[float]]) -> Iterator[Figure]:
    """The time of a move in each layer; `served` makes some moves over HTTP and tells their milliseconds.

    The two take turns, so that other work on the machine disturbs both.
    """
    over_http: list[float] = []
    times = timed(store_url, requests, meanwhile=lambda: over_http.extend(served()))
    inside = sum(times.values())
    whole = max(1000 * median(over_http), inside)
    times["HTTP server, network, client"] = whole - inside
    yield Figure("a move alone, over HTTP", whole, "µs")
    for name, taken in sorted(times.items(), key=lambda row: -row[1]):
        yield Figure(f"  {name}", 100 * taken / whole, "%")


def timed(store_url: str, requests: Sequence[bytes], meanwhile: Callable[[], None] = lambda: None) -> dict[str, float]:
    """Median microseconds of a move in each layer."""
    clock = Clock()
    samples: dict[str, list[float]] = defaultdict(list)
    with clock.doors(), application(store_url) as app, TemporaryFile("w") as log, redirect_stderr(log):
        for number, request in enumerate(requests):
            if number % MOVES_A_TURN == 0:
                meanwhile()
            for name, taken in clock.around(lambda request=request: answer(app, request)).items():  # type: ignore[misc]
                samples[name].append(taken / 1000)
        logs.flush()
    return {name: median(taken) for name, taken in samples.items()}


class Clock:
    """Charges the time that passes to the layer that was entered last."""

    def __init__(self) -> None:
        self.inside = [FLASK]
        self.since = 0
        self.taken: dict[str, int] = {}
        self.begin()

    @contextmanager
    def doors(self) -> Iterator[None]:
        with ExitStack() as patched:
            for layer, names in DOORS.items():
                for name in names:
                    patched.enter_context(patch(name, self.door(layer, resolve_name(name))))
            yield

    def door(self, layer: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def through(*args: Any, **kwargs: Any) -> Any:
            self.charge()
            self.inside.append(layer)
            try:
                return function(*args, **kwargs)
            finally:
                self.charge()
                self.inside.pop()

        return through

    def charge(self) -> None:
        now = perf_counter_ns()
        self.taken[self.inside[-1]] += now - self.since
        self.since = now

    def around(self, work: Callable[[], None]) -> dict[str, int]:
        """Nanoseconds in each layer."""
        self.begin()
        work()
        self.charge()
        return self.taken

    def begin(self) -> None:
        self.taken = dict.fromkeys((FLASK, *DOORS), 0)
        self.since = perf_counter_ns()


@contextmanager
def application(store_url: str) -> Iterator[Any]:
    app = create_app(Settings(store_url=store_url))
    try:
        yield app
    finally:
        app.services.close()


def answer(app: Any, request: bytes) -> None:
    """Let the application answer a request as a server would."""
    statuses: list[str] = []
    body = b"".join(app(environment(request), lambda status, _headers: statuses.append(status)))
    assert statuses == ["201 CREATED"], body.decode()


def environment(request: bytes) -> dict[str, Any]:
    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    method, path, protocol = first.split()
    headers = [line.split(": ", 1) for line in lines]
    named = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers}
    about = {name: named.pop(f"HTTP_{name}") for name in ("CONTENT_TYPE", "CONTENT_LENGTH")}
    return {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "SCRIPT_NAME": "",
        "QUERY_STRING": "",
        "SERVER_NAME": "bench",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": protocol,
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(body),
        "wsgi.input_terminated": True,
        **named,
        **about,
    }
