"""`hidalgo bench api`: what a move costs over HTTP, against bare endpoints in the same run.

All of them write to the same store, which syncs every write. The bare endpoint on Flask runs on the same server as ours
with the same settings, and is the yardstick; one on FastAPI is measured beside them (`service.bench.bare`).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import click

from service.bench.bare import FASTAPI, FLASK, has_fastapi
from service.bench.beside_notifier import beside_notifier
from service.bench.boardgame_io import Players, boardgame_io
from service.bench.clients import Clients, Plan, Room, Sample
from service.bench.figures import Figure, report
from service.bench.layers import layers
from service.bench.servers import OURS, percentile

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
@click.option("--boardgame-io", "with_boardgame_io", is_flag=True, help="Also measure boardgame.io, from npm.")
@click.option(
    "--scheduler/--no-scheduler", default=True, help="Then also play with a scheduler beside: can the notifier follow?"
)
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_api(
    ctx: click.Context, /, with_boardgame_io: bool, scheduler: bool, no_limits: bool, as_json: bool, **options: Any
) -> None:
    """Measure moves over HTTP with everything on, against bare endpoints with one append as durable.

    Samples of all take turns, and the middle one of their ratios counts, so that other work on the machine disturbs
    all of them. Everything shares this machine: the store, the servers and all clients.
    """
    plan = Plan(**options)
    with tempfile.TemporaryDirectory(prefix="hidalgo-bench-") as name:
        folder = Path(name)
        figures = list(measure(folder / "moves", plan, with_boardgame_io=with_boardgame_io))
        if scheduler:
            figures += beside_notifier(folder / "notifier", plan)
    ctx.exit(report(figures, as_json=as_json, limits=not no_limits))


def measure(folder: Path, plan: Plan, *, with_boardgame_io: bool = False) -> Iterator[Figure]:
    with ExitStack() as until_the_end:
        room = Room(folder, plan, until_the_end)
        ours, bare = room.clients(OURS), room.clients(FLASK)
        peers: dict[Peer, Clients | Players] = {**bare_peers(room)}
        if with_boardgame_io:
            found = boardgame_io(folder / "boardgame.io", plan.tables, until_the_end)
            peers |= {at_boardgame_io(storage): players for storage, players in found.items()}
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


# Figures


def compared(ours: Sequence[Sample], bare: Sequence[Sample]) -> Iterator[Figure]:
    """The promises: ours against the bare endpoint on the same framework."""
    yield Figure("accepted moves", rate(ours), "/s")
    yield Figure("requests to the bare endpoint", rate(bare), "/s")
    yield Figure("moves to bare requests", ratio(ours, bare), "×", at_least=0.8)
    yield from processors(ours, bare)
    for percent in (50, 99):
        mine, floor = (percentile(waits(samples), percent) for samples in (ours, bare))
        yield Figure(f"a move: {percent} %", mine, "ms")
        yield Figure(f"a bare request: {percent} %", floor, "ms")
        yield Figure(f"a move to a bare request: {percent} %", mine / floor, "×", at_most=1.5)
    trips = sum(sample.trips for sample in ours) / sum(sample.moves for sample in ours)
    yield Figure("round trips to the store, a move", trips, "", at_most=2)


def processors(ours: Sequence[Sample], bare: Sequence[Sample]) -> Iterator[Figure]:
    mine, floor = server_processor("a move", ours), server_processor("a bare request", bare)
    yield from (*mine, store_processor("a move", ours), *floor, store_processor("a bare request", bare))
    for move, request in zip(mine, floor, strict=True):
        yield Figure("the server's processor, move to bare", move.value / request.value, "×", at_most=1.3)


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


def at_boardgame_io(storage: str) -> Peer:
    return Peer(
        f"moves at boardgame.io, {storage}", f"our moves to boardgame.io, {storage}", f"boardgame.io, {storage}"
    )


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
