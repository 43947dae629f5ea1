"""An application on an empty store, and its clients."""

from dataclasses import replace

import pytest

from service.accounts import SCOPES
from service.settings import Settings
from tests.service.api.asking import ApiClient, Described
from tests.service.applications import application


@pytest.fixture
def kind():
    """The kind of store that tests of the interface run on, unless they say otherwise."""
    return "embedded"


@pytest.fixture
def settings() -> Settings:
    """Those of the service, beside its store."""
    return Settings()


@pytest.fixture
def service(running_stores, kind, settings):
    with running_stores.opened(kind) as store:
        app = application(replace(settings, store_url=store.url))
        yield app
        app.services.close()


@pytest.fixture
def described(service) -> Described:
    return Described(service)


@pytest.fixture
def guest(service, described):
    """Makes guests; with `scopes`, their token has only those."""
    accounts = service.services.accounts

    def make(*scopes: str) -> ApiClient:
        account = accounts.make_guest()
        token = accounts.tokens.create(account.id, "test", scopes or SCOPES["guest"])
        return ApiClient(described, token.secret, account.id)

    return make


@pytest.fixture
def anonymous(described) -> ApiClient:
    return ApiClient(described)


@pytest.fixture
def ana(guest) -> ApiClient:
    return guest()


@pytest.fixture
def ben(guest) -> ApiClient:
    return guest()


@pytest.fixture
def eve(guest) -> ApiClient:
    """Sits at no table."""
    return guest()


@pytest.fixture
def admin(service, described):
    accounts = service.services.accounts
    account = accounts.register("keeper", "tizona y colada")
    accounts.set_role("keeper", "admin")
    return ApiClient(described, accounts.tokens.create(account.id, "test", SCOPES["admin"]).secret, account.id)
