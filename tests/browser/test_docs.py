"""The documentation in a browser: axe finds nothing serious, keys reach everything, operations are tried."""

import json

import pytest

from tests.browser.test_accessibility import findings

PATHS = ["/docs", "/docs/contents", "/docs/tour", "/docs/problems", "/docs/clients"]


def open_page(page, url: str) -> None:
    page.goto(url)
    page.wait_for_function("document.documentElement.dataset.ready")


OPENED = ["post_games_moves", "get_games", "schema-Game", "schema-Problem"]


MORE = [pytest.param(each, marks=pytest.mark.long) for each in (("dark", 390), ("light", 1280), ("light", 390))]


@pytest.fixture(params=[("dark", 1280), *MORE], ids=str)
def width(page, request) -> int:
    """The page in one of two sizes and two colour schemes."""
    scheme, width = request.param
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)
    return width


@pytest.mark.parametrize("path", PATHS)
def test_the_documentation_keeps_nobody_out(service, page, path, width):
    open_page(page, service.url + path)
    page.evaluate("(ids) => ids.forEach((id) => (document.getElementById(id) ?? {}).open = true)", OPENED)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.long
def test_the_whole_interface_keeps_nobody_out(service, page, width):
    """With every operation and every schema opened."""
    open_page(page, f"{service.url}/docs")
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_code_is_copied_without_prompts(service, page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, f"{service.url}/docs/api")
    block = page.locator(".code", has_text=">>> from pathlib import Path").first
    block.get_by_role("button", name="Copy").click()
    block.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("from pathlib import Path\n")
    assert ">>>" not in copied
    assert "(201, 'open', 'red'" not in copied


def test_without_scripts_every_page_can_be_read(service, chromium):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{service.url}/docs")
    operation = page.locator("#post_games")
    operation.locator("summary").click()
    assert operation.get_by_text("How many seats the table has.").count() == 0, "that is in its schema"
    assert operation.get_by_role("heading", name="Answers").is_visible()
    assert not operation.locator("form").is_visible()
    assert page.get_by_role("link", name="How does a program play?").is_visible()
    context.close()


def test_an_address_opens_the_operation_that_it_names(service, page):
    open_page(page, f"{service.url}/docs#post_games_moves")
    page.locator("#post_games_moves[open] > .body").wait_for()
    link = page.locator("#post_games_moves .type a").first
    schema = link.get_attribute("href")
    link.click()
    page.locator(f"{schema}[open] > .body").wait_for()


def test_keys_open_an_operation_and_send_it(service, page):
    open_page(page, f"{service.url}/docs")
    page.locator("#get_rules > summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    form = page.locator("#get_rules form")
    form.get_by_role("button", name="Send").focus()
    page.keyboard.press("Enter")
    form.get_by_text("el_grande").wait_for()
    assert form.locator(".answer").text_content().startswith("200\n{")


def test_a_table_is_made_and_refusals_are_shown(service, page):
    complaints = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    open_page(page, f"{service.url}/docs")
    page.get_by_role("button", name="Become a guest").click()
    page.locator("#guest", has_text="guest-").wait_for()
    game = json.loads(sent(page, "post_games").partition("\n")[2])
    assert game["status"] == "open"
    assert sent(page, "post_games_start", game=game["id"]).startswith("409 not_now\n")
    assert sent(page, "get_games_one", game="no such game").startswith("404 not_found\n")
    page.locator("#post_games textarea").fill("{")
    assert sent(page, "post_games") == "The body is not JSON."
    assert [complaint for complaint in complaints if "Failed to load resource" not in complaint] == []


def sent(page, operation: str, **fields: str) -> str:
    """What the form of an operation shows after it was sent."""
    page.evaluate(f"document.getElementById('{operation}').open = true")
    form = page.locator(f"#{operation} form")
    for name, value in fields.items():
        form.locator(f"[name={name}]").fill(value)
    form.evaluate("(form) => form.querySelector('.answer').replaceChildren()")
    form.get_by_role("button", name="Send").click()
    form.locator(".answer pre").wait_for()
    return form.locator(".answer").text_content()
