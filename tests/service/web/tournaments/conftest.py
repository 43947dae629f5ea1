"""An organiser, an arbiter, a player and a stranger, each with a browser."""

from collections.abc import Callable

import pytest

from tests.service.web.conftest import Visitor
from tests.service.web.tournaments.event import Event
from tournaments.commands import SetStaff


@pytest.fixture
def olga(browser) -> Visitor:
    """An organiser."""
    return signed_up(browser, "Olga")


@pytest.fixture
def ana(browser) -> Visitor:
    """A player."""
    return signed_up(browser, "Ana")


@pytest.fixture
def ari(browser) -> Visitor:
    """An arbiter."""
    return signed_up(browser, "Ari")


@pytest.fixture
def stranger(browser) -> Visitor:
    visitor: Visitor = browser()
    return visitor


def signed_up(browser: Callable[[], Visitor], handle: str) -> Visitor:
    visitor = browser()
    assert visitor.sign_up(handle).status_code == 303
    return visitor


@pytest.fixture
def opened(app, olga) -> Event:
    """Open for players: four bots have come."""
    event = Event(app, "Olga")
    event.enter(bots=4)
    return event


@pytest.fixture
def running(app, olga, ana, ari) -> Event:
    """In its first round: Ana and three bots play, Ari is an arbiter."""
    event = Event(app, "Olga")
    event.do(SetStaff(event.organiser, event.account("Ari"), "arbiter"))
    event.enter("Ana", bots=3)
    event.start()
    return event


@pytest.fixture
def closed(running) -> Event:
    """Between its rounds."""
    running.play()
    return running
