"""For receivers of webhooks: is this from the service, and from just now?"""

from __future__ import annotations

import hmac
import re
import time
from collections.abc import Mapping

HEADER = "Hidalgo-Signature"
TOLERANCE = 300.0
"""Seconds that a delivery may be old, or the clocks apart."""


def verify_signature(
    secret: str, headers: Mapping[str, str], body: bytes, *, tolerance: float = TOLERANCE, now: float | None = None
) -> bool:
    """Whether these very bytes were signed by who knows the webhook's secret, within `tolerance` seconds of now.

    Give it the body as it came, before anything reads it.

    >>> signed = {"Hidalgo-Signature": "t=1767225600,v1=" + "14adffb9d6820dc8".ljust(64, "0")}
    >>> verify_signature("hdw_secret", signed, b"{}", now=1767225601)
    False
    """
    signature = next((value for name, value in headers.items() if name.lower() == HEADER.lower()), "")
    said = re.fullmatch(r"t=([0-9]{1,12})((?:,v1=[0-9a-f]{64}){1,4})", signature)
    if not said:
        return False
    at, signatures = int(said[1]), said[2].split(",v1=")[1:]
    if abs((time.time() if now is None else now) - at) > tolerance:
        return False
    expected = hmac.digest(secret.encode(), b"%d.%b" % (at, body), "sha256").hex()
    return any(hmac.compare_digest(expected, each) for each in signatures)
