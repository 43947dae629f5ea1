"""What went wrong, as RFC 9457 problem details: a stable `code` for programs, a sentence for people.

The only place where an error becomes a status. Views contain no `try`.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from typing import Any

from flask import Flask, json, request
from werkzeug.exceptions import HTTPException, InternalServerError, MethodNotAllowed, NotFound
from werkzeug.http import HTTP_STATUS_CODES
from werkzeug.wrappers import Response

from events.errors import (
    AnotherRequest,
    Busy,
    NoSuchGame,
    NotNow,
    NotPermitted,
    NotSeated,
    StoreError,
    TooLate,
    VersionChanged,
)
from rules.errors import NotYourDecision, RuleBroken, Unreadable
from service.accounts.errors import Declined
from service.accounts.rate_limits import TooOften
from service.http import access_log
from service.http.request_ids import request_id

PROBLEM = "application/problem+json"

CHALLENGE = {"WWW-Authenticate": "Bearer"}

CODES = {
    400: "unreadable",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "not_now",
    412: "precondition_failed",
    413: "too_large",
    415: "unsupported_media_type",
    422: "invalid",
    429: "too_many_requests",
    500: "internal_server_error",
    503: "unavailable",
}
"""The code of a problem that has no better one. Codes never change; the names of statuses have."""

SECONDS_WHEN_BUSY = 1


class NotInvited(NotNow):
    """The invitation is unknown, or another's."""


REFUSALS: dict[type[Exception], tuple[int, str]] = {
    Unreadable: (400, "unreadable"),
    RuleBroken: (422, "rule_broken"),
    NotYourDecision: (409, "not_your_decision"),
    NotSeated: (403, "not_seated"),
    NotInvited: (403, "not_invited"),
    NotPermitted: (403, "forbidden"),
    VersionChanged: (412, "precondition_failed"),
    TooLate: (409, "time_is_up"),
    NotNow: (409, "not_now"),
    AnotherRequest: (422, "key_reused"),
    NoSuchGame: (404, "not_found"),
    Busy: (503, "busy"),
}
"""What a refusal is called over HTTP. Of two that fit, the first."""


STATUSES = {
    "invalid": 422,
    "handle_taken": 409,
    "unauthorized": 401,
    "wrong_password": 403,
    "not_a_guest": 409,
    "still_a_guest": 409,
    "not_found": 404,
    "too_many_tokens": 409,
    "too_many_webhooks": 409,
    "address_refused": 422,
    "scope_not_held": 403,
    "key_reused": 422,
}
"""What accounts decline is called over HTTP, by its code."""


def register(app: Flask) -> None:
    app.register_error_handler(Declined, declined)
    app.register_error_handler(TooOften, too_often)
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(StoreError, store_problem)
    for kind in REFUSALS:
        app.register_error_handler(kind, refusal)


def http_problem(error: HTTPException) -> Response:
    """The error's own response, which has `Allow`, `Retry-After` and the like, with a problem as its body."""
    response = Response.force_type(error.get_response(request.environ))
    status = response.status_code
    if status < 400:
        return response
    code = getattr(error, "problem_code", None) or CODES.get(status, "refused")
    response.data = json.dumps(problem(status, code, detail(error), **faults(error)))
    response.content_type = PROBLEM
    response.headers.extend(told_headers(error))
    return response


def refusal(error: Exception) -> Response:
    """What the rules, the log or the application service says no to."""
    status, code = next(row for kind, row in REFUSALS.items() if isinstance(error, kind))
    more = {"rule": error.rule} if isinstance(error, RuleBroken) else {}
    headers = {"Retry-After": str(SECONDS_WHEN_BUSY)} if isinstance(error, Busy) else {}
    return answered(problem(status, code, str(error), **more), headers)


def store_problem(trouble: StoreError) -> Response:
    """Nothing was done, or nobody knows: the same request may be sent again. Where the store is, is ours to know."""
    access_log.store_error(trouble.sentence)
    body = problem(503, trouble.code, trouble.sentence.partition(":")[0])
    return answered(body, {"Retry-After": str(ceil(trouble.retry_after))})


def declined(error: Declined) -> Response:
    status = STATUSES[error.code]
    return answered(problem(status, error.code, error.sentence), CHALLENGE if status == 401 else {})


def too_often(error: TooOften) -> Response:
    seconds = max(1, ceil(error.retry_after))
    return answered(problem(429, "too_many_requests", str(error)), {"Retry-After": str(seconds)})


def answered(body: Mapping[str, Any], headers: Mapping[str, str]) -> Response:
    return Response(json.dumps(body), body["status"], headers, content_type=PROBLEM)


def problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    title = HTTP_STATUS_CODES.get(status, "Error")
    about = {"type": "about:blank", "title": title, "status": status, "code": code, "detail": detail}
    return about | more | {"request_id": request_id()}


def detail(error: HTTPException) -> str:
    match error:
        case NotFound() if error.description == NotFound.description:
            return f"there is nothing at {request.path}"
        case MethodNotAllowed():
            allowed = ", ".join(sorted(error.valid_methods or ()))
            return f"{request.path} does not answer {request.method}, only {allowed}"
        case InternalServerError():
            return "something broke on our side; the server's log says what"
    if faults(error):
        return "what was sent does not fit: see errors"
    return error.description or HTTPStatus(error.code or 500).description


def faults(error: HTTPException) -> dict[str, Any]:
    """What is wrong with each field, if the fields were looked at."""
    messages = getattr(error, "data", {}).get("messages")
    return {"errors": messages} if messages else {}


def told_headers(error: HTTPException) -> Mapping[str, str]:
    return getattr(error, "data", {}).get("headers") or {}
