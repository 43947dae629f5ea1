"""For receivers of webhooks: whether a request comes from the service, and was sent just now.

The signatures follow Standard Webhooks, https://www.standardwebhooks.com; other libraries for it do as well.
"""

from __future__ import annotations

import hmac
import re
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping

ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"
PREFIX = "whsec_"
TOLERANCE = 300.0
"""Seconds that a request may be old, or the clocks apart."""


def verify_signature(
    secret: str, headers: Mapping[str, str], body: bytes, *, tolerance: float = TOLERANCE, now: float | None = None
) -> bool:
    """Whether these very bytes were signed with the webhook's secret, within `tolerance` seconds of now.

    Give it the body as it came, before anything parses it. Raises `ValueError` if `secret` is no secret.

    >>> headers = {
    ...     "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    ...     "webhook-timestamp": "1614265330",
    ...     "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    ... }
    >>> secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}'
    >>> verify_signature(secret, headers, body, now=1614265340)
    True
    >>> verify_signature(secret, headers, b'{"test": 2432232315}', now=1614265340)
    False
    """
    key, found = _key(secret), {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = found.get(ID, ""), found.get(TIMESTAMP, "")
    if not re.fullmatch("[!-~]+", message_id) or not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        return False
    content = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + b64encode(hmac.digest(key, content, "sha256"))
    signatures = found.get(SIGNATURE, "").split(" ")
    return any(hmac.compare_digest(expected, signature.encode(errors="replace")) for signature in signatures)


def _key(secret: str) -> bytes:
    """A secret that begins otherwise is from before Standard Webhooks: its characters are the key."""
    try:
        key = b64decode(secret.removeprefix(PREFIX), validate=True) if secret.startswith(PREFIX) else secret.encode()
    except ValueError:
        key = b""
    if not key:
        raise ValueError("this is not the secret of a webhook")
    return key
