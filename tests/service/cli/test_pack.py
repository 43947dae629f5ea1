"""`hidalgo pack`, with the embedded store."""

import pytest
from msgspec.structs import replace

from events.audit.export import export
from events.games import Games
from events.log.redis import RedisLog
from rules.kernel import SPECTATOR
from service.cli import pack as packing
from tests.events.played import play
from tests.service.cli.test_backup import folder, run, with_games

__all__ = ["folder"]


def fill(games: Games) -> bytes:
    for seed in (1, 2):
        play(games, 2, seed=seed, game=f"over {seed}")
    play(games, 2, moves=3, game="running")
    return export(games, "over 1", SPECTATOR)


def is_packed(games: Games) -> list[bool]:
    return [games.log.is_packed(game) for game in ("over 1", "over 2", "running")]


def test_all_games_that_are_over_are_packed_at_once(folder):
    exported = with_games(folder, fill)
    done = run("pack", "--data", folder)
    assert done.exit_code == 0
    assert done.stdout.startswith("2 games packed, ")
    assert done.stdout.endswith("; 0 were packed before, 1 are not over\n")
    assert with_games(folder, is_packed) == [True, True, False]
    assert with_games(folder, lambda games: export(games, "over 1", SPECTATOR)) == exported
    assert "0 games packed, 0 bytes into 0; 2 were packed before" in run("pack", "--data", folder).stdout


def test_a_dry_run_tells_the_same_and_changes_nothing(folder):
    with_games(folder, fill)
    dry = run("pack", "--dry-run", "--data", folder)
    assert with_games(folder, is_packed) == [False, False, False]
    done = run("pack", "--data", folder)
    assert (dry.exit_code, dry.stdout) == (0, done.stdout.replace("packed,", "would be packed,"))


def test_a_damaged_game_is_named_and_stays_as_it_is(folder):
    def damage(games: Games) -> list[bytes]:
        fill(games)
        stored = games.log.stored("over 1")
        games.log.remove("over 1")
        games.log.restore("over 1", replace(stored, secret=b"another secret"))
        return stored.entries

    entries = with_games(folder, damage)
    done = run("pack", "--data", folder)
    assert (done.exit_code, done.stdout.split()[0]) == (1, "1")
    assert "game over 1 cannot be packed: " in done.stderr
    assert with_games(folder, is_packed) == [False, True, False]
    assert with_games(folder, lambda games: games.log.read("over 1")) == entries


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_the_file_of_the_store_is_as_small_as_the_games_when_it_is_done(store, monkeypatch):
    monkeypatch.setattr(packing, "rewrite_bloated", lambda store: store.commands.bgrewriteaof())
    play(Games(RedisLog(store)), 2)
    before = store.commands.info("persistence")["aof_current_size"]
    packing.pack_all(RedisLog(store), lambda what, games: None, dry_run=False)
    packing.rewrite_file(store)
    assert store.commands.info("persistence")["aof_current_size"] < before / 2
