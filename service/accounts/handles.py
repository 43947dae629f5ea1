"""Handles: each belongs to one account, also after a crash while it changes hands.

An account claims a handle by its letters and by its looks, so that no other account has one that eyes take for it. A
claim is one key, `hidalgo:handle:<handle in lower case>`, or `…:<its looks>` if those are others. It is pending
(`<account>?<milliseconds>`) until the account is written, then confirmed (`<account>`). Each step compares the key
with the value that it expects:

| crash or delay | the next claimant finds |
|---|---|
| ended after claiming, before the account was written | an old pending claim, no account: free |
| ended after the account was written, before confirming | an old pending claim, an account: taken |
| slow, and another request took the old pending claim | the slow one cannot confirm, and takes its account back |
| ended after the account was deleted, before releasing | a confirmed claim, no account: free |
"""

import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from events.store import Store, store_errors
from rules.bots import BOTS
from rules.texts import say
from service.accounts.credentials import ACCOUNT
from service.accounts.errors import HandleTaken, Unfit

SHAPE = re.compile(r"[A-Za-z0-9_-]{3,20}")
GUEST = "guest-"
OFFICES = (
    "admin",
    "administrator",
    "everything",
    "help",
    "hidalgo",
    "mod",
    "moderator",
    "nobody",
    "official",
    "operator",
    "root",
    "spectator",
    "staff",
    "support",
    "system",
    "team",
    "webmaster",
)
"""Names that would be taken for something else: of staff, of viewers; those of bots are reserved, too."""
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


Claims = Mapping[str, str]
"""The claims of an account to a handle, by their names."""


def check_handle(handle: str) -> None:
    check_shape(handle)
    if is_reserved(handle):
        raise HandleTaken(say("the handle {handle} is reserved", handle=handle))


def check_shape(handle: str) -> None:
    """ASCII only, so that no two handles look alike because of their alphabets."""
    if not SHAPE.fullmatch(handle):
        raise Unfit(say("a handle has 3 to 20 letters (a to z), digits, _ or -"))


def is_reserved(handle: str) -> bool:
    """Whether it reads like the name of an office, of two in a row, of a bot or a guest, like an id, or like nothing.

    >>> [is_reserved(handle) for handle in ("Adm1n", "Hidalgo-Team", "5ancho", "guest_ana", "---", "El_Cid")]
    [True, True, True, True, True, False]
    """
    if looks(handle).startswith(looks(GUEST)) or ACCOUNT.fullmatch(handle):
        return True
    return bare(handle) in RESERVED


def looks(handle: str) -> str:
    """The handle as eyes take it, which do not tell I from l, or rn from m.

    >>> looks("EI_Cid") == looks("El-Cid"), looks("Bernard") == looks("Bemard"), looks("Ana") == looks("Eva")
    (True, True, False)
    """
    seen = handle.replace("I", "l").lower().translate(str.maketrans("10-", "lo_"))
    return seen.replace("rn", "m").replace("vv", "w")


def bare(handle: str) -> str:
    """Its letters alone; digits and signs that stand for letters count as those.

    >>> bare("H1d4lgo_") == bare("hidalgo")
    True
    """
    return handle.lower().translate(str.maketrans("i1034578", "lloeastb", "_-"))


BARE_OFFICES = [bare(office) for office in OFFICES]
RESERVED = frozenset(
    {
        "",
        *BARE_OFFICES,
        *(first + second for first in BARE_OFFICES for second in BARE_OFFICES),
        *(bare(bot.title) for bot in BOTS.values()),
    }
)


def names(handle: str) -> tuple[str, ...]:
    """What an account claims with a handle: its letters, and its looks, if those are others. Guests get theirs from us.

    >>> names("ana"), names("EI_Cid"), names("guest-1l0")
    (('ana',), ('ei_cid', 'el_cid'), ('guest-1l0',))
    """
    letters = handle.lower()
    return (letters,) if letters.startswith(GUEST) else tuple(dict.fromkeys((letters, looks(handle))))


class Handles:
    """`is_held` tells whether an account lives under a handle with this name; `now` is in milliseconds."""

    def __init__(self, store: Store, is_held: Callable[[str, str], bool], now: Callable[[], int]) -> None:
        self._redis: Any = store.commands
        self._is_held = is_held
        self._now = now

    def holder(self, handle: str) -> str | None:
        """The account that claimed it; whether it lives under this handle is for its record to say."""
        if not SHAPE.fullmatch(handle):
            return None
        return self._claimed(handle.lower()).partition("?")[0] or None

    def is_free(self, handle: str) -> bool:
        """Whether no account has it, nor one that looks like it."""
        return all(not (claim := self._claimed(name)) or self._is_abandoned(claim, name) for name in names(handle))

    def claim(self, handle: str, account: str) -> Claims:
        """Pending claims, to be confirmed when the account is written."""
        claims: dict[str, str] = {}
        for name in names(handle):
            if not (claim := self._claim(name, account)):
                self.give_up(claims)
                raise HandleTaken(
                    say("the handle {handle} looks like one that is taken", handle=handle)
                    if claims
                    else say("the handle {handle} is taken", handle=handle)
                )
            claims[name] = claim
        return claims

    def _claim(self, name: str, account: str) -> str | None:
        claim = f"{account}?{self._now()}"
        with store_errors():
            is_new = self._redis.set(_key(name), claim, nx=True)
        found = claim if is_new else self._claimed(name)
        if found == claim:
            return claim
        if found.startswith(f"{account}?"):
            return found  # Of the same request, which came twice at once, or again after a crash.
        return claim if self._is_abandoned(found, name) and self._swap(name, found, claim) else None

    def _is_abandoned(self, claim: str, name: str) -> bool:
        account, _, since = claim.partition("?")
        if since and self._now() - int(since) < LONGEST_PENDING:
            return False
        return not account or not self._is_held(account, name)

    def take_back(self, handle: str, account: str) -> bool:
        """Confirmed claims for an account that is being restored, unless another account lives under the handle.

        Two accounts from before looks counted may look alike: then the first has the looks, and both their handles."""
        letters, *others = names(handle)
        for name in others:
            self._taken_back(name, account)
        return self._taken_back(letters, account)

    def _taken_back(self, name: str, account: str) -> bool:
        with store_errors():
            self._redis.set(_key(name), account, nx=True)
        found = self._claimed(name)
        if found.partition("?")[0] == account or self._is_abandoned(found, name):
            return self._swap(name, found, account)
        return False

    def confirm(self, claims: Claims) -> bool:
        confirmed = {name: claim.partition("?")[0] for name, claim in claims.items()}
        if all(self._swap(name, claim, confirmed[name]) for name, claim in claims.items()):
            return True
        self.give_up(confirmed)
        self.give_up(claims)
        return False

    def give_up(self, claims: Claims) -> None:
        """Takes back claims that are as they were."""
        for name, claim in claims.items():
            self._swap(name, claim, "")

    def release(self, handle: str, account: str) -> None:
        """Takes back what this account has confirmed."""
        self.give_up(dict.fromkeys(names(handle), account))

    def _claimed(self, name: str) -> str:
        with store_errors():
            return (self._redis.get(_key(name)) or b"").decode()

    def _swap(self, name: str, expected: str, wanted: str) -> bool:
        with store_errors():
            return bool(self._redis.eval(SWAP, 1, _key(name), expected, wanted))


def _key(name: str) -> str:
    return f"hidalgo:handle:{name}"


GUEST_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def guest_handle() -> str:
    return GUEST + "".join(secrets.choice(GUEST_LETTERS) for _ in range(8))


def letters_from(id: str) -> str:
    """Eight letters and digits that are easily told apart."""
    return "".join(GUEST_LETTERS[ord(letter) % len(GUEST_LETTERS)] for letter in id[:8])
