"""Clients that play real games over HTTP as fast as they are answered.

The clients are connections of this process, one for every seat. Their moves are prepared while nothing is measured:
with the store at hand a game can be played to its end in memory before it is played for real.
"""

from __future__ import annotations

import random
import re
import selectors
import socket
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from events.store import Store, open_store
from events.table.commands import Join, Start
from rules.catalogue import DEFAULT
from rules.codec import encode
from rules.kernel import Answer, State, play
from rules.simulation import random_command, random_decision
from service.bench.bare import PATH
from service.bench.servers import Server, serving
from service.services import services
from service.settings import Settings

PLAYERS = 4
MOST_A_SECOND = 10_000
"""No server takes more moves than this, so that as many are prepared for a sample."""


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    workers: int
    tables: int
    seconds: float
    rounds: int


class Room:
    """A store, and servers that share it, each with clients of its own."""

    def __init__(self, folder: Path, plan: Plan, until_the_end: ExitStack) -> None:
        folder.mkdir(exist_ok=True)
        self.store, close = open_store(None, folder / "store")
        until_the_end.callback(close)
        self.hall = Hall(self.store)
        self._log, self._tables, self._until_the_end = folder / "log", plan.tables, until_the_end
        self._settings = Settings(store_url=self.store.url, workers=plan.workers)

    def clients(self, program: str) -> Clients:
        server = self._until_the_end.enter_context(serving(program, self._settings, self._log))
        return self._until_the_end.enter_context(Clients(server, self.hall, self._tables, self.store))


@dataclass(frozen=True)
class Sample:
    moves: int
    seconds: float
    waits: list[float]
    """Milliseconds of each move."""
    server: float | None
    """Seconds of the processor."""
    store: float = 0.0
    trips: int = 0
    """Requests that the store has read."""

    @property
    def a_second(self) -> float:
        return self.moves / self.seconds


# Games with all moves made beforehand


@dataclass(frozen=True)
class Request:
    seat: int
    sent: bytes


@dataclass
class Table:
    """Accounts that play one game after the other, and what they will say."""

    accounts: list[tuple[str, str]]
    """Id and token of each."""
    coming: deque[Request] = field(default_factory=deque)


class Hall:
    """Where games are prepared."""

    def __init__(self, store: Store) -> None:
        wired = services(store, Settings())
        self.games, self.accounts = wired.games, wired.accounts
        self.pick = random.Random(1).randrange

    def table(self) -> Table:
        return Table([self.account() for _ in range(PLAYERS)])

    def account(self) -> tuple[str, str]:
        account = self.accounts.make_guest().id
        return account, self.accounts.create_token(account, "bench", ["play"]).secret

    def prepare(self, table: Table, moves: int) -> None:
        """Let so many moves wait at the table, at least."""
        while len(table.coming) < moves:
            game, state = self.started(table)
            table.coming.extend(self.requests(game, state, [token for _, token in table.accounts]))

    def play_alone(self, moves: int) -> list[bytes]:
        """The moves of one table."""
        table = self.table()
        self.prepare(table, moves)
        return [request.sent for request in table.coming][:moves]

    def started(self, table: Table) -> tuple[str, State]:
        game = self.games.create(DEFAULT, PLAYERS, owner=table.accounts[0][0]).id
        for account, _ in table.accounts:
            self.games.submit(game, Join(account))
        return game, self.games.submit(game, Start(table.accounts[0][0])).after.state

    def requests(self, game: str, state: State, tokens: Sequence[str]) -> Iterator[Request]:
        """A whole game by random answers."""
        players = state.board.players
        while not state.is_over:
            decision = random_decision(state, self.pick)
            command = random_command(state, decision, self.pick)
            _, state = play(state, Answer(decision.player, decision.id, command))
            seat = players.index(decision.player)
            yield Request(seat, written(game, tokens[seat], {"decision": decision.id, **to_builtins(command)}))


def written(game: str, token: str, move: dict[str, Any]) -> bytes:
    """A move as a client sends it, with an idempotency key."""
    body = encode(move)
    return (
        f"POST {PATH.format(game=game)} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n"
        f"Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        f"Idempotency-Key: {move['decision']}\r\n\r\n"
    ).encode() + body


# Clients


class Clients:
    """The players of some tables, each with a connection; at every table one of them always waits for an answer."""

    def __init__(self, server: Server, hall: Hall, tables: int, store: Store) -> None:
        self.server, self.hall, self.store = server, hall, store
        self.samples: list[Sample] = []
        self.tables = [hall.table() for _ in range(tables)]
        self.selector = selectors.DefaultSelector()
        self.seats = [[self.connected(table) for _ in range(PLAYERS)] for table in range(tables)]

    def connected(self, table: int) -> socket.socket:
        client = socket.create_connection(self.server.address, timeout=30)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.selector.register(client, selectors.EVENT_READ, table)
        return client

    def __enter__(self) -> Clients:
        return self

    def __exit__(self, *_: object) -> None:
        self.selector.close()
        for client in (client for seats in self.seats for client in seats):
            client.close()

    def prepare(self, seconds: float) -> None:
        """Let enough moves wait at the tables for a sample."""
        for table in self.tables:
            self.hall.prepare(table, int(MOST_A_SECOND * seconds / len(self.tables)) + 1)

    def sample(self, seconds: float) -> Sample:
        self.prepare(seconds)
        server, (store, trips) = self.server.processor_seconds(), used_by_the_store(self.store)
        began = time.perf_counter()
        waits = self.play(began + seconds)
        took = time.perf_counter() - began
        store_after, trips_after = used_by_the_store(self.store)
        server_after = self.server.processor_seconds()
        used = None if server is None or server_after is None else server_after - server
        # The question itself was a request, too.
        costs = used, store_after - store, trips_after - trips - 1
        self.samples.append(Sample(len(waits), took, waits, *costs))
        return self.samples[-1]

    def play(self, end: float) -> list[float]:
        """Milliseconds of every move that is made until then."""
        waits: list[float] = []
        asked = {table: self.ask(table) for table in range(len(self.tables))}
        while asked:
            for key, _ in self.selector.select(timeout=30):
                answer = read_answer(key.fileobj)
                now = time.perf_counter()
                assert answer.startswith(b"HTTP/1.1 201"), answer.decode(errors="replace")
                waits.append(1000 * (now - asked.pop(key.data)))
                if now < end and self.tables[key.data].coming:
                    asked[key.data] = self.ask(key.data)
        return waits

    def ask(self, table: int) -> float:
        """Send the next move of a table; gives when."""
        request = self.tables[table].coming.popleft()
        began = time.perf_counter()
        self.seats[table][request.seat].sendall(request.sent)
        return began


LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)


def read_answer(client: Any) -> bytes:
    """One whole answer."""
    answer = b""
    while True:
        received = client.recv(65536)
        assert received, "the server has closed the connection"
        answer += received
        head, ended, body = answer.partition(b"\r\n\r\n")
        found = LENGTH.search(head)
        if ended and (not found or len(body) >= int(found[1])):
            return answer


def used_by_the_store(store: Store) -> tuple[float, int]:
    """Seconds of the processor, and requests read, so far."""
    info: dict[str, Any] = store.commands.info("everything")
    return info["used_cpu_user"] + info["used_cpu_sys"], info["total_reads_processed"]
