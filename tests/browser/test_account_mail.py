"""A visitor asks for mail on the account page: a real mail server brings the letter, its link confirms the address."""

import os
import re

import pytest

from tests.browser.conftest import HIDALGO
from tests.browser.signing_up import sign_up
from tests.browser.test_accessibility import findings
from tests.events.servers import eventually
from tests.running import running
from tests.service.notifications.mail_server import mail_server

ADDRESS = "ana@people.example"


@pytest.fixture
def mails():
    with mail_server() as server:
        yield server


@pytest.fixture
def mailing(mails, tmp_path):
    """A service that sends mail."""
    settings = {
        "HIDALGO_MAIL_SERVER": f"smtp://127.0.0.1:{mails.port}",
        "HIDALGO_MAIL_FROM": "us@mail.example",
        "HIDALGO_PUBLIC_URL": "https://hidalgo.example",
    }
    with running([HIDALGO, "serve"], tmp_path, os.environ | settings) as service:
        yield service


def test_an_address_is_confirmed_by_its_letter_and_every_state_of_the_page_is_open_to_all(page, mailing, mails):
    sign_up(page, mailing.url)
    page.goto(f"{mailing.url}/account")
    page.get_by_label("Mail address").fill(ADDRESS)
    page.get_by_label("a game is over").check()
    page.get_by_label("once a day").check()
    page.locator("#mail").get_by_role("button", name="Save").click()
    assert page.get_by_label("Code of the letter").is_visible()
    assert findings(page) == []
    eventually(lambda: mails.letters_to(ADDRESS), seconds=60)
    [letter] = mails.letters_to(ADDRESS)
    [path] = re.findall(r"https://hidalgo.example(/mail/confirm/\S+)", letter.get_body(("plain",)).get_content())
    page.goto(mailing.url + path)
    page.get_by_role("button", name="Yes, send my mail here").click()
    page.goto(f"{mailing.url}/account")
    page.get_by_label("a program plays for this account").check()
    page.get_by_role("button", name="Save the mark").click()
    assert page.locator("#mail .badge").inner_text() == "confirmed"
    assert page.get_by_label("a game is over").is_checked()
    assert page.get_by_label("once a day").is_checked()
    assert page.locator("h1 .badge").inner_text() == "bot"
    assert findings(page) == []
