"""Sends one request to a receiver: signed, to a checked address, within ten seconds.

No redirect is followed, no proxy is used, and of the answer only the status and the headers are read. A receiver that
sends them byte by byte is cut off like one that sends none.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from functools import cached_property
from http.client import HTTPException

from rules.texts import Text, say
from service.notifications import signing
from service.notifications.deliveries import Outcome
from service.notifications.guarded_connection import GuardedConnection
from service.notifications.mailboxes import Webhook
from service.notifications.receiver_addresses import AddressPolicy, AddressRefused

AGENT = "Hidalgo"
SECONDS_IN_ALL = 10.0


class Sender:
    """Safe between threads."""

    def __init__(
        self,
        address_policy: AddressPolicy,
        *,
        tls: ssl.SSLContext | None = None,
        seconds: float = SECONDS_IN_ALL,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.address_policy = address_policy
        self._given_tls = tls
        self._seconds = seconds
        self._clock = clock

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Made when it is needed first: to read the certificates of the system takes longer than a request."""
        return self._given_tls or ssl.create_default_context()

    def send(self, hook: Webhook, delivery: str, body: str) -> Outcome:
        """The outcome of the request; every failure on the way is one, too."""
        began = time.monotonic()
        status: int | None
        why: Text | None
        try:
            status = self._status(hook, delivery, body.encode())
            why = _refusal(status)
        except AddressRefused as refusal:
            status, why = None, refusal.text
        except (OSError, HTTPException) as error:
            status, why = None, _failure(error)
        return Outcome(status, why, round((time.monotonic() - began) * 1000))

    def _status(self, hook: Webhook, delivery: str, body: bytes) -> int:
        endpoint = self.address_policy.endpoint(hook.url)
        address = self.address_policy.resolved(endpoint)
        with GuardedConnection(endpoint, address, self._tls, self._seconds) as connection:
            headers = {"Host": endpoint.host_header, **self._headers(hook, delivery, body)}
            connection.request("POST", endpoint.target, body, headers)
            return connection.getresponse().status

    def _headers(self, hook: Webhook, delivery: str, body: bytes) -> dict[str, str]:
        now = int(self._clock())
        signatures = signing.headers(valid_secrets(hook, now), delivery, now, body)
        return {"Content-Type": "application/json", "User-Agent": AGENT, **signatures}


def valid_secrets(hook: Webhook, now: int) -> list[str]:
    """The secrets that sign at a time in seconds: for a day after a rotation the former one, too."""
    return [hook.secret, *([hook.former_secret] if now * 1000 < hook.former_until else [])]


def _refusal(status: int) -> Text | None:
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        return say("the receiver answered {status}: redirects are not followed", status=status)
    return say("the receiver answered {status}", status=status)


def _failure(error: Exception) -> Text:
    match error:
        case TimeoutError():
            return say("the receiver did not answer in time")
        case ssl.SSLCertVerificationError():
            return say("the receiver's certificate is not valid for its name")
        case ssl.SSLError():
            return say("no secure connection could be made")
        case ConnectionRefusedError():
            return say("the receiver refused the connection")
        case HTTPException() | ConnectionError():
            return say("the receiver broke the connection")
    return say("the receiver cannot be reached")
