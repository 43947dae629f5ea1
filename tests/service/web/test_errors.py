"""Refusals are pages for people in browsers, and problems for programs."""

import re

import pytest

from events.errors import StoreUnavailable
from rules.texts import say
from service.app import create_app
from service.settings import Settings
from tests.service.web.conftest import BROWSER

HTML = BROWSER["Accept"]


@pytest.mark.parametrize(
    ("path", "accept", "kind"),
    [
        ("/nowhere", HTML, "text/html"),
        ("/nowhere", "text/html", "text/html"),
        ("/nowhere", "*/*", "application/problem+json"),
        ("/nowhere", "", "application/problem+json"),
        ("/nowhere", "application/json", "application/problem+json"),
        ("/nowhere", "application/json, text/html;q=0.5", "application/problem+json"),
        ("/api/v1/nowhere", HTML, "application/problem+json"),
        ("/api/v1/games/none", HTML, "application/problem+json"),
    ],
)
def test_browsers_get_pages_and_programs_get_problems(browser, path, accept, kind):
    answer = browser().client.get(path, headers={"Accept": accept})
    assert (answer.status_code, answer.mimetype) == (404, kind)
    assert "Accept" in str(answer.vary)


def test_a_page_that_is_not_there_names_the_request_and_escapes_the_path(browser):
    answer = browser().get("/<script>alert(1)</script>", **{"X-Request-Id": "for-the-log"})
    assert answer.status_code == 404
    assert "<script>alert" not in answer.text
    assert "for-the-log" in answer.text
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_nearest_address_is_the_way_on(browser):
    visitor = browser()
    assert 'href="/watch">Open /watch</a>' in visitor.get("/wacth").text
    assert 'href="/sign-in">Open /sign-in</a>' in visitor.get("/Sign_In").text
    for path in ("/nowhere/near/anything", "/metric", "/healthzz", "/oauth/authorise"):
        assert ">Open /" not in visitor.get(path).text, path


def test_a_method_that_a_page_does_not_take_is_told(browser):
    answer = browser().client.put("/account", headers=BROWSER)
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]
    assert "This address only takes forms." in answer.text


def test_from_the_address_of_a_form_the_way_leads_to_its_page(browser):
    answer = browser().client.get("/account/apps", headers=BROWSER)
    assert answer.status_code == 405
    assert 'href="/account">Open /account</a>' in answer.text


def test_trouble_with_the_store_is_a_page_that_asks_nothing_of_it(app, cid, monkeypatch):
    def away(*_args, **_kwargs):
        raise StoreUnavailable(say("the store does not answer"))

    monkeypatch.setattr(app.services.accounts.sessions, "identity", away)
    answer = cid.get("/account")
    assert (answer.status_code, answer.mimetype) == (503, "text/html")
    assert "The store does not answer." in answer.text
    assert f'data-retry="{answer.headers["Retry-After"]}"' in answer.text


def test_every_way_on_from_a_lost_store_leads_to_a_page():
    client = create_app(Settings(store_url="redis://127.0.0.1:1")).test_client()
    lost = client.get("/watch", headers=BROWSER)
    assert lost.status_code == 503
    ways = re.findall(r'<a href="([^"]+)"', lost.text.partition('class="ways-on"')[2].partition("</div>")[0])
    assert len(ways) == 3
    assert [client.get(way, headers=BROWSER).status_code for way in ways] == [200, 200, 200]


def test_a_crash_is_a_page_without_its_reason(app, cid, monkeypatch):
    def broken(*_args):
        raise ZeroDivisionError("the secret reason")

    monkeypatch.setattr(app.services.accounts, "tokens", broken)
    answer = cid.get("/account")
    assert (answer.status_code, "Something broke on our side." in answer.text) == (500, True)
    assert "the secret reason" not in answer.text


def test_without_a_store_the_front_page_is_there_and_a_door_says_why_it_is_shut():
    client = create_app(Settings()).test_client()
    assert client.get("/", headers=BROWSER).status_code == 200
    answer = client.post("/sign-in", data={"handle": "El_Cid", "password": "tizona"}, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (503, "text/html")
