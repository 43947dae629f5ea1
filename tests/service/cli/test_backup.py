"""`hidalgo backup` and `hidalgo restore`, with the embedded store."""

import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from events.audit.verify import verify_stored
from events.games import Games
from events.log.redis import RedisLog
from events.log.service_secret import ServiceSecret
from events.store import open_store
from service.accounts import Accounts
from service.cli import main
from service.games.invitations import Invitations
from tests.events.played import play


@pytest.fixture
def folder():
    """A directory with a short name: that of a socket cannot be long."""
    with tempfile.TemporaryDirectory(prefix="hidalgo-") as name:
        yield Path(name)


def run(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)], env={"REDIS_URL": None, "HIDALGO_DATA": None})


def with_store(data, use):
    store, close = open_store(None, data, report=lambda line: None)
    try:
        return use(store)
    finally:
        close()


def with_games(data, use):
    return with_store(data, lambda store: use(Games(RedisLog(store))))


def test_all_games_go_from_one_machine_to_another(folder):
    file = folder / "games.backup"
    game = with_games(folder / "a", lambda games: play(games, 2, moves=3))
    written = run("backup", file, "--data", folder / "a")
    assert (written.exit_code, written.stdout) == (0, f"1 games with 6 commits are in {file}\n")
    restored = run("restore", file, "--data", folder / "b")
    assert (restored.exit_code, restored.stdout.partition(";")[0]) == (0, "1 games restored")
    assert with_games(folder / "b", lambda games: verify_stored(games, game)).commits == 6
    again = run("restore", file, "--data", folder / "b")
    assert (again.exit_code, "1 were there," in again.stdout) == (0, True)


BACK = "; 3 accounts; 1 invitations; 1 service secrets\n"
THERE = "; 0 accounts; 0 invitations; 0 service secrets\n"


def test_commands_have_the_same_names_after_a_restore(folder):
    """So that a request which is repeated after the restore is recognised."""

    def name(store):
        return ServiceSecret(store).command_name("friday", "ana/once")

    first = with_store(folder / "a", name)
    run("backup", folder / "file", "--data", folder / "a")
    run("restore", folder / "file", "--data", folder / "b")
    assert with_store(folder / "b", name) == first
    kept = with_store(folder / "c", name)
    assert run("restore", folder / "file", "--data", folder / "c").exit_code == 0
    assert with_store(folder / "c", name) == kept != first


def test_accounts_tokens_and_invitations_come_back_without_sessions(folder):
    def fill(store):
        accounts = Accounts(store)
        cid = accounts.register("El_Cid", "tizona y colada")
        guest, gone = accounts.make_guest(), accounts.make_guest()
        accounts.delete(gone.id)
        Invitations(store).write("friday", "hdi_word", "red")
        Invitations(store).claim("friday", "hdi_word", guest.id)
        ServiceSecret(store).command_name("friday", "a command")
        token = accounts.create_token(cid.id, "my bot", ["play"]).secret
        return cid, guest, gone, token, accounts.sign_in("El_Cid", "tizona y colada").secret

    def look(store):
        accounts = Accounts(store)
        assert accounts.account_named("el_cid") == cid
        assert accounts.account(guest.id) == guest
        assert accounts.account(gone.id) is None
        assert accounts.identity_of_token(token)
        assert accounts.identity_of_session(session) is None
        assert accounts.sign_in("El_Cid", "tizona y colada")
        assert Invitations(store).claim("friday", "hdi_word", guest.id) == "red"
        assert Invitations(store).claim("friday", "hdi_word", cid.id) is None

    cid, guest, gone, token, session = with_store(folder / "a", fill)
    written = run("backup", folder / "file", "--data", folder / "a")
    assert written.stdout.endswith(BACK)
    restored = run("restore", folder / "file", "--data", folder / "b")
    assert (restored.exit_code, restored.stdout.partition("further on")[2]) == (0, BACK)
    with_store(folder / "b", look)
    again = run("restore", folder / "file", "--data", folder / "b")
    assert (again.exit_code, again.stdout.partition("further on")[2]) == (0, THERE)


def test_an_account_whose_handle_is_another_s_by_now_is_named_and_not_restored(folder):
    for data in ("a", "b"):
        with_store(folder / data, lambda store: Accounts(store).register("El_Cid", "tizona y colada"))
    run("backup", folder / "file", "--data", folder / "a")
    answer = run("restore", folder / "file", "--data", folder / "b")
    assert answer.exit_code == 1
    assert "was not restored: the handle El_Cid belongs to another account" in answer.stderr


def test_another_game_of_the_same_name_is_named_and_the_exit_code_tells(folder):
    for data in ("a", "b"):
        with_games(folder / data, lambda games: play(games, 2, moves=1, game="twin"))
    run("backup", folder / "file", "--data", folder / "a")
    answer = run("restore", folder / "file", "--data", folder / "b")
    assert answer.exit_code == 1
    assert "game twin was not restored: another game of this name is there" in answer.output


def test_a_file_that_is_no_backup_is_refused_in_a_sentence(folder):
    (folder / "file").write_bytes(b"hello")
    answer = run("restore", folder / "file", "--data", folder / "a")
    assert answer.exit_code == 1
    assert "Error: the file is damaged: " in answer.output


def test_a_backup_needs_a_directory_that_is_there(folder):
    answer = run("backup", folder / "nowhere" / "file", "--data", folder / "a")
    assert answer.exit_code == 1
    assert "No such file or directory" in answer.output


def test_a_store_that_is_away_is_reported_in_a_sentence(folder):
    answer = run("backup", folder / "file", "--url", f"unix://{folder}/nowhere.sock")
    assert answer.exit_code == 1
    assert "Error: the store cannot be reached" in answer.output
    assert not (folder / "file").exists()
