"""Connections of the HTTP server that say nothing. They hold no thread, but the server takes only so many at once.

An address has half of those that the others leave. The server itself does not look at addresses, so a thread of each
worker does: now and then it closes what an address has too much of. Behind proxies all connections are the operator's.
"""

from __future__ import annotations

import os
import socket
import struct
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

from service.accounts.rate_limits import network_of
from service.live.threads import share
from service.operations import metrics
from service.operations.open_files import most_connections
from service.settings import Settings

SECONDS_A_TURN = 0.5

FILES = Path("/proc/self/fd")

SENT_AND_RECEIVED = struct.Struct("44xI4xI")
"""In Linux' `tcp_info`: milliseconds since data went each way."""


def start_closing(settings: Settings) -> None:
    """Close, for as long as this process lives, what an address has too much of."""
    if settings.proxies or not FILES.exists():
        return
    most = most_connections(settings.threads)

    def work() -> None:
        while True:
            sleep(SECONDS_A_TURN)
            with suppress(OSError):  # without a file to spare, this is for the next turn
                metrics.CONNECTIONS_CLOSED.inc(close_excess(most))

    Thread(target=work, name="connections", daemon=True).start()


def close_excess(most: int) -> int:
    """Close the connections that an address has beyond its share of so many, the most silent ones. Gives how many."""
    # One address has more than its share only if half of all are taken.
    if len(os.listdir(FILES)) <= most // 2:
        return 0
    return sum(close(connection) for connection in excess(list(connections()), most))


@dataclass(frozen=True)
class Connection:
    """`file` is the server's own."""

    file: int
    peer: tuple[Any, ...]
    silent_ms: int

    @property
    def network(self) -> str:
        return network_of(self.peer[0])


def excess(them: list[Connection], most: int) -> Iterator[Connection]:
    by_network: dict[str, list[Connection]] = defaultdict(list)
    for connection in sorted(them, key=lambda connection: connection.silent_ms):
        by_network[connection.network].append(connection)
    left = len(them)
    for own in sorted(by_network.values(), key=len, reverse=True):
        beyond = own[share(most, others=left - len(own)) :]
        left -= len(beyond)
        yield from beyond


def close(connection: Connection) -> bool:
    """The server notices it as if the client had gone. Its file may belong to another connection by now."""
    with suppress(OSError), second_handle(connection.file) as handle:
        if handle.getpeername() == connection.peer:
            handle.shutdown(socket.SHUT_RDWR)
            return True
    return False


def connections() -> Iterator[Connection]:
    """The connections to ports on which this process listens."""
    found, ports = [], set()
    for file in sockets():
        with suppress(OSError), second_handle(file) as handle:
            if handle.family not in (socket.AF_INET, socket.AF_INET6):
                continue
            port = handle.getsockname()[1]
            if handle.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                ports.add(port)
            else:
                found.append((port, Connection(file, handle.getpeername(), silence(handle))))
    return (connection for port, connection in found if port in ports)


def sockets() -> Iterator[int]:
    for name in os.listdir(FILES):
        with suppress(OSError):
            if os.readlink(FILES / name).startswith("socket:"):
                yield int(name)


def second_handle(file: int) -> socket.socket:
    """The same socket, for us to close."""
    copy = os.dup(file)
    try:
        return socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        raise


def silence(connection: socket.socket) -> int:
    """Milliseconds since a byte went either way."""
    told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, SENT_AND_RECEIVED.size)
    return int(min(SENT_AND_RECEIVED.unpack(told)))
