"""`hidalgo check`, with the embedded store."""

import json

import pytest
from msgspec.structs import replace

from events.audit import store_check
from events.games import Games
from events.log.redis import RedisLog
from events.store import Store
from rules.el_grande import scoring
from service.accounts import Accounts
from service.accounts.audit_log import AuditEntry, AuditLog
from service.accounts.records import key
from service.cli import pack as packing
from tests.events.played import play
from tests.service.cli.test_backup import folder, run, with_games, with_store

__all__ = ["folder"]


def fill(games: Games) -> None:
    """Two games that are over, one of them packed, and one that goes on."""
    for seed in (1, 2):
        play(games, 2, seed=seed, game=f"over {seed}")
    packing.pack_all(games.log, lambda what, number: None, dry_run=False)
    games.log.unpack("over 2")
    play(games, 2, moves=3, game="running")


def contents(store: Store) -> dict[bytes, object]:
    return {name: store.commands.dump(name) for name in store.commands.scan_iter() if b"{pulse}" not in name}


@pytest.mark.parametrize("processes", [1, 2])
def test_a_store_that_these_rules_have_made_is_as_they_would_have_it_and_stays_so(folder, processes):
    with_games(folder, fill)

    def check(store: Store) -> str:
        before = contents(store)
        done = run("check", "--processes", processes, "--data", folder)
        assert done.exit_code == 0
        assert contents(store) == before
        return done.stdout

    expected = f"3 games with {commits(folder)} commits replayed, 1 of them packed: 0 are different\n"
    assert with_store(folder, check) == expected


def commits(folder) -> int:
    return with_games(folder, lambda games: sum(games.log.version(g) for g in ("over 1", "over 2", "running")))


def test_rules_that_would_decide_otherwise_are_told_with_the_first_commit(folder, monkeypatch):
    """As if the next version counted one point more."""
    with_games(folder, fill)
    awards = scoring.rank_awards
    one_more = lambda tied, points: awards(tied, tuple(number + 1 for number in points))  # noqa: E731
    monkeypatch.setattr(scoring, "rank_awards", one_more)
    done = run("check", "--processes", "1", "--data", folder)
    assert done.exit_code == 1
    assert "2 are different" in done.stdout
    told = [line for line in done.stderr.splitlines() if line.startswith("game ")]
    assert sorted(line.partition(": commit ")[0] for line in told) == ["game over 1", "game over 2"]


def test_a_changed_commit_is_named(folder):
    def change(games: Games) -> None:
        fill(games)
        stored = games.log.stored("running")
        games.log.remove("running")
        entries = [*stored.entries[:3], stored.entries[3].replace(b"1", b"2", 1), *stored.entries[4:]]
        games.log.restore("running", replace(stored, entries=entries))

    with_games(folder, change)
    done = run("check", "--data", folder)
    assert done.exit_code == 1
    assert "game running: commit 4: " in done.stderr


def test_everything_beside_the_games_is_read_too(folder):
    def damage(store: Store) -> None:
        account = Accounts(store).make_guest().id
        store.commands.hset(key(account, "book"), "hook:w_1", "no JSON")
        AuditLog(store).append(AuditEntry("pause", "operator ana", "friday"))
        store.commands.zadd("hidalgo:{audit}:log", {"no JSON": 1})

    with_store(folder, damage)
    done = run("check", "--data", folder)
    assert done.exit_code == 1
    assert "the mailbox of a_" in done.stderr
    assert "the audit log: " in done.stderr


def test_a_check_that_was_stopped_goes_on_where_it_was(folder, monkeypatch):
    with_games(folder, fill)
    state, seen = folder / "state", []
    monkeypatch.setattr("events.audit.store_check.GAMES_AT_ONCE", 1)
    check_games = store_check.check_games

    def interrupted(log: RedisLog, games: list[str]):
        seen.extend(games)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return check_games(log, games)

    monkeypatch.setattr("events.audit.store_check.check_games", interrupted)
    words = ("check", "--processes", "1", "--state", state, "--data", folder)
    first = run(*words)
    assert (first.exit_code, json.loads(state.read_text())["checked"]["games"]) == (130, 1)
    assert f"stopped after 1 game; the same command goes on from {state}" in first.stderr
    second = run(*words)
    assert (second.exit_code, second.stdout.partition(" ")[0]) == (0, "3")
    assert len(seen) == 4, "the game that was interrupted is checked again, no other"
    assert not state.exists()


def test_the_state_of_another_check_is_refused(folder):
    with_store(folder / "data", lambda store: None)
    (folder / "state").write_text("{}")
    assert run("check", "--state", folder / "state", "--data", folder / "data").exit_code == 2
    (folder / "state").write_text(json.dumps({"program": "hidalgo 0", "store": "elsewhere"}))
    refused = run("check", "--state", folder / "state", "--data", folder / "data")
    assert (refused.exit_code, "is of another program or another store" in refused.stderr) == (2, True)
