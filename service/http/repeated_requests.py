"""Requests that come again under their `Idempotency-Key` get the first answer, byte by byte, for a day.

Most writes are not done again. Those that recognise their key themselves, such as all writes to a game, are asked
first, and then answer in the first words (`service.api.REPEATED`).
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, current_app, request

from service.accounts.answers import Answer, Answers, Request, keyed_request
from service.http import authentication
from service.http.authentication import Unauthorized
from service.http.context import application, environ, services
from service.http.idempotency import given_key
from service.http.request_bodies import RAW_BODY

CLAIMED = "hidalgo.claimed"

NOT_DONE_AGAIN, IN_THE_FIRST_WORDS, BY_ITSELF = "not done again", "in the first words", "by itself"
"""How a write is repeated. By itself: with a secret that is not kept, or so often that it must be fast."""

WAYS = "hidalgo.repeated"

HEADERS = ("Content-Type", "ETag", "Location", "Cache-Control")


def register(app: Flask, ways: Mapping[str, str]) -> None:
    """`ways`: by endpoint, or by blueprint; all others are not done again."""
    app.extensions[WAYS] = ways
    app.before_request(answer_again)
    app.after_request(keep)


def answer_again() -> Response | None:
    """The first answer, if there is one."""
    keyed = repeated_request(NOT_DONE_AGAIN)
    if not keyed:
        return None
    try:
        identity = authentication.optional_identity()
    except Unauthorized:
        identity = None
    if not identity:
        return last_answer(keyed)
    if found := answers().claim(keyed):
        return response(found)
    environ()[CLAIMED] = keyed
    return None


def last_answer(keyed: Request) -> Response | None:
    """The answer to a request that has ended its own token, session or account. It says nothing but that."""
    found = answers().find(keyed)
    return response(found) if found and not found.body else None


def keep(answer: Response) -> Response:
    """The answer, kept for the next time; or that of the first time."""
    claimed = environ().pop(CLAIMED, None)
    if claimed and not is_success(answer):
        answers().release(claimed)
        return answer
    keyed = claimed or (repeated_request(IN_THE_FIRST_WORDS) if is_success(answer) else None)
    if not keyed:
        return answer
    kept = answers().keep(keyed, kept_answer(keyed, answer))
    return answer if claimed else response(kept)


def is_success(answer: Response) -> bool:
    return 200 <= answer.status_code < 300 and not answer.is_streamed


def repeated_request(how: str) -> Request | None:
    """This request, if it has a key and is repeated like this."""
    if RAW_BODY not in environ() or not application().wired:
        return None
    key, secret = given_key(), authentication.shown()
    if not key or not secret or way() != how:
        return None
    asked = f"{request.method} {request.path}".encode()
    return keyed_request(secret, key, asked, request.query_string + b"\0" + environ()[RAW_BODY])


def way() -> str:
    """How this request is repeated; not at all if there is no such operation."""
    endpoint, ways = request.endpoint, current_app.extensions[WAYS]
    if not endpoint or not hasattr(current_app.view_functions[endpoint], "operation"):
        return BY_ITSELF
    found: str = ways.get(endpoint) or ways.get(request.blueprint or "") or NOT_DONE_AGAIN
    return found


def kept_answer(keyed: Request, answer: Response) -> Answer:
    headers = [(name, answer.headers[name]) for name in HEADERS if name in answer.headers]
    # A cookie is repeated only if it takes the session away: secrets are not kept.
    headers += [("Set-Cookie", cookie) for cookie in answer.headers.getlist("Set-Cookie") if is_empty(cookie)]
    body = "" if answer.status_code == HTTPStatus.NO_CONTENT else answer.get_data(as_text=True)
    return Answer(keyed.fingerprint, answer.status_code, headers, body)


def is_empty(cookie: str) -> bool:
    """
    >>> is_empty("hidalgo_session=; Max-Age=0"), is_empty("hidalgo_session=hds_x; Path=/")
    (True, False)
    """
    return cookie.partition(";")[0].endswith("=")


def response(answer: Answer) -> Response:
    return Response(answer.body, answer.status, answer.headers)


def answers() -> Answers:
    found: Any = services().answers
    return found
