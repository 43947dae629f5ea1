"""One application for the tests of a module; every test has its tournament."""

import pytest

from service.app import create_app
from service.settings import Settings
from tests.service.api.asking import ApiClient, Described
from tests.service.api.tournaments.event import Event


@pytest.fixture(scope="module")
def service(running_stores):
    with running_stores.opened("embedded") as store:
        app = create_app(Settings(store_url=store.url))
        yield app
        app.services.close()


@pytest.fixture(scope="module")
def described(service) -> Described:
    return Described(service)


@pytest.fixture
def anonymous(described) -> ApiClient:
    return ApiClient(described)


@pytest.fixture
def event(described) -> Event:
    """Open for players, and by hand."""
    return Event(described)
