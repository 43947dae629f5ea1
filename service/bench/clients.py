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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import product
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
from service.bench.servers import Server, percentile, serving
from service.services import services
from service.settings import Settings

PLAYERS = 4
MOST_A_SECOND = 10_000
"""No server takes more moves than this, so that as many are prepared for a sample."""


LEAST_SECONDS = 0.01
"""As much of a processor's time can be told from none."""
SECONDS_TO_WARM_UP = 0.1
SECONDS_TO_ANSWER = 30

Place = tuple[int, int]
"""A table, and a seat there."""


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    workers: Sequence[int]
    """Processes that answer: those that are compared with all others, and then with those that are tried besides."""
    tables: int
    seconds: float
    rounds: int
    starts: int = 1
    """How often all servers are started: each may be lucky or unlucky for as long as it runs."""
    scheduler: bool = True
    """Whether ours is the whole service, with its notices."""
    boardgame_io: bool = False


class Room:
    """A store, and servers that share it, each with clients of its own."""

    def __init__(self, folder: Path, plan: Plan, until_the_end: ExitStack) -> None:
        folder.mkdir(exist_ok=True)
        self.store, close = open_store(None, folder / "store")
        until_the_end.callback(close)
        self.hall = Hall(self.store)
        self._log, self._tables = folder / "log", plan.tables
        self._settings = Settings(store_url=self.store.url, workers=plan.workers[0])
        self._running = until_the_end.enter_context(ExitStack())
        self._clients: list[tuple[Clients, str, Settings]] = []

    def clients(self, program: str, workers: int | None = None) -> Clients:
        settings = replace(self._settings, workers=workers or self._settings.workers)
        clients = Clients(self._started(program, settings), self.hall, self._tables, self.store)
        self._clients.append((clients, program, settings))
        clients.warm_up()
        return clients

    def restart(self) -> None:
        """Start all servers anew; their clients go on with their games."""
        self._running.close()
        for clients, program, settings in self._clients:
            clients.server = self._started(program, settings)
            clients.warm_up()

    def _started(self, program: str, settings: Settings) -> Server:
        return self._running.enter_context(serving(program, settings, self._log))


@dataclass(frozen=True)
class Sample:
    moves: int
    seconds: float
    waits: list[float]
    """Milliseconds of each move."""
    server: float | None
    """Seconds of the processor."""
    scheduler: float | None = None
    """The same of a scheduler beside, if there is one."""
    store: float = 0.0
    trips: int = 0
    """Requests that the store has read."""

    @property
    def a_second(self) -> float:
        return self.moves / self.seconds

    @property
    def cost(self) -> float | None:
        """Microseconds of the server's processor, a move; the system counts in hundredths of a second."""
        return None if self.server is None else 1e6 * max(self.server, LEAST_SECONDS) / self.moves

    def wait(self, percent: int) -> float:
        """Milliseconds that so many percent of the moves did not exceed."""
        return percentile(self.waits, percent)


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
        return account, self.accounts.tokens.create(account, "bench", ["play"]).secret

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
    """The players of some tables; at every table one of them always waits for an answer."""

    def __init__(self, server: Server, hall: Hall, tables: int, store: Store) -> None:
        self.server, self.hall, self.store = server, hall, store
        self.samples: list[Sample] = []
        self.tables = [hall.table() for _ in range(tables)]

    def prepare(self, seconds: float) -> None:
        """Let enough moves wait at the tables for a sample."""
        for table in self.tables:
            self.hall.prepare(table, int(MOST_A_SECOND * seconds / len(self.tables)) + 1)

    def warm_up(self) -> None:
        """Let a server that was just started load the games."""
        self.sample(SECONDS_TO_WARM_UP)
        self.samples.pop()

    def sample(self, seconds: float) -> Sample:
        self.prepare(seconds)
        with Connections(self.server.address, len(self.tables)) as connections:
            before = self.costs()
            began = time.perf_counter()
            waits = self.play(connections, began + seconds)
            took = time.perf_counter() - began
            after = self.costs()
        self.samples.append(Sample(len(waits), took, waits, **between(before, after)))
        return self.samples[-1]

    def costs(self) -> dict[str, Any]:
        """So far."""
        store, trips = used_by_the_store(self.store)
        server, scheduler = self.server.processor_seconds(), self.server.scheduler_seconds()
        return {"server": server, "scheduler": scheduler, "store": store, "trips": trips}

    def play(self, connections: Connections, end: float) -> list[float]:
        """Milliseconds of every move that is made until then."""
        waits: list[float] = []
        asked = {table: self.ask(connections, table) for table in range(len(self.tables))}
        while asked:
            for table, answer in connections.answers():
                now = time.perf_counter()
                assert answer.startswith(b"HTTP/1.1 201"), answer.decode(errors="replace")
                waits.append(1000 * (now - asked.pop(table)))
                if now < end and self.tables[table].coming:
                    asked[table] = self.ask(connections, table)
        return waits

    def ask(self, connections: Connections, table: int) -> float:
        """Send the next move of a table; gives when."""
        request = self.tables[table].coming.popleft()
        began = time.perf_counter()
        connections.send(table, request)
        return began


def between(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What the moves of a sample have cost, by what there was before and after it."""
    costs: dict[str, Any] = {name: None if value is None else after[name] - value for name, value in before.items()}
    costs["trips"] -= 1  # The question itself was a request, too.
    return costs


class Connections:
    """One for every seat, during a sample: a server hangs up on clients that are silent while others are measured.

    It may hang up during a long sample as well, and a program would connect again: so do we.
    """

    def __init__(self, address: tuple[str, int], tables: int) -> None:
        self._address = address
        self._selector = selectors.DefaultSelector()
        self._open: dict[Place, socket.socket] = {}
        self._asked: dict[int, Request] = {}
        """By their tables, the requests that are not answered."""
        self._repeated: set[int] = set()
        for place in product(range(tables), range(PLAYERS)):
            self._connect(place)

    def _connect(self, place: Place) -> None:
        client = socket.create_connection(self._address, timeout=SECONDS_TO_ANSWER)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._selector.register(client, selectors.EVENT_READ, place)
        self._open[place] = client

    def __enter__(self) -> Connections:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()
        for client in self._open.values():
            client.close()

    def send(self, table: int, request: Request) -> None:
        self._asked[table] = request
        try:
            self._open[table, request.seat].sendall(request.sent)
        except ConnectionError:
            self._connect_again((table, request.seat))

    def answers(self) -> Iterator[tuple[int, bytes]]:
        """The tables that are answered, as soon as there are any."""
        ready = self._selector.select(timeout=SECONDS_TO_ANSWER)
        assert ready, "the server does not answer"
        for key, _ in ready:
            table, _seat = key.data
            if answer := read_answer(key.fileobj):
                del self._asked[table]
                self._repeated.discard(table)
                yield table, answer
            else:
                self._connect_again(key.data)

    def _connect_again(self, place: Place) -> None:
        """After the server has hung up. What it has not answered is said again, once, under the same key."""
        closed = self._open.pop(place)
        self._selector.unregister(closed)
        closed.close()
        self._connect(place)
        table, seat = place
        if (request := self._asked.get(table)) and request.seat == seat:
            assert table not in self._repeated, "the server hangs up on every request"
            self._repeated.add(table)
            self._open[place].sendall(request.sent)


LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)


def read_answer(client: Any) -> bytes:
    """One whole answer; nothing if the server has hung up instead."""
    answer = b""
    while True:
        try:
            received = client.recv(65536)
        except ConnectionResetError:
            received = b""
        if not received:
            assert not answer, "the server has hung up in the middle of an answer"
            return b""
        answer += received
        head, ended, body = answer.partition(b"\r\n\r\n")
        found = LENGTH.search(head)
        if ended and (not found or len(body) >= int(found[1])):
            return answer


def used_by_the_store(store: Store) -> tuple[float, int]:
    """Seconds of the processor, and requests read, so far."""
    info: dict[str, Any] = store.commands.info("everything")
    return info["used_cpu_user"] + info["used_cpu_sys"], info["total_reads_processed"]
