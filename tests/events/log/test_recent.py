"""Commits in shared memory: found by other processes, and by none if anything is wrong with them."""

import random
import subprocess
import sys
from collections import Counter

import pytest

from events.games import Games
from events.log.memory import MemoryLog
from events.log.recent import HEAD, SLOT, SLOTS, RecentCommits, recent_commits, shared_memory
from events.table.commands import Join, Play, Start
from rules.simulation import random_answer, random_decision

GAME = "5tGm2WzQ"


@pytest.fixture
def memory():
    with shared_memory() as path:
        yield path


@pytest.fixture
def recent(memory):
    return RecentCommits(memory)


class CountingLog(MemoryLog):
    """A log that counts the questions to it."""

    def __init__(self):
        super().__init__()
        self.asked: Counter[str] = Counter()

    def append(self, *args, **kwargs):
        self.asked["append"] += 1
        return super().append(*args, **kwargs)

    def read(self, *args, **kwargs):
        self.asked["read"] += 1
        return super().read(*args, **kwargs)


def test_another_process_finds_it(memory, recent):
    recent.put(GAME, 7, b"seven")
    program = (
        "import sys; from pathlib import Path; from events.log.recent import RecentCommits\n"
        f"print(*RecentCommits(Path(sys.argv[1])).after({GAME!r}, 6))"
    )
    other = subprocess.run([sys.executable, "-c", program, memory], capture_output=True, text=True, check=True)
    assert other.stdout == "b'seven'\n"


def test_memory_that_is_gone_is_done_without(tmp_path, caplog):
    assert recent_commits(tmp_path / "gone") is None
    assert "workers do not see the commits of each other" in caplog.text
    assert recent_commits(None) is None


def test_a_gap_ends_what_follows(recent):
    for version in (7, 9):
        recent.put(GAME, version, b"%d" % version)
    assert list(recent.after(GAME, 6)) == [b"7"]


def test_it_is_of_this_game_alone(recent):
    recent.put(GAME, 7, b"seven")
    assert list(recent.after("another", 6)) == []


def test_a_torn_entry_is_not_found(recent):
    recent.put(GAME, 7, b"seven")
    at = recent._memory.find(b"seven")
    recent._memory[at : at + 1] = b"S"
    assert list(recent.after(GAME, 6)) == []


def test_a_length_that_leads_out_of_the_memory_finds_nothing(recent):
    recent.put(GAME, 7, b"seven")
    at = recent._memory.find(b"seven") - HEAD.size
    number, _, digest = HEAD.unpack_from(recent._memory, at)
    HEAD.pack_into(recent._memory, at, number, 2**16 - 1, digest)
    assert list(recent.after(GAME, 6)) == []


def test_an_entry_that_fills_its_slot_leaves_the_next_one_alone(recent):
    for version in range(1, 200):
        recent.put(GAME, version, bytes([version]) * (SLOT - HEAD.size))
    recent.put(GAME, 200, bytes(SLOT - HEAD.size + 1))
    found = [entry for version in range(200) for entry in list(recent.after(GAME, version))[:1]]
    assert len(found) > 150
    assert all(entry == bytes([entry[0]]) * (SLOT - HEAD.size) for entry in found)
    assert list(recent.after(GAME, 199)) == []


def test_the_newest_stay(recent):
    for version in range(1, 10 * SLOTS):
        recent.put(GAME, version, b"%d" % version)
    assert list(recent.after(GAME, 10 * SLOTS - 3)) == [b"%d" % version for version in (10 * SLOTS - 2, 10 * SLOTS - 1)]


def test_players_of_two_processes_make_their_moves_with_one_question_each(memory):
    log, moves = CountingLog(), 60
    processes = [Games(log, recent=RecentCommits(memory)) for _ in range(2)]
    game = processes[0].create("el_grande", players=2).id
    pick = random.Random(1).randrange
    state = processes[0].submit(game, Start()).after.state
    processes[1].load(game)
    log.asked.clear()
    for _ in range(moves):
        answer = random_answer(state, random_decision(state, pick), pick)
        state = processes[pick(2)].submit(game, Play(answer)).after.state
    assert log.asked == {"append": moves}
    assert processes[0].load(game) == processes[1].load(game) == Games(log).load(game)


def test_a_commit_of_another_history_is_left_aside(memory):
    """As after a game was removed and put back as it was before."""
    theirs, ours = (Games(MemoryLog(), draw=bytes, recent=RecentCommits(memory)) for _ in range(2))
    for games in (theirs, ours):
        games.create("el_grande", players=2, game=GAME, owner="ana" if games is ours else "eve")
        games.submit(GAME, Join("ana"))
    theirs.submit(GAME, Join("ben"))
    assert ours.submit(GAME, Join("carla")).commit.header.version == 3
    assert set(ours.load(GAME).seats.values()) == {"ana", "carla"}


def test_commits_that_the_store_has_lost_are_forgotten(memory):
    """As after a crash of a machine whose store does not sync every write."""
    log = MemoryLog()
    ours, theirs = (Games(log, recent=RecentCommits(memory)) for _ in range(2))
    ours.create("el_grande", players=3, game=GAME)
    kept = log.stored(GAME)
    theirs.submit(GAME, Join("ana"))
    log.remove(GAME)
    log.restore(GAME, kept)
    assert ours.submit(GAME, Join("ben")).commit.header.version == 2
    assert set(ours.load(GAME).seats.values()) == {"ben"}
