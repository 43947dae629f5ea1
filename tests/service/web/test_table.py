"""The table as the server gives it: the first position, for readers without scripts."""

import json
import random

import pytest

from events.table.commands import Join, Start
from rules.catalogue import GAMES
from tests.events.played import play_on


def game_of(app, *accounts, players=2, moves=None, **agreed) -> str:
    games = app.services.games
    game = str(games.create("el_grande", players, {"game_length": "short"}, owner=accounts[0], **agreed).id)
    for account in accounts:
        games.submit(game, Join(account, invited=True))
    games.submit(game, Start(accounts[0]))
    play_on(games, game, random.Random(3).randrange, moves)
    return game


def account_of(app, handle: str) -> str:
    return str(app.services.accounts.account_named(handle).id)


def test_a_running_game_is_read_without_a_script(app, cid):
    game = game_of(app, account_of(app, "El_Cid"), "a_2", moves=30)
    text = cid.get(f"/games/{game}").text
    loaded = app.services.games.load(game)
    assert f'data-version="{loaded.version}"' in text
    assert 'data-own="red"' in text
    for seat, score in loaded.state.board.scores.items():
        assert f'data-panel="{seat}"' in text
        assert f'<span class="points num">{score}</span>' in text
    assert "El_Cid" in text


@pytest.mark.parametrize("rules", GAMES)
def test_every_game_has_a_table(app, browser, rules):
    games = app.services.games
    game = games.create(rules, 2, owner="a_1").id
    for account in ("a_1", "a_2"):
        games.submit(game, Join(account))
    games.submit(game, Start("a_1"))
    answer = browser().get(f"/games/{game}")
    assert answer.status_code == 200
    assert "data-table" in answer.text


def test_a_spectator_gets_no_hand_no_decision_and_no_castillo(app, browser):
    game = game_of(app, "a_1", "a_2", moves=30)
    text = browser().get(f"/games/{game}").text
    assert 'data-viewer="spectator"' in text
    assert 'data-own=""' in text
    assert '"decisions": []' in text
    assert '"hand": [' not in text
    assert 'data-key="castillo/' not in text


def test_a_private_table_is_not_there_for_strangers(app, browser, cid):
    game = game_of(app, account_of(app, "El_Cid"), "a_2", moves=3, visibility="private")
    assert cid.get(f"/games/{game}").status_code == 200
    assert browser().get(f"/games/{game}").status_code == 404


def test_a_game_that_is_over_tells_so_and_leads_to_its_replay(app, cid):
    game = game_of(app, account_of(app, "El_Cid"), "a_2")
    text = cid.get(f"/games/{game}").text
    assert "The game is over" in text
    assert f"/games/{game}/replay" in text


def test_the_question_of_the_page_is_word_for_word_that_of_the_interface(app, cid):
    """Or else the first look at what is new would take it for another one, and forget what was picked meanwhile."""
    game = game_of(app, account_of(app, "El_Cid"), "a_2", moves=0)
    if "red" not in app.services.games.load(game).asked:
        play_on(app.services.games, game, random.Random(3).randrange, 1)
    given = json.loads(cid.get(f"/games/{game}").text.split('id="game">')[1].split("</script>")[0])
    answered = cid.get(f"/api/v1/games/{game}/table").json
    assert given["table"]["decisions"]
    assert json.dumps(given["table"]["decisions"]) == json.dumps(answered["decisions"])


def test_the_name_of_a_player_is_text_and_nothing_else(app, cid):
    game = game_of(app, account_of(app, "El_Cid"), "a_2", moves=5)
    text = cid.get(f"/games/{game}").text
    given = text.split('id="game">')[1].split("</script>")[0]
    assert "<" not in given
