"""The replay page as the server gives it: for readers without scripts, and for no eyes that may not see."""

import random
import re

import pytest

from events.table.commands import Join, Start
from service.app import create_app
from service.settings import Settings
from tests.events.played import play_on

pytestmark = pytest.mark.parametrize("store", ["embedded"], indirect=True)


@pytest.fixture
def app(store):
    app = create_app(Settings(store_url=store.url))
    yield app
    app.services.close()


def game_of(app, moves=None, **agreed) -> str:
    games = app.services.games
    game = games.create("el_grande", 2, {"game_length": "short"}, owner="a_1", **agreed).id
    for account in ("a_1", "a_2"):
        games.submit(game, Join(account, invited=True))
    games.submit(game, Start("a_1"))
    play_on(games, game, random.Random(3).randrange, moves)
    return str(game)


def test_a_game_that_is_over_begins_at_its_first_position(app):
    text = app.test_client().get(f"/games/{game_of(app)}/replay").text
    assert 'data-step="4"' in text  # created, two players, started
    assert 'data-viewer="everything"' in text


def test_final_scores_stand_above_every_step(app):
    game = game_of(app)
    text = app.test_client().get(f"/games/{game}/replay?step=20").text
    for score in app.services.games.load(game).state.board.scores.values():
        assert f"<b>{score}</b>" in text


def test_a_running_game_begins_at_its_last_position_for_the_public(app):
    game = game_of(app, moves=20)
    text = app.test_client().get(f"/games/{game}/replay").text
    assert f'data-step="{app.services.games.load(game).version}"' in text
    assert 'data-viewer="spectator"' in text
    assert 'data-key="closed"' in text
    assert 'data-key="castillo/' not in text


@pytest.mark.parametrize(
    ("step", "shown"), [("10", 10), ("0", 4), ("-3", 4), ("99999999", None), ("x", 4), ("٣", 4), ("9" * 400, 4)]
)
def test_a_step_that_is_not_there_is_the_nearest_one(app, step, shown):
    game = game_of(app)
    last = app.services.games.load(game).version
    text = app.test_client().get(f"/games/{game}/replay", query_string={"step": step}).text
    assert f'data-step="{shown or last}"' in text


def test_eyes_that_may_not_see_are_refused(app):
    game, client = game_of(app, moves=20), app.test_client()
    assert client.get(f"/games/{game}/replay?as=red").status_code == 403
    assert client.get(f"/games/{game}/replay?as=everything").status_code == 409
    assert client.get(f"/games/{game}/replay?as=<script>").status_code == 400


def test_a_private_game_does_not_exist_for_strangers(app):
    game = game_of(app, moves=5, visibility="private")
    assert app.test_client().get(f"/games/{game}/replay").status_code == 404


def test_a_table_that_waits_has_a_page_too(app):
    game = app.services.games.create("el_grande", 3).id
    assert app.test_client().get(f"/games/{game}/replay").status_code == 200


def test_nothing_of_the_page_is_inline(app):
    text = app.test_client().get(f"/games/{game_of(app)}/replay?step=30").text
    assert "style=" not in text
    for script in re.findall(r"<script[^>]*>", text):
        assert "src=" in script or 'type="application/json"' in script
    assert not re.search(r"\son\w+=", text)


def test_data_for_scripts_cannot_become_markup(app):
    text = app.test_client().get(f"/games/{game_of(app)}/replay").text
    [data] = re.findall(r'<script type="application/json" id="texts">(.*?)</script>', text, re.S)
    assert "<" not in data
