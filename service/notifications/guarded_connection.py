"""A connection to one address that takes no longer than it may."""

from __future__ import annotations

import socket
import ssl
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from threading import Timer
from typing import Any

from service.notifications.receiver_addresses import Endpoint

SECONDS_TO_CONNECT = 3.0


class GuardedConnection(HTTPConnection):
    """Goes to the address given, with the host name of the endpoint, and ends after so many seconds."""

    def __init__(self, endpoint: Endpoint, address: str, tls: ssl.SSLContext, seconds: float) -> None:
        super().__init__(endpoint.host, endpoint.port, timeout=min(SECONDS_TO_CONNECT, seconds))
        self._endpoint, self._address, self._tls, self._seconds = endpoint, address, tls, seconds
        self._ending = ExitStack()
        self._is_late = False

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self._endpoint.port), self.timeout)
        plain.settimeout(2 * self._seconds)  # the guard below comes first
        self.sock: Any = plain
        self._guard(self._ending.enter_context(plain.dup()))
        if self._endpoint.is_secure:
            self.sock = self._tls.wrap_socket(plain, server_hostname=self._endpoint.host)

    def _guard(self, handle: socket.socket) -> None:
        """A second handle on the connection ends it in time, also in the middle of a read."""

        def end() -> None:
            self._is_late = True
            with suppress(OSError):
                handle.shutdown(socket.SHUT_RDWR)

        timer = Timer(self._seconds, end)
        timer.daemon = True
        timer.start()
        self._ending.callback(timer.join)
        self._ending.callback(timer.cancel)

    def __enter__(self) -> GuardedConnection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._ending.close()
        if self._is_late:
            raise TimeoutError("the connection has taken too long")
