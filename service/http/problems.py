"""Problem details (RFC 9457): a stable `code` for programs, a sentence for people.

The only module in which an error becomes a status. Views contain no `try`.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from typing import Any

from flask import Flask, current_app, json, request
from flask import Response as FlaskResponse
from werkzeug.exceptions import HTTPException, InternalServerError, MethodNotAllowed, NotFound
from werkzeug.http import HTTP_STATUS_CODES
from werkzeug.routing import RequestRedirect
from werkzeug.wrappers import Response

from events.errors import StoreError, TryLater
from rules.errors import Refused, RuleBroken
from rules.texts import Text, one_by_one, say
from service.accounts.rate_limits import TooOften
from service.http import access_log
from service.http.problem_codes import PROBLEM_CODES, type_of
from service.http.request_ids import request_id
from service.language import rendered

PROBLEM = "application/problem+json"

STATUSES = {code: about.status for code, about in PROBLEM_CODES.items()}
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
    app.after_request(answer_options)


def http_problem(error: HTTPException) -> Response:
    """The error's own response, which has `Allow`, `Retry-After` and the like, with a problem as its body.

    Redirects of the web framework lead to the host that the client has named, which may be any: there is nothing there.
    """
    if isinstance(error, RequestRedirect):
        error = NotFound()
    if isinstance(error, MethodNotAllowed):
        error = MethodNotAllowed(allowed_methods(error))
    response = Response.force_type(error.get_response(request.environ))
    status = response.status_code
    code = CODES.get(status, "refused")
    response.data = json.dumps(problem(status, code, detail(error), **faults(error)))
    response.content_type = PROBLEM
    return response


def allowed_methods(error: MethodNotAllowed) -> list[str]:
    return sorted(own_methods() or error.valid_methods or ())


def own_methods() -> set[str]:
    """The methods of the very address, if there is one: `/studies/import` is no study, and answers less than one."""
    rules = [rule for rule in current_app.url_map.iter_rules() if rule.rule == request.path]
    return {method for rule in rules for method in rule.methods or ()}


def answer_options(response: FlaskResponse) -> FlaskResponse:
    """Flask lists the methods of all addresses that a path could be."""
    if request.method == "OPTIONS" and "Allow" in response.headers and (own := own_methods()):
        response.headers["Allow"] = ", ".join(sorted(own))
    return response


def refusal(error: Refused) -> Response:
    """A refusal by the rules, the log or a service."""
    if isinstance(error, StoreError):
        access_log.store_error(str(error))
    return answered(problem(STATUSES[error.code], error.code, rendered(error.text), **members(error)), headers(error))


def members(error: Refused) -> dict[str, Any]:
    """What a problem says besides: the rule that was broken, the limit that was reached."""
    match error:
        case RuleBroken():
            return {"rule": error.rule}
        case TooOften():
            window = error.limit.seconds
            about = {"requests": error.limit.burst, "seconds": int(window) if window == int(window) else window}
            return {"limit": {"name": error.name, **about, "counted_by": error.counted_by}}
    return {}


def headers(error: Refused) -> dict[str, str]:
    if isinstance(error, TooOften):
        return {"Retry-After": seconds(error), **rate_limit(error)}
    if isinstance(error, TryLater):
        return {"Retry-After": seconds(error)}
    if STATUSES[error.code] == HTTPStatus.UNAUTHORIZED:
        return {"WWW-Authenticate": getattr(error, "challenge", CHALLENGE)}
    return {}


def seconds(error: TryLater) -> str:
    return str(max(1, ceil(error.retry_after)))


def rate_limit(error: TooOften) -> dict[str, str]:
    """The limit that was reached, as in the draft of the HTTP working group: its quota and window, what is left."""
    return {
        "RateLimit-Policy": f'"{error.name}";q={error.limit.burst};w={ceil(error.limit.seconds)}',
        "RateLimit": f'"{error.name}";r=0;t={seconds(error)}',
    }


def answered(body: Mapping[str, Any], headers: Mapping[str, str]) -> Response:
    return Response(json.dumps(body), body["status"], headers, content_type=PROBLEM)


def problem(status: int, code: str, detail: str, **more: Any) -> dict[str, Any]:
    title = HTTP_STATUS_CODES.get(status, "Error")
    about = {"type": type_of(code), "title": title, "status": status, "code": code, "detail": detail}
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
