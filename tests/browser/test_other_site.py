"""A page on another origin signs its readers in by OAuth and plays; without a token it can change nothing."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import SECONDS
from tests.browser.other_site import Line, serving
from tests.browser.signing_up import PASSWORD, sign_up
from tests.browser.test_accessibility import findings

HOSTS = {"another site": "localhost", "the same site, another port": "127.0.0.1"}
"""Browsers send cookies along to the second, if a script asks them to."""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving() as port:
        yield port


@pytest.fixture
def line(service) -> Iterator[Line]:
    line = Line(service.url)
    yield line
    line.close()


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(bypass_csp=False)
    context.set_default_timeout(SECONDS * 1000)
    yield context
    context.close()


def registered(page: Page, url: str, *origins: str) -> str:
    """The id of an app that its author has registered on the account page."""
    sign_up(page, url)
    page.goto(f"{url}/account")
    page.get_by_text("Register an app").click()
    page.locator("#registered details[open] [name=name]").fill("A club of its own")
    page.locator("#registered details[open] textarea").fill("\n".join(f"{origin}/" for origin in origins))
    page.get_by_role("button", name="Register the app").click()
    expect(page.get_by_role("status")).to_contain_text("The app is registered")
    return page.locator("#registered summary code").first.inner_text()


@pytest.fixture
def club(chromium: Browser, line: Line, port: int) -> str:
    context = chromium.new_context()
    app = registered(context.new_page(), line.url, *(f"http://{host}:{port}" for host in HOSTS.values()))
    context.close()
    return app


def opened(page: Page, service: str, club: str, origin: str, **more: str) -> None:
    page.goto(f"{origin}/?" + urlencode({"service": service, "clientId": club} | more))
    page.get_by_role("button", name="Sign in with Hidalgo").click()


def signed_in(page: Page, service: str, club: str, origin: str) -> str:
    """A reader of the site, who has an account at the service and allows the site everything; the handle."""
    handle = sign_up(page, service)
    opened(page, service, club, origin)
    page.get_by_role("button", name=re.compile("^Allow")).click()
    expect(page.locator("#who")).to_have_text(handle)
    return handle


def test_two_readers_of_another_site_sign_in_and_play_a_whole_game_through_a_cut_line(chromium, line, club, port):
    origin = f"http://localhost:{port}"
    contexts = [chromium.new_context() for _ in range(2)]
    host, other = (context.new_page() for context in contexts)
    for page in (host, other):
        signed_in(page, line.url, club, origin)
    game = host.evaluate("club.hidalgo.createGame({ players: 2, options: { game_length: 'short' } }).then(g => g.id)")
    other.evaluate("game => club.hidalgo.join(game)", game)
    host.evaluate("game => club.hidalgo.start(game)", game)
    for page in (host, other):
        page.evaluate("game => { club.over = false; club.play(game).then(() => { club.over = true; }) }", game)
    for _ in range(2):
        before = host.evaluate("club.seen.length")
        host.wait_for_function(f"club.seen.length > {before + 5} || club.over")
        assert not host.evaluate("club.over"), "the line was never cut while the game went on"
        assert line.cut() >= 2
        time.sleep(0.3)
        line.mend()
    for page in (host, other):
        page.wait_for_function("club.over")
        last = page.evaluate("game => club.hidalgo.game(game).then(g => [g.status, g.version])", game)
        assert last[0] == "over"
        assert page.evaluate("club.seen") == list(range(1, last[1] + 1))
    for context in contexts:
        context.close()


def test_a_reader_without_an_account_comes_in_as_a_guest_and_is_asked(context, line, club, port):
    page = context.new_page()
    opened(page, line.url, club, f"http://localhost:{port}")
    page.get_by_role("button", name="Play as a guest").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A club of its own wants to use your account")
    page.get_by_label("play for you").uncheck()
    page.get_by_role("button", name=re.compile("^Allow")).click()
    expect(page.locator("#who")).to_have_text(re.compile("^guest-"))
    assert page.evaluate("club.tokens.scope") == "read"
    assert page.evaluate("club.hidalgo.createGame({}).catch(e => e.code)") == "forbidden"


def test_a_reader_who_refuses_goes_back_without_a_token(context, line, club, port):
    page = context.new_page()
    sign_up(page, line.url)
    opened(page, line.url, club, f"http://localhost:{port}")
    page.get_by_role("button", name="Refuse").click()
    expect(page.locator("#refused")).to_have_text("access_denied")
    assert page.evaluate("'club' in window && Boolean(club.tokens)") is False


def test_tokens_are_renewed_given_back_and_ended_by_the_reader(context, line, club, port):
    page = context.new_page()
    handle = signed_in(page, line.url, club, f"http://localhost:{port}")
    renewed = page.evaluate("club.oauth.refresh(club.tokens.refresh_token)")
    me = "token => fetch(sessionStorage.service + '/api/v1/me', { headers: { Authorization: 'Bearer ' + token } })"
    assert page.evaluate(f"({me})('{renewed['access_token']}').then(r => r.json())")["handle"] == handle
    page.evaluate("token => club.oauth.revoke(token)", renewed["refresh_token"])
    assert page.evaluate(f"({me})('{renewed['access_token']}').then(r => r.status)") == 401
    opened(page, line.url, club, f"http://localhost:{port}")
    expect(page.get_by_text("allowed before")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Allow")).click()
    expect(page.locator("#who")).to_have_text(handle)
    page.evaluate(
        """() => {
          const listen = async () => { for await (const _ of club.hidalgo.inboxStream()); };
          club.listening = listen().catch(error => error.code);
        }"""
    )
    account = context.new_page()
    account.goto(f"{line.url}/account")
    account.get_by_role("button", name="End A club of its own").click()
    expect(account.get_by_role("status")).to_contain_text("may do nothing for you any more")
    assert page.evaluate("club.listening") == "unauthorized"


def test_an_app_that_is_not_registered_is_told_to_the_reader_and_nothing_to_it(context, line, port):
    page = context.new_page()
    opened(page, line.url, "c_" + "x" * 28, f"http://localhost:{port}")
    expect(page.get_by_role("heading", level=1)).to_have_text("This app made a mistake.")
    assert page.url.startswith(line.url)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280], ids=["telephone", "desktop"])
def test_the_question_keeps_no_people_out(page, service, port, width, scheme):
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)
    origin = f"http://localhost:{port}"
    app = registered(page, service.url, origin)
    assert findings(page) == []
    opened(page, service.url, app, origin)
    expect(page.get_by_role("button", name="Refuse")).to_be_visible()
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    opened(page, service.url, "c_unknown", origin)
    expect(page.get_by_role("heading", level=1)).to_have_text("This app made a mistake.")
    assert findings(page) == []


# Without a token


TRY = """async ([service, path, how]) => {
  try {
    const response = await fetch(service + path, how);
    return response.type === "opaque" ? "opaque" : `${response.status} ${(await response.text()).slice(0, 200)}`;
  } catch (error) {
    return error.name;
  }
}"""
JSON_BODY: dict[str, Any] = {"headers": {"Content-Type": "application/json"}, "body": '{"players": 2}'}
WRITES: list[tuple[str, dict[str, Any]]] = [
    ("/api/v1/guests", {"method": "POST"}),
    ("/api/v1/guests", {"method": "POST", "headers": {"Authorization": "Bearer made-up"}}),
    ("/api/v1/games", {"method": "POST"} | JSON_BODY),
    ("/api/v1/games", {"method": "POST", "mode": "no-cors", "body": '{"players": 2}'}),
    ("/api/v1/me", {"method": "DELETE"}),
    ("/api/v1/sessions", {"method": "DELETE"}),
    ("/sign-out", {"method": "POST", "mode": "no-cors", "body": "csrf="}),
]


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
def test_without_a_token_the_page_writes_nothing_with_or_without_the_cookie_of_its_reader(context, service, port, host):
    page = context.new_page()
    handle = sign_up(page, service.url)
    page.goto(f"http://{host}:{port}/index.html?service={service.url}")
    csrf = page.request.get(f"{service.url}/api/v1/me").json()["csrf"]
    for path, how in WRITES:
        for credentials in ("omit", "include"):
            tried = page.evaluate(TRY, [service.url, path, how | {"credentials": credentials}])
            assert tried in ("TypeError", "opaque") or tried.startswith(("401", "403")), (path, tried)
    with_csrf = {"method": "POST", "credentials": "include", "headers": {"X-CSRF-Token": csrf} | JSON_BODY["headers"]}
    assert page.evaluate(TRY, [service.url, "/api/v1/games", with_csrf | {"body": "{}"}]) == "TypeError"
    me = page.request.get(f"{service.url}/api/v1/me").json()
    assert me["handle"] == handle, "still signed in, and still there"
    games = page.request.get(f"{service.url}/api/v1/games?player={me['id']}").json()["games"]
    assert games == []


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
def test_without_a_token_the_page_reads_what_is_public_and_nothing_of_its_reader(context, service, port, host):
    page = context.new_page()
    handle = sign_up(page, service.url)
    page.goto(f"http://{host}:{port}/index.html?service={service.url}")
    assert page.evaluate(TRY, [service.url, "/api/v1/rules", {}]).startswith("200")
    assert page.evaluate(TRY, [service.url, "/api/v1/games", {}]).startswith("200")
    for path in ("/api/v1/me", "/api/v1/me/inbox", "/account", "/"):
        for credentials in ("omit", "include"):
            assert handle not in page.evaluate(TRY, [service.url, path, {"credentials": credentials}])


@pytest.mark.parametrize("host", HOSTS.values(), ids=HOSTS)
def test_a_form_of_the_page_neither_signs_its_reader_out_nor_in(context, service, port, host):
    page = context.new_page()
    handle = sign_up(page, service.url)
    for path, fields in (("/sign-out", {}), ("/sign-in", {"handle": handle, "password": PASSWORD}), ("/guest", {})):
        page.goto(f"http://{host}:{port}/index.html?service={service.url}")
        page.evaluate(
            """([action, fields]) => {
              const form = Object.assign(document.createElement("form"), { method: "post", action });
              for (const [name, value] of Object.entries(fields)) {
                form.append(Object.assign(document.createElement("input"), { name, value }));
              }
              document.body.append(form);
              form.submit();
            }""",
            [service.url + path, fields],
        )
        expect(page.get_by_role("heading", level=1)).to_have_text("This is not yours to do.")
    assert page.request.get(f"{service.url}/api/v1/me").json()["handle"] == handle


def test_a_press_meant_for_another_window_allows_no_app(context, service, port, club):
    """A window of an attacker over ours asks for a double click, and closes between the two."""
    page = context.new_page()
    sign_up(page, service.url)
    opened(page, service.url, club, f"http://localhost:{port}")
    allow = page.get_by_role("button", name=re.compile("^Allow"))
    expect(allow).to_be_enabled()
    question = page.url
    allow.evaluate("button => { window.dispatchEvent(new Event('focus')); button.click(); }")
    expect(allow).to_be_enabled()
    assert page.url == question
    allow.click()
    expect(page.locator("#who")).not_to_be_empty()


def test_our_pages_cannot_be_shown_in_a_frame(context, service, port):
    page = context.new_page()
    sign_up(page, service.url)
    page.goto(f"http://localhost:{port}/index.html?service={service.url}")
    page.evaluate(
        "url => { const f = document.createElement('iframe'); f.src = url; document.body.append(f); }",
        f"{service.url}/account",
    )
    page.wait_for_timeout(500)
    frame = page.frames[-1]
    assert "Sign out" not in frame.content()
