"""Handles: each belongs to one account, also after a crash while it changes hands.

A claim is one key, `hidalgo:handle:<handle in lower case>`. It is pending (`<account>?<milliseconds>`) until the
account is written, then confirmed (`<account>`). Each step compares the key with the value that it expects:

| crash or delay | the next claimant finds |
|---|---|
| ended after claiming, before the account was written | an old pending claim, no account: free |
| ended after the account was written, before confirming | an old pending claim, an account: taken |
| slow, and another request took the old pending claim | the slow one cannot confirm, and takes its account back |
| ended after the account was deleted, before releasing | a confirmed claim, no account: free |
"""

import re
from collections.abc import Callable
from typing import Any

from events.store import Store, store_errors
from rules.texts import say
from service.accounts.credentials import ACCOUNT
from service.accounts.errors import HandleTaken, Unfit

SHAPE = re.compile(r"[A-Za-z0-9_-]{3,20}")
GUEST = "guest-"
RESERVED = frozenset({"admin", "everything", "hidalgo", "moderator", "nobody", "spectator", "system"})
LONGEST_PENDING = 60_000
"""Milliseconds that a claim may stay pending before another account may have it."""

# Also true if it is so already: the client repeats a command whose answer was lost.
SWAP = """
local found, expected, wanted = redis.call('GET', KEYS[1]) or '', ARGV[1], ARGV[2]
if found == wanted then return 1 end
if found ~= expected then return 0 end
if wanted == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], wanted) end
return 1
"""


def check_handle(handle: str) -> None:
    check_shape(handle)
    if handle.lower() in RESERVED or handle.lower().startswith(GUEST) or ACCOUNT.fullmatch(handle):
        raise HandleTaken(say("the handle {handle} is reserved", handle=handle))


def check_shape(handle: str) -> None:
    """ASCII only, so that no two handles look alike because of their alphabets."""
    if not SHAPE.fullmatch(handle):
        raise Unfit(say("a handle has 3 to 20 letters (a to z), digits, _ or -"))


class Handles:
    """`is_held` tells whether an account lives under a handle; `now` is in milliseconds."""

    def __init__(self, store: Store, is_held: Callable[[str, str], bool], now: Callable[[], int]) -> None:
        self._redis: Any = store.commands
        self._is_held = is_held
        self._now = now

    def holder(self, handle: str) -> str | None:
        """The account that claimed it; whether it lives under this handle is for its record to say."""
        if not SHAPE.fullmatch(handle):
            return None
        with store_errors():
            claim = self._redis.get(_key(handle))
        return claim.decode().partition("?")[0] if claim else None

    def claim(self, handle: str, account: str) -> str:
        """A pending claim, to be confirmed when the account is written."""
        claim = f"{account}?{self._now()}"
        with store_errors():
            is_new = self._redis.set(_key(handle), claim, nx=True)
            found = claim if is_new else (self._redis.get(_key(handle)) or b"").decode()
        if found == claim:
            return claim
        if self._is_abandoned(found, handle) and self._swap(handle, found, claim):
            return claim
        raise HandleTaken(say("the handle {handle} is taken", handle=handle))

    def _is_abandoned(self, claim: str, handle: str) -> bool:
        account, _, since = claim.partition("?")
        if since and self._now() - int(since) < LONGEST_PENDING:
            return False
        return not account or not self._is_held(account, handle)

    def take_back(self, handle: str, account: str) -> bool:
        """A confirmed claim for an account that is being restored, unless another account lives under the handle."""
        with store_errors():
            self._redis.set(_key(handle), account, nx=True)
            found = (self._redis.get(_key(handle)) or b"").decode()
        if found.partition("?")[0] == account or self._is_abandoned(found, handle):
            return self._swap(handle, found, account)
        return False

    def confirm(self, handle: str, claim: str) -> bool:
        return self._swap(handle, claim, claim.partition("?")[0])

    def release(self, handle: str, claim: str) -> None:
        """Takes back a pending claim, or, by the name of its account, a confirmed one."""
        self._swap(handle, claim, "")

    def _swap(self, handle: str, expected: str, wanted: str) -> bool:
        with store_errors():
            return bool(self._redis.eval(SWAP, 1, _key(handle), expected, wanted))


def _key(handle: str) -> str:
    return f"hidalgo:handle:{handle.lower()}"
