"""The chain: why no one, not even the operator, can change a game that was played.

Every fact has a digest, `SHA-256(salt || canonical JSON of the fact)`. The digest of a fact that hides something is
hashed once more, together with its masked form, so that the mask cannot be changed either. A commit's hash is the
SHA-256 of its canonical header: author, moment, command and decision, the hash before it, and the digests. A viewer
who may not see a fact gets its masked form and its digest, and so can check the whole chain; a viewer who may see it
gets the salt as well.

All salts come from the game's secret, 32 bytes from the operating system, to which the first commit is bound by a
commitment, and which the last commit reveals. The seed of all shuffles comes from the same secret and from the nonces
the players added after the commitment: neither side could choose it alone. `docs/verify.md` tells all of it without
code; `docs/verify.mjs` is a second implementation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from rules.codec import encode

NO_HASH = "0" * 64
"""The hash before the first commit."""

SECRET_BYTES = 32
SALT_BYTES = 16
FINGERPRINT_BYTES = 12

INNER = bytes(byte ^ 0x36 for byte in range(256))
OUTER = bytes(byte ^ 0x5C for byte in range(256))
BLOCK = 64


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 (RFC 2104) with a key of 64 bytes at most.

    The standard library's gives up the interpreter for every message, and in a busy process the next turn is long in
    coming. A plain hash keeps it, as long as the message is short.

    >>> import hmac
    >>> hmac_sha256(b"secret", b"message") == hmac.digest(b"secret", b"message", "sha256")
    True
    """
    assert len(key) <= BLOCK, "a longer key would have to be hashed first"
    padded = key.ljust(BLOCK, b"\0")
    return sha256(padded.translate(OUTER) + sha256(padded.translate(INNER) + message).digest()).digest()


def commitment(secret: bytes) -> str:
    """The hash in the first commit that fixes the secret without showing it."""
    return sha256(b"hidalgo secret\0" + secret).hexdigest()


def seed(secret: bytes, nonces: Mapping[str, str]) -> bytes:
    """The seed of the game's shuffles: the secret and what the players added."""
    return hmac_sha256(secret, b"hidalgo seed\0" + encode(nonces))


def autopilot_seed(secret: bytes, nonces: Mapping[str, str], decision: str) -> bytes:
    """The seed of an answer of the autopilot, for a player who is not there."""
    return hmac_sha256(seed(secret, nonces), b"hidalgo stand-in\0" + decision.encode())


def salt(secret: bytes, version: int, index: int) -> bytes:
    """The salt of one fact: the `index`-th (from 0) of the commit that made this version."""
    return hmac_sha256(secret, f"hidalgo salt\0{version}\0{index}".encode())[:SALT_BYTES]


def digest(salt: bytes, fact: bytes) -> str:
    """Binds a fact (its canonical JSON) without showing it."""
    return sha256(salt + fact).hexdigest()


def masked(digest: str, mask: bytes) -> str:
    """Binds the form that others see (its canonical JSON) to the fact that it hides."""
    return sha256(b"hidalgo masked\0" + bytes.fromhex(digest) + mask).hexdigest()


def digests(secret: bytes, version: int, facts: Sequence[bytes], masks: Mapping[int, bytes]) -> list[str]:
    """The JSON that a commit binds: each of its facts, and the mask of those that hide something."""
    bound = [digest(salt(secret, version, index), fact) for index, fact in enumerate(facts)]
    return [masked(plain, masks[index]) if index in masks else plain for index, plain in enumerate(bound)]


def fingerprint(secret: bytes, request: bytes) -> str:
    """Tells whether a request is the same again, and nothing else about it as long as the secret is one."""
    return hmac_sha256(secret, b"hidalgo request\0" + request)[:FINGERPRINT_BYTES].hex()


def commit_hash(header: Mapping[str, Any], fact_digests: Sequence[str]) -> str:
    """The hash of a commit: its header (with the hash before it) and the digests of its facts."""
    return sha256(encode({**header, "digests": list(fact_digests)})).hexdigest()
