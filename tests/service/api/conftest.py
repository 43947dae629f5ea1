"""An application on an empty store, and people who ask it."""

import pytest

from service.accounts import SCOPES
from service.app import create_app
from tests.service.api.asking import Described, Somebody


@pytest.fixture
def kind():
    """The kind of store that tests of the interface run on, unless they say otherwise."""
    return "embedded"


@pytest.fixture
def service(running_stores, kind):
    with running_stores.opened(kind) as store:
        app = create_app(store.url)
        yield app
        app.extensions["streams"].close()
        app.extensions["store"].close()


@pytest.fixture
def described(service) -> Described:
    return Described(service)


@pytest.fixture
def guest(service, described):
    """Makes guests; with `scopes`, their token has only those."""
    accounts = service.extensions["accounts"]

    def make(*scopes: str) -> Somebody:
        account = accounts.make_guest()
        token = accounts.create_token(account.id, "test", scopes or SCOPES["guest"])
        return Somebody(described, token.secret, account.id)

    return make


@pytest.fixture
def nobody(described) -> Somebody:
    return Somebody(described)


@pytest.fixture
def ana(guest) -> Somebody:
    return guest()


@pytest.fixture
def ben(guest) -> Somebody:
    return guest()


@pytest.fixture
def eve(guest) -> Somebody:
    """Sits at no table."""
    return guest()
