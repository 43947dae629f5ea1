"""Studies in backups and checks: `hidalgo backup`, `restore`, `check` and `verify`."""

import json

import pytest

from events.audit.backup import BadBackup, inspect
from events.buckets import USUAL
from events.games import Games
from events.log.redis import RedisLog
from events.store import Store
from replay.studies import Studies
from replay.study.commands import AddChapter, TryMove, WriteComment
from service.services import services
from service.settings import Settings
from service.studies.study_list import StudyFilter
from tests.events.played import play
from tests.service.cli.test_backup import folder, run, with_store

__all__ = ["folder"]

STUDY = "study-1"


def studies_in(store: Store) -> Studies:
    return Studies(RedisLog(store).space("studies"))


def fill(store: Store) -> None:
    """A study of a game that goes on; a move was tried in it as if it were over."""
    play(Games(RedisLog(store)), 2, moves=3, game="game")
    studies = studies_in(store)
    studies.create("ana", "Vetoes", "public", study=STUDY)
    studies.submit(STUDY, AddChapter("ana", "One", "game", "spectator"))
    studies.submit(STUDY, WriteComment("ana", "k1", "2", "Takes the sting out of it"))


@pytest.fixture
def file(folder):
    with_store(folder / "a", fill)
    file = folder / "all.backup"
    done = run("backup", file, "--data", folder / "a")
    assert (done.exit_code, done.stdout) == (0, f"{file} holds 1 game with 6 commits; 1 study\n")
    return file


def entries(store: Store) -> list[bytes]:
    return studies_in(store).log.read(STUDY)


def test_studies_go_from_one_machine_to_another(folder, file):
    done = run("restore", file, "--data", folder / "b")
    assert (done.exit_code, done.stdout.endswith("; 1 study\n")) == (0, True)
    assert with_store(folder / "b", entries) == with_store(folder / "a", entries)
    again = run("restore", file, "--data", folder / "b")
    assert (again.exit_code, again.stdout.endswith("; 0 studies\n")) == (0, True)
    assert with_store(folder / "b", goes_on) == 4


def goes_on(store: Store) -> int:
    return studies_in(store).submit(STUDY, WriteComment("ana", "k1", "2", "And more")).after.version


def test_restored_studies_are_listed(folder, file):
    run("restore", file, "--data", folder / "b")

    def found(store: Store) -> list[str]:
        wired = services(store, Settings())
        wired.study_worker.attend(USUAL.all)
        page = wired.study_service.find(StudyFilter(query="sting"), None)
        wired.close()
        return [study.title for study in page.studies]

    assert with_store(folder / "b", found) == ["Vetoes"]


def test_another_study_of_the_same_name_is_named_and_stays(folder, file):
    with_store(folder / "b", lambda store: studies_in(store).create("ben", "Mine", study=STUDY))
    done = run("restore", file, "--data", folder / "b")
    assert (done.exit_code, done.stderr) == (1, f"study {STUDY} was not restored: another one of this name is there\n")
    assert with_store(folder / "b", lambda store: studies_in(store).load(STUDY).title) == "Mine"


def test_the_chain_of_a_study_is_verified_offline_from_a_backup(folder, file):
    done = run("verify", file)
    assert (done.exit_code, done.stdout) == (0, f"{file}: genuine\n  a backup of 1 game and 1 study\n")
    with_store(folder / "a", lambda store: change(store, b"sting", b"smile"))
    assert run("backup", file, "--data", folder / "a").exit_code == 1
    done = run("verify", file)
    reason = "its hash is not that of its contents: something in it was changed"
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (1, f"  study {STUDY}: commit 3: {reason}")
    assert json.loads(run("verify", "--json", file).stdout)["bad"].keys() == {f"study {STUDY}"}
    assert run("restore", file, "--data", folder / "b").exit_code == 1


def change(store: Store, old: bytes, new: bytes) -> None:
    """Write the log of the study anew, with other words in it."""
    key, kept = store.buckets.key_of(STUDY, f"studies:log:{STUDY}"), entries(store)
    store.commands.delete(key)
    for version, entry in enumerate(kept, start=1):
        store.commands.xadd(key, {"c": entry.replace(old, new)}, id=f"{version}-0")


def test_a_file_that_breaks_off_is_no_backup(file):
    file.write_bytes(file.read_bytes()[:-20])
    done = run("verify", file)
    assert (done.exit_code, "NOT GENUINE" in done.stdout) == (1, True)
    with pytest.raises(BadBackup):
        inspect(file)


def test_a_check_reads_studies(folder, file):
    done = run("check", "--processes", 1, "--data", folder / "a")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (0, "1 study read: 0 cannot be used")


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda store: change(store, b"sting", b"smile"), "commit 3: its hash is not"),
        (lambda store: store.commands.set(store.buckets.key_of(STUDY, f"studies:secret:{STUDY}"), b"x"), "commit 1: "),
        (lambda store: try_nonsense(store), "a commit cannot be read: Invalid value"),
    ],
    ids=["changed", "another secret", "a move that no rules know"],
)
def test_a_check_names_studies_that_cannot_be_used(folder, file, harm, reason):
    with_store(folder / "a", harm)
    done = run("check", "--processes", 1, "--data", folder / "a")
    assert (done.exit_code, done.stdout.splitlines()[-1]) == (1, "1 study read: 1 cannot be used")
    assert done.stderr.splitlines()[-1].startswith(f"study {STUDY}: {reason}")


def try_nonsense(store: Store) -> None:
    studies_in(store).submit(STUDY, TryMove("ana", "k1", "2", "red", {}, ({"fact": "nonsense"},), 3))
