import pytest

from tests.service.tournaments.hall import hall


@pytest.fixture(name="hall")
def the_hall(running_stores):
    with hall(running_stores) as hall_of_a_test:
        yield hall_of_a_test
