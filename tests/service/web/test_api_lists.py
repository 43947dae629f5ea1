"""Lists of the interface in a browser: each leads to a page, and to no other site."""

import re

import pytest

from service.web.api_lists import PAGES
from tests.service.web.tables import people
from tournaments.options import Options


@pytest.fixture
def bruno(app) -> str:
    [account] = people(app.services, "Bruno")
    return account


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("", "/watch"),
        ("?status=open", "/watch?show=open"),
        ("?status=over&players=4&clock=with", "/watch?show=finished&players=4&clock=with"),
        ("?rules=el_grande%2Banniversary", "/watch?game=el_grande&expansion=anniversary"),
        ("?rules=chess&status=lost&cursor=x", "/watch"),
    ],
)
def test_the_filters_of_a_list_are_those_of_its_page(browser, query, page):
    led = browser().get(f"/api/v1/games{query}")
    assert (led.status_code, led.headers["Location"]) == (303, page)
    assert "Accept" in led.headers["Vary"]


def test_players_are_led_to_by_their_names(browser, bruno):
    visitor = browser()
    for path in (f"players/{bruno}", f"players/{bruno}/games"):
        assert visitor.get(f"/api/v1/{path}").headers["Location"] == "/players/Bruno"
    assert visitor.get(f"/api/v1/games?player={bruno}").headers["Location"] == "/watch?player=Bruno"
    assert visitor.get("/api/v1/players/bot:greedy").headers["Location"] == "/players/bot:greedy"
    assert visitor.get("/api/v1/players/a_nobody").status_code == 404


@pytest.mark.parametrize(
    ("query", "page"),
    [("", "/tournaments"), ("?status=open&limit=3", "/tournaments?show=open"), ("?status=lost", "/tournaments")],
)
def test_tournaments_of_a_state_are_led_to_by_that_state(browser, query, page):
    assert browser().get(f"/api/v1/tournaments{query}").headers["Location"] == page


def test_every_list_leads_to_a_page_that_is_there(app, cid, bruno):
    tournament = app.services.tournaments.create(bruno, Options("Club evening", "el_grande")).id
    rules = {rule.endpoint: rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    for endpoint in PAGES:
        led = cid.get(rules[endpoint].replace("<player>", bruno).replace("<tournament>", tournament))
        assert led.status_code == 303, endpoint
        path, _, section = led.headers["Location"].partition("#")
        page = cid.get(path)
        assert page.status_code == 200, endpoint
        assert not section or re.search(rf'id="{section}"', page.text), endpoint
