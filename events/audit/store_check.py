"""Every game of a store, decided again by the rules that are installed here: read, compared, and left alone.

One game is in memory at a time in each process. How far a check has come can be kept in a file, from which another goes
on.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import msgspec
from msgspec import Struct

from events import archive as archives
from events.audit.verify import NotGenuine, verify_entries
from events.audit.verify.report import OLDER
from events.errors import Damaged
from events.log import GameLog
from events.log.redis import RedisLog
from events.store import Store, connect

GAMES_AT_ONCE = 25
"""So many are given to a process at a time."""
MOST_DIFFERENCES = 1000
"""So many are named; more tell nothing new."""


class Difference(Struct, frozen=True):
    """The first commit of a game that is not as these rules would have it (0: in no commit, but around them)."""

    game: str
    commit: int
    reason: str


class Checked(Struct):
    """A part of a store, or all of it."""

    games: int = 0
    commits: int = 0
    packed: int = 0
    older: int = 0
    """Games with commits of older rules, which are applied and not judged."""
    different: int = 0
    differences: list[Difference] = []

    def add(self, part: Checked) -> None:
        self.games, self.commits = self.games + part.games, self.commits + part.commits
        self.packed, self.older = self.packed + part.packed, self.older + part.older
        self.different += part.different
        self.differences = [*self.differences, *part.differences][:MOST_DIFFERENCES]


class Place(Struct, forbid_unknown_fields=True):
    """How far a check of a store has come, with which program."""

    program: str
    store: str
    bucket: int = 0
    game: str = ""
    """The last game of the bucket that was checked."""
    checked: Checked = msgspec.field(default_factory=Checked)

    def save(self, file: Path) -> None:
        young = file.with_name(f".{file.name}.part")
        young.write_bytes(msgspec.json.encode(self))
        os.replace(young, file)


Progress = Callable[[Place], None]


def check_store(log: GameLog, store: Store, place: Place, processes: int, progress: Progress) -> Checked:
    """Check all games from this place on. `progress` is called with every step, in order."""
    if processes == 1:
        for bucket, games in parts(log, place):
            step(place, bucket, games, check_games(log, games), progress)
        return place.checked
    with ProcessPoolExecutor(processes, get_context("spawn"), _connect, (store.url, store.archive)) as pool:
        waiting: deque[tuple[int, Sequence[str], Future[Checked]]] = deque()
        try:
            for bucket, games in parts(log, place):
                waiting.append((bucket, games, pool.submit(_check, games)))
                while len(waiting) > 2 * processes:
                    _finish(waiting, place, progress)
            while waiting:
                _finish(waiting, place, progress)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return place.checked


def _finish(waiting: deque[tuple[int, Sequence[str], Future[Checked]]], place: Place, progress: Progress) -> None:
    bucket, games, checking = waiting.popleft()
    step(place, bucket, games, checking.result(), progress)


def step(place: Place, bucket: int, games: Sequence[str], part: Checked, progress: Progress) -> None:
    place.checked.add(part)
    place.bucket, place.game = bucket, games[-1]
    progress(place)


def parts(log: GameLog, place: Place) -> Iterator[tuple[int, list[str]]]:
    """The games that are left, a few at a time, each with its bucket."""
    for bucket in log.buckets.all[place.bucket :]:
        games = list(log.games(bucket))
        if bucket == place.bucket and place.game in games:
            games = games[games.index(place.game) + 1 :]
        for first in range(0, len(games), GAMES_AT_ONCE):
            yield bucket, games[first : first + GAMES_AT_ONCE]


def check_games(log: GameLog, games: Sequence[str]) -> Checked:
    part = Checked()
    for game in games:
        try:
            _check_game(log, game, part)
        except (NotGenuine, Damaged) as problem:
            commit, reason = (problem.commit, problem.reason) if isinstance(problem, NotGenuine) else (0, str(problem))
            part.different += 1
            part.differences.append(Difference(game, commit, reason))
    return part


def _check_game(log: GameLog, game: str, part: Checked) -> None:
    stored = log.stored(game)
    if not stored.entries:
        return  # removed since
    part.games, part.commits = part.games + 1, part.commits + len(stored.entries)
    part.packed += log.is_packed(game)
    part.older += OLDER in verify_entries(game, stored.entries, stored.secret).checked


# In a process of the pool

_log: GameLog


def _connect(url: str, archive: archives.Place) -> None:
    global _log
    _log = RedisLog(connect(url, archive))


def _check(games: Sequence[str]) -> Checked:
    return check_games(_log, games)
