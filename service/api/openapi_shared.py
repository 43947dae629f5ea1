"""The parts of the OpenAPI document that many operations share, so that no view repeats them: problems, the headers of
writes and reads, and the links from an answer to the next operation."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

from werkzeug.http import HTTP_STATUS_CODES

from rules.shapes import reference
from service.http.problems import CODES, PROBLEM, STATUSES

PROBLEMS = {
    400: "Not understood: `unreadable`. The client program must be mended.",
    401: "No identity, or an unknown one: `unauthorized`. Send a token.",
    403: "Known, but not allowed: `forbidden`, `not_seated`, `not_invited`, `csrf`, `wrong_password`, "
    "`scope_not_held`.",
    404: "There is no such thing, or you may not know of it: `not_found`.",
    405: "Not by this method: `method_not_allowed`; the header `Allow` has the right ones.",
    409: "Not now: `not_now`, `not_your_decision`, `time_is_up`, or taken already, or as many as there may be: "
    "`handle_taken`, `not_a_guest`, `still_a_guest`, `too_many_apps`, `too_many_tokens`, `too_many_webhooks`. Look at "
    "it again.",
    410: "Done before under this Idempotency-Key, but revoked, deleted or replaced since: `revoked`. Use another key.",
    412: "Changed since you looked (`If-Match`): `precondition_failed`. Look at it again.",
    413: "More than 64 KiB, or a file of more than 8 MB: `too_large`.",
    415: "Not JSON: `unsupported_media_type`.",
    422: "Understood, but not allowed by the rules (`rule_broken`, with `rule`) or by the schema (`invalid`, with "
    "`errors`, or `address_refused`), or more than a picture shows (`picture_too_long`), or no genuine file of a game "
    "(`not_genuine`); or one Idempotency-Key for "
    "two requests: `key_reused`.",
    429: "Too often: `too_many_requests`. `limit` names the limit; the header `Retry-After` says when to come back.",
    500: "An error on our side: `internal_server_error`.",
    503: "Not at the moment: `busy`, `stopping`, `too_many_streams`, `unavailable`, or for the store: `store_away`, "
    "`store_full`, `store_read_only`, `store_refuses`, or for games that are in the archive: `archive_away`, "
    "`archive_damaged`, `archive_full`. Send the same again after `Retry-After` "
    "seconds.",
}

PATH_PARAMETER = re.compile(r"<(\w+)>")

NEVER_ANSWERED = {"lease_lost", "store_not_started", "store_trouble"}
"""Refusals that reach no client."""

VERSIONED = (
    "/games/{game}",
    "/decisions",
    "/state",
    "/events",
    "/clock",
    "/positions",
    "/openapi.json",
    "/schemas",
    "/schemas/{schema}",
    "/timeline",
    "/outline",
    "/scene",
    "/board.svg",
    "/ground",
    "/studies/{study}",
    "/chapters/{chapter}",
    "/nodes/{node}",
    "/tournaments/{tournament}",
    "/tournaments/{tournament}/players",
    "/rounds/{round}",
    "/tables/{table}",
    "/standings",
    "/crosstable",
    "/rulings",
)
"""Resources with an ETag, for conditional requests."""

SECRETS = ("/invitations", "/tokens", "/webhooks", "/secret", "/accounts", "/guests", "/sessions")
"""Resources with a secret that can be revoked or replaced."""

READING: list[dict[str, list[str]]] = [{"token": []}, {"session": []}, {"oauth2": ["read"]}]
"""How a client can be known where it need not be."""

WITHOUT_ACCOUNT = ("/accounts", "/guests", "/sessions")
"""Operations for clients that have no account yet."""

OPEN = ("/rules", "/schemas", "/openapi.json")
"""The same for everybody; no token or session is looked at."""

ETAG = {
    "description": "The version of the game, study or tournament; the viewer, where the answer depends on it; the "
    "language, if not English.",
    "schema": {"type": "string"},
    "example": '"17.red"',
}

RETRY_AFTER = {"description": "Seconds to wait.", "schema": {"type": "integer"}}
RESPONSE_HEADERS = {
    401: {"WWW-Authenticate": {"description": "How to identify yourself.", "schema": {"type": "string"}}},
    405: {"Allow": {"description": "The methods that there are.", "schema": {"type": "string"}}},
    429: {
        "Retry-After": RETRY_AFTER,
        "RateLimit-Policy": {
            "description": 'The limit that was reached, its quota and window: `"tables_of_an_account";q=200;w=3600`.',
            "schema": {"type": "string"},
        },
        "RateLimit": {
            "description": 'What is left of it, and when it is more: `"tables_of_an_account";r=0;t=18`.',
            "schema": {"type": "string"},
        },
    },
    503: {"Retry-After": RETRY_AFTER},
}

HEADERS = {
    "IdempotencyKey": {
        "name": "Idempotency-Key",
        "in": "header",
        "description": "Your name for this request. Sent again with the same name, it is not done again, and is "
        "answered as the first time.",
        "schema": {"type": "string", "pattern": "^[\\x21-\\x7e]{1,64}$"},
        "example": "6f1c0b1e-move-17",
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "description": "The ETag of the game as you know it: nothing is done if it has changed since.",
        "schema": {"type": "string"},
        "example": '"17.red"',
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "The ETag that you have: answered with 304 if it is still the newest.",
        "schema": {"type": "string"},
        "example": '"17.red"',
    },
}


THIS = {"game": "$response.body#/id"}
"""The game in the response."""
SAME = {"game": "$request.path.game"}
"""The game in the request."""

LINKS: dict[str, dict[str, dict[str, Any]]] = {
    "post_accounts": {
        "post_sessions": {
            "requestBody": {"handle": "$request.body#/handle", "password": "$request.body#/password"},
        },
    },
    "post_tokens": {"delete_tokens_one": {"parameters": {"token": "$response.body#/id"}}},
    "post_games": {
        "get_games_one": {"parameters": THIS},
        "post_games_seats": {"parameters": THIS, "requestBody": {}},
        "delete_games_seats_mine": {"parameters": THIS},
        "post_games_invitations": {"parameters": THIS, "requestBody": {}},
        "post_games_abort": {"parameters": THIS},
        "get_players_games": {"parameters": {"player": "$response.body#/owner"}},
    },
    "post_games_invitations": {
        "post_games_seats": {"parameters": SAME, "requestBody": {"invitation": "$response.body#/invitation"}},
    },
    "post_games_seats": {
        "post_games_start": {"parameters": THIS},
        "delete_games_seats_mine": {"parameters": THIS},
    },
    "post_games_start": {
        "get_games_decisions": {"parameters": THIS},
        "get_games_state": {"parameters": THIS},
        "post_games_pause": {"parameters": THIS},
        "post_games_resign": {"parameters": THIS},
    },
    "post_games_pause": {"post_games_resume": {"parameters": THIS}},
    "get_games_decisions": {
        "post_games_moves": {"parameters": SAME, "requestBody": "$response.body#/decisions/0/example"},
    },
    "post_games_moves": {
        "get_games_decisions": {"parameters": SAME},
        "get_games_state": {"parameters": SAME},
        "get_games_events": {"parameters": SAME},
        "get_games_export": {"parameters": SAME},
        "get_games_stream": {"parameters": SAME},
    },
}
"""The next operations that an answer leads to, by operation id."""


NOT_MODIFIED = 304

CHANGING = ("/games/{", "/studies/{", "/tournaments/{")
"""What has a history, and cannot be asked everything at every point of it."""

NAMING = ("/studies", "/studies/import", "/tournaments", "/tournaments/import")
"""What names a game, which may not be there."""

MAKING = (
    "post_games",
    "post_games_rematch",
    "post_studies",
    "post_studies_import",
    "post_tournaments",
    "post_tournaments_import",
)
"""What makes something that has a version."""


def shared_responses() -> dict[str, Any]:
    return {
        **{response_name(status): problem(status) for status in PROBLEMS},
        response_name(NOT_MODIFIED): {"description": "You have it already.", "headers": {"ETag": ETAG}},
    }


def response_name(status: int) -> str:
    """
    >>> response_name(404)
    'NotFound'
    """
    return "".join(word.capitalize() for word in HTTPStatus(status).phrase.split())


def problem(status: int) -> dict[str, Any]:
    """A problem whose code is one of those that this status has."""
    codes = {"properties": {"status": {"const": status}, "code": {"enum": codes_of(status)}}}
    content = {PROBLEM: {"schema": {"allOf": [reference("Problem"), {"type": "object", **codes}]}}}
    about = {"description": f"{HTTP_STATUS_CODES[status]}. {PROBLEMS[status]}", "content": content}
    return about | ({"headers": RESPONSE_HEADERS[status]} if status in RESPONSE_HEADERS else {})


def codes_of(status: int) -> list[str]:
    """The codes that clients can meet with a status."""
    codes = {code for code, its_status in STATUSES.items() if its_status == status} - NEVER_ANSWERED
    return sorted(codes | ({CODES[status]} if status in CODES else set()))


def complete(path: str, method: str, operation: dict[str, Any]) -> None:
    """Adds the problems, headers and links that follow from the method and the path."""
    operation["operationId"] = operation_id(path, method)
    responses = operation["responses"]
    for status in problems(path, method):
        responses[str(status)] = response_name(status)
    if is_versioned(path, method):
        responses[str(NOT_MODIFIED)] = response_name(NOT_MODIFIED)
    done = responses.get("201") or responses.get("200")
    if is_versioned(path, method) or is_versioned_write(path, method) or operation["operationId"] in MAKING:
        done["headers"] = {"ETag": ETAG}
    if next_steps := LINKS.get(operation["operationId"]):
        done["links"] = {name: {"operationId": name, **how} for name, how in next_steps.items()}
    operation["responses"] = dict(sorted(responses.items()))
    is_anonymous = is_open(path) or path.endswith(WITHOUT_ACCOUNT)
    operation.setdefault("security", [] if is_anonymous else [{}, *READING])
    if shared := headers(path, method):
        operation["parameters"] = operation.get("parameters", []) + shared


def template(rule: str) -> str:
    """
    >>> template("/api/v1/games/<game>")
    '/api/v1/games/{game}'
    """
    return PATH_PARAMETER.sub(r"{\1}", rule)


def operation_id(path: str, method: str) -> str:
    """
    >>> operation_id("/api/v1/games/{game}/seats/mine", "delete")
    'delete_games_seats_mine'
    """
    parts = [part for part in path.split("/")[3:] if part and not part.startswith("{")]
    return "_".join([method, *parts, *(["one"] if path.endswith("}") else [])])


def problems(path: str, method: str) -> list[int]:
    found = {400, 405, 422, 429, 500, 503}
    if not is_open(path):
        found |= {401, 403}
    if "{" in path or (method == "post" and path.endswith(NAMING)):
        found |= {404}
    if method != "get":
        found |= {413, 415}
    if method != "get" or any(part in path for part in CHANGING):
        found |= {409}
    if is_versioned_write(path, method):
        found |= {412}
    if method == "post" and path.endswith(SECRETS):
        found |= {410}
    return sorted(found)


def headers(path: str, method: str) -> list[str]:
    if is_versioned_write(path, method):
        return ["IdempotencyKey", "IfMatch"]
    if method != "get":
        return ["IdempotencyKey"]
    return ["IfNoneMatch"] if is_versioned(path, method) else []


def is_open(path: str) -> bool:
    return any(part in path for part in OPEN)


def is_versioned(path: str, method: str) -> bool:
    return method == "get" and path.endswith(VERSIONED)


BESIDE_A_GAME = ("/invitations", "/rematch")
BESIDE = ("/chat", "/ahead/")
"""What lies beside a game, and does not change it."""


def is_versioned_write(path: str, method: str) -> bool:
    """Whether it changes a game, a study or a tournament."""
    is_of_game = "/games/{" in path and not path.endswith(BESIDE_A_GAME) and not any(part in path for part in BESIDE)
    return method != "get" and (is_of_game or path.endswith(("/edits", "/actions")))
