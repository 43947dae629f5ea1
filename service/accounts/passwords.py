"""Passwords: their length, and how they are kept."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from threading import BoundedSemaphore
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import Type, hash_secret_raw

from events.errors import Busy
from rules.texts import say
from service.accounts.errors import Unfit

SHORTEST, LONGEST = 8, 200

OWASP = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
"""Argon2id, 19 MiB and about 30 ms each."""

SECONDS_TO_WAIT = 5.0
"""For a turn."""


class Passwords:
    """Keeps and checks passwords, no more at once than there are processors: each takes memory while it is hashed."""

    def __init__(self, hasher: PasswordHasher = OWASP, at_once: int | None = None) -> None:
        self._hasher = hasher
        self._turns = BoundedSemaphore(at_once or os.cpu_count() or 1)

    def kept(self, password: str) -> str:
        """The hash that is stored in its place."""
        check_password(password)
        with self._turn():
            return self._hasher.hash(_letters(password))

    def is_right(self, password: str, kept: str) -> bool:
        """Takes as long when nothing is kept, so that the clock does not tell which handles exist."""
        if not is_readable(password):
            return False
        decoy = self._decoy  # always, or else the first wrong handle would take longer
        try:
            with self._turn():
                return self._hasher.verify(kept or decoy, _letters(password)) and bool(kept)
        except (VerificationError, InvalidHashError):
            return False

    def derived(self, password: str, salt: bytes) -> str:
        """A secret that follows from a password as slowly as its hash does."""
        with self._turn():
            secret = hash_secret_raw(
                _letters(password),
                salt,
                time_cost=self._hasher.time_cost,
                memory_cost=self._hasher.memory_cost,
                parallelism=self._hasher.parallelism,
                hash_len=32,
                type=Type.ID,
            )
        return secret.hex()

    def proof(self, record: Mapping[str, str], password: str, request: str) -> str:
        """What follows from an account's password and the key of a request, and cannot be found without either."""
        salt = sha256(f"{record.get('salt', '')}\0{request}".encode()).digest()
        return f"{self.derived(password, salt)}\0{request}"

    def is_outdated(self, kept: str) -> bool:
        """Kept with parameters that are not today's."""
        return self._hasher.check_needs_rehash(kept)

    @cached_property
    def _decoy(self) -> str:
        return self._hasher.hash(os.urandom(32))

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._turns.acquire(timeout=SECONDS_TO_WAIT):
            raise Busy(say("too many passwords are being checked"))
        try:
            yield
        finally:
            self._turns.release()


def check_password(password: str) -> None:
    if not SHORTEST <= len(password) <= LONGEST or not is_readable(password):
        raise Unfit(say("a password has {shortest} to {longest} characters", shortest=SHORTEST, longest=LONGEST))


def is_readable(password: str) -> bool:
    """Short enough to be looked at, and made of characters: half a surrogate pair is none."""
    return len(password) <= LONGEST and not any("\ud800" <= letter <= "\udfff" for letter in password)


def _letters(password: str) -> bytes:
    """The same bytes, however a keyboard composes an accent."""
    return normalize("NFC", password).encode()
