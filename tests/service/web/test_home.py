"""The front page of a visitor who is signed in: their tables come first, and those that wait for them before all."""

import re

import pytest

from service.bench.notices import round_trips
from tests.service.web.tables import ended, people, table
from tests.service.web.test_watch import games


@pytest.fixture
def wired(app):
    return app.services


@pytest.fixture
def me(cid, wired) -> str:
    return wired.accounts.account_named("El_Cid").id


def hero(page: str) -> str:
    found = re.search(r"<h1>(.*?)</h1>\s*<p[^>]*>(.*?)</p>", page, re.S)
    assert found
    return re.sub(r"<[^>]+>", "", found[1]) + " / " + found[2]


def test_without_tables_the_page_leads_on(cid, browser):
    assert hero(cid.get("/").text) == "Win Spain, region by region. / You sit at no table, El_Cid."
    assert "Choose a name" in browser().get("/").text


def test_ones_own_tables_come_first_and_the_king_is_named(cid, me, wired):
    [noor] = people(wired, "Noor")
    made = [table(wired, [me, noor]) for _ in range(3)] + [table(wired, [noor, me], visibility="private")]
    turns = {name for name in made if me in map((g := wired.games.load(name)).seats.get, g.asked)}
    page = cid.get("/").text
    mine = games(page.partition("Open seats")[0])
    assert set(mine) == set(made)
    assert set(mine[: len(turns)]) == turns
    assert re.match(r"The King is in [A-Z].*\. / ", hero(page).replace("the Basque", "The Basque"))
    waiting = {0: "No table waits", 1: "1 table waits"}.get(len(turns), f"{len(turns)} tables wait")
    assert hero(page).endswith(f" / {waiting} for you, El_Cid.")


def test_strangers_see_no_private_table(browser, me, wired):
    [noor] = people(wired, "Noor")
    private, public = table(wired, [me, noor], visibility="private"), table(wired, [me, noor])
    assert games(browser().get("/").text) == [public]
    assert private not in browser().get("/").text


def test_where_nobody_plays_the_games_that_ended_last_are_shown(browser, wired):
    team = people(wired, "Bruno", "Noor")
    over = ended(wired, team)
    page = browser().get("/").text
    assert "Just finished" in page
    assert games(page) == [over]


def test_games_on_the_front_page_cost_two_round_trips_beside_the_visitor(cid, me, wired):
    team = [me, *people(wired, "Bruno", "Noor")]
    for _ in range(2):
        table(wired, team)
        ended(wired, team)
    cid.get("/")
    wired.accounts.profiles(team)
    costs = []
    for _ in range(3):
        with round_trips() as trips:
            assert cid.get("/?part=games").status_code == 200
        costs.append(trips.total())
    # Two limits; the session and the names, which a test does not keep; the index, the log.
    assert min(costs) <= 7, "now and then a connection is made besides"
