"""One connection to a service, kept open: it sends requests, and sends them again where that is safe.

Reading can always be repeated. Every write carries an `Idempotency-Key`, and the service answers the same key as the
first time; so a write whose answer got lost is simply sent again.
"""

from __future__ import annotations

import json
import random
import ssl
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import SplitResult, urlencode, urlsplit

from .problems import Problem, RateLimited, Unavailable, problem, unreachable

PREFIX = "/api/v1"
AGENT = "hidalgo-client"
CONNECTION_ERRORS = (OSError, HTTPException)
"""After one of these it is unknown whether the service has handled the request."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0


@dataclass(frozen=True)
class Answer:
    status: int
    headers: HTTPMessage
    body: bytes

    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            detail = "the answer is not JSON: is this the address of a service?"
            raise Problem(self.status, "not_json", detail) from None

    def content(self) -> Any:
        """What JSON says; of other kinds the bytes; None if there is nothing."""
        if not self.body:
            return None
        return self.json() if "json" in self.headers.get_content_subtype() else self.body


class Connection:
    """Use it in one thread at a time.

    `timeout` is the time for a single answer, `retry_for` the time for all tries of a request, in seconds; `on_retry`
    is called with the problem before each further try.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 30,
        retry_for: float = 60,
        tls: ssl.SSLContext | None = None,
        on_retry: Callable[[Problem], None] = lambda trouble: None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._http: HTTPConnection | None = None
        self.url = url.rstrip("/")
        self.token = _checked(token)
        self.timeout = timeout
        self.retry_for = retry_for
        self._tls = tls
        self._on_retry = on_retry
        self._sleep = sleep
        self._address = _address(self.url)

    def get(self, path: str, query: Mapping[str, Any] | None = None) -> Answer:
        return self.send("GET", path, query)

    def post(
        self,
        path: str,
        body: Mapping[str, Any],
        query: Mapping[str, Any] | None = None,
        *,
        key: str | None = None,
    ) -> Answer:
        return self.send("POST", path, query, body, key=key)

    def put(self, path: str, body: Mapping[str, Any], *, key: str | None = None) -> Answer:
        return self.send("PUT", path, None, body, key=key)

    def delete(self, path: str, *, key: str | None = None) -> Answer:
        return self.send("DELETE", path, key=key)

    def send(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        *,
        key: str | None = None,
    ) -> Answer:
        """Any request; every write carries a key, of its own unless another is given."""
        headers = {} if method == "GET" else {"Idempotency-Key": key or new_key()}
        return self._with_retries(method, path, query, body, headers)

    @contextmanager
    def opened(
        self, path: str, query: Mapping[str, Any], headers: Mapping[str, str], timeout: float
    ) -> Iterator[HTTPResponse]:
        """An answer that is still being written, on a connection of its own. It is not tried again."""
        http = self._connection(timeout)
        try:
            http.request("GET", self._target(path, query), headers=self._headers(headers))
            response = http.getresponse()
            if not _is_success(response.status):
                raise problem(response.status, response.headers, response.read())
            yield response
        except CONNECTION_ERRORS as error:
            raise unreachable(self.url, error) from error
        finally:
            http.close()

    def close(self) -> None:
        if self._http:
            self._http.close()
        self._http = None

    def __del__(self) -> None:
        self.close()

    def _with_retries(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        body: Mapping[str, Any] | None,
        headers: Mapping[str, str],
    ) -> Answer:
        """The answer, or the problem of the last try."""
        end = time.monotonic() + self.retry_for
        for attempt in range(1_000_000):
            try:
                return self._request(method, self._target(path, query), body, headers)
            except (Unavailable, RateLimited) as trouble:
                pause = _pause(attempt) if trouble.retry_after is None else trouble.retry_after
                if time.monotonic() + pause > end:
                    raise
                if pause:
                    self._on_retry(trouble)
                self._sleep(pause)
        raise AssertionError("retrying has an end")

    def _request(self, method: str, target: str, body: Mapping[str, Any] | None, headers: Mapping[str, str]) -> Answer:
        answer = self._exchange(method, target, body, headers)
        if not _is_success(answer.status):
            raise problem(answer.status, answer.headers, answer.body)
        return answer

    def _exchange(self, method: str, target: str, body: Mapping[str, Any] | None, headers: Mapping[str, str]) -> Answer:
        """Send, and read the whole answer, so that the connection can be used again."""
        sent = None if body is None else json.dumps(body).encode()
        headers = self._headers(headers) | ({"Content-Type": "application/json"} if sent is not None else {})
        self._http = self._http or self._connection(self.timeout)
        try:
            self._http.request(method, target, sent, headers)
            response = self._http.getresponse()
            return Answer(response.status, response.headers, response.read())
        except CONNECTION_ERRORS as error:
            self.close()
            raise unreachable(self.url, error) from error
        except BaseException:
            self.close()  # Half an answer may be on its way: it must not be taken for the next one.
            raise

    def _connection(self, timeout: float) -> HTTPConnection:
        host, port = self._address.hostname or "", self._address.port
        if self._address.scheme == "https":
            tls = self._tls or ssl.create_default_context()
            return HTTPSConnection(host, port, timeout=timeout, context=tls)
        return HTTPConnection(host, port, timeout=timeout)

    def _target(self, path: str, query: Mapping[str, Any] | None) -> str:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        return self._address.path + PREFIX + path + (f"?{urlencode(given)}" if given else "")

    def _headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        sent = {"User-Agent": AGENT, "Accept": "application/json, application/problem+json"}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        return sent | dict(headers)


def new_key() -> str:
    """An idempotency key: names one write, however often it is sent."""
    return uuid.uuid4().hex


def _address(url: str) -> SplitResult:
    with suppress(ValueError):
        address = urlsplit(url)
        if address.scheme in ("http", "https") and address.hostname and address.port != 0:
            return address
    raise ValueError(f"{url} is not the address of a service, such as http://127.0.0.1:8000")


def _checked(token: str | None) -> str | None:
    """The token, if it can be a header: any other would break the request."""
    if token is not None and not (token.isascii() and token.isprintable()):
        raise ValueError("the token has characters that no token has")
    return token


def _is_success(status: int) -> bool:
    return 200 <= status < 300


def _pause(attempt: int) -> float:
    """None at first, as the service may just have closed an idle connection; then longer and longer."""
    if not attempt:
        return 0
    return min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(attempt, 10)) * random.uniform(0.5, 1)
