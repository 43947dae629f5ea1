"""The audit log: every action of staff, with its author, its moment and its reason. Nothing is ever taken out of it.

An entry is written before its action: what was done is always told, also if the process dies in between. An action that
is refused has a second entry that says so.

| key | what |
|---|---|
| `hidalgo:{audit}:log` | sorted set; entries as JSON, by their millisecond |
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.audit.backup import Refusal
from events.errors import Declined
from events.store import Store, store_errors

KEY = "hidalgo:{audit}:log"
LONGEST_REASON = 500
OPERATOR = "operator"
"""The author of actions on the command line; the name of the system's user follows."""

GRANT_ADMIN, REVOKE_ADMIN, RESET_PASSWORD = "grant_admin", "revoke_admin", "reset_password"
REMOVE_GUESTS, PAUSE, RESUME, REMOVE_MESSAGE = "remove_guests", "pause", "resume", "remove_message"
SILENCE, LIFT_SILENCE, DISMISS_COMPLAINT = "silence", "lift_silence", "dismiss_complaint"
RULINGS = ("adjudicate", "replay", "rewind", "adjust", "penalise", "substitute", "reverse")
"""Of the organisers and arbiters of a tournament."""
ACTIONS = (
    GRANT_ADMIN,
    REVOKE_ADMIN,
    RESET_PASSWORD,
    REMOVE_GUESTS,
    PAUSE,
    RESUME,
    REMOVE_MESSAGE,
    SILENCE,
    LIFT_SILENCE,
    DISMISS_COMPLAINT,
    *RULINGS,
)


class AuditEntry(Struct, frozen=True):
    action: str
    by: str
    """The account, or `operator` and the system's user."""
    about: str
    """The account, game, tournament or number that it was done to."""
    reason: str = ""
    handle: str = ""
    """Of the account that it was done by, at that time."""
    about_handle: str = ""
    refused: str = ""
    """Why it was not done."""
    at: int = 0
    id: str = ""


class AuditPage(Struct, frozen=True):
    """`next`: where the entries before these end, if there are any."""

    entries: list[AuditEntry]
    next: int | None


class AuditLog:
    def __init__(self, store: Store) -> None:
        self._redis: Any = store.commands

    @contextmanager
    def recording(self, entry: AuditEntry) -> Iterator[None]:
        """Around the action."""
        self.append(entry)
        try:
            yield
        except Declined as refusal:
            self.append(replace(entry, refused=str(refusal)))
            raise

    def append(self, entry: AuditEntry) -> AuditEntry:
        with store_errors():
            seconds, microseconds = self._redis.eval("return redis.call('TIME')", 1, KEY)
            at = int(seconds) * 1000 + int(microseconds) // 1000
            entry = replace(entry, at=at, id=secrets.token_urlsafe(9))
            self._redis.zadd(KEY, {msgspec.json.encode(entry): at})
        return entry

    def page(self, limit: int, before: int | None = None) -> AuditPage:
        """The newest entries first; `before`: those before this place."""
        with store_errors():
            end = int(self._redis.zcard(KEY)) if before is None else before
            begin = max(0, end - limit)
            found = self._redis.zrange(KEY, begin, end - 1) if end > 0 else []
        return AuditPage([decoded(text) for text in reversed(found)], begin or None)

    def all(self) -> Iterator[AuditEntry]:
        """All entries, oldest first."""
        place, step = 0, 1000
        while True:
            with store_errors():
                found = self._redis.zrange(KEY, place, place + step - 1)
            yield from map(decoded, found)
            place += len(found)
            if len(found) < step:
                return


class AuditSection:
    """The audit log in a backup (`events.audit.backup.Section`). Restored entries take their place among the others."""

    name = "audit entries"

    def __init__(self, store: Store) -> None:
        self._log = AuditLog(store)
        self._redis: Any = store.commands

    def rows(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        for entry in self._log.all():
            yield entry.id, {"entry": msgspec.json.encode(entry).decode()}

    def put_back(self, row: str, fields: Mapping[str, str]) -> bool:
        try:
            entry = decoded(fields.get("entry", ""))
        except msgspec.MsgspecError:
            raise Refusal("it is not an entry of the audit log") from None
        with store_errors():
            return bool(self._redis.zadd(KEY, {msgspec.json.encode(entry): entry.at}, nx=True))


def decoded(text: bytes | str) -> AuditEntry:
    return msgspec.json.decode(text, type=AuditEntry)
