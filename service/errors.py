"""What went wrong, as RFC 9457 problem details: a stable `code` for programs, a sentence for people."""

from http import HTTPStatus
from math import ceil

from flask import Flask, json, request
from werkzeug.exceptions import HTTPException, InternalServerError, MethodNotAllowed, NotFound
from werkzeug.wrappers import Response

from events.errors import StoreTrouble


def register(app: Flask) -> None:
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(StoreTrouble, store_problem)


def http_problem(error: HTTPException) -> Response:
    """The error's own response, which has `Allow`, `Retry-After` and the like, with a problem as its body."""
    response = error.get_response()
    status = HTTPStatus(response.status_code)
    response.data = json.dumps(problem(status, code=code(status), detail=detail(error)))
    response.content_type = "application/problem+json"
    return response


def store_problem(trouble: StoreTrouble) -> Response:
    """Nothing was done, or nobody knows: the same request may be sent again."""
    body = problem(HTTPStatus.SERVICE_UNAVAILABLE, code=trouble.code, detail=trouble.sentence)
    headers = {"Retry-After": str(ceil(trouble.retry_after))}
    return Response(json.dumps(body), 503, headers, content_type="application/problem+json")


def problem(status: HTTPStatus, *, code: str, detail: str) -> dict[str, str | int]:
    about = {"type": "about:blank", "title": status.phrase, "status": status.value}
    return about | {"code": code, "detail": detail}


def code(status: HTTPStatus) -> str:
    return status.name.lower()


def detail(error: HTTPException) -> str:
    match error:
        case NotFound():
            return f"there is nothing at {request.path}"
        case MethodNotAllowed():
            allowed = ", ".join(sorted(error.valid_methods or ()))
            return f"{request.path} does not answer {request.method}, only {allowed}"
        case InternalServerError():
            return "something broke on our side; the server's log says what"
    return error.description or HTTPStatus(error.code or 500).description
