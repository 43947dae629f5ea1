"""From the front page to a table: against bots, with friends, without scripts; and people who talk there."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import SECONDS
from tests.browser.hosting import Host
from tests.browser.replaying import behind
from tests.browser.signing_up import sign_up
from tests.browser.test_accessibility import findings, findings_by_day_and_night


@contextmanager
def visiting(chromium: Browser, *, scripts: bool = True) -> Iterator[Page]:
    """Another browser, without cookies."""
    context = chromium.new_context(java_script_enabled=scripts, bypass_csp=scripts)
    context.set_default_timeout(SECONDS * 1000)
    yield context.new_page()
    context.close()


def game_of(page: Page) -> str:
    return page.url.partition("/games/")[2].partition("/")[0]


def table_for_friends(page: Page, url: str, players: str = "2") -> str:
    """An open table of the visitor; its link."""
    page.goto(url)
    page.locator("[data-start] label", has_text="Friends").click()
    page.locator("[data-start] label", has_text=players).first.click()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/games/*")
    return page.get_by_label("Link for friends").input_value()


def test_from_the_front_page_to_the_first_own_move_it_takes_three_clicks_and_no_account(service, chromium):
    with visiting(chromium) as page:
        page.goto(service.url)
        stranger = Host(page)
        stranger.press("Play now")
        page.wait_for_url("**/games/*")
        card = page.locator(
            "#prompt .cards button:not([aria-disabled=true]), #prompt [role=radio]:not([aria-disabled=true])"
        )
        stranger.click(card.last)
        stranger.click(page.locator("#prompt .btn.primary"))
        with behind(service) as wired:
            game = wired.games.load(game_of(page))
            while not any(answer.by == "red" for answer in game.answers) and "red" in game.asked:
                page.wait_for_timeout(100)
                game = wired.games.load(game.id)
        assert stranger.clicks == 3
        assert (game.visibility, len(game.bots)) == ("private", 3)


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_another_game_is_chosen_with_its_own_agreements(service, chromium, scripts):
    with visiting(chromium, scripts=scripts) as page:
        page.goto(service.url)
        form = page.locator("[data-start]")
        page.get_by_text("Change", exact=True).click()
        form.locator('select[name="game"]').select_option("el_caballero")
        if scripts:
            expect(form.get_by_text("Castillo", exact=True)).to_be_hidden()
            expect(form.locator('label:has([name="players"]):visible')).to_have_count(3)
        form.get_by_text("advanced game").click()
        if scripts:
            expect(form.locator("summary")).to_contain_text("El Caballero, basic game. advanced game.")
        page.get_by_role("button", name="Play now").click()
        page.wait_for_url("**/games/*")
        with behind(service) as wired:
            game = wired.games.load(game_of(page))
        assert (game.rules, dict(game.options), len(game.players)) == ("el_caballero", {"mode": "advanced"}, 4)


def test_a_stranger_starts_a_game_against_bots_without_a_script(service, chromium):
    with visiting(chromium, scripts=False) as page:
        page.goto(service.url)
        page.get_by_role("button", name="Play now").click()
        page.wait_for_url("**/games/*")
        with behind(service) as wired:
            assert wired.games.load(game_of(page)).status == "running"


def test_people_talk_beside_the_board(service, chromium, page):
    sign_up(page, service.url)
    link = table_for_friends(page, service.url, "2")
    with visiting(chromium) as friend:
        friend.goto(link)
        friend.get_by_role("button", name="Sit down").click()
        for each in (page, friend):
            each.wait_for_selector("[data-table][data-ready]")
        page.get_by_role("tab", name="Chat").click()
        page.get_by_label("Message", exact=True).fill("crazy, 1 2 3?")
        page.keyboard.press("Enter")
        expect(friend.locator("#tab-chat[data-fresh]")).to_have_count(1)
        friend.get_by_role("tab", name="Chat").click()
        expect(friend.locator(".said [data-part=text]")).to_have_text("crazy, 1 2 3?")
        assert findings(friend) == []


def test_everything_can_be_changed_without_a_script(service, chromium):
    with visiting(chromium, scripts=False) as page:
        page.goto(service.url)
        page.get_by_text("Change").click()
        page.get_by_text("Leonor").click()
        page.get_by_text("short game").click()
        page.get_by_label("Name of the table").fill("Without a script")
        page.locator("[data-start] label", has_text="Friends").click()
        page.get_by_role("button", name="Open the table").click()
        assert page.get_by_role("heading", name="Without a script").is_visible()
        page.get_by_text("Leonor").click()
        page.get_by_role("button", name="Seat this bot").click()
        assert page.locator(".chair", has_text="Leonor").count() == 1


def test_a_friend_comes_by_the_link_and_both_see_the_game_begin(service, chromium, page):
    sign_up(page, service.url)
    link = table_for_friends(page, service.url, "3")
    with visiting(chromium) as friend, visiting(chromium) as third:
        friend.goto(link)
        assert findings(friend) == []
        friend.get_by_role("button", name="Sit down").click()
        friend.wait_for_url("**/games/*")
        expect(page.locator(".chair:not(.free)")).to_have_count(2)
        third.goto(link)
        third.get_by_role("button", name="Sit down").click()
        for each in (page, friend):
            each.wait_for_function("!document.querySelector('[data-waiting]')")


def test_a_player_is_removed_and_stands_up_in_the_page_of_the_others(service, chromium, page):
    sign_up(page, service.url)
    link = table_for_friends(page, service.url, "3")
    with visiting(chromium) as friend:
        friend.goto(link)
        friend.get_by_role("button", name="Sit down").click()
        expect(page.locator(".chair:not(.free)")).to_have_count(2)
        page.get_by_role("button", name="Remove guest").click()
        expect(page.locator(".chair:not(.free)")).to_have_count(1)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_table_that_waits_keeps_nobody_out(service, page, width):
    sign_up(page, service.url)
    table_for_friends(page, service.url)
    page.set_viewport_size({"width": width, "height": 800})
    assert findings_by_day_and_night(page) == []


def test_the_front_page_with_everything_open_keeps_nobody_out(service, page):
    page.goto(service.url)
    page.get_by_text("Change").click()
    assert findings(page) == []
    for width in (320, 390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


# Chat

HOSTILE = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


def test_players_talk_and_nothing_that_they_write_runs(service, chromium, page):
    sign_up(page, service.url)
    link = table_for_friends(page, service.url, "3")
    chat = f"{service.url}/games/{game_of(page)}/chat"
    with visiting(chromium) as friend:
        friend.goto(link)
        friend.get_by_role("button", name="Sit down").click()
        friend.wait_for_url("**/games/*")
        for each in (page, friend):
            each.goto(chat)
        page.get_by_label("Message", exact=True).fill(HOSTILE)
        page.keyboard.press("Enter")
        said = friend.locator(".said [data-part=text]")
        expect(said).to_have_text(HOSTILE)
        assert friend.locator(".said img, .said script").count() == 0
        assert "owned" not in friend.title() + page.title()
        assert findings(friend) == []
        # After a reload the words come from the server.
        friend.reload()
        expect(said).to_have_text(HOSTILE)
        assert friend.locator(".said img, .said script").count() == 0
        # The owner takes them away, everywhere.
        page.locator(".message-acts summary").click()
        page.get_by_role("button", name="Remove").click()
        expect(friend.locator(".said li")).to_have_count(0)


def test_a_muted_player_is_not_read_and_a_message_is_reported(service, chromium, page):
    sign_up(page, service.url)
    link = table_for_friends(page, service.url, "3")
    game = game_of(page)
    with visiting(chromium) as friend:
        friend.goto(link)
        friend.get_by_role("button", name="Sit down").click()
        friend.wait_for_url("**/games/*")
        for each in (page, friend):
            each.goto(f"{service.url}/games/{game}/chat")
        friend.get_by_label("Message", exact=True).fill("bla bla")
        friend.get_by_role("button", name="Send").click()
        expect(page.locator(".said li")).to_have_count(1)
        page.locator(".message-acts summary").click()
        page.get_by_role("button", name="Report").click()
        expect(page.locator("[data-part=told]")).not_to_be_empty()
        page.locator(".message-acts summary").click()
        page.get_by_role("button", name="Mute").click()
        expect(page.locator(".said li")).to_have_count(0)
        page.reload()
        expect(page.locator(".said li")).to_have_count(0)
        page.goto(f"{service.url}/account")
        page.get_by_role("button", name="Read guest").click()
        page.goto(f"{service.url}/games/{game}/chat")
        expect(page.locator(".said li")).to_have_count(1)
    with behind(service) as wired:
        assert [each.text for each in wired.chat.complaints.page(10).complaints if each.game == game] == ["bla bla"]


def test_the_chat_works_without_a_script(service, chromium):
    with visiting(chromium, scripts=False) as page:
        sign_up(page, service.url)
        page.goto(service.url)
        page.locator("[data-start] label", has_text="Friends").click()
        page.get_by_role("button", name="Open the table").click()
        page.wait_for_url("**/games/*")
        page.goto(f"{service.url}/games/{game_of(page)}/chat")
        page.get_by_label("Message", exact=True).fill("Hola")
        page.get_by_role("button", name="Send").click()
        assert page.locator(".said [data-part=text]").all_inner_texts() == ["Hola"]


@pytest.mark.parametrize("width", [390, 1280])
def test_the_cards_of_an_expansion_are_chosen_by_keyboard_with_a_count_of_those_that_are_left(service, page, width):
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(service.url)
    page.locator("[data-start-summary]").click()
    deck = page.locator("[data-picks]")
    page.get_by_label("Grandissimo").check()
    expect(deck).to_be_hidden()
    page.locator("label", has_text="of your choice").click()
    told, boxes = deck.locator("output"), deck.locator("[type=checkbox]")
    expect(told).to_have_text("11 to choose")
    boxes.first.focus()
    page.keyboard.press("Space")
    expect(told).to_have_text("10 to choose")
    assert findings(page) == []
    deck.get_by_role("button", name="Fill up at random").press("Enter")
    expect(told).to_have_text("all chosen")
    assert (boxes.first.is_checked(), deck.locator(":checked").count(), deck.locator(":disabled").count()) == (
        True,
        11,
        8,
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Play now").press("Enter")
    page.wait_for_url("**/games/*")
    with behind(service) as wired:
        assert len(wired.games.load(game_of(page)).options["deck"].split(",")) == 11
