"""Mail and the mark of a bot on the account page, by its forms."""

import re

import pytest

from rules.texts import say
from service.notifications.mail.smtp import MailOutcome
from service.notifications.notices import pairing
from service.notifications.postings import Postings
from service.settings import Limit, MailServer, Settings
from tests.service.web.conftest import BROWSER

ADDRESS = "ana@people.example"


@pytest.fixture
def settings():
    """With a mail server at which nobody listens: letters are written, and wait."""
    return Settings(
        mail_server=MailServer("smtp", "127.0.0.1", 1), mail_from="us@mail.example", public_url="https://x.example"
    )


@pytest.fixture
def mail(app):
    return app.services.mail


@pytest.fixture
def account(app, cid):
    return app.services.accounts.account_named("El_Cid").id


def said(visitor, answer) -> str:
    assert answer.status_code == 303
    return re.findall(r'role="status">.*?<span>(.*?)</span>', visitor.get(answer.headers["Location"]).text)[0]


def code(mail, account) -> str:
    return mail.preferences.code(account, mail.preferences.read(account))


def test_an_address_is_given_confirmed_and_forgotten_on_the_page(cid, mail, account):
    asked = cid.submit("/account", "/account/mail#", address=f" {ADDRESS}", digest="daily")
    assert said(cid, asked).startswith("A letter is on its way")
    kept = mail.look(account)
    assert (kept["pending"], kept["choices"], kept["digest"]) == (ADDRESS, ("turn", "reminder"), "daily")
    wrong = cid.submit("/account", "/account/mail/confirmation", code="no")
    assert (wrong.status_code, "this code is not valid" in wrong.text) == (409, True)
    right = cid.submit("/account", "/account/mail/confirmation", code=f"{code(mail, account)} ")
    assert said(cid, right) == "Your address is confirmed."
    assert (mail.look(account)["address"], mail.look(account)["pending"]) == (ADDRESS, None)
    assert said(cid, cid.submit("/account", "/account/mail/forget")).startswith("Your address is forgotten")
    assert ADDRESS not in cid.get("/account").text


def test_a_changed_choice_sends_no_second_letter(cid, mail, account):
    cid.submit("/account", "/account/mail#", address=ADDRESS)
    [first], _ = mail.queue.state(account)
    changed = cid.submit("/account", "/account/mail#", choices=["finished"])
    assert said(cid, changed) == "Your choices are kept."
    assert mail.look(account)["choices"] == ("finished",)
    assert mail.queue.state(account) == ([first], [])
    assert said(cid, cid.submit("/account", "/account/mail/letter")).startswith("A letter is on its way")
    [second], _ = mail.queue.state(account)
    assert second.number == first.number + 1


def test_the_confirmed_address_takes_a_pending_one_back(cid, mail, account):
    cid.submit("/account", "/account/mail#", address=ADDRESS)
    cid.submit("/account", "/account/mail/confirmation", code=code(mail, account))
    cid.submit("/account", "/account/mail#", address="else@people.example")
    assert (mail.look(account)["address"], mail.look(account)["pending"]) == (ADDRESS, "else@people.example")
    cid.submit("/account", "/account/mail#", address=ADDRESS)
    assert (mail.look(account)["address"], mail.look(account)["pending"]) == (ADDRESS, None)


def test_what_is_no_address_is_refused_in_the_page(cid, mail, account):
    answer = cid.submit("/account", "/account/mail#", address="<script>@x")
    assert (answer.status_code, "this is not a mail address" in answer.text) == (400, True)
    assert mail.look(account)["pending"] is None


def parked(mail, account) -> None:
    [letter], _ = mail.queue.state(account)
    mail.queue.settle(account, letter, MailOutcome(550, say("it is full"), is_final=True), 1)


def test_a_letter_that_did_not_arrive_is_told_until_another_is_sent(cid, mail, account):
    cid.submit("/account", "/account/mail#", address=ADDRESS)
    parked(mail, account)
    assert "1 letter did not arrive: it is full" in cid.get("/account").text
    cid.submit("/account", "/account/mail/letter")
    assert "did not arrive" not in cid.get("/account").text


def test_parked_letters_about_notices_are_written_anew(app, cid, mail, account):
    cid.submit("/account", "/account/mail#", address=ADDRESS, choices=["pairing"])
    cid.submit("/account", "/account/mail/confirmation", code=code(mail, account))
    mail.queue.forget(account)
    game = app.services.games.create("el_grande", 2, owner=account)
    Postings(app.services.store).post(account, pairing(game, "red", "Copa", 1, mail.now()), "round 1")
    claimed = mail.queue.claim(account, mail.now() + 3_600_000)
    parked(mail, account)
    assert said(cid, cid.submit("/account", "/account/mail/retry")) == "The letters are tried again."
    again = mail.queue.claim(account, mail.now() + 3_600_000)
    assert again.letter.notices == claimed.letter.notices


@pytest.mark.parametrize("path", ["mail", "mail/letter", "mail/confirmation", "mail/retry", "mail/forget", "bot"])
def test_no_other_site_and_no_form_without_the_mark_of_the_session_changes_anything(cid, mail, account, path):
    cid.submit("/account", "/account/mail#", address=ADDRESS)
    fields = {"address": "eve@people.example", "code": code(mail, account), "bot": "yes"}
    before = mail.look(account)
    assert cid.client.post(f"/account/{path}", data=fields, headers=BROWSER).status_code == 403
    foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    assert cid.client.post(f"/account/{path}", data=fields, headers=BROWSER | foreign).status_code == 403
    assert mail.look(account) == before
    assert "a program plays" in cid.get("/account").text


class TestLimits:
    @pytest.fixture
    def settings(self, settings):
        return Settings(
            mail_server=settings.mail_server,
            mail_from=settings.mail_from,
            public_url=settings.public_url,
            limits={**Settings().limits, "letters_to_confirm_an_address": Limit(1, 3600)},
        )

    def test_letters_to_an_address_are_counted_as_those_of_programs(self, cid):
        cid.submit("/account", "/account/mail#", address=ADDRESS)
        again = cid.submit("/account", "/account/mail/letter")
        assert (again.status_code, 'role="alert"' in again.text) == (429, True)


class TestWithoutAServer:
    @pytest.fixture
    def settings(self):
        return Settings()

    def test_the_page_says_that_there_is_no_mail(self, cid):
        page = cid.get("/account").text
        assert "This service sends no mail" in page
        assert 'name="address"' not in page


def test_the_mark_of_a_bot_is_set_and_taken_away(app, cid, account):
    assert said(cid, cid.submit("/account", "/account/bot", bot="yes")).startswith("Your name carries the mark")
    assert app.services.accounts.living(account).bot
    page = cid.get("/account").text
    assert re.search(r'name="bot" value="yes" checked', page)
    assert said(cid, cid.submit("/account", "/account/bot", bot=[])).startswith("Your name carries no mark")
    assert not app.services.accounts.living(account).bot
