"""`hidalgo bench api`: what a move costs over HTTP, against bare endpoints in the same run.

Ours is the whole service, with its scheduler and all notices. All of them write to the same store, which syncs every
write. The bare endpoint on Flask runs on the same server as ours with the same settings, and is the yardstick; one
without a framework and one on FastAPI are measured beside them (`service.bench.bare`). It is a fair yardstick of what
is around a move, and none of how fast an endpoint can be: it is written as Flask's and the store client's own
documentation would have it, and goes through both of them, where our move goes beside them.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import click

from service.bench.bare import FASTAPI, FLASK, WSGI, has_fastapi
from service.bench.boardgame_io import Players, boardgame_io
from service.bench.clients import Clients, Plan, Room, Sample
from service.bench.figures import Figure, report
from service.bench.following import Following, followed
from service.bench.layers import layers
from service.bench.servers import OURS, WHOLE_SERVICE

MOVES_ALONE = 1000
"""So many are looked at layer by layer."""
CORES_FOR_TWO = 4
"""Two workers, the store and the clients: with fewer cores, more workers cannot be faster."""
WITHOUT_FASTAPI = (
    "the bare FastAPI endpoint is left out; to measure it, run "
    f"{sys.executable} -m pip install -c constraints.txt -e '.[bench]'"
)


@click.command("api")
@click.option(
    "--workers",
    type=click.IntRange(1),
    multiple=True,
    default=(1, 2),
    show_default=True,
    help="Processes that answer; may be repeated: the same games are also played with each of the others.",
)
@click.option("--tables", type=click.IntRange(1), default=16, show_default=True, help="Games played at once.")
@click.option("--seconds", type=click.FloatRange(0.05), default=0.5, show_default=True, help="Length of a sample.")
@click.option("--rounds", type=click.IntRange(1), default=20, show_default=True, help="Samples of each kind.")
@click.option("--starts", type=click.IntRange(1), default=4, show_default=True, help="Starts of all servers.")
@click.option("--boardgame-io", is_flag=True, help="Also measure boardgame.io, from npm.")
@click.option(
    "--scheduler/--no-scheduler", default=True, help="Run it as 'hidalgo serve' does, or see what it costs beside."
)
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_api(ctx: click.Context, /, no_limits: bool, as_json: bool, **options: Any) -> None:
    """Measure moves over HTTP with everything on, against bare endpoints with one append as durable.

    Samples of all take turns, and the middle one of their ratios counts, so that other work on the machine disturbs
    all of them; the servers are started several times, because each start may be a lucky one. Everything shares this
    machine: the store, the servers and all clients.
    """
    with tempfile.TemporaryDirectory(prefix="hidalgo-bench-") as folder:
        figures = list(measure(Path(folder), Plan(**options)))
    ctx.exit(report(figures, as_json=as_json, limits=not no_limits))


def measure(folder: Path, plan: Plan) -> Iterator[Figure]:
    with ExitStack() as until_the_end:
        room = Room(folder, plan, until_the_end)
        ours, bare = room.clients(WHOLE_SERVICE if plan.scheduler else OURS), room.clients(FLASK)
        # Their games are served by the scheduler that is beside, if there is one.
        more = {workers: (room.clients(OURS, workers), room.clients(FLASK, workers)) for workers in plan.workers[1:]}
        peers: dict[Peer, Clients | Players] = {**bare_peers(room)}
        if plan.boardgame_io:
            found = boardgame_io(folder / "boardgame.io", plan.tables, until_the_end)
            peers |= {at_boardgame_io(storage): players for storage, players in found.items()}
        all_ours, all_bare = zip((ours, bare), *more.values(), strict=True)
        noticed = [Following(clients) for clients in all_ours if plan.scheduler]
        turns: list[Clients | Players | Following] = [*(noticed or all_ours), *all_bare, *peers.values()]
        for turn in range(plan.rounds):
            if turn and turn % -(-plan.rounds // plan.starts) == 0:
                room.restart()
            for clients in turns:
                clients.sample(plan.seconds)
        yield from compared(ours.samples, bare.samples)
        for following in noticed[:1]:
            yield from followed(following)
        for workers, (our_more, bare_more) in more.items():
            both = (ours.samples, our_more.samples), (bare.samples, bare_more.samples)
            yield from shared(plan.workers[0], workers, *both)
        for peer, clients in peers.items():
            yield from beside(peer, ours.samples, clients.samples)
        alone = Clients(ours.server, room.hall, 1, room.store)
        yield from layers(
            room.store.url, room.hall.play_alone(MOVES_ALONE), lambda: alone.sample(plan.seconds / 4).waits
        )


def bare_peers(room: Room) -> dict[Peer, Clients]:
    peers = {BARE_WSGI: room.clients(WSGI)}
    if has_fastapi():
        return peers | {BARE_FASTAPI: room.clients(FASTAPI)}
    click.echo(WITHOUT_FASTAPI, err=True)
    return peers


# Figures


def compared(ours: Sequence[Sample], bare: Sequence[Sample]) -> Iterator[Figure]:
    """The promises: ours against the bare endpoint on the same framework."""
    yield Figure("accepted moves", rate(ours), "/s")
    yield Figure("requests to the bare endpoint", rate(bare), "/s")
    yield Figure("moves to bare requests", ratio(ours, bare), "×", at_least=0.8)
    yield from processors(ours, bare)
    for percent in (50, 99):
        yield Figure(f"a move: {percent} %", wait(ours, percent), "ms")
        yield Figure(f"a bare request: {percent} %", wait(bare, percent), "ms")
        waited = ratio(ours, bare, lambda sample, percent=percent: sample.wait(percent))  # type: ignore[misc]
        yield Figure(f"a move to a bare request: {percent} %", waited, "×", at_most=1.5)
    yield Figure("round trips to the store, a move", trips(ours), "", at_most=2)


def shared(few: int, workers: int, ours: Samples, bare: Samples) -> Iterator[Figure]:
    """With more workers the players of a game reach different processes: both figures of each, before and after.

    Limits are promised for one worker more.
    """
    name, is_one_more = f"{workers} workers", workers == few + 1
    enough = 1.4 if is_one_more and (os.cpu_count() or 1) >= CORES_FOR_TWO else None
    yield Figure(f"moves with {name}, to {few}", ratio(ours[1], ours[0]), "×", at_least=enough)
    yield Figure(f"bare requests with {name}, to {few}", ratio(bare[1], bare[0]), "×")
    for percent in (50, 99):
        yield Figure(f"a move, {name}: {percent} %", wait(ours[1], percent), "ms")
    yield Figure(f"round trips to the store, a move, {name}", trips(ours[1]), "", at_most=1.2)
    if has_costs(ours[0]):
        cost = cost_ratio(ours[1], ours[0])
        most = (1.15, 1.3) if is_one_more else (None, None)
        yield Figure(f"the server's processor, a move, {name} to {few}", cost, "×", at_most=most[0])
        yield Figure(f"the same, a bare request, {name} to {few}", cost_ratio(bare[1], bare[0]), "×")
        beside = cost_ratio(ours[1], bare[1])
        yield Figure(f"the server's processor, move to bare, {name}", beside, "×", at_most=most[1])


Samples = tuple[Sequence[Sample], Sequence[Sample]]
"""With few workers, and with more."""


def processors(ours: Sequence[Sample], bare: Sequence[Sample]) -> Iterator[Figure]:
    yield from (*server_processor("a move", ours), store_processor("a move", ours))
    yield from (*server_processor("a bare request", bare), store_processor("a bare request", bare))
    if has_costs(ours):
        yield Figure("the server's processor, move to bare", cost_ratio(ours, bare), "×", at_most=1.3)


def server_processor(name: str, samples: Sequence[Sample]) -> list[Figure]:
    """One figure, or none where the system does not tell."""
    if not has_costs(samples):
        return []
    return [Figure(f"the server's processor, {name}", median(sample.cost or 0 for sample in samples), "µs")]


def store_processor(name: str, samples: Sequence[Sample]) -> Figure:
    cost = 1e6 * sum(sample.store for sample in samples) / sum(sample.moves for sample in samples)
    return Figure(f"the store's processor, {name}", cost, "µs")


@dataclass(frozen=True)
class Peer:
    """A server that others built or would have built, and the names of its figures. It has no limits."""

    rate: str
    ratio: str
    request: str


BARE_WSGI = Peer("requests to bare WSGI, without a framework", "moves to bare WSGI requests", "a bare WSGI request")
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
        yield Figure(f"{peer.request}: {percent} %", wait(theirs, percent), "ms")


def rate(samples: Sequence[Sample]) -> float:
    return median(sample.a_second for sample in samples)


def ratio(
    ours: Sequence[Sample], theirs: Sequence[Sample], of: Callable[[Sample], float] = lambda sample: sample.a_second
) -> float:
    """The middle one of the ratios of samples that were taken one after the other."""
    return median(of(mine) / of(other) for mine, other in zip(ours, theirs, strict=True))


def cost_ratio(ours: Sequence[Sample], theirs: Sequence[Sample]) -> float:
    return ratio(ours, theirs, lambda sample: sample.cost or 0)


def has_costs(samples: Sequence[Sample]) -> bool:
    """Whether the system tells what a server uses."""
    return all(sample.cost is not None for sample in samples)


def wait(samples: Sequence[Sample], percent: int) -> float:
    """Milliseconds, as in the middle one of the samples."""
    return median(sample.wait(percent) for sample in samples)


def trips(samples: Sequence[Sample]) -> float:
    """Requests that the store has read, a move."""
    return sum(sample.trips for sample in samples) / sum(sample.moves for sample in samples)
