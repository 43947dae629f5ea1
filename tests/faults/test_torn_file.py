"""The append-only file is cut short anywhere near its end: what is left is a whole, valid beginning."""

import random
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from events.audit.verify import verify_stored
from events.buckets import USUAL
from events.games import Games
from events.log import codec
from events.log.redis import RedisLog
from events.store import connect
from events.store.embedded import Embedded
from events.table.commands import Play, Start
from rules.simulation import random_answer, random_decision
from tests.events.servers import embedded_server

NEAR_THE_END = 64 * 1024


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> tuple[Path, dict[str, list[bytes]]]:
    """A data directory that was closed properly, and what its games are."""
    data = tmp_path_factory.mktemp("h") / "data"
    with embedded_server(data) as embedded:
        store = connect(embedded.url)
        games, chance = Games(RedisLog(store)), random.Random(1)
        names = [games.create("el_grande", 3).id for _ in range(4)]
        for name in names:
            games.submit(name, Start())
        for _ in range(400):
            name = chance.choice(names)
            state = games.load(name).state
            if not state.is_over:
                games.submit(
                    name, Play(random_answer(state, random_decision(state, chance.randrange), chance.randrange))
                )
        stored = {name: games.log.read(name) for name in names}
        store.close()
    return data, stored


def append_only_file(data: Path) -> Path:
    return max(data.glob("appendonlydir/*.incr.aof"), key=lambda file: file.stat().st_size)


def cut(data: Path, size: int, place: Path) -> Path:
    """A copy of the directory whose file ends after `size` bytes."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(data, place, ignore=shutil.ignore_patterns("*.sock", "*lock", "*.pid", "*.log"))
    with append_only_file(place).open("r+b") as file:
        file.truncate(size)
    return place


def check_cut(played, size: int, place: Path) -> int:
    """Start from the cut file; gives the number of commits that are left."""
    data, stored = played
    reports: list[str] = []
    embedded = Embedded(cut(data, size, place), report=reports.append).start()
    try:
        store = connect(embedded.url)
        log = RedisLog(store)
        left = {game: log.read(game) for bucket in USUAL.all for game in log.games(bucket)}
        for game, entries in left.items():
            assert entries == stored[game][: len(entries)], "what is left is not a beginning"
            verify_stored(Games(log), game)
            commands = {codec.read_raw(entry)["header"]["command"] for entry in entries}
            assert all(log.command_version(game, command) for command in commands)
        lines = [line for bucket in USUAL.all for line in log.feed(bucket, limit=10_000)]
        assert len(lines) == sum(map(len, left.values())), "the feed tells of other commits than the log"
        store.close()
    finally:
        embedded.stop()
    full = append_only_file(data).stat().st_size
    if size < full and not ends_between_commits(data, size):
        assert any("dropped" in report for report in reports), reports
    return sum(map(len, left.values()))


def ends_between_commits(data: Path, size: int) -> bool:
    """Whether a cut here falls exactly between two transactions: then nothing looks torn."""
    return append_only_file(data).read_bytes()[:size].endswith(b"\r\n$4\r\nEXEC\r\n")


def points(played, number: int) -> list[int]:
    full = append_only_file(played[0]).stat().st_size
    chance = random.Random(number)
    return sorted({full, full - 1, *(full - chance.randrange(min(NEAR_THE_END, full // 2)) for _ in range(number))})


def test_a_torn_file_leaves_a_valid_beginning_and_says_what_was_cut(played, tmp_path_factory):
    place = tmp_path_factory.mktemp("t") / "data"
    left = [check_cut(played, size, place) for size in points(played, 25)]
    assert all(fewer <= more for fewer, more in pairwise(left))
    assert left[-1] == sum(map(len, played[1].values()))


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_file_torn_at_a_thousand_places_leaves_a_valid_beginning(played, tmp_path_factory):
    place = tmp_path_factory.mktemp("t") / "data"
    left = [check_cut(played, size, place) for size in points(played, 1000)]
    assert all(fewer <= more for fewer, more in pairwise(left))
