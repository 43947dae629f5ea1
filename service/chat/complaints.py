"""Complaints about messages, for administrators: with a copy of what was written, until its author goes.

Everybody complains once of a message. Nobody floods the list: where it is full, the oldest that was decided goes, and
if none was, the oldest of the account that has complained most.

| key | what |
|---|---|
| `hidalgo:{complaints}:list` | sorted set; complaints as JSON, by their millisecond |
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.audit.backup import Refusal
from events.errors import Declined
from events.store import Store, store_errors
from rules.texts import say

KEY = "hidalgo:{complaints}:list"
MOST = 10_000
"""More are not kept."""
LONGEST_REASON = 300

OPEN, ALL = "open", "all"
STATES = (ALL, OPEN)

REMOVED, SILENCED, DISMISSED = "removed", "silenced", "dismissed"
OUTCOMES = ("", REMOVED, SILENCED, DISMISSED)

# Only if nobody has changed it in between.
REPLACE = """
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return 0 end
return redis.call('ZADD', KEYS[1], ARGV[3], ARGV[2])
"""


class NoSuchComplaint(Declined):
    code = "not_found"


class Complaint(Struct, frozen=True):
    game: str
    room: str
    message: int
    author: str
    text: str
    by: str
    reason: str = ""
    at: int = 0
    id: str = ""
    outcome: str = ""
    """What was decided; empty: nothing yet."""
    decided_at: int = 0

    @property
    def place(self) -> tuple[str, str, int]:
        """The message that it is about."""
        return self.game, self.room, self.message


class ComplaintPage(Struct, frozen=True):
    """`next`: where the complaints before these end, if there are any."""

    complaints: list[Complaint]
    next: int | None


class Complaints:
    def __init__(self, store: Store, most: int = MOST) -> None:
        self._redis: Any = store.commands
        self._most = most

    def add(self, complaint: Complaint) -> None:
        kept = self.all()
        if any(each.by == complaint.by and each.place == complaint.place for each in kept):
            return
        with store_errors():
            seconds, microseconds = self._redis.eval("return redis.call('TIME')", 1, KEY)
            at = int(seconds) * 1000 + int(microseconds) // 1000
            written = replace(complaint, at=at, id=secrets.token_urlsafe(9))
            self._redis.zadd(KEY, {msgspec.json.encode(written): at})
            for one in expendable([*kept, written], self._most):
                self._redis.zrem(KEY, msgspec.json.encode(one))

    def page(self, limit: int, before: int | None = None, state: str = ALL) -> ComplaintPage:
        """The newest first; `before`: those before this place."""
        found = [each for each in self.all() if state == ALL or not each.outcome]
        end = len(found) if before is None else min(before, len(found))
        begin = max(0, end - limit)
        return ComplaintPage(found[begin:end][::-1], begin or None)

    def one(self, id: str) -> Complaint:
        found = next((each for each in self.all() if each.id == id), None)
        if found is None:
            raise NoSuchComplaint(say("there is no such complaint"))
        return found

    def decide(self, about: Complaint, outcome: str, at: int) -> list[Complaint]:
        """All complaints of the same message are closed; says which were open."""
        open_ones = [each for each in self.all() if each.place == about.place and not each.outcome]
        closed = []
        for each in open_ones:
            after = msgspec.json.encode(replace(each, outcome=outcome, decided_at=at))
            with store_errors():
                if self._redis.eval(REPLACE, 1, KEY, msgspec.json.encode(each), after, each.at):
                    closed.append(each)
        return closed

    def all(self) -> list[Complaint]:
        """Oldest first."""
        with store_errors():
            return [decoded(text) for text in self._redis.zrange(KEY, 0, -1)]

    def forget(self, account: str) -> None:
        """Those about an account that goes; those that it made stay, without its name."""
        with store_errors():
            for text in self._redis.zrange(KEY, 0, -1):
                complaint = decoded(text)
                if complaint.author == account:
                    self._redis.zrem(KEY, text)
                elif complaint.by == account:
                    self._redis.zrem(KEY, text)
                    self._redis.zadd(KEY, {msgspec.json.encode(replace(complaint, by="", reason="")): complaint.at})


def expendable(complaints: Sequence[Complaint], most: int) -> Iterator[Complaint]:
    """Those that go, so that no more than these are kept: no flood takes away the complaints of others."""
    left = list(complaints)
    while len(left) > most:
        decided = next((each for each in left if each.outcome), None)
        [(loudest, _)] = Counter(each.by for each in left).most_common(1)
        going = decided or next(each for each in left if each.by == loudest)
        left.remove(going)
        yield going


class ComplaintSection:
    """Complaints in a backup (`events.audit.backup.Section`)."""

    name = "complaints"

    def __init__(self, store: Store) -> None:
        self._complaints = Complaints(store)
        self._redis: Any = store.commands

    def rows(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        for complaint in self._complaints.all():
            yield complaint.id, {"complaint": msgspec.json.encode(complaint).decode()}

    def put_back(self, row: str, fields: Mapping[str, str]) -> bool:
        try:
            complaint = decoded(fields.get("complaint", ""))
        except msgspec.MsgspecError:
            raise Refusal("it is no complaint") from None
        with store_errors():
            return bool(self._redis.zadd(KEY, {msgspec.json.encode(complaint): complaint.at}, nx=True))


def decoded(text: bytes | str) -> Complaint:
    return msgspec.json.decode(text, type=Complaint)
