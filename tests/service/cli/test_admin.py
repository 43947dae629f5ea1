"""`hidalgo admin`, with the embedded store."""

import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner

from events.store import open_store
from service.accounts import Accounts
from service.accounts.passwords import Passwords
from service.cli import main

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
