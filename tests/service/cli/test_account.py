"""`hidalgo account`, with the embedded store."""

import pytest

from service.accounts.errors import SignInFailed
from tests.service.cli.test_admin import accounts, run

__all__ = ["accounts"]


def test_the_operator_gives_an_account_a_password_that_works_once(accounts, data):
    accounts.register("El_Cid", "tizona y colada")
    reset = run("account", "reset", "el_cid", "--data", data)
    assert reset.exit_code == 0
    assert accounts.sessions.sign_in("el_cid", reset.stdout.strip()).account.handle == "El_Cid"
    with pytest.raises(SignInFailed):
        accounts.sessions.sign_in("el_cid", reset.stdout.strip())


def test_the_password_of_an_unknown_handle_cannot_be_reset(accounts, data):
    refused = run("account", "reset", "el_cid", "--data", data)
    assert refused.exit_code == 1
    assert "there is no account with the handle el_cid" in refused.stderr


def test_guests_that_are_gone_are_counted(accounts, data):
    accounts.make_guest()
    cleaned = run("account", "clean-guests", "--data", data)
    assert (cleaned.exit_code, cleaned.stdout) == (0, "0 guests forgotten\n")
