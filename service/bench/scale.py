"""`hidalgo bench scale`: lists, the index, the archive and the start of the store, with many games stored."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from unittest.mock import patch

import click

from events.archive.directory import Directory
from events.audit.verify import verify_chain
from events.games import Games
from events.history import replay
from events.log import BY_THE_NOTE, StoredGame, packing
from events.log.redis import RedisLog
from events.repository import now_ms
from events.store import Store, connect, open_store
from events.store.at_once import at_once
from events.table.decider import GAME
from events.table.time_control import TimeControl
from events.workers.archiver import Archiver, When
from rules.catalogue import GAMES
from rules.codec import encode
from service.bench.copies import QUICKLY, many
from service.bench.figures import Figure, report
from service.bench.lateness import begin, missed_deadline
from service.bench.packing import memory, rewrite, started
from service.bench.servers import percentile
from service.games.game_index_keys import ended_keys, entry, keys_of
from service.games.game_lists import GameFilter, GameList, ended_list, list_of, public_list
from service.games.representations import Moment, game_resources
from service.games.summary_notes import read
from service.operations.scheduler import scheduling
from service.services import Services, services
from service.settings import Settings

PLAYERS = 2_000
WRITERS, GAMES_AT_ONCE = 4, 100
SECONDS_AT_LEAST, SECONDS_A_GAME = 120.0, 0.05
"""So long the index may take, with much else to do on the machine: longer, and it will never be complete."""
EMPTY = 1_500_000
"""Bytes of a store without games."""
PAGES = 6
"""So many pages of each list are read, one after the other."""
REAL = 20
"""So many tables have deadlines while the index is made anew."""
LIMITS_MS = (1_500, 4_000)
APART_MS = 1_000
PAGE_MS, LATE_SECONDS, KB_ARCHIVED = 100, 1, 1


PLAYED = next(iter(GAMES))

FILTERS = (
    GameFilter(),
    GameFilter(status="running"),
    GameFilter(status="over"),
    GameFilter(status="open"),
    GameFilter(rules=PLAYED),
    GameFilter(players=3),
    GameFilter(expansion="-"),
    GameFilter(clock="with"),
    GameFilter(status="over", game=PLAYED),
)


@click.command("scale")
@click.option("--games", type=click.IntRange(100), default=100_000, show_default=True, help="Games that are stored.")
@click.option("--archived", type=click.IntRange(1), default=20_000, show_default=True, help="Games that leave.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the games in this directory, and use those that are there.",
)
@click.option("--no-limits", is_flag=True, help="Print the figures, and never fail.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def bench_scale(
    ctx: click.Context, games: int, archived: int, data: Path | None, no_limits: bool, as_json: bool
) -> None:
    """Store many games, half of them over, in an embedded store, and look at what depends on their number.

    They are copies of real games, each with its own id, players and chain; one of fifty is a full one. Every page of a
    list is read by a process that has seen no game.
    """
    with TemporaryDirectory() as folder:
        figures = list(measured(data or Path(folder), games, archived))
    ctx.exit(report(figures, as_json=as_json, limits=not no_limits))


def measured(folder: Path, games: int, archived: int) -> Iterator[Figure]:
    accounts = [f"a_player{number:08}" for number in range(PLAYERS)]
    data = folder / "data"
    if not data.exists():
        yield from filled(data, accounts, games)
    with started(data) as store:
        empty, used = EMPTY, memory(store)
        yield Figure("a stored game, half of them over and packed", (used - empty) / games / 1000, "kB")
        yield from rebuilt(store, games)
        yield Figure("its note and its place in lists", (memory(store) - used) / games / 1000, "kB")
        yield from pages(store, accounts)
        rewrite(store)
    yield started_in(data, f"start of the store with {games:,} games")
    yield from left(folder, data, archived)
    yield started_in(data, f"start of the store when {archived:,} have left")


def started_in(data: Path, name: str) -> Figure:
    began = time.perf_counter()
    with started(data):
        return Figure(name, time.perf_counter() - began, "s")


def filled(data: Path, accounts: Sequence[str], games: int) -> Iterator[Figure]:
    began = time.perf_counter()
    store, close = open_store(None, data, "everysec", report=lambda line: None)
    log = RedisLog(store)
    copies = many(games, accounts, now_ms() - games * APART_MS, APART_MS)
    with patch.object(packing, "COMPRESSION", QUICKLY), ThreadPoolExecutor(WRITERS) as writers:
        while some := list(islice(copies, GAMES_AT_ONCE)):
            list(writers.map(partial(keep, log), some))
    for bucket in log.buckets.all:
        # A backup that is put back tells the notifier of every game; that is not what is measured here.
        store.commands.delete(log._keys.of_bucket(bucket, "feed"))
    rewrite(store)
    close()
    yield Figure("games were copied, each", 1000 * (time.perf_counter() - began) / games, "ms")


def keep(log: RedisLog, copied: tuple[str, StoredGame, bool]) -> None:
    name, stored, is_over = copied
    log.restore(name, stored)
    if is_over:
        assert log.pack(name, packing.pack(stored.entries, stored.commands))


# The index


def rebuilt(store: Store, games: int) -> Iterator[Figure]:
    """The index is made by a scheduler, from nothing, while real tables have deadlines."""
    url, began = store.url, time.perf_counter()
    with ExitStack() as ending:
        wired = services(connect(url), Settings(), serving=True)
        wired.heartbeat.start()
        ending.callback(wired.heartbeat.stop)
        ending.callback(wired.close)
        ending.enter_context(scheduling(connect(url), Settings()))
        control = [TimeControl(limit_ms=limit, strikes=0) for limit in spread(*LIMITS_MS, REAL)]
        tables = [begin(wired.games, each) for each in control]
        wait_for_index(wired, began, SECONDS_AT_LEAST + games * SECONDS_A_GAME)
        yield Figure(f"the index of {games:,} games, from nothing", time.perf_counter() - began, "s")
        # Each table has a deadline at least, also beside few games.
        time.sleep(max(0.0, began + 1 + LIMITS_MS[1] / 1000 - time.perf_counter()))
        late = [seconds for table in tables for seconds in late_by(wired.games, table)]
    yield Figure("deadlines late meanwhile, 99 %", percentile(sorted(late), 99), "s", at_most=LATE_SECONDS)
    yield Figure("deadlines late meanwhile, the latest", max(late), "s", at_most=LATE_SECONDS)
    yield Figure("deadlines meanwhile", len(late), "")


def wait_for_index(wired: Services, began: float, seconds: float) -> None:
    while not wired.index.complete:
        if time.perf_counter() - began > seconds:
            at = wired.index.complete.position()
            raise click.ClickException(f"the index is not complete after {seconds:,.0f} s; it has come to {at}")
        time.sleep(0.05)


def spread(first: int, last: int, number: int) -> list[int]:
    return [first + (last - first) * each // number for each in range(number)]


def late_by(games: Games, table: str) -> list[float]:
    steps = replay(GAME, games.commits(table))
    return [(step.commit.header.at - deadline) / 1000 for step in steps if (deadline := missed_deadline(step))]


# Pages


def pages(store: Store, accounts: Sequence[str]) -> Iterator[Figure]:
    """Every list, page by page, each by a process that has just started."""
    for size in (20, 100):
        times = [each for wanted in lists(accounts, size) for each in page_times(store.url, wanted)]
        yield Figure(f"a page of {size} games, cold: median", median(times), "ms")
        yield Figure(f"a page of {size} games, cold: 99 %", percentile(sorted(times), 99), "ms", at_most=PAGE_MS)
        yield Figure(f"pages of {size} games", len(times), "")


def lists(accounts: Sequence[str], size: int) -> Iterator[Callable[[str], GameList]]:
    """By the cursor of a page: the public lists, with and without filters, and those of some players."""
    for about in FILTERS:
        yield partial(_listed, public_list, replace(about, limit=size))
        yield partial(_listed, ended_list, replace(about, limit=size))
    for account in accounts[:5]:
        for own in (account, None):
            yield partial(_listed, partial(list_of, account, own), GameFilter(limit=size))


def _listed(kind: Callable[[GameFilter], GameList], about: GameFilter, cursor: str) -> GameList:
    return kind(replace(about, cursor=cursor))


def page_times(url: str, wanted: Callable[[str], GameList]) -> Iterator[float]:
    cursor: str | None = ""
    for _ in range(PAGES):
        wired = services(connect(url), Settings())
        wired.store.commands.ping()
        began = time.perf_counter()
        [page] = wired.lobby.pages([wanted(cursor or "")])
        encode(game_resources(page.games, None, wired.accounts.profiles, Moment(now_ms())))
        yield 1000 * (time.perf_counter() - began)
        wired.store.close()
        if not (cursor := page.next):
            return


# The archive


def left(folder: Path, data: Path, archived: int) -> Iterator[Figure]:
    """Games leave, and are read back."""
    with started(data) as store:
        object.__setattr__(store, "archive", Directory(folder / "archive"))
        log = RedisLog(store)
        packed = (game for bucket in log.buckets.all for game in log.games(bucket) if log.is_packed(game))
        over = list(islice(packed, archived))
        before = {game: digest(log, game) for game in over}
        memory_before, began = memory(store), time.perf_counter()
        archive(log, archived)
        seconds = time.perf_counter() - began
        gone = [game for bucket in log.buckets.all for game in log.archived_games(bucket)]
        freed = memory_before - memory(store)
        yield Figure("games that have left", len(gone), "", at_least=archived)
        yield Figure("games that leave, verified", len(gone) / seconds, "/s")
        yield Figure("freed by each", freed / len(gone) / 1000, "kB")
        yield Figure("volumes", sum(1 for _ in log.place.volumes()), "")
        yield from read_back(store, gone, before)
        yield Figure("kept of each, lists included", kept(store, gone) / 1000, "kB", at_most=KB_ARCHIVED)
        rewrite(store)


def archive(log: RedisLog, wanted: int) -> None:
    archiver, done = Archiver(log, now_ms, verify_chain, When(-1)), 0
    for bucket in log.buckets.all:
        while done < wanted and (waiting := archiver.waiting([bucket], min(400, wanted - done))):
            done += archiver.archive(iter(waiting)).archived


def digest(log: RedisLog, game: str) -> bytes:
    """Of all that is kept of a game."""
    stored = log.stored(game)
    return sha256(b"\0".join((*stored.entries, *map(str.encode, stored.commands), stored.secret))).digest()


def read_back(store: Store, gone: Sequence[str], before: dict[str, bytes]) -> Iterator[Figure]:
    log, began = RedisLog(store), time.perf_counter()
    same = sum(digest(log, game) == before.get(game, b"") for game in gone)
    yield Figure("read back, equal byte by byte", same, "", at_least=min(len(gone), len(before)))
    yield Figure("a cold read of an archived game", 1000 * (time.perf_counter() - began) / max(1, len(gone)), "ms")


def kept(store: Store, gone: Sequence[str]) -> float:
    """Bytes of the store's memory for an archived game: those that are freed when it forgets them."""
    log, before = RedisLog(store), memory(store)
    for first in range(0, len(gone), 100):
        some = log.noted(dict.fromkeys(gone[first : first + 100], BY_THE_NOTE))
        about = [summary for noted in some.values() if noted.note and (summary := read(noted.note.about))]
        assert len(about) == len(some), "every game is noted"
        places = [(key, entry(each)) for each in about for key in keys_of(each, each.status, each.seats.values())]
        places += [(key, entry(each, each.ended_at)) for each in about for key in ended_keys()]
        at_once(store.commands, [("ZREM", key, member) for key, member in places])
        for game in some:
            log.remove(game)
    return (before - memory(store)) / len(gone)
