"""A site on an origin of its own, and a line to the service that can be cut."""

from __future__ import annotations

import functools
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

FILES = Path(__file__).parent / "site"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing is printed between the names of tests."""


@contextmanager
def serving() -> Iterator[int]:
    """The port of a server with the files of the site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(FILES)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


class Line:
    """A TCP proxy to the service. When it is cut, all connections end in the middle, and none is made for a while."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.target = (str(parts.hostname), int(parts.port or 80))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.is_cut = threading.Event()
        self.open: set[socket.socket] = set()
        self.lock = threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                if self.is_cut.is_set():
                    client.close()
                    continue
                server = socket.create_connection(self.target)
                with self.lock:
                    self.open |= {client, server}
                for one, other in ((client, server), (server, client)):
                    threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    def carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while piece := one.recv(65536):
                other.sendall(piece)
        self.end(one, other)

    def end(self, *sockets: socket.socket) -> None:
        with self.lock:
            self.open -= set(sockets)
        for each in sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def cut(self) -> int:
        """How many connections were open."""
        self.is_cut.set()
        with self.lock:
            ended = list(self.open)
        self.end(*ended)
        return len(ended) // 2

    def mend(self) -> None:
        self.is_cut.clear()

    def close(self) -> None:
        self.cut()
        self.listener.close()
