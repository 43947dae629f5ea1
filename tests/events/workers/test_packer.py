"""The packer: which games it packs, when, and that nobody notices."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from events.audit.backup import backup, restore
from events.audit.export import export
from events.audit.verify import verify, verify_chain, verify_stored
from events.buckets import USUAL
from events.errors import AnotherRequest, NotNow, Packed
from events.games import Games
from events.log import FINISHED, GameLog, PackedGame
from events.log.memory import MemoryLog
from events.log.redis import RedisLog
from events.repository import now_ms
from events.submission import Submission
from events.table.commands import Abort, Join, Leave, Resign, Start
from events.table.game import OVER
from events.workers.packer import Packer
from rules.kernel import SPECTATOR
from tests.events.played import play
from tests.events.servers import KINDS

ALL = USUAL.all
EVER = 10**15


@pytest.fixture(params=["memory", *KINDS])
def games(request, running_stores) -> Iterator[Games]:
    """Empty, in each kind of log."""
    if request.param == "memory":
        yield Games(MemoryLog())
        return
    with running_stores.opened(request.param) as store:
        yield Games(RedisLog(store))


@pytest.fixture
def in_memory() -> Games:
    return Games(MemoryLog())


def packer(games: Games, **settings) -> Packer:
    return Packer(games.log, now_ms, verify_chain, **settings)


def another_process(games: Games) -> Games:
    return Games(games.log)


# Nobody notices


def test_a_packed_game_is_loaded_exported_and_verified_as_before(games):
    game = play(games, 2, game="over")
    before = games.load(game)
    exported, verified, stored = export(games, game, SPECTATOR), verify_stored(games, game), games.log.stored(game)
    assert packer(games).attend(ALL, seconds=60) == 1
    assert games.log.is_packed(game)
    reader = another_process(games)
    assert (reader.load(game), reader.load(game, version=7)) == (before, games.load(game, version=7))
    assert reader.commits(game, 3, 9) == games.commits(game, 3, 9)
    assert export(reader, game, SPECTATOR) == exported
    assert (verify(exported).finished, verify_stored(reader, game)) == (True, verified)
    assert games.log.stored(game) == stored


def test_a_process_that_last_saw_the_game_long_before_its_end_sees_the_end(games):
    """Its copy is older than the packed form, and nothing newer is in the store one by one."""
    game = started(games, "late")
    reader = another_process(games)
    seen = reader.load(game)
    finish(games, game)
    assert packer(games).attend(ALL, seconds=60) == 1
    assert seen.version < games.load(game).version
    assert reader.load(game) == games.load(game)


def test_a_command_on_top_of_an_old_copy_is_refused_as_it_would_have_been(games):
    game = started(games, "late")
    late, as_before = another_process(games), another_process(games)
    for process in (late, as_before):
        process.load(game)
    finish(games, game)
    with pytest.raises(NotNow) as refusal:
        as_before.submit(game, Join("late"))
    packer(games).attend(ALL, seconds=60)
    with pytest.raises(NotNow) as refusal_of_a_packed_game:
        late.submit(game, Join("late"))
    assert str(refusal_of_a_packed_game.value) == str(refusal.value)


def test_a_submission_that_is_repeated_after_packing_is_answered_as_the_first_time(games):
    creation, ending = Submission("ana", "create", b"body"), Submission("ana", "end", b"body")
    game = games.create("el_grande", 2, owner="ana", game="mine", submission=creation).id
    for account in ("ana", "ben"):
        games.submit(game, Join(account))
    games.submit(game, Leave("ben"))
    first = games.submit(game, Abort("ana"), ending)
    assert packer(games).attend(ALL, seconds=60) == 1
    for process in (games, another_process(games)):
        again = process.submit(game, Abort("ana"), ending)
        assert (again.repeated, again.commit, again.after) == (True, first.commit, first.after)
        assert process.create("el_grande", 2, owner="ana", game="mine", submission=creation).version == 1
        with pytest.raises(AnotherRequest):
            process.submit(game, Abort("ana"), Submission("ana", "end", b"another body"))
    assert games.log.is_packed(game)


def test_a_packed_game_goes_into_a_backup_and_comes_back(games, tmp_path: Path):
    game = play(games, 2, game="over")
    stored = games.log.stored(game)
    packer(games).attend(ALL, seconds=60)
    file = tmp_path / "games.backup"
    assert backup(games.log, file, now=1).games == 1
    assert restore(games.log, file).same == 1
    elsewhere = Games(MemoryLog())
    assert restore(elsewhere.log, file).restored == 1
    assert elsewhere.log.stored(game) == stored
    assert packer(elsewhere).attend(ALL, seconds=60) == 1


def test_a_ruling_unpacks_a_game_and_it_is_packed_again(games):
    game = play(games, 2, game="over")
    packer(games).attend(ALL, seconds=60)
    stored = games.log.stored(game)
    with pytest.raises(Packed):
        games.log.append(game, len(stored.entries), b"ruling", command="ruling", deadline=FINISHED)
    games.log.unpack(game)
    assert games.log.stored(game) == stored
    assert packer(games).attend(ALL, seconds=60) == 1
    assert games.log.is_packed(game)


# Which games, and when


def test_only_games_that_are_over_are_packed(in_memory):
    games = in_memory
    open_, running = games.create("el_grande", 2).id, play(games, 2, moves=5)
    aborted = games.create("el_grande", 2, owner="ana").id
    games.submit(aborted, Abort("ana"))
    for game in (open_, running):
        put_back(games.log, game)
    assert [found.game for found in games.log.finished(ALL, EVER)] != [aborted]
    assert packer(games).attend(ALL, seconds=60) == 1
    assert [games.log.is_packed(game) for game in (open_, running, aborted)] == [False, False, True]
    assert games.log.finished(ALL, EVER) == []


def put_back(log: GameLog, game: str) -> None:
    """As after a backup: whether it is over has to be looked up."""
    stored = log.stored(game)
    log.remove(game)
    log.restore(game, stored)


def test_a_game_is_packed_a_while_after_its_end(in_memory):
    play(in_memory, 2)
    assert packer(in_memory, after=3600).attend(ALL, seconds=60) == 0
    later = Packer(in_memory.log, lambda: now_ms() + 3_600_001, verify_chain, after=3600)
    assert later.attend(ALL, seconds=60) == 1
    assert later.attend(ALL, seconds=60) == 0


def test_a_packer_minds_its_own_buckets(in_memory):
    game = play(in_memory, 2)
    others = [bucket for bucket in ALL if bucket != USUAL.of(game)]
    assert (packer(in_memory).attend(others), packer(in_memory).attend([USUAL.of(game)])) == (0, 1)


def test_a_packer_stops_when_its_time_is_over_and_goes_on_later(in_memory):
    names = [resigned(in_memory, f"game {number}") for number in range(5)]
    assert packer(in_memory).attend(ALL, seconds=-1) == 1
    packed: list[PackedGame] = []
    assert packer(in_memory, packed=packed.append).attend(ALL, seconds=60) == 4
    assert all(in_memory.log.is_packed(name) for name in names)
    assert [game.version for game in packed] == [in_memory.log.version(name) for name in names[1:]]


def test_a_game_whose_chain_is_broken_stays_as_it_is_and_holds_up_no_other(in_memory, caplog):
    log, broken, whole = in_memory.log, resigned(in_memory, "broken"), resigned(in_memory, "whole")
    stored = log.stored(broken)
    forged = [*stored.entries[:-1], stored.entries[-1].replace(b'"version":5', b'"version":5 ')]
    assert forged != stored.entries
    log.remove(broken)
    log.restore(broken, replace(stored, entries=forged))
    with caplog.at_level(logging.ERROR):
        assert packer(in_memory).attend(ALL, seconds=60) == 1
    assert (log.is_packed(broken), log.is_packed(whole)) == (False, True)
    assert (log.read(broken), log.finished(ALL, EVER)) == (forged, [])
    assert "game broken cannot be packed" in caplog.text


def test_a_game_that_changes_while_it_is_packed_stays_as_it_is(in_memory):
    game = resigned(in_memory, "ruled")

    def change(*about: object) -> None:
        in_memory.log.append(game, 5, b"ruling", command="ruling", deadline=FINISHED)

    assert Packer(in_memory.log, now_ms, change).attend(ALL, seconds=60) == 0
    assert (in_memory.log.is_packed(game), in_memory.log.read(game, after=5)) == (False, [b"ruling"])


def resigned(games: Games, name: str) -> str:
    """A game that is over after five commits."""
    return finish(games, started(games, name))


def started(games: Games, name: str) -> str:
    game = games.create("el_grande", 2, owner="ana", game=name).id
    for account in ("ana", "ben"):
        games.submit(game, Join(account))
    games.submit(game, Start("ana"))
    return game


def finish(games: Games, game: str) -> str:
    games.submit(game, Resign("ana"))
    assert games.load(game).status == OVER
    return game
