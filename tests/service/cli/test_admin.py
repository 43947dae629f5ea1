"""`hidalgo admin`, with the embedded store."""

import json

import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner

from events.store import open_store
from events.table.commands import Join
from service.accounts import Accounts
from service.accounts.passwords import Passwords
from service.cli import main
from service.services import services
from service.settings import Settings

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
def accounts(data):
    store, close = open_store(None, data, report=lambda line: None)
    yield Accounts(store, Passwords(CHEAP), cached_for=0)
    close()


def run(*arguments):
    return CliRunner().invoke(main, [*map(str, arguments)], env={"REDIS_URL": None, "HIDALGO_DATA": None})


def test_the_operator_makes_an_admin_and_a_player_again(accounts, data):
    accounts.register("El_Cid", "tizona y colada")
    made = run("admin", "el_cid", "--data", data)
    assert (made.exit_code, made.stdout) == (0, "El_Cid is now admin\n")
    assert accounts.account_named("el_cid").role == "admin"
    unmade = run("admin", "el_cid", "--remove", "--data", data)
    assert (unmade.exit_code, unmade.stdout) == (0, "El_Cid is now player\n")
    assert accounts.account_named("el_cid").role == "player"


def test_an_account_that_cannot_be_an_admin_is_refused_with_a_sentence(accounts, data):
    refused = run("admin", "el_cid", "--data", data)
    assert refused.exit_code == 1
    assert refused.stderr.endswith("Error: there is no account with the handle el_cid\n")
    guest = run("admin", accounts.make_guest().handle, "--data", data)
    assert guest.exit_code == 1
    assert guest.stderr.endswith("Error: a guest cannot become admin\n")


# The audit log


def entries(data):
    answer = run("admin", "audit", "--json", "--data", data)
    assert answer.exit_code == 0, answer.output
    return [json.loads(line) for line in answer.stdout.splitlines()]


def test_every_action_of_the_operator_is_told_with_its_reason(accounts, data):
    account = accounts.register("El_Cid", "tizona y colada").id
    run("admin", "el_cid", "--reason", "arbiter of the spring event", "--data", data)
    run("admin", "grant", "el_cid", "--remove", "--data", data)
    run("account", "reset", "el_cid", "--reason", "asked by mail", "--data", data)
    run("account", "clean-guests", "--data", data)
    told = entries(data)
    assert [(entry["action"], entry["about"], entry["reason"]) for entry in told] == [
        ("grant_admin", account, "arbiter of the spring event"),
        ("revoke_admin", account, ""),
        ("reset_password", account, "asked by mail"),
        ("remove_guests", "at most 10,000 guests", ""),
    ]
    assert all(entry["by"].startswith("operator ") and entry["at"] and not entry["refused"] for entry in told)
    assert [entry["about_handle"] for entry in told] == ["El_Cid"] * 3 + [""]


def test_an_action_that_is_refused_is_told_as_refused(accounts, data):
    assert run("admin", "el_cid", "--data", data).exit_code == 1
    first, second = entries(data)
    assert first["refused"] == ""
    assert second["refused"] == "there is no account with the handle el_cid"


def test_the_audit_log_is_printed_for_people_the_newest_last(accounts, data):
    accounts.register("El_Cid", "tizona y colada")
    for reason in ("first", "second", "third"):
        run("admin", "el_cid", "--reason", reason, "--data", data)
    answer = run("admin", "audit", "--last", "2", "--data", data)
    lines = answer.stdout.splitlines()
    assert [line.partition("grant_admin  ")[2] for line in lines] == ["El_Cid: second", "El_Cid: third"]


def test_a_reason_that_is_too_long_is_refused_before_anything_is_done(accounts, data):
    accounts.register("El_Cid", "tizona y colada")
    assert run("admin", "el_cid", "--reason", "x" * 501, "--data", data).exit_code == 2
    assert (accounts.account_named("el_cid").role, entries(data)) == ("player", [])


# Complaints


@pytest.fixture
def complaint(accounts, data):
    """One about a message of Ruy's."""
    store, close = open_store(None, data, report=lambda line: None)
    wired = services(store, Settings())
    ruy, cid = (accounts.register(handle, "tizona y colada").id for handle in ("Ruy", "El_Cid"))
    game = wired.games.create("el_grande", 2, owner=ruy).id
    wired.games.submit(game, Join(cid))
    wired.chat.chat.write(f"{game}/players", ruy, "rude")
    wired.chat.complain(game, cid, "players", 1, "an insult")
    yield wired.moderation.complaints.all()[0].id
    close()


def test_the_operator_reads_complaints_and_decides(complaint, data):
    listed = run("admin", "complaints", "--data", data)
    assert (listed.exit_code, complaint in listed.stdout) == (0, True)
    assert listed.stdout.endswith("/players/1  Ruy: rude (an insult)\n")
    decided = run(
        "admin", "decide", complaint, "--remove", "--silence", "--days", 7, "--reason", "again", "--data", data
    )
    assert decided.stdout == "done: remove_message, silence\n"
    assert run("admin", "complaints", "--data", data).stdout == ""
    assert "  removed  " in run("admin", "complaints", "--all", "--data", data).stdout
    assert [json.loads(run("admin", "complaints", "--all", "--json", "--data", data).stdout)["outcome"]] == ["removed"]
    assert [(entry["action"], entry["reason"], entry["refused"]) for entry in entries(data)] == [
        ("remove_message", "again", ""),
        ("silence", "again", ""),
    ]


def test_a_decision_that_makes_no_sense_ends_in_a_sentence(complaint, data):
    assert run("admin", "decide", "nothing", "--data", data).stderr.endswith("Error: there is no such complaint\n")
    assert run("admin", "decide", complaint, "--days", "7", "--data", data).exit_code == 2
    assert run("admin", "decide", complaint, "--remove", "--lift", "--data", data).exit_code == 1
    assert run("admin", "decide", complaint, "--data", data).stdout == "done: dismiss\n"
