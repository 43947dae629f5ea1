"""Our pages in a real browser: nothing is blocked, missing or broken, and they fit a telephone."""

import sysconfig
from pathlib import Path

import pytest

from tests.running import running
from tests.service.web.browser import browsing

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))

# Path, and what is true in the page when all of it is there.
PAGES = {
    "/": "document.querySelector('h1').textContent == 'Hidalgo'",
    "/docs": "document.querySelectorAll('.opblock').length > 30",
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


def test_the_front_page_is_styled_and_leads_to_the_interface_and_the_open_games(service, browser):
    browser.open(f"{service.url}/", 1200, until=PAGES["/"])
    assert browser.value("getComputedStyle(document.body).margin") == "0px"
    links = browser.value("[...document.querySelectorAll('nav a')].map(link => link.getAttribute('href'))")
    assert links == ["/api/v1/games?status=open", "/docs", "/api/v1/openapi.json"]
    assert all(service.get(link) for link in links)
    assert browser.value("document.documentElement.scrollHeight") <= 900


def test_an_error_in_a_page_is_noticed(service, browser):
    browser.open(f"{service.url}/", 1200, until=PAGES["/"])
    browser.complaints.clear()
    browser.value("fetch('/nowhere'); console.error('ay'); document.body.setAttribute('style', 'color: red')")
    for words in ("/nowhere", "'ay'", "Content Security Policy"):
        browser.wait_for_complaint(words)
