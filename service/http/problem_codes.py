"""The one table of problem codes: the status of each, what it means and how to go on.

`docs/problems.md` is made of it (`./hidalgo problems`), and the `type` of a problem leads there. Codes never change.
"""

from __future__ import annotations

from typing import NamedTuple


class ProblemCode(NamedTuple):
    status: int
    meaning: str
    remedy: str


LOOK_AGAIN = "Look at the game again (`GET /games/{game}`, `…/decisions`): it has moved on."
SAME_AGAIN = "Send the same request again after `Retry-After` seconds, with the same `Idempotency-Key`."

PROBLEM_CODES = {
    "unreadable": ProblemCode(
        400,
        "This was no request that the service knows: no JSON, no object, an answer that does not read.",
        "Mend the program: `detail` says what could not be read.",
    ),
    "unauthorized": ProblemCode(
        401,
        "Only for accounts, and the request carries no token or session, or one that is unknown, revoked or over.",
        "Send `Authorization: Bearer …` with a token of your account ([accounts.md](accounts.md)), or sign in again.",
    ),
    "csrf": ProblemCode(
        403,
        "A browser's session asks for a change, and nothing shows that our own page made it ask.",
        "Send the header `X-CSRF-Token` with the value that `GET /me` tells; programs use a token instead.",
    ),
    "forbidden": ProblemCode(
        403,
        "The account is known, but this is not for it: another owner, another role, a scope that the token lacks.",
        "Use an account or a token that may do it; `detail` names what is missing.",
    ),
    "not_invited": ProblemCode(
        403,
        "The table is private, or its owner has removed you, and you show no invitation that is still good.",
        "Ask the owner for a new invitation, and join with it.",
    ),
    "not_seated": ProblemCode(
        403, "Only for players of this game, and you have no seat at it.", "Watch it, or sit down at another table."
    ),
    "scope_not_held": ProblemCode(
        403,
        "A token can be given no scope that its maker does not have.",
        "Leave the scope out, or make the token with a session.",
    ),
    "wrong_password": ProblemCode(
        403, "Handle and password do not belong together.", "Try again; after too many tries, wait."
    ),
    "not_found": ProblemCode(
        404,
        "There is nothing at this address, or nothing that you may know of.",
        "Look at the address; a private game exists only for its owner and its players.",
    ),
    "method_not_allowed": ProblemCode(
        405, "The address is right, the method is not.", "The header `Allow` lists the methods."
    ),
    "handle_taken": ProblemCode(409, "Another account has this handle.", "Choose another one."),
    "not_a_guest": ProblemCode(
        409,
        "Only a guest can be turned into an account, and this one is an account already.",
        "Nothing: you have an account.",
    ),
    "not_now": ProblemCode(
        409, "Understood, but not at this point: the game has not begun, is over, the seat is taken.", LOOK_AGAIN
    ),
    "not_your_decision": ProblemCode(409, "Another player is asked, or the question was answered already.", LOOK_AGAIN),
    "still_a_guest": ProblemCode(
        409, "A guest has no password, and this needs one.", "Turn the guest into an account first: `POST /me`."
    ),
    "time_is_up": ProblemCode(
        409, "The time for this decision has run out; the service answers it by itself.", LOOK_AGAIN
    ),
    "too_many_apps": ProblemCode(
        409, "The account has as many apps as there may be.", "Delete one that nobody uses: `DELETE /me/apps/{app}`."
    ),
    "too_many_tokens": ProblemCode(
        409,
        "The account has as many tokens as there may be.",
        "Revoke one that you no longer use: `DELETE /tokens/{token}`.",
    ),
    "too_many_webhooks": ProblemCode(
        409, "The account has as many webhooks as there may be.", "Delete one: `DELETE /me/webhooks/{webhook}`."
    ),
    "revoked": ProblemCode(
        410,
        "The request was done before under this `Idempotency-Key`, but what it made was revoked or replaced since.",
        "Use another key to make a new one.",
    ),
    "precondition_failed": ProblemCode(
        412,
        "The game has changed since the version that `If-Match` names, or another member has changed the same in a "
        "study since the version that you have `seen`. Nothing was done.",
        LOOK_AGAIN,
    ),
    "not_genuine": ProblemCode(
        422,
        "A file is no exported game, or was changed.",
        "Export it again; `hidalgo verify` names what is wrong.",
    ),
    "picture_too_long": ProblemCode(
        422, "A round has more steps than one moving picture may have.", "Take pictures of single positions."
    ),
    "too_large": ProblemCode(
        413,
        "The body is larger than 64 KiB, or the file of a study than 8 MB.",
        "Send less: no request of ours needs as much.",
    ),
    "unsupported_media_type": ProblemCode(
        415, "The body is not JSON.", "Send JSON, and `Content-Type: application/json`."
    ),
    "address_refused": ProblemCode(
        422,
        "A webhook cannot be delivered to this address: it is private, or no address at all.",
        "Use a public `https` address ([webhooks.md](webhooks.md)).",
    ),
    "invalid": ProblemCode(
        422,
        "The request does not fit its schema; `errors` names the fields.",
        "Mend the program: [the interface](/docs) has the schema.",
    ),
    "key_reused": ProblemCode(
        422,
        "This `Idempotency-Key` was used for another request.",
        "Use a new key for each new request, and the same one only to send a request again.",
    ),
    "rule_broken": ProblemCode(
        422,
        "Understood, but the rules of the game forbid it; `rule` names the rule ([rules.md](rules.md)).",
        "Choose again: the schema of the decision has all legal answers ([decisions.md](decisions.md)).",
    ),
    "too_many_requests": ProblemCode(
        429,
        "A limit is reached ([api.md](api.md#rate-limits)). Moves, and reads with an account, are never limited.",
        "Wait for `Retry-After` seconds.",
    ),
    "internal_server_error": ProblemCode(
        500,
        "The service has failed, and the fault is ours.",
        "Tell the operator the `request_id`. A write can be sent again with the same `Idempotency-Key`.",
    ),
    "busy": ProblemCode(503, "Too many requests want the same at once.", SAME_AGAIN),
    "lease_lost": ProblemCode(503, "Another process has taken over this work.", SAME_AGAIN),
    "stopping": ProblemCode(503, "The service is being stopped or started anew.", SAME_AGAIN),
    "archive_away": ProblemCode(
        503, "The archive of finished games does not answer. All other games are played on.", SAME_AGAIN
    ),
    "archive_damaged": ProblemCode(
        503,
        "A part of the archive of finished games is missing or damaged.",
        "The operator must put it back from a copy.",
    ),
    "archive_full": ProblemCode(503, "The archive has no room left: games stay in the store.", SAME_AGAIN),
    "store_away": ProblemCode(
        503, "The store of all games does not answer. Nothing that was accepted is lost.", SAME_AGAIN
    ),
    "store_full": ProblemCode(
        503, "The store has no room left: games can be read, not changed.", SAME_AGAIN + " The operator must make room."
    ),
    "store_not_started": ProblemCode(503, "The store is being started.", SAME_AGAIN),
    "store_read_only": ProblemCode(503, "The store takes no writes at the moment.", SAME_AGAIN),
    "store_refuses": ProblemCode(
        503,
        "The store refuses to work for this service.",
        "The operator must look at the store; then send the same again.",
    ),
    "store_trouble": ProblemCode(503, "The store answered with an error that has no code of its own.", SAME_AGAIN),
    "too_many_streams": ProblemCode(
        503,
        "No stream is free for you ([streams.md](streams.md#when-there-is-no-room)).",
        "Ask for `GET /games/{game}/events` meanwhile, and come back after `Retry-After` seconds.",
    ),
    "unavailable": ProblemCode(503, "The service cannot answer at the moment.", SAME_AGAIN),
}

PAGE = "/docs/problems"


def type_of(code: str) -> str:
    """The address of the section that explains a code: relative, as the service does not know all its names.

    >>> type_of("not_found"), type_of("refused")
    ('/docs/problems#not_found', 'about:blank')
    """
    return f"{PAGE}#{code}" if code in PROBLEM_CODES else "about:blank"
