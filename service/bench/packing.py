"""What a finished game costs before and after it is packed: memory, disk, start of the store, and a cold load."""

from __future__ import annotations

import random
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from statistics import median

from msgspec import Struct

from events.games import Games
from events.log import PackedGame, StoredGame, packing
from events.log.memory import MemoryLog
from events.log.redis import RedisLog
from events.log.service_secret import NAME_BYTES
from events.store import Store, open_store
from events.store.rewriting import is_rewriting
from events.submission import Submission, new_id
from events.table.commands import Join, Play, Start
from rules.catalogue import DEFAULT
from rules.simulation import random_answer, random_decision
from service.bench.figures import Figure

FINISHED_GAMES = 5_000
DIFFERENT_GAMES = 6
FEWEST_GAMES = 2 * DIFFERENT_GAMES
"""Each of them, and a copy."""
PLAYERS = 4

MOST_KB, MOST_SECONDS, MOST_TIMES_SLOWER = 25, 2, 1.5


class Played(Struct, frozen=True):
    """A finished game, and its packed form."""

    id: str
    stored: StoredGame
    form: PackedGame


class Costs(Struct, frozen=True):
    """Of many finished games in one store."""

    memory: float
    """Kilobytes of one game, and so with the disk."""
    disk: float
    start: float
    """Seconds until the store has loaded all of them."""


def packed_games(data: Path, count: int, rounds: int) -> Iterator[Figure]:
    """Finished games of four, each in many copies, before and after they are packed."""
    played = [finished_game(number) for number in range(DIFFERENT_GAMES)]
    with started(data) as store:
        empty = memory(store)
        copies = list(store_copies(RedisLog(store), played, count))
    before = costs(data, empty, count)
    with started(data) as store:
        log = RedisLog(store)
        assert all(log.pack(name, form) for name, form in copies), "every copy is packed"
    after = costs(data, empty, count)
    with started(data) as store:
        unpacked, packed = cold_loads(RedisLog(store), [name for name, _ in copies], rounds)
    yield Figure("a finished game, in the store's memory", before.memory, "kB")
    yield Figure("a packed game, in the store's memory", after.memory, "kB", at_most=MOST_KB)
    yield Figure("a finished game, on disk", before.disk, "kB")
    yield Figure("a packed game, on disk", after.disk, "kB", at_most=MOST_KB)
    yield Figure(f"start with {count:,} finished games", before.start, "s")
    yield Figure(f"start with {count:,} packed games", after.start, "s", at_most=MOST_SECONDS)
    yield Figure("a finished game, cold", unpacked, "ms")
    yield Figure("a packed game, cold", packed, "ms")
    yield Figure("cold load, packed to not packed", packed / unpacked, "×", at_most=MOST_TIMES_SLOWER)


def finished_game(seed: int) -> Played:
    """A full game as it is played over HTTP: by accounts, every command with a key and a fingerprint."""
    games, pick = Games(MemoryLog(), naming=opaque_name), random.Random(seed).randrange
    accounts = [new_id() for _ in range(PLAYERS)]
    game = games.create(DEFAULT, PLAYERS, owner=accounts[0], submission=by(accounts[0])).id
    for account in accounts:
        games.submit(game, Join(account), by(account))
    table = games.submit(game, Start(accounts[0]), by(accounts[0])).after
    while not table.state.is_over:
        answer = random_answer(table.state, random_decision(table.state, pick), pick)
        table = games.submit(game, Play(answer), by(table.seats[answer.player])).after
    stored = games.log.stored(game)
    return Played(game, stored, packing.pack(stored.entries, stored.commands))


def opaque_name(game: str, id: str) -> str:
    """As long, and as much like noise, as the names that a service gives to commands."""
    return urlsafe_b64encode(sha256(f"{game} {id}".encode()).digest()[:NAME_BYTES]).decode()


def by(account: str) -> Submission:
    return Submission(account, new_id(), fingerprint=new_id().encode())


def store_copies(log: RedisLog, played: list[Played], count: int) -> Iterator[tuple[str, PackedGame]]:
    """Stores each game, and copies of it under other names; gives each name with its packed form."""
    for number in range(count):
        game = played[number % len(played)]
        name = game.id if number < len(played) else f"{game.id}-{number}"
        log.restore(name, game.stored)
        yield name, game.form


def costs(data: Path, empty: int, count: int) -> Costs:
    """Of a store that was started anew, whose file holds nothing that is out of date."""
    with started(data) as store:
        rewrite(store)
        disk = store.commands.info("persistence")["aof_current_size"]
    began = time.perf_counter()
    with started(data) as store:
        start = time.perf_counter() - began
        return Costs((memory(store) - empty) / count / 1000, disk / count / 1000, start)


def cold_loads(log: RedisLog, names: list[str], rounds: int) -> tuple[float, float]:
    """Median milliseconds to load a game that is not packed, and a packed copy of it, by turns."""
    for name in names[:DIFFERENT_GAMES]:
        log.unpack(name)
    samples: tuple[list[float], list[float]] = ([], [])
    for number in range(4 * rounds * DIFFERENT_GAMES):
        one = number % DIFFERENT_GAMES
        for name, times in zip((names[one], names[one + DIFFERENT_GAMES]), samples, strict=True):
            began = time.perf_counter()
            Games(log).load(name)
            times.append(1000 * (time.perf_counter() - began))
    return median(samples[0]), median(samples[1])


def memory(store: Store) -> int:
    return int(store.commands.info("memory")["used_memory"])


def rewrite(store: Store) -> None:
    wait_for_rewriting(store)
    store.commands.bgrewriteaof()
    wait_for_rewriting(store)


def wait_for_rewriting(store: Store) -> None:
    while is_rewriting(store):
        time.sleep(0.05)


@contextmanager
def started(data: Path) -> Iterator[Store]:
    store, close = open_store(None, data, report=lambda line: None)
    try:
        yield store
    finally:
        close()
