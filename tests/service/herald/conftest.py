import pytest

from tests.service.herald.receiver import receiver
from tests.service.herald.town import Town


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
