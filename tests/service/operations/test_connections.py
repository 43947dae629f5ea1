"""Connections that say nothing: an address keeps its share, and others are served."""

import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from service.operations.connections import close_excess
from service.operations.open_files import IDLE_CONNECTIONS, most_connections

GREEDY, OTHER = "127.0.0.2", "127.0.0.3"
MOST = 40


class Listener:
    """A server that takes connections, and does nothing with them."""

    def __init__(self, until_the_end: ExitStack) -> None:
        self.until_the_end = until_the_end
        self.socket = until_the_end.enter_context(socket.create_server(("127.0.0.1", 0), backlog=100))

    def taken(self, address: str) -> socket.socket:
        """The client's end of a new connection from the address."""
        client = socket.create_connection(self.socket.getsockname(), 5, (address, 0))
        self.until_the_end.enter_context(self.socket.accept()[0])
        return self.until_the_end.enter_context(client)


@pytest.fixture
def listener() -> Iterator[Listener]:
    with ExitStack() as until_the_end:
        yield Listener(until_the_end)


def is_closed(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1) == b""
    except BlockingIOError:
        return False


def test_an_address_keeps_half_of_the_connections_that_others_leave(listener):
    others = [listener.taken(OTHER) for _ in range(6)]
    own = [listener.taken(GREEDY) for _ in range(30)]
    assert close_excess(MOST) == 30 - 17
    assert [is_closed(client) for client in own].count(True) == 30 - 17
    assert not any(is_closed(client) for client in others)


def test_the_connections_that_were_silent_longest_are_closed_first(listener):
    own = [listener.taken(GREEDY) for _ in range(30)]
    wait_for_the_clock_to_move(own[0])
    for client in own[:5]:
        client.sendall(b"GET")
    assert close_excess(MOST) == 10
    assert not any(is_closed(client) for client in own[:5])


def wait_for_the_clock_to_move(client: socket.socket) -> None:
    """The system counts silence in steps of some milliseconds."""
    client.settimeout(0.05)
    with pytest.raises(TimeoutError):
        client.recv(1)


def test_few_connections_are_left_alone(listener):
    own = [listener.taken(GREEDY) for _ in range(30)]
    assert close_excess(1000) == 0
    assert not any(is_closed(client) for client in own)


def test_a_worker_takes_as_many_connections_as_files_may_be_open():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most_connections(256) <= 256 + IDLE_CONNECTIONS
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[1] == hard
    assert most_connections(256) + 256 < max(soft, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
