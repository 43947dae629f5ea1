"""Watch in a browser: games go on without a reload, and everything can be reached without a script."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import SECONDS
from tests.browser.replaying import end, play_one, played
from tests.browser.signing_up import sign_up

expect.set_options(timeout=SECONDS * 1000)

MISSING = """[...document.querySelectorAll(".thumb use")].map((use) => use.getAttribute("href"))
  .filter((href) => !document.querySelector(href))"""


def come_back(page: Page) -> None:
    """A page that is looked at again asks at once."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_card_goes_on_by_itself_and_keeps_the_focus(service, page):
    game = played(service, moves=12)
    page.goto(f"{service.url}/watch")
    card = page.locator(f"#game-{game}")
    before = card.get_attribute("data-state")
    link = card.locator("a.cover")
    link.focus()
    other = page.evaluate("document.title = 'not loaded again'")
    play_one(service, game)
    expect(card).not_to_have_attribute("data-state", str(before))
    assert page.title() == other
    expect(link).to_be_focused()
    assert page.evaluate(MISSING) == [], "whatever a thumbnail refers to is in the page"


def test_a_table_that_begins_appears_by_itself_and_one_that_ends_moves_on(service, page):
    page.goto(f"{service.url}/watch")
    game = played(service, moves=3)
    come_back(page)
    expect(page.locator(f"[data-list=live] #game-{game}")).to_be_visible()
    end(service, game)
    come_back(page)
    expect(page.locator(f"[data-list=finished] #game-{game}")).to_be_visible()
    expect(page.locator(f"[data-list=live] #game-{game}")).to_have_count(0)


def test_without_scripts_filters_and_names_lead_to_games(service, chromium):
    game = played(service, players=2, moves=5)
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    handle = sign_up(page, service.url)
    page.goto(f"{service.url}/watch")
    page.get_by_label("Players").select_option("2")
    page.get_by_role("button", name="Show").click()
    assert "players=2" in page.url
    expect(page.locator(f"#game-{game}")).to_be_visible()
    page.get_by_label("Name of a player").fill(handle.upper())
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("No such game.").first).to_be_visible()
    page.goto(f"{service.url}/watch?show=live")
    page.locator(f"#game-{game} a.cover").click()
    assert page.url.endswith(f"/games/{game}")
    context.close()
