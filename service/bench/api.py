"""`hidalgo bench api`: what a move costs over HTTP, against bare endpoints in the same run.

All of them write to the same store, which syncs every write. The bare endpoint on Flask runs on the same server as ours
with the same settings, and is the yardstick; one on FastAPI is measured beside them (`service.bench.bare`).

The clients are connections of this process, one for every seat. Their moves are prepared while nothing is measured:
with the store at hand a game can be played to its end in memory before it is played for real.
"""

from __future__ import annotations

import random
import re
import selectors
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import click
from msgspec import to_builtins

from events.store import Store, open_store
from events.table.commands import Join, Start
from rules.catalogue import DEFAULT
from rules.codec import encode
from rules.kernel import Answer, State, play
from rules.simulation import random_command, random_decision
from service.bench.bare import FASTAPI, FLASK, PATH, has_fastapi
from service.bench.figures import Figure, report
from service.bench.layers import layers
from service.bench.servers import OURS, Server, percentile, serving
from service.services import services
from service.settings import Settings

PLAYERS = 4
MOST_A_SECOND = 10_000
"""No server takes more moves than this, so that as many are prepared for a sample."""
MOVES_ALONE = 1000
"""So many are looked at layer by layer."""
WITHOUT_FASTAPI = (
    "the bare FastAPI endpoint is left out; to measure it, run "
    f"{sys.executable} -m pip install -c constraints.txt -e '.[bench]'"
)


@click.command("api")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes that answer.")
@click.option("--tables", type=click.IntRange(1), default=16, show_default=True, help="Games played at once.")
@click.option("--seconds", type=click.FloatRange(0.05), default=0.5, show_default=True, help="Length of a sample.")
@click.option("--rounds", type=click.IntRange(1), default=20, show_default=True, help="Samples of each kind.")
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_api(ctx: click.Context, /, no_limits: bool, as_json: bool, **plan: Any) -> None:
    """Measure moves over HTTP with everything on, against bare endpoints with one append as durable.

    Samples of all take turns, and the middle one of their ratios counts, so that other work on the machine disturbs
    all of them. Everything shares this machine: the store, the servers and all clients.
    """
    with tempfile.TemporaryDirectory(prefix="hidalgo-bench-") as folder:
        figures = list(measure(Path(folder), Plan(**plan)))
    ctx.exit(report(figures, as_json=as_json, limits=not no_limits))


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    workers: int
    tables: int
    seconds: float
    rounds: int


def measure(folder: Path, plan: Plan) -> Iterator[Figure]:
    with ExitStack() as until_the_end:
        room = Room(folder, plan, until_the_end)
        ours, bare = room.clients(OURS), room.clients(FLASK)
        peers = bare_peers(room)
        for _ in range(plan.rounds):
            for clients in (ours, bare, *peers.values()):
                clients.sample(plan.seconds)
        yield from compared(ours.samples, bare.samples)
        for peer, clients in peers.items():
            yield from beside(peer, ours.samples, clients.samples)
        alone = until_the_end.enter_context(Clients(ours.server, room.hall, 1, room.store))
        yield from layers(
            room.store.url, room.hall.play_alone(MOVES_ALONE), lambda: alone.sample(plan.seconds / 4).waits
        )


def bare_peers(room: Room) -> dict[Peer, Clients]:
    if has_fastapi():
        return {BARE_FASTAPI: room.clients(FASTAPI)}
    click.echo(WITHOUT_FASTAPI, err=True)
    return {}


class Room:
    """A store, and servers that share it, each with clients of its own."""

    def __init__(self, folder: Path, plan: Plan, until_the_end: ExitStack) -> None:
        self.store, close = open_store(None, folder / "store")
        until_the_end.callback(close)
        self.hall = Hall(self.store)
        self._log, self._tables, self._until_the_end = folder / "log", plan.tables, until_the_end
        self._settings = Settings(store_url=self.store.url, workers=plan.workers)

    def clients(self, program: str) -> Clients:
        server = self._until_the_end.enter_context(serving(program, self._settings, self._log))
        return self._until_the_end.enter_context(Clients(server, self.hall, self._tables, self.store))


# Figures


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


def compared(ours: Sequence[Sample], bare: Sequence[Sample]) -> Iterator[Figure]:
    """The promises: ours against the bare endpoint on the same framework."""
    yield Figure("accepted moves", rate(ours), "/s")
    yield Figure("requests to the bare endpoint", rate(bare), "/s")
    yield Figure("moves to bare requests", ratio(ours, bare), "×", at_least=0.5)
    yield from processors(ours, bare)
    for percent in (50, 99):
        mine, floor = (percentile(waits(samples), percent) for samples in (ours, bare))
        yield Figure(f"a move: {percent} %", mine, "ms")
        yield Figure(f"a bare request: {percent} %", floor, "ms")
        yield Figure(f"a move to a bare request: {percent} %", mine / floor, "×", at_most=2.5)
    trips = sum(sample.trips for sample in ours) / sum(sample.moves for sample in ours)
    yield Figure("round trips to the store, a move", trips, "", at_most=2)


def processors(ours: Sequence[Sample], bare: Sequence[Sample]) -> Iterator[Figure]:
    mine, floor = server_processor("a move", ours), server_processor("a bare request", bare)
    yield from (*mine, store_processor("a move", ours), *floor, store_processor("a bare request", bare))
    for move, request in zip(mine, floor, strict=True):
        yield Figure("the server's processor, move to bare", move.value / request.value, "×", at_most=2)


def server_processor(name: str, samples: Sequence[Sample]) -> list[Figure]:
    """One figure, or none where the system does not tell."""
    used = [sample.server for sample in samples if sample.server is not None]
    cost = 1e6 * sum(used) / sum(sample.moves for sample in samples)
    return [Figure(f"the server's processor, {name}", cost, "µs")] if used else []


def store_processor(name: str, samples: Sequence[Sample]) -> Figure:
    cost = 1e6 * sum(sample.store for sample in samples) / sum(sample.moves for sample in samples)
    return Figure(f"the store's processor, {name}", cost, "µs")


@dataclass(frozen=True)
class Peer:
    """A server that others built or would have built, and the names of its figures. It has no limits."""

    rate: str
    ratio: str
    request: str


BARE_FASTAPI = Peer("requests to bare FastAPI", "moves to bare FastAPI requests", "a bare FastAPI request")


def beside(peer: Peer, ours: Sequence[Sample], theirs: Sequence[Sample]) -> Iterator[Figure]:
    yield Figure(peer.rate, rate(theirs), "/s")
    yield Figure(peer.ratio, ratio(ours, theirs), "×")
    yield from server_processor(peer.request, theirs)
    for percent in (50, 99):
        yield Figure(f"{peer.request}: {percent} %", percentile(waits(theirs), percent), "ms")


def rate(samples: Sequence[Sample]) -> float:
    return median(sample.a_second for sample in samples)


def ratio(ours: Sequence[Sample], theirs: Sequence[Sample]) -> float:
    """The middle one of the ratios of samples that were taken one after the other."""
    return median(mine.a_second / other.a_second for mine, other in zip(ours, theirs, strict=True))


def waits(samples: Sequence[Sample]) -> list[float]:
    """Milliseconds of all moves."""
    return [wait for sample in samples for wait in sample.waits]


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

    def sample(self, seconds: float) -> Sample:
        for table in self.tables:
            self.hall.prepare(table, int(MOST_A_SECOND * seconds / len(self.tables)) + 1)
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
        answer += client.recv(65536)
        head, ended, body = answer.partition(b"\r\n\r\n")
        found = LENGTH.search(head)
        if ended and (not found or len(body) >= int(found[1])):
            return answer


def used_by_the_store(store: Store) -> tuple[float, int]:
    """Seconds of the processor, and requests read, so far."""
    info: dict[str, Any] = store.commands.info("everything")
    return info["used_cpu_user"] + info["used_cpu_sys"], info["total_reads_processed"]
