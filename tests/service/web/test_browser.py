"""Our pages in a real browser: nothing is blocked, missing or broken, and they fit a telephone."""

import sysconfig
from pathlib import Path

import pytest

from tests.running import running
from tests.service.web.browser import browsing

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))

# Path, and what is true in the page when all of it is there.
PAGES = {
    "/": "document.querySelector('h1').textContent.startsWith('Win Spain')",
    "/watch": "document.querySelector('.filters select')",
    "/players/bot:greedy": "document.querySelector('[data-live]')",
    "/sign-in": "document.querySelector('.scene .label')",
    "/sign-up": "document.querySelector('.scene .label')",
    "/docs": "document.querySelectorAll('.operation').length > 80 && document.documentElement.dataset.tries",
    "/docs/clients": "document.querySelectorAll('.copy').length > 5",
}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with running([HIDALGO, "serve"], cwd=tmp_path_factory.mktemp("service")) as service:
        yield service


@pytest.fixture(scope="module")
def browser():
    with browsing() as page:
        yield page


@pytest.mark.parametrize("width", [390, 1200], ids=["telephone", "desktop"])
@pytest.mark.parametrize("path", PAGES)
def test_the_page_is_whole_and_fits(service, browser, path, width):
    browser.complaints.clear()
    browser.open(service.url + path, width, until=PAGES[path])
    assert browser.complaints == []
    assert browser.value("document.documentElement.scrollWidth") <= width


def test_the_front_page_is_styled_and_leads_to_the_interface(service, browser):
    browser.open(f"{service.url}/", 1200, until=PAGES["/"])
    assert browser.value("getComputedStyle(document.body).margin") == "0px"
    links = browser.value("[...document.querySelectorAll('.mini a')].map(link => link.getAttribute('href'))")
    assert links == ["/docs", "/docs/tour", "/docs/clients", "/docs/contents"]
    assert all(service.get(link) for link in links)
    assert browser.value("document.fonts.check('16px \"Ibarra Real Nova\"')")


def test_an_error_in_a_page_is_noticed(service, browser):
    browser.open(f"{service.url}/", 1200, until=PAGES["/"])
    browser.complaints.clear()
    browser.value("fetch('/nowhere'); console.error('ay'); document.body.setAttribute('style', 'color: red')")
    for words in ("/nowhere", "'ay'", "Content Security Policy"):
        browser.wait_for_complaint(words)
