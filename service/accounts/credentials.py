"""The secrets by which people and programs authenticate.

A token and a session's secret name their account, so that one look into the account's record decides everything, and
carry 256 random bits. Only their SHA-256 is kept.
"""

import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256

from msgspec import Struct

TOKEN = "hdg_"
SESSION = "hds_"
FIELDS = {TOKEN: "token", SESSION: "session"}

ACCOUNT = re.compile(r"a_[A-Za-z0-9_-]{16}")
_SECRET = re.compile(r"(hdg_|hds_)([A-Za-z0-9_-]{16})[A-Za-z0-9_-]{43}")


def new_account() -> str:
    """An id that means nothing by itself."""
    return f"a_{secrets.token_urlsafe(12)}"


def new_secret(kind: str, account: str) -> str:
    """A token or a session's secret of this account."""
    return _secret(kind, account, secrets.token_bytes(32))


def new_salt() -> str:
    return secrets.token_urlsafe(32)


def secret_of_request(kind: str, account: str, salt: str, once: str) -> str:
    """The same secret for the same request, so that it need not be kept to be shown again.

    `once` holds the secret that the client has shown, which only the client knows; only the store knows the salt.
    Neither a stolen token nor a stolen store is enough to find it.
    """
    return _secret(kind, account, hmac.digest(salt.encode(), f"hidalgo secret {kind}\0{once}".encode(), "sha256"))


def _secret(kind: str, account: str, random: bytes) -> str:
    return f"{kind}{account.removeprefix('a_')}{urlsafe_b64encode(random).decode().rstrip('=')}"


class Credential(Struct, frozen=True):
    """A token or a session as its account's record knows it: without its secret."""

    account: str
    field: str
    app: str = ""
    """The app that holds the token."""


def credential_of(secret: str) -> Credential | None:
    """None if it is neither a token nor a session's secret.

    >>> credential_of("hds_" + "x" * 16 + "y" * 43).field[:8]
    'session:'
    """
    found = _SECRET.fullmatch(secret)
    return Credential(f"a_{found[2]}", f"{FIELDS[found[1]]}:{digest(secret)}") if found else None


def account_of(kind: str, secret: str) -> str | None:
    """The account that the secret names; none if it is no secret of this kind.

    >>> account_of(TOKEN, "hdg_" + "x" * 16 + "y" * 43)
    'a_xxxxxxxxxxxxxxxx'
    >>> account_of(SESSION, "hdg_" + "x" * 16 + "y" * 43)
    """
    found = _SECRET.fullmatch(secret)
    return f"a_{found[2]}" if found and found[1] == kind else None


def digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def csrf_of(session: str) -> str:
    """It can be computed from the session's secret, but the secret cannot be computed from it."""
    return urlsafe_b64encode(hmac.digest(session.encode(), b"csrf", "sha256")).decode().rstrip("=")


def is_csrf_of(session: str, given: str) -> bool:
    return hmac.compare_digest(csrf_of(session).encode(), given.encode(errors="replace"))
