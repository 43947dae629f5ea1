import pytest

from tests.service.notifications.receiver import receiver
from tests.service.notifications.town import Town


@pytest.fixture(params=["embedded"])
def town(request, running_stores):
    """On the embedded store; other kinds by `@pytest.mark.parametrize("town", [...], indirect=True)`."""
    with running_stores.opened(request.param) as store:
        yield Town(store)


@pytest.fixture
def bot():
    """A receiver that takes everything."""
    with receiver() as receiving:
        yield receiving
