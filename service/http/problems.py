"""Problem details (RFC 9457): a stable `code` for programs, a sentence for people.

The only module in which an error becomes a status. Views contain no `try`.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from typing import Any

from flask import Flask, json, request
from werkzeug.exceptions import HTTPException, InternalServerError, MethodNotAllowed, NotFound
from werkzeug.http import HTTP_STATUS_CODES
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response

from events.errors import StoreError, TryLater
from rules.errors import Refused, RuleBroken
from rules.texts import Text, one_by_one, say
from service.http import access_log
from service.http.request_ids import request_id
from service.language import rendered

PROBLEM = "application/problem+json"

STATUSES = {
    "unreadable": 400,
    "unauthorized": 401,
    "csrf": 403,
    "forbidden": 403,
    "not_invited": 403,
    "not_seated": 403,
    "scope_not_held": 403,
    "wrong_password": 403,
    "not_found": 404,
    "handle_taken": 409,
    "not_a_guest": 409,
    "not_now": 409,
    "not_your_decision": 409,
    "still_a_guest": 409,
    "time_is_up": 409,
    "too_many_tokens": 409,
    "too_many_webhooks": 409,
    "revoked": 410,
    "precondition_failed": 412,
    "too_large": 413,
    "unsupported_media_type": 415,
    "address_refused": 422,
    "invalid": 422,
    "key_reused": 422,
    "rule_broken": 422,
    "too_many_requests": 429,
    "busy": 503,
    "lease_lost": 503,
    "stopping": 503,
    "store_away": 503,
    "store_full": 503,
    "store_not_started": 503,
    "store_read_only": 503,
    "store_refuses": 503,
    "store_trouble": 503,
    "too_many_streams": 503,
    "unavailable": 503,
}
"""The status of a refusal, by its code."""

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
"""The code of a refusal by the web framework, by its status. Codes never change; the names of statuses have."""

CHALLENGE = "Bearer"
"""How a client can identify itself."""


def register(app: Flask) -> None:
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(Refused, refusal)


def http_problem(error: HTTPException) -> Response:
    """The error's own response, which has `Allow`, `Retry-After` and the like, with a problem as its body.

    Redirects of the web framework lead to the host that the client has named, which may be any: there is nothing there.
    """
    if isinstance(error, RequestRedirect):
        error = NotFound()
    response = Response.force_type(error.get_response(request.environ))
    status = response.status_code
    code = CODES.get(status, "refused")
    response.data = json.dumps(problem(status, code, detail(error), **faults(error)))
    response.content_type = PROBLEM
    return response


def refusal(error: Refused) -> Response:
    """A refusal by the rules, the log or a service."""
    if isinstance(error, StoreError):
        access_log.store_error(str(error))
    more = {"rule": error.rule} if isinstance(error, RuleBroken) else {}
    return answered(problem(STATUSES[error.code], error.code, rendered(error.text), **more), headers(error))


def headers(error: Refused) -> dict[str, str]:
    if isinstance(error, TryLater):
        return {"Retry-After": str(max(1, ceil(error.retry_after)))}
    if STATUSES[error.code] == HTTPStatus.UNAUTHORIZED:
        return {"WWW-Authenticate": getattr(error, "challenge", CHALLENGE)}
    return {}


def answered(body: Mapping[str, Any], headers: Mapping[str, str]) -> Response:
    return Response(json.dumps(body), body["status"], headers, content_type=PROBLEM)


def problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    title = HTTP_STATUS_CODES.get(status, "Error")
    about = {"type": "about:blank", "title": title, "status": status, "code": code, "detail": detail}
    return about | more | {"request_id": request_id()}


def detail(error: HTTPException) -> str:
    """Our own words where there are any, otherwise those of the web framework, which are English."""
    text = own_words(error)
    return rendered(text) if text else error.description or HTTPStatus(error.code or 500).description


def own_words(error: HTTPException) -> Text | None:
    match error:
        case NotFound():
            return say("there is nothing at {path}", path=request.path)
        case MethodNotAllowed():
            allowed = one_by_one(sorted(error.valid_methods or ()))
            return say(
                "{path} does not answer {method}, only {allowed}",
                path=request.path,
                method=request.method,
                allowed=allowed,
            )
        case InternalServerError():
            return say("the service has failed; its log has the details")
    if faults(error):
        return say("the request does not fit its schema: see errors")
    return None


def faults(error: HTTPException) -> dict[str, Any]:
    """The faults of each field, if the body got as far as its fields."""
    messages = getattr(error, "data", {}).get("messages")
    return {"errors": messages} if messages else {}
