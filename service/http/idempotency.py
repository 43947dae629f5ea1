"""Idempotency: a write that comes again under the same `Idempotency-Key` is done once, and answered alike."""

from __future__ import annotations

import re

from events.submission import Submission, new_id
from rules.errors import Unreadable
from rules.texts import say
from service.http.context import environ
from service.http.preconditions import expected_versions
from service.http.request_bodies import RAW_BODY

KEY = "Idempotency-Key"
VISIBLE = re.compile(r"[\x21-\x7e]{1,64}")


def submission(account: str) -> Submission:
    """This request as a submission of the account that asks."""
    given = given_key()
    return Submission(account, given or "", fingerprint() if given else b"", expected_versions())


def idempotency_key() -> str:
    """The key that the client has given, or a new one that never comes again."""
    return given_key() or new_id()


def given_key() -> str | None:
    """The key that the client has given."""
    key = environ().get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not VISIBLE.fullmatch(key):
        raise Unreadable(say("{header} is 1 to 64 visible ASCII characters", header=KEY))
    return key


def fingerprint() -> bytes:
    """Everything that the request asks for, as it was sent."""
    asked = environ()
    return b"\0".join((asked["REQUEST_METHOD"].encode(), asked["PATH_INFO"].encode("latin-1"), asked[RAW_BODY]))
