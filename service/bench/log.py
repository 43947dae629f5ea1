"""`hidalgo bench log`: what the log costs, as ratios to the bare store in the same run."""

from __future__ import annotations

import random
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from itertools import chain, count
from pathlib import Path
from statistics import median
from typing import Any

import click
from msgspec import Struct

from events.buckets import USUAL
from events.games import Games
from events.history import fold, replay
from events.log import StoredGame, codec
from events.log.redis import RedisLog
from events.store import Store, open_store
from events.store.direct import direct
from events.table import stored
from events.table.commands import Join, Leave, Play, Start
from events.table.decider import GAME
from rules.catalogue import DEFAULT
from rules.codec import codec_for
from rules.forms import Pick
from rules.kernel import Answer, State, options, waiting
from service.bench.figures import Figure, report
from service.bench.packing import FEWEST_GAMES, FINISHED_GAMES, finished_game, packed_games

WRITERS = (1, 16, 64)
SLICES = 4
GAMES_BEHIND = 100_000
WHOLE_GAMES = 100
"""Of so many stored games one was played to its end; the others were just created, as a whole one takes 150 kB."""
FEW, MANY, LONGEST = 10, 2_000, 1_000_000


@click.command("log")
@click.option("--url", envvar="REDIS_URL", help="Measure this store instead of an embedded one.")
@click.option("--seconds", type=click.FloatRange(0.05), default=1.0, show_default=True, help="Length of a sample.")
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True, help="Samples of each kind.")
@click.option("--behind", type=click.IntRange(10), default=GAMES_BEHIND, show_default=True, help="Games stored before.")
@click.option(
    "--finished", type=click.IntRange(FEWEST_GAMES), default=FINISHED_GAMES, show_default=True, help="Games packed."
)
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_log(
    ctx: click.Context,
    url: str | None,
    seconds: float,
    rounds: int,
    behind: int,
    finished: int,
    no_limits: bool,
    as_json: bool,
) -> None:
    """Measure the log against the bare store behind it, in one run.

    Samples of what is compared take turns, and the median counts, so that other work on the machine disturbs both.
    Use a store of its own: the embedded one is made in a temporary directory and thrown away. Finished games, before
    and after they are packed, are measured in an embedded one in any case, because that is started anew.
    """
    with (
        tempfile.TemporaryDirectory(prefix="hidalgo-bench-") as data,
        opened(url, Path(data, "full")) as store,
        opened(url, Path(data, "lonely")) as other,
    ):
        lonely = None if url else RedisLog(other)
        figures = list(measure(store, lonely, seconds, rounds, behind))
        figures += packed_games(Path(data, "finished"), finished, rounds)
    ctx.exit(report(figures, as_json=as_json, limits=not no_limits))


@contextmanager
def opened(url: str | None, data: Path) -> Iterator[Store]:
    store, close = open_store(url, data)
    try:
        yield store
    finally:
        close()


def measure(store: Store, lonely: RedisLog | None, seconds: float, rounds: int, behind: int) -> Iterator[Figure]:
    log = RedisLog(store)
    yield from throughput(store, log, seconds, rounds)
    yield from loading(Games(log), rounds)
    yield from sizes(store, log)
    yield from length_of_the_game(log, seconds, rounds)
    yield from stored_games(log, lonely, seconds, rounds, behind)


# Appending


def throughput(store: Store, log: RedisLog, seconds: float, rounds: int) -> Iterator[Figure]:
    """Appends a second, against a bare `XADD` of the same bytes with the same fsync."""
    for writers in WRITERS:
        ours, bare, barest = [], [], []
        # Disks have moods that last for seconds: short samples side by side, and the middle one of their ratios.
        for _ in range(rounds * SLICES):
            ours.append(per_second(writers, seconds / SLICES, lambda: appender(log)))
            bare.append(per_second(writers, seconds / SLICES, lambda: adder(store.commands.execute_command)))
            barest.append(per_second(writers, seconds / SLICES, lambda: adder(direct(store.commands))))
        yield Figure(f"appends, {writers} at once", median(ours), "/s")
        yield Figure(f"bare XADD, {writers} at once", median(bare), "/s")
        yield Figure(f"appends to bare XADD, {writers} at once", _ratio(ours, bare), "×", at_least=0.8)
        yield Figure(f"appends to XADD by our own direct way, {writers} at once", _ratio(ours, barest), "×")


def _ratio(lefts: list[float], rights: list[float]) -> float:
    return median(left / right for left, right in zip(lefts, rights, strict=True))


class Script(Struct, frozen=True):
    """A real game of four, as it was played over HTTP, to be written into the log again and again."""

    stored: StoredGame
    hashes: list[bytes]
    """The part of each entry by which the next one recognises it."""


@cache
def script() -> Script:
    stored, state, hashes = finished_game(1).stored, None, []
    for entry in stored.entries:
        state = fold(GAME, [entry], state)
        assert state is not None, "an entry makes a state"
        hashes.append(codec.own_hash(state.head))
    return Script(stored, hashes)


_names = count()


def appender(log: RedisLog, length: int | None = None, name: str = "bench") -> Callable[[], None]:
    """Appends real moves, game after game; games that are longer than the real one repeat its moves."""
    turns = chain.from_iterable(written(log, length or len(script().hashes), name) for _ in count())
    return lambda: next(turns)


def written(log: RedisLog, length: int, name: str) -> Iterator[None]:
    game, played = f"{name}-{next(_names)}", script()
    last, secret = b"", played.stored.secret
    for version in range(length):
        number = version % len(played.hashes)
        entry, command = played.stored.entries[number], f"{version:0{len(played.stored.commands[0])}}"
        log.append(game, version, entry, command=command, last=last, secret=secret)
        last, secret = played.hashes[number], b""
        yield


def adder(execute: Callable[..., Any]) -> Callable[[], None]:
    """Adds the entries of the same games to streams, and nothing else."""

    def added() -> Iterator[None]:
        while True:
            name = f"bench-{next(_names)}"
            key = USUAL.key_of(name, f"bare:{name}")
            for entry in script().stored.entries:
                yield execute("XADD", key, "*", "c", entry)

    turns = added()
    return lambda: next(turns)


def per_second(writers: int, seconds: float, make: Callable[[], Callable[[], None]]) -> float:
    """How often all writers together do their work in a second."""
    works = [make() for _ in range(writers)]
    for work in works:
        work()
    end = time.perf_counter() + seconds
    with ThreadPoolExecutor(writers) as pool:
        began = time.perf_counter()
        done = sum(pool.map(lambda work: _until(end, work), works))
        return done / (time.perf_counter() - began)


def _until(end: float, work: Callable[[], None]) -> int:
    done = 0
    while time.perf_counter() < end:
        work()
        done += 1
    return done


# Loading


def loading(games: Games, rounds: int) -> Iterator[Figure]:
    """A long game, cold and warm, against its parts: reading, decoding, folding."""
    game = long_game(games, restless=80)
    entries = games.log.read(game)
    commits = [stored.read(entry, DEFAULT) for entry in entries[1:]]
    first = fold(GAME, entries[:1])
    assert first is not None
    works: dict[str, Callable[[], Any]] = {
        "cold": lambda: Games(games.log).load(game),
        "read": lambda: games.log.read(game),
        "decode": lambda: [stored.read(entry, DEFAULT) for entry in entries[1:]],
        "fold": lambda: deque(replay(GAME, commits, first), maxlen=1),
    }
    # Long work empties the processor's caches, and whatever comes next pays for it: short work is measured by itself.
    short_works: dict[str, Callable[[], Any]] = {
        "warm": lambda: games.load(game),
        "round trip": lambda: games.log.version(game),
    }
    times = _take_turns(works, 4 * rounds) | _take_turns(short_works, 100 * rounds)
    parts = times["read"] + times["decode"] + times["fold"]
    yield Figure(f"a game of {len(entries)} commits, cold", times["cold"], "ms")
    yield Figure("its bare read, decoding and folding", parts, "ms")
    yield Figure("cold load to the sum of its parts", times["cold"] / parts, "×", at_most=2)
    yield Figure("the same game, warm", times["warm"], "ms")
    yield Figure("warm load to a bare round trip", times["warm"] / times["round trip"], "×", at_most=2)


def long_game(games: Games, *, restless: int = 0) -> str:
    """A whole game of five in which no player ever holds back: about as many commits as a game can have.

    To make it longer still, a player sits down and stands up again so many times before it begins.
    """
    game = games.create(DEFAULT, 5).id
    for _ in range(restless):
        games.submit(game, Join("filler"))
        games.submit(game, Leave("filler"))
    state, pick = games.submit(game, Start()).after.state, random.Random(1).randrange
    while not state.is_over:
        state = games.submit(game, Play(_lengthy_answer(state, pick))).after.state
    return game


def _lengthy_answer(state: State, pick: Pick) -> Answer:
    """Anything legal, one step at a time, but no ending before everything is used up."""
    player = waiting(state)[0]
    [decision] = options(state, player)
    going_on = [form for form in decision.forms if form.kind not in state.board.rules.finishing] or decision.forms
    payload = going_on[pick(len(going_on))].sample(pick)
    return codec_for(state.board.variant).answer(player, {"decision": decision.id, **payload})


def _take_turns(works: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Median milliseconds of each piece of work, measured in turns."""
    samples: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            began = time.perf_counter()
            work()
            samples[name].append(1000 * (time.perf_counter() - began))
    return {name: median(taken) for name, taken in samples.items()}


# Growth


def sizes(store: Store, log: RedisLog) -> Iterator[Figure]:
    """The bytes of a commit of a real game, as it is written and in memory."""
    game = long_game(Games(log))
    entries = log.read(game)
    keys = [log.buckets.key_of(game, f"{what}:{game}") for what in ("log", "ids", "secret")]
    memory = sum(store.commands.memory_usage(key, samples=0) or 0 for key in keys)
    yield Figure("a commit, as written", sum(map(len, entries)) / len(entries), "bytes")
    yield Figure("a commit, in the store's memory", memory / len(entries), "bytes")


def length_of_the_game(log: RedisLog, seconds: float, rounds: int) -> Iterator[Figure]:
    """A move late in a long game must cost what a move early on costs."""
    long = appender(log, LONGEST)
    for _ in range(MANY):
        long()
    pairs = [(_append_to_fresh(log), long) for _ in range(rounds)]
    early, late = _medians(pairs, seconds)
    yield Figure(f"a move at commit {FEW}", early, "ms")
    yield Figure(f"a move at commit {MANY:,}", late, "ms")
    yield Figure("a late move to an early one", late / early, "×", at_most=1.1)


def _append_to_fresh(log: RedisLog) -> Callable[[], None]:
    """Appends to young games only: always another one that has ten commits."""
    young = [appender(log) for _ in range(300)]
    for _ in range(FEW):
        for append in young:
            append()
    turns = count()
    return lambda: young[next(turns) % len(young)]()


def stored_games(log: RedisLog, lonely: RedisLog | None, seconds: float, rounds: int, behind: int) -> Iterator[Figure]:
    """A move must cost the same however many games are stored: in a full store and a nearly empty one, by turns.

    Of a given store there is only one, so that it is measured before and after it is filled.
    """
    before = None if lonely else _medians([(appender(log), appender(log))] * rounds, seconds)[0]
    fill(log, behind)
    many, few = _medians([(appender(log), appender(lonely or log))] * rounds, seconds)
    few = few if before is None else before
    yield Figure("a move with few stored games", few, "ms")
    yield Figure(f"a move with {behind:,} more stored games", many, "ms")
    yield Figure("with many stored games to with few", many / few, "×", at_most=1.1)


def fill(log: RedisLog, games: int) -> None:
    """Store so many real games, whole ones and such that were just created; each waits for a distant deadline."""
    whole = script().stored

    def some(start: int) -> None:
        for number in range(start, games, WRITERS[1]):
            name, deadline = f"filler-{number}", 10**13 + number
            if number % WHOLE_GAMES == 0:
                log.restore(name, StoredGame(whole.entries, whole.commands, whole.secret, deadline))
            else:
                log.append(name, 0, whole.entries[0], command=whole.commands[0], deadline=deadline, secret=whole.secret)

    with ThreadPoolExecutor(WRITERS[1]) as pool:
        list(pool.map(some, range(WRITERS[1])))
    assert sum(1 for bucket in log.buckets.all for _ in log.games(bucket)) >= games


def _medians(pairs: Sequence[tuple[Callable[[], None], Callable[[], None]]], seconds: float) -> tuple[float, float]:
    """Median milliseconds of the left and the right work, done by turns."""
    lefts: list[float] = []
    rights: list[float] = []
    for left, right in pairs:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            for work, samples in ((left, lefts), (right, rights)):
                began = time.perf_counter()
                work()
                samples.append(1000 * (time.perf_counter() - began))
    return median(lefts), median(rights)
