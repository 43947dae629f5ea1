import pytest

from tests.service.notifications.harness import Harness
from tests.service.notifications.receiver import receiver


@pytest.fixture(params=["embedded"])
def harness(request, running_stores):
    """On the embedded store; other kinds by `@pytest.mark.parametrize("harness", [...], indirect=True)`."""
    with running_stores.opened(request.param) as store:
        yield Harness(store)


@pytest.fixture
def bot():
    """A receiver that takes everything."""
    with receiver() as receiving:
        yield receiving
