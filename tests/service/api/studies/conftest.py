"""One application for the tests of a module, with a game that is over and one that runs; every test has its study."""

import random

import pytest

from service.app import create_app
from service.settings import Settings
from tests.events.played import play_on
from tests.service.api.asking import Described, begun
from tests.service.api.studies.desk import Desk


@pytest.fixture(scope="module")
def service(running_stores):
    with running_stores.opened("embedded") as store:
        app = create_app(Settings(store_url=store.url))
        yield app
        app.services.close()


@pytest.fixture(scope="module")
def described(service) -> Described:
    return Described(service)


@pytest.fixture(scope="module")
def players(service, described):
    """Two guests who have played one game to its end, and are at another."""
    return [Desk.guest(described), Desk.guest(described)]


@pytest.fixture(scope="module")
def over(service, players) -> str:
    game = begun(*players)
    play_on(service.services.games, game, random.Random(1).randrange)
    return game


@pytest.fixture(scope="module")
def running(service, players) -> str:
    game = begun(*players)
    play_on(service.services.games, game, random.Random(1).randrange, moves=12)
    return game


@pytest.fixture
def desk(described, over) -> Desk:
    """A study of Ana's with the game that is over as its chapter."""
    return Desk.of(described, over)
