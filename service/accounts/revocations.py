"""Revoked tokens leave a mark, so that the requests that made them do not make them again; so do ended sessions.

The secret of a token follows from the request that made it (`credentials.secret_of_request`). The marks have an end:
when there are too many, the account gets a new salt, from which no old secret follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from service.accounts.credentials import new_salt

SESSION_FIELD, KEYED, MARK = "session:", "keyed:", "revoked:"
MOST_MARKS = 200


def marks(record: Mapping[str, str], tokens: Iterable[str], now: int) -> tuple[dict[str, str], list[str]]:
    """The fields that revoke these tokens, and the fields that go."""
    tokens = list(tokens)
    fields = {MARK + name.partition(":")[2]: str(now) for name in tokens}
    older = [name for name in record if name.startswith(MARK)]
    if len(older) + len(fields) <= MOST_MARKS:
        return fields, tokens
    return fields | {"salt": new_salt()}, tokens + older


def session_ends(record: Mapping[str, str], sessions: Iterable[str], now: int) -> tuple[dict[str, str], list[str]]:
    """The fields that end these sessions, and the fields that go. Only a request with a key could make one again."""
    sessions = list(sessions)
    keyed = [name for session in sessions if (name := KEYED + session.removeprefix(SESSION_FIELD)) in record]
    fields, gone = marks(record, keyed, now) if keyed else ({}, [])
    return fields, [*sessions, *gone]
