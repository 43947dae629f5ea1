"""The parts of the OpenAPI document that many operations share, so that no view repeats them: problems, the headers of
writes and reads, and the links from an answer to the next operation."""

from __future__ import annotations

from typing import Any

from werkzeug.http import HTTP_STATUS_CODES

from service.http.problems import PROBLEM

PROBLEMS = {
    400: "Not understood: `unreadable`. The client program must be mended.",
    401: "No identity, or an unknown one: `unauthorized`. Send a token.",
    403: "Known, but not allowed: `forbidden`, `not_seated`, `not_invited`, `csrf`, `wrong_password`, "
    "`scope_not_held`.",
    404: "There is no such thing, or you may not know of it: `not_found`.",
    405: "Not by this method: `method_not_allowed`; the header `Allow` has the right ones.",
    409: "Not now: `not_now`, `not_your_decision`, `time_is_up`, or taken already, or as many as there may be: "
    "`handle_taken`, `not_a_guest`, `still_a_guest`, `too_many_tokens`, `too_many_webhooks`. Look at it again.",
    410: "Done before under this Idempotency-Key, but revoked, deleted or replaced since: `revoked`. Use another key.",
    412: "Changed since you looked (`If-Match`): `precondition_failed`. Look at it again.",
    413: "More than 64 KiB: `too_large`.",
    415: "Not JSON: `unsupported_media_type`.",
    422: "Understood, but not allowed by the rules (`rule_broken`, with `rule`) or by the schema (`invalid`, with "
    "`errors`, or `address_refused`); or one Idempotency-Key for two requests: `key_reused`.",
    429: "Too often: `too_many_requests`. The header `Retry-After` says when to come back.",
    500: "An error on our side: `internal_server_error`.",
    503: "Not at the moment: `busy`, `stopping`, `too_many_streams`, `unavailable`, or for the store: `store_away`, "
    "`store_full`, `store_read_only`, `store_refuses`. Send the same again after `Retry-After` "
    "seconds.",
}

VERSIONED = ("/games/{game}", "/decisions", "/state", "/events", "/clock")
"""Resources with an ETag, for conditional requests."""

IDEMPOTENT = ("/games", "/invitations", "/tokens", "/webhooks", "/secret")
"""Resources that are made once for each Idempotency-Key, beside all writes to a game."""

SECRETS = ("/invitations", "/tokens", "/webhooks", "/secret")
"""Resources with a secret that can be revoked or replaced."""

WITHOUT_ACCOUNT = ("/accounts", "/guests", "/sessions")
"""Operations for clients that have no account yet."""

ETAG = {
    "description": "The version of the game; the viewer, where the answer depends on it; the language, if not English.",
    "schema": {"type": "string"},
    "example": '"17.red"',
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


def shared_responses() -> dict[str, Any]:
    return {
        **{str(status): problem(status) for status in PROBLEMS},
        "304": {"description": "You have it already.", "headers": {"ETag": ETAG}},
    }


def problem(status: int) -> dict[str, Any]:
    content = {PROBLEM: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {"description": f"{HTTP_STATUS_CODES[status]}. {PROBLEMS[status]}", "content": content}


def complete(path: str, method: str, operation: dict[str, Any]) -> None:
    """Adds the problems, headers and links that follow from the method and the path."""
    operation["operationId"] = operation_id(path, method)
    responses = operation["responses"]
    for status in problems(path, method):
        responses[str(status)] = str(status)
    if is_versioned(path, method):
        responses["304"] = "304"
    done = responses.get("201") or responses.get("200")
    if is_versioned(path, method) or is_game_write(path, method) or operation["operationId"] == "post_games":
        done["headers"] = {"ETag": ETAG}
    if next_steps := LINKS.get(operation["operationId"]):
        done["links"] = {name: {"operationId": name, **how} for name, how in next_steps.items()}
    operation["responses"] = dict(sorted(responses.items()))
    if "security" not in operation and not path.endswith(WITHOUT_ACCOUNT) and "/rules" not in path:
        operation["security"] = [{}, {"token": []}, {"session": []}]
    if shared := headers(path, method):
        operation["parameters"] = operation.get("parameters", []) + shared


def operation_id(path: str, method: str) -> str:
    """
    >>> operation_id("/api/v1/games/{game}/seats/mine", "delete")
    'delete_games_seats_mine'
    """
    parts = [part for part in path.split("/")[3:] if part and not part.startswith("{")]
    return "_".join([method, *parts, *(["one"] if path.endswith("}") else [])])


def problems(path: str, method: str) -> list[int]:
    found = {400, 405, 422, 429, 500, 503}
    if "/rules" not in path:
        found |= {401, 403}
    if "{" in path:
        found |= {404}
    if method != "get":
        found |= {413, 415}
    if method != "get" or "/games/{" in path:
        found |= {409}
    if is_game_write(path, method):
        found |= {412}
    if method == "post" and path.endswith(SECRETS):
        found |= {410}
    return sorted(found)


def headers(path: str, method: str) -> list[str]:
    if is_game_write(path, method):
        return ["IdempotencyKey", "IfMatch"]
    if method == "post" and path.endswith(IDEMPOTENT):
        return ["IdempotencyKey"]
    return ["IfNoneMatch"] if is_versioned(path, method) else []


def is_versioned(path: str, method: str) -> bool:
    return method == "get" and path.endswith(VERSIONED)


def is_game_write(path: str, method: str) -> bool:
    """Invitations do not change the game."""
    return method != "get" and "/games/{" in path and not path.endswith("/invitations")
