"""One try to tell a receiver something: signed, to a checked address, within bounds.

No redirect is followed, no proxy is used, and of the answer nothing is read but the status and the headers. A receiver
that sends them byte by byte is cut off like one that sends none.
"""

from __future__ import annotations

import hmac
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from http.client import HTTPConnection, HTTPException
from threading import Timer
from typing import Any

from service.notifications.deliveries import Outcome
from service.notifications.mailboxes import Hook
from service.notifications.receiver_addresses import Addresses, Place, Refused

AGENT = "Hidalgo"
SECONDS_TO_CONNECT = 3.0
SECONDS_IN_ALL = 10.0


class Sender:
    """Safe between threads."""

    def __init__(
        self,
        addresses: Addresses,
        *,
        tls: ssl.SSLContext | None = None,
        seconds: float = SECONDS_IN_ALL,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.addresses = addresses
        self._tls = tls or ssl.create_default_context()
        self._seconds = seconds
        self._clock = clock

    def send(self, hook: Hook, delivery: str, kind: str, body: str) -> Outcome:
        """What came of it; whatever goes wrong on the way is an outcome, too."""
        began = time.monotonic()
        try:
            status = self._status(hook, delivery, kind, body.encode())
            why = _why(status)
        except Refused as refusal:
            status, why = None, str(refusal)
        except (OSError, HTTPException) as trouble:
            status, why = None, _trouble(trouble)
        return Outcome(status, why, round((time.monotonic() - began) * 1000))

    def _status(self, hook: Hook, delivery: str, kind: str, body: bytes) -> int:
        place = self.addresses.place(hook.url)
        address = self.addresses.checked(place)
        with Channel(place, address, self._tls, self._seconds) as channel:
            headers = {"Host": place.host_header, **self._headers(hook, delivery, kind, body)}
            channel.request("POST", place.target, body, headers)
            return channel.getresponse().status

    def _headers(self, hook: Hook, delivery: str, kind: str, body: bytes) -> dict[str, str]:
        at = int(self._clock())
        signatures = [f"v1={sign(secret, at, body)}" for secret in secrets(hook, at)]
        return {
            "Content-Type": "application/json",
            "User-Agent": AGENT,
            "Hidalgo-Delivery": delivery,
            "Hidalgo-Event": kind,
            "Hidalgo-Timestamp": str(at),
            "Hidalgo-Signature": ",".join([f"t={at}", *signatures]),
        }


def sign(secret: str, at: int, body: bytes) -> str:
    """
    >>> sign("hdw_secret", 1767225600, b"{}")[:16]
    '14adffb9d6820dc8'
    """
    return hmac.digest(secret.encode(), b"%d.%b" % (at, body), "sha256").hex()


def secrets(hook: Hook, at: int) -> list[str]:
    """Those that the receiver may know us by just now."""
    return [hook.secret, *([hook.former_secret] if at * 1000 < hook.former_until else [])]


class Channel(HTTPConnection):
    """A connection to an address that was checked, under the name that was asked for, and ended after some seconds."""

    def __init__(self, place: Place, address: str, tls: ssl.SSLContext, seconds: float) -> None:
        super().__init__(place.host, place.port, timeout=min(SECONDS_TO_CONNECT, seconds))
        self._place, self._address, self._tls, self._seconds = place, address, tls, seconds
        self._ending = ExitStack()
        self._is_late = False

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self._place.port), self.timeout)
        plain.settimeout(2 * self._seconds)  # the guard below comes first
        self.sock: Any = plain
        self._guard(self._ending.enter_context(plain.dup()))
        if self._place.is_secure:
            self.sock = self._tls.wrap_socket(plain, server_hostname=self._place.host)

    def _guard(self, handle: socket.socket) -> None:
        """A second handle on the connection ends it when it is time, whatever is going on inside."""

        def end() -> None:
            self._is_late = True
            with suppress(OSError):
                handle.shutdown(socket.SHUT_RDWR)

        timer = Timer(self._seconds, end)
        timer.daemon = True
        timer.start()
        self._ending.callback(timer.join)
        self._ending.callback(timer.cancel)

    def __enter__(self) -> Channel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._ending.close()
        if self._is_late:
            raise TimeoutError("the connection was ended, whatever came of it")


def _why(status: int) -> str:
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return f"the receiver answered {status}: redirects are not followed"
    return f"the receiver answered {status}"


def _trouble(trouble: Exception) -> str:
    match trouble:
        case TimeoutError():
            return "the receiver did not answer in time"
        case ssl.SSLCertVerificationError():
            return "the receiver's certificate is not valid for its name"
        case ssl.SSLError():
            return "no secure connection could be made"
        case ConnectionRefusedError():
            return "the receiver refused the connection"
        case HTTPException() | ConnectionError():
            return "the receiver broke the connection"
    return "the receiver cannot be reached"
