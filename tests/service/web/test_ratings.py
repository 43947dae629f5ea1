"""The ratings of a player, on their page and over REST."""

import re

import pytest

from service.tournaments.rating_ledger import RatedTable
from tests.service.web.tables import people
from tournaments.options import Options
from tournaments.ratings import NEW, RatedGame, rating_history, strength

FAMILY = "el_grande"
ROW = re.compile(r'<th scope="row">(.*?)</th>.*?<td class="num">(.*?)</td>.*?<td class="num">(.*?)</td>.*?(\d+)<')


@pytest.fixture
def wired(app):
    return app.services


@pytest.fixture
def api(app):
    return lambda path: app.test_client().get(f"/api/v1{path}")


def rated(wired, players, tournament: str = "t", *, places=((1, 2),)) -> None:
    """Tables of a tournament, one a day."""
    for number, placed in enumerate(places):
        at = 1_800_000_000_000 + number * 86_400_000
        table = RatedTable(tournament, number + 1, 0, number + 1, at, tuple(players), placed)
        assert wired.ratings.put(FAMILY, table, None)
    while not wired.ratings.is_settled(FAMILY):
        wired.rating_worker.attend()


def test_the_page_of_a_player_has_a_line_and_its_numbers(browser, wired):
    bruno, noor = people(wired, "Bruno", "Noor")
    id = wired.tournaments.create(noor, Options("Copa de Castilla", "el_grande")).id
    rated(wired, [bruno, noor], id, places=((1, 2), (2, 1)))
    page = browser().get("/players/Bruno").text
    games = [RatedGame((bruno, noor), placed) for placed in ((1, 2), (2, 1))]
    first, second = (strength(each) for each in rating_history(games, bruno))
    assert "2 rated games" in page
    assert f'aria-label="Rating, from 1000 to {second}; highest {max(1000, first)}, lowest' in page
    rows = re.findall(
        r'<th scope="row">(.*?)</th>.*?<td class="num">(.*?)</td>.*?<td class="num">(.*?)</td>.*?(\d+)<', page
    )
    assert rows == [
        ("2027-01-16", "2 of 2", f"{second - first:+}", str(second)),
        ("2027-01-15", "1 of 2", f"{first - strength(NEW):+}", str(first)),
    ]
    assert page.count("Copa de Castilla") == 2


def test_a_private_tournament_is_named_to_its_people_alone(cid, browser, api, wired):
    account, [noor] = wired.accounts.account_named("El_Cid").id, people(wired, "Noor")
    secret = Options("Secret club", "el_grande", visibility="private")
    id = wired.tournaments.create(account, secret).id
    rated(wired, [account, noor], id)
    assert "Secret club" in cid.get("/players/Noor").text
    page = browser().get("/players/Noor").text
    assert "1 rated game" in page
    assert "Secret club" not in page
    assert id not in page
    answer = api(f"/players/{noor}/ratings")
    [step] = answer.get_json()["steps"]
    assert (step["tournament"], step["round"], step["place"], step["players"]) == (None, None, 2, 2)
    assert id not in answer.text


def test_a_player_without_rated_games_has_no_chart(browser, api, wired):
    [bruno] = people(wired, "Bruno")
    assert "rating-line" not in browser().get("/players/Bruno").text
    assert api(f"/players/{bruno}").get_json()["ratings"] == []
    assert api(f"/players/{bruno}/ratings").get_json() == {"game": FAMILY, "steps": [], "next": None}


def test_ratings_come_in_pages(api, wired):
    bruno, noor = people(wired, "Bruno", "Noor")
    rated(wired, [bruno, noor], places=((1, 2), (2, 1), (1, 2)))
    [now] = api(f"/players/{bruno}").get_json()["ratings"]
    first = api(f"/players/{bruno}/ratings?limit=2").get_json()
    assert [step["number"] for step in first["steps"]] == [3, 2]
    assert first["steps"][0]["rating"] == now["rating"]
    second = api(f"/players/{bruno}/ratings?limit=2&before={first['next']}").get_json()
    [last] = second["steps"]
    assert (last["number"], second["next"], last["rating"] - last["change"]) == (1, None, strength(NEW))


@pytest.mark.parametrize("query", ["game=chess", "limit=0", "limit=1000", "before=0", "before=x", "game=../.."])
def test_hostile_queries_are_refused(api, wired, query):
    [bruno] = people(wired, "Bruno")
    assert api(f"/players/{bruno}/ratings?{query}").status_code == 422


def test_a_player_that_is_not_there_has_no_ratings(api):
    assert api("/players/a_0000000000000000/ratings").status_code == 404
