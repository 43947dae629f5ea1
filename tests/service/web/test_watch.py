"""Watch: which games are on the page, how they look, and what reading it costs."""

import re
from importlib import import_module
from random import Random
from xml.etree import ElementTree

import pytest

from events.submission import Submission
from events.table.commands import Pause
from events.table.time_control import TimeControl
from service.bench.notices import round_trips
from service.games import gallery
from service.games.gallery import thumbnail
from service.games.game_lists import GameFilter, ended_list, public_list
from service.settings import DEFAULT_LIMITS, Limit, Settings
from tests.events.played import play_on
from tests.service.web.tables import ended, people, played, table

HOUR = 3_600_000


def games(page: str) -> list[str]:
    return re.findall(r'id="game-([^"]+)"', page)


def card(page: str, game: str) -> str:
    return re.search(rf'<li [^>]*id="game-{game}".*?</div>\s*</li>', page, re.S)[0]  # type: ignore[index]


@pytest.fixture
def wired(app):
    return app.services


@pytest.fixture
def team(wired) -> list[str]:
    return people(wired, "Bruno", "Chiara", "Emile")


def test_without_games_every_list_leads_on(browser):
    page = browser().get("/watch")
    assert page.status_code == 200
    assert "No game is being played." in page.text
    assert "No game is over yet." in page.text
    assert "No table waits for players." in browser().get("/watch?show=open").text


def test_games_stand_in_the_list_of_their_status(browser, wired, team):
    live, over, waiting = table(wired, team[:2]), ended(wired, team[:2]), table(wired, team[:2], seats=3)
    table(wired, team[:2], visibility="private")
    visitor = browser()
    assert games(visitor.get("/watch").text) == [live, over]
    assert games(visitor.get("/watch?show=live").text) == [live]
    assert games(visitor.get("/watch?show=finished").text) == [over]
    assert games(visitor.get("/watch?show=open").text) == [waiting]
    assert "1 table plays now." in visitor.get("/watch").text


def test_a_card_names_its_players_and_leads_to_their_pages_and_to_the_table(browser, wired, team):
    game = table(wired, team)
    shown = card(browser().get("/watch").text, game)
    assert "Table of Bruno" in shown
    assert f'href="/games/{game}"' in shown
    for handle in ("Bruno", "Chiara", "Emile"):
        assert f'<a href="/players/{handle}"' in shown
    duel = table(wired, team[:2])
    assert "Bruno against Chiara" in card(browser().get("/watch").text, duel)


def test_bots_are_marked_and_players_who_are_gone_have_no_page(browser, wired, team):
    game = table(wired, team[:1], bots=["greedy"])
    wired.accounts.delete(team[0], "tizona y colada")
    shown = card(browser().get("/watch").text, game)
    assert '<a href="/players/bot:greedy"' in shown
    assert '<span class="sr">bot</span>' in shown
    assert "a former player" in shown
    assert "/players/Bruno" not in shown


def badge(card: str) -> str:
    return re.search(r'class="badge[^"]*"[^>]*>(?:<svg.*?</svg>)?([^<]+)<', card)[1]  # type: ignore[index]


def test_the_states_of_a_game_are_told(browser, wired, team):
    clock = TimeControl(limit_ms=3 * HOUR)
    live, paused = table(wired, team, time=clock, length="full"), table(wired, team, time=clock)
    over, verified = ended(wired, team[:2]), ended(wired, team[:2])
    for account in team:
        wired.game_service.submit(paused, Pause(account), Submission())
    assert wired.packer.pack(verified)
    page = browser().get("/watch").text
    told = {game: badge(card(page, game)) for game in games(page)}
    assert told == {live: "round 1", paused: "paused", over: "finished", verified: "verified"}
    assert re.search(r'data-deadline="\d{13}">2 h 59 min left<', card(page, live))
    assert "data-deadline" not in card(page, paused)


def test_ones_own_turn_is_told_on_ones_own_page_only(cid, browser, wired, team):
    account = wired.accounts.account_named("El_Cid").id
    game = table(wired, [account, team[0]])
    [asked] = wired.games.load(game).asked
    mine, theirs = (card(visitor.get("/watch").text, game) for visitor in (cid, browser()))
    is_mine = wired.games.load(game).seats[asked] == account
    assert ("your turn" in mine) == is_mine
    assert "your turn" not in theirs


# Thumbnails


def test_one_drawing_of_the_land_serves_all_thumbnails(browser, wired, team):
    made = [played(wired, team, 10), played(wired, team, 20, rules="el_grande+anniversary"), played(wired, team[:2], 5)]
    page = browser().get("/watch").text
    assert page.count('id="t0-galicia"') == 1
    assert page.count('<use href="#t0-ground"/>') == len(made)
    shared = ElementTree.fromstring(re.search(r'<svg class="sr".*?</defs></svg>', page, re.S)[0])  # type: ignore[index]
    ids = {each.get("id") for each in shared.iter() if each.get("id")}
    assert set(re.findall(r'<use href="#(t0-[^"]+)"', page)) <= ids


def test_a_running_thumbnail_shows_a_closed_castillo(wired, team):
    game = wired.games.load(played(wired, team, 30))
    assert "s-closed" in thumbnail(game).drawing.markup
    while game.is_running:
        play_on(wired.games, game.id, Random(game.version).randrange, 60, key=str(game.version))
        game = wired.games.load(game.id)
    assert "s-closed" not in thumbnail(game).drawing.markup


# What it costs


def test_a_page_of_games_costs_two_round_trips_however_often_it_was_read(browser, wired, team):
    for number in range(4):
        ended(wired, team) if number % 2 else played(wired, team, 5)
    visitor = browser()
    visitor.get("/watch")
    wired.gallery.thumbnails._kept.clear()
    costs = []
    for _ in range(2):
        wired.accounts.profiles(team)
        with round_trips() as trips:
            wired.gallery.pages([public_list(GameFilter(limit=24)), ended_list(GameFilter(limit=24))])
        costs.append(trips.total())
    assert costs == [2, 2]


def test_the_thumbnail_of_a_game_that_is_over_is_drawn_once(wired, team, monkeypatch):
    ended(wired, team)
    drawn = []

    def noted(game):
        drawn.append(game.id)
        return thumbnail(game)

    monkeypatch.setattr(gallery, "thumbnail", noted)
    for _ in range(3):
        [page], _ = wired.gallery.pages([ended_list(GameFilter())])
        assert page.games[0].thumbnail
    assert len(drawn) == 1


def test_a_client_that_has_the_games_as_they_are_gets_nothing_again(browser, wired, team):
    game, visitor = played(wired, team, 5), browser()
    page = visitor.get("/watch")
    assert "ETag" not in page.headers
    tag = re.search(r'data-tag="([^"]+)"', page.text)[1]  # type: ignore[index]
    part = visitor.get("/watch?part=games", **{"If-None-Match": f'"{tag}"'})
    assert (part.status_code, part.text) == (304, "")
    play_on(wired.games, game, Random(8).randrange, 1, key="another")
    part = visitor.get("/watch?part=games", **{"If-None-Match": f'"{tag}"'})
    assert part.status_code == 200
    assert games(part.text) == [game]
    assert "<html" not in part.text


class TestLimits:
    @pytest.fixture
    def settings(self) -> Settings:
        return Settings(limits={**DEFAULT_LIMITS, "lists_from_an_address": Limit(2, 600)})

    def test_an_address_reads_lists_only_so_often(self, browser):
        visitor = browser()
        answers = [visitor.get(path) for path in ("/watch", "/watch?part=games", "/players/bot:greedy")]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert "That was tried too often." in answers[-1].text


# Filters and pages


def test_filters_are_kept_in_all_links_of_the_page(browser, wired, team):
    clocked = table(wired, team, time=TimeControl(limit_ms=HOUR))
    table(wired, team[:2])
    page = browser().get("/watch?players=3&clock=with").text
    assert games(page) == [clocked]
    assert '<option value="3" selected>' in page
    assert "/watch?show=live&amp;players=3&amp;clock=with" in page
    assert "No such game." in browser().get("/watch?players=5").text


def test_games_of_a_player_are_found_by_name_in_any_letters(browser, wired, team):
    game = table(wired, team[:2])
    table(wired, team[1:])
    assert games(browser().get("/watch?player=bruno").text) == [game]
    assert games(browser().get("/watch?player=+Bruno+&show=finished").text) == []


def test_a_name_that_nobody_has_is_told_and_inert(browser):
    visitor = browser()
    for name in ("nobody", "<b>", "a" * 300, "%00", "{time}", "Brúno"):
        page = visitor.get(f"/watch?player={name}")
        assert page.status_code == 200
        assert "No player is called" in page.text
        assert "<b>." not in page.text


@pytest.mark.parametrize(
    "query", ["show=lost", "players=x", "players=99", "clock=maybe", "game=chess", "expansion=%27"]
)
def test_an_address_that_means_nothing_is_as_good_as_none(browser, wired, team, query):
    game = table(wired, team)
    assert games(browser().get(f"/watch?{query}").text) == [game]


def test_long_lists_have_pages(browser, wired, team, monkeypatch):
    monkeypatch.setattr(import_module("service.web.watch"), "A_PAGE", 2)
    made = [ended(wired, team[:2]) for _ in range(5)]
    visitor, path, found = browser(), "/watch?show=finished", []
    while path:
        page = visitor.get(path).text
        found += games(page)
        following = re.search(r'rel="next" href="([^"]+)"', page)
        path = following[1].replace("&amp;", "&") if following else ""
    assert sorted(found) == sorted(made)
    assert "To the newest" in page
    assert visitor.get("/watch?show=finished&cursor=x").status_code == 400


# Studies


def test_public_studies_are_on_the_pages_and_private_ones_are_not(browser, wired, team):
    client, game = browser().client, ended(wired, team[:2])
    made = client.post("/api/v1/guests").json
    token, handle = {"Authorization": f"Bearer {made['token']}"}, made["handle"]
    for title, visibility in (("The veto <b>", "public"), ("My secret", "private")):
        body = {"title": title, "visibility": visibility, "game": game}
        assert client.post("/api/v1/studies", json=body, headers=token).status_code == 201
    for path in ("/", "/watch", f"/players/{handle}"):
        page = browser().get(path).text
        assert "The veto &lt;b&gt;</a>" in page, path
        assert "My secret" not in page
        assert 'id="s0-ground"' in page
    assert "The veto" not in browser().get("/watch?show=live").text
    assert "The veto" not in browser().get("/players/Bruno").text
    assert "The veto" not in browser().get("/watch?part=games").text
