"""`hidalgo bench capacity`: what a machine holds, and what many games and players need, computed from measured figures.

The figures are in `docs/figures.json`, each with the command that has measured it; the page is `docs/scale.md`:
`./hidalgo bench capacity > docs/scale.md`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path
from textwrap import wrap

import click
import msgspec
from msgspec import Struct

from events.buckets import USUAL

FIGURES = Path(__file__).parents[2] / "docs" / "figures.json"

BUSY = 0.6
"""So much of a processor may be taken on average: the rest is for peaks."""
SECONDS_A_MOVE = 10
"""A table of a live game sees a move so often."""
TABLE = 4
REWRITE = 2
"""A file grows to so many times its games before it is rewritten; a rewrite needs as much room again beside it."""
MEMORY_SHARE = 0.5
"""Of the machine's memory, for the store; while its file is rewritten it may need more than the games."""

MILLIONS = ((10_000, 990_000, 0), (10_000, 90_000, 900_000), (2_500, 10_000, 987_500))
"""Of a million games: in play, packed, archived."""


class Measured(Struct, frozen=True):
    value: float
    by: str
    on: str
    about: str


class Needs(Struct, frozen=True):
    """Games by their state, and what they need."""

    running: int
    packed: int
    archived: int
    memory_gb: float
    disk_gb: float
    archive_gb: float
    start: float
    """Seconds."""


@click.command("capacity")
def bench_capacity() -> None:
    """Print docs/scale.md, computed from the figures that were measured."""
    click.echo(page(figures()), nl=False)


def figures(file: Path = FIGURES) -> dict[str, Measured]:
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Measured])


def needs(measured: Mapping[str, Measured], running: int, packed: int, archived: int) -> Needs:
    """A running game is half as long as a finished one, on average."""

    def of(name: str) -> float:
        return measured[name].value

    in_play, small = running * of("finished_game_kb") / 2, packed * of("packed_game_kb")
    listed = (running + packed + archived) * of("archived_game_kb")
    start = running * of("running_start_ms") / 2 + (packed + archived) * of("packed_start_ms")
    memory = (in_play + small + listed) / 1e6
    return Needs(
        running, packed, archived, memory, memory * (REWRITE + 1), archived * of("packed_game_kb") / 1e6, start / 1000
    )


def cores(measured: Mapping[str, Measured], moves: float) -> tuple[float, float, int]:
    """Processors of web servers and of the store, and the schedulers, for so many moves a second."""
    web = moves * measured["move_us"].value / 1e6 / BUSY
    store = moves * measured["store_move_us"].value / 1e6 / BUSY
    return web, store, ceil(moves / measured["notified_moves"].value / BUSY)


def page(measured: Mapping[str, Measured]) -> str:
    return "\n".join(lines(measured)) + "\n"


def lines(measured: Mapping[str, Measured]) -> Iterator[str]:
    yield from ("# How far does it grow?", "")
    yield from paragraph(
        "This page is computed: `./hidalgo bench capacity > docs/scale.md` reads the figures of `docs/figures.json` "
        "and multiplies. Nothing below was tried at its size, but for what "
        "[performance.md](performance.md#a-hundred-thousand-games) tells."
    )
    yield from games_of_a_machine(measured)
    yield from a_million_games(measured)
    yield from players(measured)
    yield from nodes(measured)
    yield from sources(measured)


def paragraph(*sentences: str) -> Iterator[str]:
    yield from wrap(" ".join(sentences), 132, break_long_words=False, break_on_hyphens=False)
    yield ""


def table(*rows: Sequence[object]) -> Iterator[str]:
    head, *others = (f"| {' | '.join(map(str, row))} |" for row in rows)
    yield from (head, "|---" * len(rows[0]) + "|", *others, "")


def games_of_a_machine(measured: Mapping[str, Measured]) -> Iterator[str]:
    yield from ("## What one machine holds", "")
    yield from paragraph(
        f"The store may fill {MEMORY_SHARE:.0%} of the memory (`HIDALGO_STORE_MEMORY`).",
        "Games of four, of ordinary length:",
    )
    each = [needs(measured, *kind).memory_gb for kind in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    yield from table(
        ("memory of the machine", "games in play", "or packed", "or archived"),
        *((f"{memory} GB", *(rounded(memory * MEMORY_SHARE / one) for one in each)) for memory in (2, 8, 32, 128)),
    )


def a_million_games(measured: Mapping[str, Measured]) -> Iterator[str]:
    yield from ("## What a million games need", "")
    yield from paragraph(
        f"A file of the store grows to {REWRITE} times its games before it is rewritten, and the new one is written "
        "beside it. The start is that of one server whose file was just rewritten; the nodes of a cluster start at "
        "once, each with its share."
    )
    yield from table(
        ("in play", "packed", "archived", "memory for games", "disk of the store", "archive", "start"),
        *(_row(needs(measured, *kind)) for kind in MILLIONS),
    )
    small, large = (needs(measured, *kind).memory_gb / MEMORY_SHARE for kind in (MILLIONS[-1], MILLIONS[0]))
    yield from paragraph(
        f"So a million games fit on a machine of {ceil(small)} GB if those that are over go to the archive, "
        f"and ask for {ceil(large)} GB, or for a cluster, if they all stay."
    )


def _row(one: Needs) -> Sequence[str]:
    games = (f"{count:,}" for count in (one.running, one.packed, one.archived))
    sizes = (f"{one.memory_gb:.1f} GB", f"{one.disk_gb:.0f} GB", f"{one.archive_gb:.0f} GB")
    return (*games, *sizes, f"{one.start:.0f} s")


def players(measured: Mapping[str, Measured]) -> Iterator[str]:
    yield from ("## What players need", "")
    yield from paragraph(
        f"Tables of {TABLE}, a move every {SECONDS_A_MOVE} seconds at each, an open stream for every player, "
        f"processors that are busy for {BUSY:.0%} of the time:"
    )
    yield from table(
        ("players", "moves a second", "processors: web", "store", "schedulers", "workers for streams"),
        *(_players(measured, count) for count in (500, 2_000, 10_000, 40_000)),
    )
    yield from paragraph(
        "So ten thousand players at once are no matter of the store, but of processes that hold their streams and "
        "write their notices: both are added by starting more of them, here or on other machines "
        "([deployment.md](deployment.md))."
    )


def _players(measured: Mapping[str, Measured], count: int) -> Sequence[object]:
    moves = count / TABLE / SECONDS_A_MOVE
    web, store, schedulers = cores(measured, moves)
    workers = ceil(count / measured["streams"].value)
    return f"{count:,}", f"{moves:,.0f}", f"{web:.2f}", f"{store:.2f}", schedulers, workers


def nodes(measured: Mapping[str, Measured]) -> Iterator[str]:
    one_store = BUSY * 1e6 / measured["store_move_us"].value
    yield from ("## When one store is not enough", "")
    yield from paragraph(
        f"One store takes about {one_store:,.0f} moves a second with {BUSY:.0%} of its one processor: "
        f"{one_store * TABLE * SECONDS_A_MOVE:,.0f} players at this pace. Memory asks for a cluster sooner: games, "
        f"their notes and the lists of players are spread evenly over its nodes, in {USUAL.count} buckets, or in more "
        "if the store began with more ([deployment.md](deployment.md#buckets)): more nodes than buckets are of no use. "
        f"Three nodes on the cores of one store made {measured['cluster'].value:.2f} of its appends, "
        "so that a node on cores of its own adds about that part of what one store does. The clock and the lease of "
        "the processes are on one node: a few questions a second for each process."
    )


def sources(measured: Mapping[str, Measured]) -> Iterator[str]:
    yield from ("## The figures", "")
    yield from paragraph("Two virtual cores, Debian 12, Python 3.11.7; see [performance.md](performance.md).")
    rows = [
        (f"{one.about} (`{name}`)", f"{one.value:g}", f"`hidalgo {one.by}`", one.on) for name, one in measured.items()
    ]
    yield from list(table(("figure", "measured", "by", "on"), *rows))[:-1]


def rounded(number: float) -> str:
    """Two digits are all that such figures are worth."""
    size = 10 ** max(0, len(str(int(number))) - 2)
    return f"{int(number) // size * size:,}"
