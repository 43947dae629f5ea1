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
from service.accounts.apps import Apps
from service.accounts.authorizations import Authorizations
from service.cli import main
from service.games.game_lists import GameFilter
from service.games.invitations import Invitations
from service.services import services
from service.settings import Settings
from tests.events.played import play


@pytest.fixture
def folder():
    """A directory with a short name: that of a socket cannot be long."""
    with tempfile.TemporaryDirectory(prefix="hidalgo-") as name:
        yield Path(name)


def run(*arguments, **environment):
    env = {"REDIS_URL": None, "HIDALGO_DATA": None, **environment}
    return CliRunner().invoke(main, [*map(str, arguments)], env=env)


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
    assert (written.exit_code, written.stdout) == (0, f"{file} holds 1 game with 6 commits\n")
    restored = run("restore", file, "--data", folder / "b")
    assert (restored.exit_code, restored.stdout.partition(";")[0]) == (0, "1 game restored")
    assert with_games(folder / "b", lambda games: verify_stored(games, game)).commits == 6
    again = run("restore", file, "--data", folder / "b")
    assert (again.exit_code, "1 were there," in again.stdout) == (0, True)


def test_a_store_keeps_its_number_of_buckets_and_its_games_go_into_one_of_another(folder):
    file, wide = folder / "games.backup", {"HIDALGO_BUCKETS": "256"}
    game = with_games(folder / "a", lambda games: play(games, 2, moves=3))
    refused = run("backup", file, "--data", folder / "a", **wide)
    assert (refused.exit_code, file.exists()) == (2, False)
    assert "HIDALGO_BUCKETS makes no sense here: the store has 64 buckets, not 256" in refused.stderr
    run("backup", file, "--data", folder / "a")
    assert run("restore", file, "--data", folder / "b", **wide).stdout.startswith("1 game restored")
    assert with_store(folder / "b", lambda store: store.buckets.count) == 256
    assert with_games(folder / "b", lambda games: verify_stored(games, game)).commits == 6
    again = run("restore", file, "--data", folder / "b")
    assert (again.exit_code, "1 were there," in again.stdout) == (0, True)


def test_restored_games_are_listed_also_where_lists_were_read_before(folder):
    file = folder / "games.backup"
    game = with_games(folder / "a", lambda games: play(games, 2, moves=3))
    run("backup", file, "--data", folder / "a")
    assert with_store(folder / "b", listed) == []
    run("restore", file, "--data", folder / "b")
    assert with_store(folder / "b", listed) == [game]


def listed(store) -> list[str]:
    """The games of the public list, which a scheduler makes complete."""
    wired = services(store, Settings())
    try:
        while not wired.index_rebuild.attend():
            pass
        return [str(game.id) for game in wired.lobby.public_games(GameFilter()).games]
    finally:
        wired.close()


BACK = "; 3 accounts; 1 invitation; 1 service secret\n"
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
        token = accounts.tokens.create(cid.id, "my bot", ["play"]).secret
        tell = accounts.rights.tell_of_change
        apps, allowed = Apps(store, tell), Authorizations(store, tell)
        app = apps.register(cid.id, "Club site", ["https://club.example/back"])
        codes = [allowed.allow(guest.id, app.id, app.name, ["read"], 0, app.redirect_uris[0], "c" * 43) for _ in "ab"]
        of_app = (app, codes[0], allowed.redeem(codes[1], app.id))
        return of_app, cid, guest, gone, token, accounts.sessions.sign_in("El_Cid", "tizona y colada").secret

    def look(store):
        accounts = Accounts(store)
        assert accounts.account_named("el_cid") == cid
        assert accounts.account(guest.id) == guest
        assert accounts.account(gone.id) is None
        assert accounts.tokens.identity(token)
        assert accounts.sessions.identity(session) is None
        assert accounts.sessions.sign_in("El_Cid", "tizona y colada")
        app, code, issued = of_app
        tell = accounts.rights.tell_of_change
        apps, allowed = Apps(store, tell), Authorizations(store, tell)
        assert apps.of(cid.id) == [app]
        assert [grant.app for grant in allowed.grants(guest.id)] == [app.id]
        identity = accounts.tokens.identity(issued.access)
        assert identity
        assert identity.app == app.id
        assert allowed.refresh(issued.refresh, app.id)
        assert allowed.redeem(code, app.id) is None
        assert Invitations(store).claim("friday", "hdi_word", guest.id) == "red"
        assert Invitations(store).claim("friday", "hdi_word", cid.id) is None

    of_app, cid, guest, gone, token, session = with_store(folder / "a", fill)
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
    assert "Error: the file is not a backup, or is damaged" in answer.output


def test_a_backup_needs_a_directory_that_is_there(folder):
    with_store(folder / "a", lambda store: None)
    answer = run("backup", folder / "nowhere" / "file", "--data", folder / "a")
    assert answer.exit_code == 1
    assert f"Error: there is no directory {folder / 'nowhere'} for the file" in answer.output


def test_a_store_that_is_away_is_reported_in_a_sentence(folder):
    answer = run("backup", folder / "file", "--url", f"unix://{folder}/nowhere.sock")
    assert answer.exit_code == 1
    assert "Error: the store cannot be reached" in answer.output
    assert not (folder / "file").exists()


@pytest.mark.parametrize(
    "command", ["backup all.backup", "check", "pack", "admin el_cid", "admin audit", "account reset el_cid"]
)
def test_a_mistyped_directory_is_no_store_without_games(folder, monkeypatch, command):
    """A nightly backup of nothing would be noticed on the day when it is needed."""
    monkeypatch.chdir(folder)
    answer = run(*command.split(), "--data", folder / "gmaes")
    assert (answer.exit_code, answer.output) == (
        1,
        f"Error: {folder / 'gmaes'} holds no games; name their directory with --data, or a store with --url\n",
    )
    assert not list(folder.iterdir())
