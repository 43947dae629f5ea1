"""A game in two clicks: the start form, without a script and without an account."""

import re

import pytest

from events.table.game import OPEN, PRIVATE, PUBLIC, RUNNING
from service.settings import Limit, Settings
from tests.service.web.conftest import BROWSER


def table_of(answer, app):
    assert answer.status_code == 303, answer.text
    path = answer.headers["Location"]
    assert path.startswith("/games/")
    return app.services.games.load(path.removeprefix("/games/"))


def test_a_stranger_plays_against_bots_with_one_press(app, browser):
    stranger = browser()
    game = table_of(stranger.submit("/", "/start"), app)
    assert (game.status, len(game.players), len(game.bots), game.visibility) == (RUNNING, 4, 3, PRIVATE)
    identity = app.services.accounts.sessions.identity(stranger.session)
    assert (identity.role, game.seats["red"]) == ("guest", identity.account)
    assert {bot.pace_ms for bot in game.bots.values()} == {1000}


def test_a_table_for_friends_waits_and_begins_by_itself(app, cid):
    game = table_of(cid.submit("/", "/start", players="2"), app)
    assert (game.status, game.visibility, game.starts_when_full) == (OPEN, PRIVATE, True)
    assert game.time.bank_ms == 20 * 60_000
    page = cid.get(f"/games/{game.id}").text
    assert f"/join/{game.id}/hdi_" in page
    assert "begins by itself" in page


def test_seats_for_anyone_are_public_and_stand_on_the_front_page(app, browser, cid):
    form = {"with": "anyone", "pace": "daily", "title": "  Slow   and steady "}
    game = table_of(cid.submit("/", "/start", **form), app)
    assert (game.visibility, game.title, game.time.limit_ms) == (PUBLIC, "Slow and steady", 86_400_000)
    page = browser().get("/").text
    assert "Slow and steady" in page
    assert f'action="/games/{game.id}/waiting"' in page


def test_everything_behind_change_counts(app, cid):
    wanted = {
        "with": "bots",
        "players": "2",
        "game_length": "short",
        "castillo_display": "open",
        "expansions": "anniversary",
        "time": "10-10",
        "visibility": "public",
        "take_back": "never",
        "bot": "shrewd",
        "bot_pace": "brisk",
    }
    game = table_of(cid.submit("/", "/start", **wanted), app)
    assert game.rules == "el_grande+anniversary"
    assert game.options == {"game_length": "short", "castillo_display": "open"}
    assert (game.time.bank_ms, game.visibility, game.may_take_back) == (600_000, PUBLIC, False)
    [bot] = game.bots.values()
    assert (bot.name, bot.pace_ms) == ("shrewd", 300)


NONSENSE = {"pace": "x", "with": "x", "players": "99", "time": "x", "bot": "x", "bot_pace": "x", "game": "chess"}


def test_nonsense_in_the_form_is_as_if_nothing_was_said(app, cid):
    game = table_of(cid.submit("/", "/start", **NONSENSE, title="a\u202eb"), app)
    assert (game.status, len(game.players), game.title) == (RUNNING, 4, "")


def test_a_form_that_is_sent_twice_makes_one_table(app, cid):
    path, values = "/start", {"with": "friends", "key": "a-key-of-this-page"}
    csrf = cid.get("/").text.partition('name="csrf" value="')[2].partition('"')[0]
    places = [
        cid.client.post(path, data=values | {"csrf": csrf}, headers=BROWSER).headers["Location"] for _ in range(2)
    ]
    assert len(set(places)) == 1


def test_a_form_of_another_site_starts_nothing(app, browser):
    foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    answer = browser().client.post("/start", data={"with": "bots"}, headers=foreign)
    assert (answer.status_code, answer.json["code"]) == (403, "csrf")


@pytest.mark.parametrize("title", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "{{ 7 * 7 }}"])
def test_a_hostile_name_of_a_table_is_only_text(app, browser, cid, title):
    game = table_of(cid.submit("/", "/start", **{"with": "anyone"}, title=title), app)
    assert game.title == title
    link = app.services.game_service.link(game.id, game.owner).word
    for path in ("/", f"/games/{game.id}", "/watch?show=open", f"/join/{game.id}/{link}"):
        page = browser().get(path).text
        assert title not in page or "<" not in title
        assert "<script>alert" not in page
        assert "onerror=alert" not in page.replace("onerror=alert(1)&gt;", "")


class TestLimits:
    @pytest.fixture
    def settings(self):
        return Settings(limits=dict(Settings().limits) | {"bots_of_an_account": Limit(4, 3600)})

    def test_a_table_whose_bots_are_refused_is_not_left_behind(self, app, cid):
        table_of(cid.submit("/", "/start", **{"with": "bots"}), app)
        answer = cid.submit("/", "/start", **{"with": "bots"})
        assert answer.status_code == 429
        assert "Start a game" in answer.text
        assert "tried too often" in answer.text
        assert "Your tables that wait" not in cid.get("/").text


DECK = ["2", "19", "3", "4", "7", "6", "5", "8", "9", "10", "11"]


def test_the_cards_of_an_expansion_are_chosen_in_the_form(app, cid):
    form = {"expansions": "grandissimo", "deck": "own", "deck.number": DECK}
    game = table_of(cid.submit("/", "/start", **form), app)
    assert (game.rules, game.options["deck"]) == ("el_grande+grandissimo", "2,3,4,5,6,7,8,9,10,11,19")


def test_an_option_of_an_expansion_that_is_not_played_is_as_if_nothing_was_said(app, cid):
    game = table_of(cid.submit("/", "/start", **{"deck": "own", "deck.number": DECK}), app)
    assert (game.rules, "deck" in game.options) == ("el_grande", False)


@pytest.mark.parametrize(("numbers", "reason"), [(DECK[:10], "10 were chosen"), ([], "different numbers")])
def test_a_choice_that_is_not_whole_comes_back_with_the_reason_and_what_was_chosen(cid, numbers, reason):
    answer = cid.submit("/", "/start", **{"expansions": "grandissimo", "deck": "own", "deck.number": numbers})
    assert answer.status_code == 400
    assert reason in answer.text
    ticked = re.findall(r'name="deck.number" value="(\d+)" checked', answer.text)
    assert sorted(ticked) == sorted(numbers)
    assert 'name="deck" value="own" checked' in answer.text
