"""Signatures of deliveries, by the rules of Standard Webhooks 1.0: https://www.standardwebhooks.com.

`service.client.signatures` is the other side.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable

PREFIX = "whsec_"
BYTES = 32


def new_secret() -> str:
    return PREFIX + b64encode(secrets.token_bytes(BYTES)).decode()


def headers(signing_secrets: Iterable[str], delivery: str, at: int, body: bytes) -> dict[str, str]:
    """The headers of a request at a time in seconds, with one signature by each secret."""
    return {
        "webhook-id": delivery,
        "webhook-timestamp": str(at),
        "webhook-signature": " ".join(sign(secret, delivery, at, body) for secret in signing_secrets),
    }


def sign(secret: str, delivery: str, at: int, body: bytes) -> str:
    """
    >>> secret, delivery = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek"
    >>> sign(secret, delivery, 1614265330, b'{"test": 2432232314}')
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
    """
    content = b"%b.%d.%b" % (delivery.encode(), at, body)
    return f"v1,{b64encode(hmac.digest(_key(secret), content, 'sha256')).decode()}"


def _key(secret: str) -> bytes:
    """Secrets from before Standard Webhooks, which begin with `hdw_`, are keys as they are."""
    return b64decode(secret.removeprefix(PREFIX)) if secret.startswith(PREFIX) else secret.encode()
