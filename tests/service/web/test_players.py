"""The page of a player."""

import re

import pytest

from tests.service.web.tables import ended, people, table
from tests.service.web.test_watch import games


@pytest.fixture
def wired(app):
    return app.services


def test_a_player_is_shown_with_the_games_that_are_public(browser, wired):
    bruno, noor = people(wired, "Bruno", "Noor")
    live, over = table(wired, [bruno, noor]), ended(wired, [noor, bruno])
    table(wired, [bruno, noor], visibility="private")
    page = browser().get("/players/Bruno")
    assert games(page.text) == [live, over]
    assert "2 public games" in page.text
    assert "private" not in page.text


def test_ones_own_private_games_are_on_ones_own_page(cid, browser, wired):
    account, [noor] = wired.accounts.account_named("El_Cid").id, people(wired, "Noor")
    private = table(wired, [account, noor], visibility="private")
    mine, theirs = (visitor.get("/players/El_Cid").text for visitor in (cid, browser()))
    assert games(mine) == [private]
    assert "Your account" in mine
    assert games(theirs) == []
    assert "El_Cid sits at no table." in theirs


def test_other_letters_of_a_name_lead_to_the_same_page(browser, wired):
    people(wired, "Bruno")
    assert browser().get("/players/bRUNO").headers["Location"] == "/players/Bruno"
    assert browser().get("/players/Greedy").headers["Location"] == "/players/bot:greedy"


def test_bots_are_marked(browser, wired):
    [program, _] = people(wired, "Mesa_Bot", "Bruno")
    wired.accounts.declare_bot(program, True)
    mark = re.compile(r'class="badge">.*?bot</span>')
    assert mark.search(browser().get("/players/Mesa_Bot").text)
    assert mark.search(browser().get("/players/bot:greedy").text)
    assert not mark.search(browser().get("/players/Bruno").text)


def test_a_name_that_nobody_has_is_not_found(browser, wired):
    [bruno] = people(wired, "Bruno")
    wired.accounts.delete(bruno, "tizona y colada")
    for name in ("Bruno", "nobody", "bot:nobody", "..", "a_123456789", "x" * 5000):
        assert browser().get(f"/players/{name}").status_code == 404, name
