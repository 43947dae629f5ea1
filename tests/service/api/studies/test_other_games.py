"""The studio knows no game: what can be done in a study of one can be done in a study of every other."""

import random

import pytest

from events.table.commands import Join, Start
from tests.events.played import play_on
from tests.service.api.studies.desk import Desk

STEPS = ("30", "45", "60", "75")


@pytest.fixture(scope="module", params=["el_caballero", "el_grande+king_and_intrigue"])
def studied(request, service, described) -> Desk:
    """A study of a game of three that is over."""
    owner, games = Desk.guest(described), service.services.games
    game = games.create(request.param, 3, owner=owner.account).id
    for account in (owner.account, "ben", "cid"):
        games.submit(game, Join(account))
    games.submit(game, Start(owner.account))
    play_on(games, game, random.Random(1).randrange)
    return Desk.of(described, game, owner)


@pytest.mark.parametrize("step", STEPS)
def test_a_line_is_tried_previewed_and_guessed(studied, step):
    node = step
    for _ in range(4):
        move = studied.example(node)
        preview = studied.owner.post(f"{studied.node_path(node)}/preview", move).get_json()
        tried = studied.try_move(node)
        assert tried["position"]["step"]["story"] == preview["step"]["story"]
        assert tried["position"]["scene"]["sprites"]
        guessed = studied.owner.post(f"{studied.node_path(node)}/guess", move).get_json()
        assert guessed["is_played"] or guessed["variation"]["node"] == tried["node"]["id"]
        node = tried["node"]["id"]
    assert len({each["label"] for each in studied.page()["nodes"] if each["parent"] == step}) == 1
    assert studied.owner.get(f"{studied.node_path(node)}/board.svg").status_code == 200


def test_a_file_brings_everything_along(studied):
    studied.try_move("30")
    exported = studied.owner.get(f"{studied.path}/export?format=text").get_data(as_text=True)
    body = {"format": "text", "document": exported, "visibility": "private"}
    copy = studied.owner.post("/studies/import", body).get_json()
    again = studied.owner.get(f"/studies/{copy['id']}/export?format=text").get_data(as_text=True)
    assert again == exported
