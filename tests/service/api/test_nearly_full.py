"""A store that is nearly full: whatever would take room for good is refused, and games go on."""

import pytest

from tests.service.api.asking import begun, problem

KEY = "a-key-that-is-long-enough-to-be-random"
BEGINNINGS = {
    "an account": ("/accounts", {"handle": "Ruy", "password": "tizona y colada"}),
    "a guest": ("/guests", {}),
    "a table": ("/games", {"players": 2}),
    "a bot": ("/games/{table}/seats", {"bot": "greedy"}),
    "a rematch": ("/games/{table}/rematch", {}),
    "a message": ("/games/{table}/chat", {"text": "Hola"}),
    "a study": ("/studies", {"title": "Club games", "visibility": "public"}),
    "a study of a file": ("/studies/import", {"format": "json", "document": "{}"}),
    "a tournament": ("/tournaments", {"title": "Club evening", "game": "el_grande"}),
}
OF_STRANGERS = ("an account", "a guest")


@pytest.fixture
def nearly_full(service) -> None:
    """As if the store had just been found so."""
    service.services.reserve._is_touched, service.services.reserve._looked_at = True, float("inf")


@pytest.mark.parametrize("name", BEGINNINGS)
@pytest.mark.parametrize("key", ["", KEY], ids=["once", "with a key"])
def test_nothing_new_begins(request, ana, anonymous, name, key):
    table = ana.makes()
    request.getfixturevalue("nearly_full")
    path, body = BEGINNINGS[name]
    headers = {"Idempotency_Key": key} if key else {}
    answer = (anonymous if name in OF_STRANGERS else ana).post(path.format(table=table), body, **headers)
    assert problem(answer) == (503, "store_full")


def test_games_go_on(request, ana, ben):
    game, table = begun(ana, ben), ana.makes()
    request.getfixturevalue("nearly_full")
    assert ben.post(f"/games/{table}/seats").status_code == 200
    assert ana.post(f"/games/{table}/start").status_code == 200
    assert ana.post(f"/games/{game}/resign").status_code == 200
