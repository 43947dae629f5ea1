"""A table before its game begins, and the pages behind invitations."""

import re

import pytest

from events.submission import Submission
from events.table.game import ABORTED, OPEN, RUNNING
from tests.service.web.conftest import Visitor
from tests.service.web.tables import people, table


@pytest.fixture
def wired(app):
    return app.services


@pytest.fixture
def me(cid, wired) -> str:
    return wired.accounts.account_named("El_Cid").id


def press(visitor: Visitor, game: str, act: str, **more: str):
    return visitor.submit(f"/games/{game}", f"/games/{game}/waiting", act=act, **more)


def test_a_stranger_sits_down_with_one_press_and_is_a_guest(app, browser, me, wired):
    game = table(wired, [me], seats=3)
    stranger = browser()
    answer = stranger.submit("/", f"/games/{game}/waiting", act="sit")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/games/{game}")
    assert list(wired.games.load(game).seats) == ["red", "blue"]
    assert "guest-" in stranger.get(f"/games/{game}").text


def test_nobody_becomes_a_guest_for_a_seat_that_is_taken(browser, cid, me, wired):
    game = table(wired, [me], seats=3)
    stranger = browser()
    answer = stranger.submit("/", f"/games/{game}/waiting", act="sit:red")
    assert answer.status_code == 409
    assert "the seat red is taken" in answer.text
    assert stranger.session is None


def test_the_owner_seats_bots_removes_them_and_starts(cid, me, wired):
    game = table(wired, [me], seats=2)
    assert press(cid, game, "bot", bot="shrewd").status_code == 303
    assert "Leonor" in cid.get(f"/games/{game}").text
    assert press(cid, game, "remove:bot:shrewd").status_code == 303
    assert list(wired.games.load(game).seats) == ["red"]
    press(cid, game, "bot", bot="random")
    assert press(cid, game, "start").headers["Location"] == f"/games/{game}"
    assert wired.games.load(game).status == RUNNING


def test_the_owner_clears_the_table_and_a_player_stands_up(browser, cid, me, wired):
    game = table(wired, [me], seats=3)
    other = browser()
    press(other, game, "sit")
    assert press(other, game, "leave").headers["Location"] == "/"
    assert list(wired.games.load(game).seats) == ["red"]
    assert press(cid, game, "clear").headers["Location"] == "/"
    assert wired.games.load(game).status == ABORTED
    assert "This table was cleared" in cid.get(f"/games/{game}").text


@pytest.mark.parametrize("act", ["start", "clear", "bot", "remove:x"])
def test_only_the_owner_may_do_this(browser, me, wired, act):
    game = table(wired, [me], seats=3)
    other = browser()
    press(other, game, "sit")
    assert press(other, game, act).status_code == 403
    assert wired.games.load(game).status == OPEN


def test_the_last_player_begins_the_game(browser, me, wired):
    game = table(wired, [me], seats=2, starts_when_full=True)
    other = browser()
    answer = press(other, game, "sit")
    assert answer.status_code == 303
    assert wired.games.load(game).status == RUNNING


def test_the_seats_alone_are_told_to_the_script_until_the_game_begins(cid, me, wired):
    game = table(wired, [me], seats=2)
    part = cid.get(f"/games/{game}/waiting")
    assert "<html" not in part.text
    assert cid.get(f"/games/{game}/waiting", If_None_Match=part.headers["ETag"]).status_code in (200, 304)
    press(cid, game, "bot")
    press(cid, game, "start")
    assert cid.get(f"/games/{game}/waiting").headers["Location"] == f"/games/{game}"


# Invitations


def link_of(wired, game: str) -> str:
    return f"/join/{game}/{wired.game_service.link(game, wired.games.load(game).owner).word}"


def test_friends_sit_down_at_a_private_table_by_its_link(browser, me, wired):
    game = table(wired, [me], seats=4, visibility="private")
    link = link_of(wired, game)
    for _ in range(2):
        friend = browser()
        assert friend.get(f"/games/{game}").status_code == 404
        assert friend.submit(link, link).headers["Location"] == f"/games/{game}"
        assert friend.get(f"/games/{game}").status_code == 200
        assert friend.get(link).status_code == 303
    assert len(wired.games.load(game).seats) == 3


def test_the_link_of_another_table_or_a_wrong_word_opens_nothing(browser, me, wired):
    one, other = (table(wired, [me], seats=2, visibility="private") for _ in range(2))
    word = link_of(wired, other).rpartition("/")[2]
    for path in (f"/join/{one}/{word}", f"/join/{one}/hdi_x", f"/join/nothing/{word}", f"/join/{one}/%00%ff"):
        assert browser().get(path).status_code == 404
        assert browser().get(f"{path}/picture.png").status_code == 404


def test_a_removed_player_does_not_come_back_by_the_link(browser, cid, me, wired):
    game = table(wired, [me], seats=3, visibility="private")
    link, friend = link_of(wired, game), browser()
    friend.submit(link, link)
    account = wired.games.load(game).seats["blue"]
    press(cid, game, f"remove:{account}")
    answer = friend.submit(link, link)
    assert answer.status_code == 403
    assert "the owner has removed you" in answer.text


def test_an_invitation_of_one_person_works_as_a_link_once(browser, me, wired):
    game = table(wired, [me], seats=3, visibility="private")
    word = wired.game_service.invite(game, me, "yellow", Submission()).word
    link, friend = f"/join/{game}/{word}", browser()
    assert friend.submit(link, link).status_code == 303
    assert "yellow" in wired.games.load(game).seats
    assert friend.get(link).status_code == 303
    assert browser().get(link).status_code == 404


def test_other_programs_are_told_what_the_link_leads_to(browser, me, wired):
    game = table(wired, [me], seats=3, visibility="private", title="Tuesday table")
    page = browser().get(link_of(wired, game))
    about = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)"', page.text))
    assert about["title"] == "Tuesday table: sit down with us"
    assert about["description"] == "El Grande, short, no clock. 2 seats are free. No account is needed."
    assert page.headers["Referrer-Policy"] == "no-referrer"
    picture = browser().get(about["image"].removeprefix("http://localhost"))
    assert picture.mimetype == "image/png"
    assert picture.data.startswith(b"\x89PNG")


def test_a_link_says_so_when_the_game_has_begun(browser, me, wired):
    [noor] = people(wired, "Noor")
    game = table(wired, [me, noor], visibility="private")
    page = browser().get(link_of(wired, game)).text
    assert "begun without you" in page
    assert "Watch the game" not in page
