"""The shortest way to send a command to the store, and to read the answer."""

import os
import socket
import struct
from collections import deque
from collections.abc import Callable
from ctypes import PyDLL, c_char_p, c_int, c_size_t, c_ssize_t
from ssl import SSLSocket
from typing import Any
from weakref import finalize

from hiredis import Reader, pack_command
from redis import Redis
from redis._parsers import BaseParser
from redis.cluster import RedisCluster
from redis.connection import Connection
from redis.exceptions import (
    AskError,
    ClusterDownError,
    InvalidResponse,
    MasterDownError,
    MovedError,
    ReadOnlyError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import TimeoutError as TimedOut

from events.store.clients import Client

BUFFER = 64 * 1024
ELSEWHERE = (AskError, ClusterDownError, Disconnected, MasterDownError, MovedError, ReadOnlyError, TryAgainError)
"""Answers of a server of a cluster that is not the one to ask."""
MORE = object()
"""Stands for an answer that is not complete."""


def direct(client: Client) -> Callable[..., Any]:
    """The shortest way to send a command."""
    return ClusterDirect(client) if isinstance(client, RedisCluster) else Direct(client)


class ClusterDirect:
    """The same on a cluster: the command goes to the server of its first key.

    One that answers that the key is elsewhere, or that cannot be reached, leaves the command to the client, which looks
    for the map of the cluster again.
    """

    def __init__(self, cluster: RedisCluster) -> None:
        self._cluster = cluster
        self._servers: dict[str, Direct] = {}

    def __call__(self, *words: Any) -> Any:
        try:
            return self._server(key_of(words)).ask(*words)
        except (
            MovedError,
            AskError,
            TryAgainError,
            ClusterDownError,
            MasterDownError,
            ReadOnlyError,
            Disconnected,
            OSError,
        ):
            return self._cluster.execute_command(*words)

    def _server(self, key: Any) -> "Direct":
        node = self._cluster.nodes_manager.get_node_from_slot(self._cluster.keyslot(key))
        found = self._servers.get(node.name)
        if found is None or found.client is not node.redis_connection:
            found = self._servers[node.name] = Direct(self._cluster.get_redis_connection(node))
        return found


def key_of(words: Any) -> Any:
    """The first key of a command: all others have the same slot."""
    return words[3] if words[0] in ("EVAL", "EVALSHA") else words[1]


class Direct:
    """Sends one command and returns the answer, with nothing around it.

    The client's own way costs more than the command: for each one it checks its pool, looks whether the connection
    has something to say, and counts for observers that we do not have. Here a connection is taken, used and put back.
    One that turns out to be lost is thrown away, and the client, which is patient, says the command instead: so it may
    be said twice, and must not mind. A server that is silent for too long is not asked again.
    """

    def __init__(self, client: Redis) -> None:
        self.client = client
        self._idle: deque[DirectConnection] = deque()

    def __call__(self, *words: Any) -> Any:
        try:
            return self.ask(*words)
        except (Disconnected, ReadOnlyError):
            return self.client.execute_command(*words)

    def ask(self, *words: Any) -> Any:
        """The answer of this server, which is asked once."""
        try:
            connection = self._connection()
            answer = connection.ask(pack_command(words))
        except (BlockingIOError, TimeoutError) as silence:
            raise TimedOut("the server is silent") from silence
        except OSError as lost:
            raise Disconnected("the server has hung up") from lost
        if isinstance(answer, Disconnected | ReadOnlyError):
            raise answer
        self._idle.append(connection)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _connection(self) -> "DirectConnection":
        """A connection that is not in use; after a fork each process has its own."""
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:
                break
            if connection.process == os.getpid():
                return connection
        pool = self.client.connection_pool
        return DirectConnection(pool.connection_class(**pool.connection_kwargs))


class DirectConnection:
    """A connection that the client has made, and a reader of its own. It ends when it is thrown away."""

    def __init__(self, made: Connection) -> None:
        made.connect()
        self._made = made
        # Before the garbage collector comes to the socket, which complains of being left open.
        finalize(self, made.disconnect).atexit = False
        self.process = os.getpid()
        self._is_plain = wait_in_the_kernel(made)
        self._reader = Reader(
            protocolError=InvalidResponse, replyError=BaseParser.parse_error, notEnoughData=MORE, errors="strict"
        )
        self._buffer: Any = bytearray(BUFFER)

    @property
    def socket(self) -> Any:
        """It belongs to the connection, which closes it."""
        return self._made._sock

    def ask(self, command: bytes) -> Any:
        """The answer; one that is an error is given, not raised."""
        plain = self.socket
        sent = send_at_once(plain.fileno(), command) if self._is_plain else 0
        if sent < len(command):
            plain.sendall(command[sent:])
        while (answer := self._reader.gets()) is MORE:
            if not (length := plain.recv_into(self._buffer)):
                raise Disconnected("the server has hung up")
            self._reader.feed(self._buffer, 0, length)
        return answer


def wait_in_the_kernel(connection: Connection) -> bool:
    """Let the system watch the time that an answer may take, and say whether it does.

    Python would ask before every word that is sent or received whether that would wait, and give up the interpreter for
    the question as well. A connection with TLS stays as it is: its socket is no plain one.
    """
    plain: Any = connection._sock
    seconds = connection.socket_timeout
    if isinstance(plain, SSLSocket) or not seconds:
        return False
    whole, part = divmod(seconds, 1)
    limit = struct.pack("ll", int(whole), int(part * 1_000_000))
    for direction in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        plain.setsockopt(socket.SOL_SOCKET, direction, limit)
    plain.settimeout(None)
    return True


_send = PyDLL(None).send
_send.argtypes, _send.restype = (c_int, c_char_p, c_size_t, c_int), c_ssize_t


def send_at_once(file: int, command: bytes) -> int:
    """The number of bytes that could be sent without waiting.

    Python gives up the interpreter for every word that it sends, because that might wait; in a busy process the next
    turn is long in coming. This way of calling the system keeps it, and never waits.
    """
    return max(0, _send(file, command, len(command), socket.MSG_DONTWAIT))
