"""Several processes serve the same games: what one has not heard of yet does not make it refuse."""

import pytest

from service.app import create_app
from service.settings import Settings
from tests.service.api.asking import ApiClient, Described, asked, begun, problem


@pytest.fixture
def elsewhere(service):
    """The same person, asking another process."""
    other = create_app(Settings(store_url=service.services.store.url))
    described = Described(other)
    yield lambda person: ApiClient(described, person.token, person.account)
    other.services.close()


def test_a_seat_taken_at_one_process_is_seen_by_the_other(ana, ben, elsewhere):
    game = ana.makes(visibility="private")
    word = elsewhere(ana).post(f"/games/{game}/invitations").get_json()["invitation"]
    assert elsewhere(ben).post(f"/games/{game}/seats", {"invitation": word}).status_code == 200
    assert ben.delete(f"/games/{game}/seats/mine").status_code == 200


def test_a_move_is_decided_on_the_newest_position(ana, ben, elsewhere):
    game = begun(ana, ben)
    elsewhere(ana).game(game)
    for _ in range(3):
        person, decision = asked(game, ana, ben)
        assert elsewhere(person).post(f"/games/{game}/moves", decision["example"]).status_code == 201
        person, decision = asked(game, elsewhere(ana), elsewhere(ben))
        here = ana if person.account == ana.account else ben
        assert here.post(f"/games/{game}/moves", decision["example"]).status_code == 201


def test_the_version_that_counts_is_the_newest(ana, ben, elsewhere):
    game = ana.makes(players=3)
    elsewhere(ana).game(game)
    newest = ben.post(f"/games/{game}/seats").headers["ETag"]
    assert problem(elsewhere(ana).post(f"/games/{game}/abort", If_Match='"2"')) == (412, "precondition_failed")
    assert elsewhere(ana).post(f"/games/{game}/abort", If_Match=newest).status_code == 200


def test_a_move_repeated_at_another_process_is_answered_as_the_first_time(ana, ben, elsewhere):
    game = begun(ana, ben)
    elsewhere(ana).game(game)
    person, decision = asked(game, ana, ben)
    first = person.post(f"/games/{game}/moves", decision["example"], Idempotency_Key="once")
    again = elsewhere(person).post(f"/games/{game}/moves", decision["example"], Idempotency_Key="once")
    assert (again.status_code, again.get_json()) == (201, first.get_json())
