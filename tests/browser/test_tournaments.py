"""Tournaments in a browser: an organiser who is new gets to a running event, and a player is told of the table."""

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.conftest import SECONDS
from tests.browser.hosting import Host
from tests.browser.playing import TablePlayer, play_on
from tests.browser.signing_up import sign_up
from tests.browser.studying import until

MOST_CLICKS = 10


@pytest.fixture
def other(chromium: Browser):
    """The page of somebody else's browser."""
    context = chromium.new_context()
    context.set_default_timeout(SECONDS * 1000)
    yield context.new_page()
    context.close()


@pytest.mark.long
def test_a_new_organiser_gets_from_the_home_page_to_a_running_event(service, page: Page):
    sign_up(page, service.url)
    host = Host(page)
    event = host.open("Club evening")
    host.start()
    assert host.clicks <= MOST_CLICKS
    page.goto(event)
    page.wait_for_selector(".match .pts")
    assert page.locator(".match").count() == 2


PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.mark.long
def test_an_organiser_opens_an_event_on_a_phone(service, page: Page):
    sign_up(page, service.url)
    page.set_viewport_size(PHONE)
    page.goto(f"{service.url}/tournaments/new")
    page.get_by_label("Name", exact=True).fill("Club evening")
    [button] = [each for each in page.get_by_role("button", name="Open registration").all() if each.is_visible()]
    box = button.bounding_box()
    assert box
    assert box["y"] + box["height"] <= PHONE["height"], "it stands at the thumb, wherever the page is"
    button.click()
    page.wait_for_url("**/tournaments/*/desk")


@pytest.mark.long
def test_a_player_registers_and_is_told_of_the_table_and_plays(service, page: Page, other: Page):
    sign_up(page, service.url)
    host = Host(page)
    event = host.open("Club evening")
    problems = list[str]()
    other.on("pageerror", lambda error: problems.append(str(error)))
    handle = sign_up(other, service.url)
    other.goto(event)
    other.get_by_role("button", name="Register").click()
    other.wait_for_selector("text=You take part.")
    page.reload()
    host.start()
    other.goto(f"{service.url}/inbox")
    while not other.locator("main a[href*='/tournaments/'], main a[href*='/games/']").count():
        other.reload()
    other.goto(event)
    other.wait_for_selector(".match.mine")
    assert handle in other.locator(".match.mine").inner_text()
    other.locator(".hero a.primary").click()
    other.wait_for_selector("[data-table][data-ready]")
    player = TablePlayer(service, other, seat=handle)
    until(lambda: player.offered["asked"])
    before = player.version
    play_on([player], lambda: player.version == before)
    assert player.version > before
    assert not problems
