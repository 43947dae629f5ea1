import pytest

from tests.service.studies.club import club


@pytest.fixture(name="club")
def the_club(running_stores):
    with club(running_stores) as club_of_a_test:
        yield club_of_a_test


@pytest.fixture(params=["embedded", "cluster"])
def any_club(request, running_stores):
    with club(running_stores, request.param) as club_of_a_test:
        yield club_of_a_test
