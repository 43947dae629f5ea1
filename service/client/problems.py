"""Refusals of the service: RFC 9457 problem details as exceptions, by the party that can mend them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http.client import HTTPMessage
from typing import Any


class Problem(Exception):
    """The service refused. `code` is stable and for programs, `detail` is a sentence for people."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        *,
        rule: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        errors: Any = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.rule = rule
        """The rule that was broken, as docs/rules.md names it."""
        self.request_id = request_id
        """Names the request to the operator of the service."""
        self.retry_after = retry_after
        """Seconds to wait before the next try."""
        self.errors = errors
        """The fields that were wrong, where the service names them."""

    def __str__(self) -> str:
        about = [self.code, *([f"rule {self.rule}"] if self.rule else [])]
        return f"{self.detail} ({', '.join(about)})"


class Unreadable(Problem):
    """Not a request that this service knows: the program must be mended."""


class RuleBroken(Problem):
    """Understood, but the rules forbid it: choose again."""


class NotYourDecision(Problem):
    """Another player is asked, or the question was answered already: look at the game again."""


class NotNow(Problem):
    """The game is not at that point: it has not begun, it is over, the seat is taken."""


class Changed(Problem):
    """The game has moved on since the version you named."""


class NotFound(Problem):
    """There is nothing there, or nothing that you may see."""


class Unauthorized(Problem):
    """The token is missing, wrong or revoked."""


class Forbidden(Problem):
    """The token is good, but not for this."""


class RateLimited(Problem):
    """Too many requests: wait for `retry_after` seconds."""


class Unavailable(Problem):
    """The service cannot be reached, or cannot work at the moment. The same request may be sent again."""


BY_CODE: dict[str, type[Problem]] = {
    "rule_broken": RuleBroken,
    "not_your_decision": NotYourDecision,
    "not_now": NotNow,
    "unreadable": Unreadable,
    "invalid": Unreadable,
}

BY_STATUS: dict[int, type[Problem]] = {
    400: Unreadable,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    412: Changed,
    413: Unreadable,
    415: Unreadable,
    429: RateLimited,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}


def problem(status: int, headers: HTTPMessage, body: bytes) -> Problem:
    """The exception for a refusal, of the service or of a proxy, which knows nothing of problem details."""
    about = _details(body)
    code = str(about.get("code") or f"http_{status}")
    kind = BY_CODE.get(code) or BY_STATUS.get(status, Problem)
    return kind(
        status,
        code,
        str(about.get("detail") or about.get("title") or f"the service answered {status}"),
        rule=about.get("rule"),
        request_id=about.get("request_id") or headers.get("X-Request-Id"),
        retry_after=_seconds(headers.get("Retry-After")),
        errors=about.get("errors"),
    )


def unreachable(url: str, error: Exception) -> Unavailable:
    """The exception for a request without any answer."""
    return Unavailable(0, "unreachable", f"no answer from {url}: {error or type(error).__name__}")


def _details(body: bytes) -> Mapping[str, Any]:
    try:
        details = json.loads(body)
    except ValueError:
        return {}
    return details if isinstance(details, dict) else {}


def _seconds(text: str | None) -> float | None:
    """Retry-After in seconds. As a date it says nothing to a clock that may be wrong."""
    try:
        return max(0.0, float(text)) if text else None
    except ValueError:
        return None
