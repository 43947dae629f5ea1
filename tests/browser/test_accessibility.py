"""axe-core finds nothing serious on any page, in light and dark, small and large; no page scrolls sideways.

The pages are those of the service's own map of addresses: a new one that is not looked at fails here.
"""

from collections.abc import Iterator
from typing import Literal
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from events.table.commands import Join
from service.accounts.audit_log import AuditEntry
from service.app import create_app
from service.settings import Settings
from tests.browser.conftest import SECONDS
from tests.browser.hosting import Host
from tests.browser.replaying import behind, end, played
from tests.browser.signing_up import sign_up

AXE = Axe()
SERIOUS = ("serious", "critical")
BACK = "https://mesa-stats.example/back"

NOT_PAGES = {
    "sign_in.name",
    "downloads.moving_round",
    "downloads.story",
    "embed.card",
    "embed.oembed",
    "es_client.file",
    "files.file",
    "files.versioned",
    "home.health",
    "home.readiness",
    "invited.picture",
    "metrics.metrics",
    "oauth.described",
    "waiting.part",
}
"""For programs, or parts of pages."""

ELSEWHERE = {
    "docs.contents": "test_docs.py",
    "docs.description": "test_docs.py",
    "docs.read": "test_docs.py",
    "replay_page.viewer": "test_replay.py",
    "table_page.look": "test_table.py",
    "studio.opened": "test_studio.py",
}
"""Looked at with everything opened that they have."""

FILLED_IN = {
    "chat_page.look": ["/games/{game}/chat", "{table}/chat"],
    "invited.invitation": ["{link}"],
    "embed.frame": ["/games/{game}/embed"],
    "letters.confirmation": ["/mail/confirm/a-word"],
    "letters.unsubscription": ["/mail/unsubscribe/a-word"],
    "oauth.consent": ["/oauth/authorize?client_id=nobody", "/oauth/authorize?{consent}"],
    "players_page.player": ["/players/bot:greedy", "/players/{member}"],
    "tournaments_page.certificate": ["{event}/rounds/1/certificate"],
    "tournaments_page.crosstable": ["{event}/crosstable"],
    "tournaments_page.desk": ["{event}/desk", "{event}/desk?table=1&kind=rewind"],
    "tournaments_page.event": ["{event}"],
    "tournaments_page.log": ["{event}/log"],
    "tournaments_page.pairings": ["{event}/rounds/1/print"],
    "tournaments_page.player_card": ["{event}/players/bot:greedy:1"],
    "tournaments_page.players": ["{event}/players"],
    "tournaments_page.standings": ["{event}/standings"],
    "tournaments_page.wall": ["{event}/wall"],
}
"""Addresses for what stands in angle brackets."""

MORE = [
    "/nowhere",
    "/watch?show=live",
    "/watch?show=finished",
    "/watch?show=open",
    "/watch?player=nobody",
    "/staff/complaints?show=all",
]


def pages() -> dict[str, list[str]]:
    """The addresses of every page, by its endpoint."""
    rules = [rule for rule in create_app(Settings()).url_map.iter_rules() if "GET" in (rule.methods or ())]
    shown = [rule for rule in rules if not rule.rule.startswith("/api/") and rule.endpoint not in NOT_PAGES]
    return {rule.endpoint: [rule.rule] if not rule.arguments else FILLED_IN.get(rule.endpoint, []) for rule in shown}


def test_every_page_is_looked_at():
    assert [endpoint for endpoint, paths in pages().items() if not paths and endpoint not in ELSEWHERE] == []


PATHS = [*MORE, *(path for endpoint, paths in pages().items() if endpoint not in ELSEWHERE for path in paths)]


@pytest.fixture(scope="module")
def member(service, chromium: Browser) -> Iterator[tuple[Page, dict[str, str]]]:
    """The page of a browser that is signed in, where games are played; and what addresses are filled in with."""
    game = played(service, moves=12)
    end(service, played(service, players=2, moves=3))
    context = chromium.new_context(bypass_csp=True, reduced_motion="reduce")
    context.set_default_timeout(SECONDS * 1000)
    page = context.new_page()
    handle = sign_up(page, service.url)
    host = Host(page)
    event = host.open("Club evening").removeprefix(service.url)
    host.start()
    with behind(service) as wired:
        table = wired.games.create("el_grande", 3, owner="a_1").id
        wired.games.submit(table, Join("a_1"))
        wired.accounts.set_role(handle, "admin")
        wired.games.submit(table, Join(wired.accounts.account_named(handle).id))
        wired.chat.write(table, "a_1", "rude" * 60)
        wired.chat.complain(table, wired.accounts.account_named(handle).id, "players", 1, "<b>an insult</b>")
        wired.audit_log.append(AuditEntry("silence", "operator el_cid", "a_1", "x" * 200))
        link = f"/join/{table}/{wired.game_service.link(table, 'a_1').word}"
    write_study(page, game)
    words = {"member": handle, "game": game, "event": event, "table": f"/games/{table}", "link": link}
    yield page, words | {"consent": urlencode(registered(service, handle))}
    context.close()


def write_study(page: Page, game: str) -> None:
    """So that there is one in the lists."""
    page.goto(page.url.partition("/tournaments")[0] + "/studies")
    page.get_by_label("Title").fill("A game to read")
    page.get_by_label("Address of a game").fill(game)
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-study][data-ready]")


def registered(service, handle: str) -> dict[str, str]:
    """What an app of the member asks for."""
    with behind(service) as wired:
        account = wired.accounts.account_named(handle)
        app = wired.apps.register(account.id, "Mesa Stats", [BACK]).id
    asked = {"client_id": app, "redirect_uri": BACK, "response_type": "code", "scope": "read play", "state": "s"}
    return asked | {"code_challenge": "c" * 43, "code_challenge_method": "S256"}


def findings(page: Page, *rules: str) -> list[str]:
    """What axe finds serious; by these rules alone, if any are named."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)
    found = page.evaluate("(options) => axe.run(document, options).then(({ violations }) => violations)", options)
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found if each["impact"] in SERIOUS]


def findings_by_day_and_night(page: Page) -> list[str]:
    """In both schemes. Nothing but the contrast depends on the colours."""
    change(page, "light")
    found = findings(page)
    change(page, "dark")
    return found + findings(page, "color-contrast")


@pytest.mark.parametrize("path", PATHS)
def test_no_page_keeps_people_out(service, member, path):
    page, words = member
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="light")
    page.goto(service.url + path.format(**words))
    assert page.locator("main").count() == 1
    open_all(page)
    assert findings(page) == []
    change(page, "dark")
    assert findings(page, "color-contrast") == []
    page.set_viewport_size({"width": 1280, "height": 844})
    assert findings(page) == []
    change(page, "light")
    assert findings(page, "color-contrast") == []
    for width in (320, 390, 768, 1100, 1920):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def change(page: Page, scheme: Literal["light", "dark"]) -> None:
    """The other colours, once all of them have changed."""
    page.emulate_media(color_scheme=scheme)
    page.evaluate("""async () => {
      await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
      await Promise.all(document.getAnimations().map((each) => each.finished));
    }""")


def open_all(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")


@pytest.mark.parametrize("path", ["/", "/sign-in", "/sign-up"])
def test_no_page_keeps_strangers_out(service, page, path):
    page.goto(service.url + path)
    assert findings(page) == []


def test_axe_would_notice(service, page):
    page.goto(service.url)
    page.evaluate("document.querySelector('h1').innerHTML = '<img src=\"/static/hidalgo.svg\">'")
    assert any("image-alt" in finding for finding in findings(page))


def test_the_first_key_leads_past_the_navigation_to_the_content(service, page):
    page.goto(service.url)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
