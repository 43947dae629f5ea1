"""Mail over the interface: whose address it is, how often it is asked, and the pages that letters lead to."""

import re
from pathlib import Path

import pytest

from events.audit.backup import backup, restore
from service.accounts.backup_section import AccountSection
from service.settings import Limit, MailServer, Settings
from tests.service.api.asking import problem

ADDRESS = "ana@people.example"
CHOSEN = {"address": ADDRESS, "choices": ["turn", "finished"], "digest": "daily"}


@pytest.fixture
def settings():
    """With a mail server at which nobody listens: letters are written, and wait."""
    return Settings(
        mail_server=MailServer("smtp", "127.0.0.1", 1), mail_from="us@mail.example", public_url="https://x.example"
    )


def put(client, body, **headers):
    return client.ask("PUT", "/me/mail", json=body, headers=headers)


def letter_of(service, client):
    waiting, _ = service.services.mail.queue.state(client.account)
    return waiting[0]


def test_an_address_is_pending_until_it_is_confirmed(service, ana):
    nothing = ana.get("/me/mail").get_json()
    assert (nothing["available"], nothing["address"], nothing["choices"]) == (True, None, [])
    asked = put(ana, CHOSEN).get_json()
    assert (asked["address"], asked["pending"], asked["choices"]) == (None, ADDRESS, ["turn", "finished"])
    code = re.findall(r"program: (\S+)", "\n".join(letter_of(service, ana).lines))[0]
    assert problem(ana.post("/me/mail/confirmation", {"code": "no"})) == (409, "not_now")
    confirmed = ana.post("/me/mail/confirmation", {"code": code}).get_json()
    assert (confirmed["address"], confirmed["pending"], confirmed["digest"]) == (ADDRESS, None, "daily")
    assert ana.delete("/me/mail").status_code == 204
    assert ana.get("/me/mail").get_json()["address"] is None


def test_the_link_of_a_letter_confirms_by_a_button(service, ana):
    put(ana, CHOSEN)
    link = letter_of(service, ana).link.removeprefix("https://x.example")
    page = ana.http.get(link)
    assert (page.status_code, page.headers["Referrer-Policy"]) == (200, "no-referrer")
    assert ana.get("/me/mail").get_json()["address"] is None
    assert ana.http.post(link).status_code == 200
    assert ana.get("/me/mail").get_json()["address"] == ADDRESS
    assert ana.http.post(link).status_code == 409


def test_one_click_unsubscribes_without_an_account(service, ana):
    put(ana, CHOSEN)
    mail = service.services.mail
    mail.confirm_by_link(letter_of(service, ana).link.rpartition("/")[2])
    token = mail.preferences.unsubscribe_token(ana.account, mail.preferences.read(ana.account))
    path = f"/mail/unsubscribe/{token}"
    assert ana.http.get(path).status_code == 200
    assert ana.get("/me/mail").get_json()["choices"] == ["turn", "finished"]
    clicked = ana.http.post(path, data={"List-Unsubscribe": "One-Click"})
    assert clicked.status_code == 200
    assert ana.get("/me/mail").get_json()["choices"] == []
    assert ana.http.post(f"/mail/unsubscribe/{ana.account}.x").status_code == 409
    assert ana.http.post("/mail/unsubscribe/nobody").status_code == 409


@pytest.mark.parametrize(
    "address",
    ["ana", "ana@", "ana@people", "a b@x.example", "ana@x.example\r\nBcc: b@x.example", "ä@x.example", "a" * 300],
)
def test_what_is_no_address_is_refused(ana, address):
    assert put(ana, CHOSEN | {"address": address}).status_code in (400, 422)
    assert ana.get("/me/mail").get_json()["pending"] is None


def test_an_unknown_choice_is_refused(ana):
    for body in ({"choices": ["everything"]}, {"digest": "hourly"}, {"choices": "turn"}, {"adress": ADDRESS}):
        assert put(ana, body).status_code == 422


def test_a_letter_is_in_the_language_of_the_request(ana):
    put(ana, CHOSEN, **{"Accept-Language": "xx"})
    assert ana.get("/me/mail").get_json()["language"] == "en"


def test_one_address_is_not_asked_again_and_again(service, ana, ben):
    """Neither by one account nor by several, however it is written."""
    written = [ADDRESS, ADDRESS.upper().replace("PEOPLE.EXAMPLE", "people.example"), ADDRESS, ADDRESS]
    asked = list(zip([ana, ben, ana, ben], written, strict=True))
    answers = [put(client, CHOSEN | {"address": address}) for client, address in asked]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]


def test_a_mailbox_is_not_flooded_by_its_other_names(service, ana, ben):
    """Tags and dots make as many addresses of a mailbox as somebody wants."""
    written = [ADDRESS, ADDRESS.replace("@", "+one@"), ADDRESS.replace("@", "+two@"), ADDRESS[0] + "." + ADDRESS[1:]]
    answers = [put(ana, CHOSEN | {"address": address}) for address in written]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert put(ben, CHOSEN | {"address": "ben@people.example"}).status_code == 200


def test_an_address_is_nowhere_but_with_its_account(service, ana, ben, anonymous):
    put(ana, CHOSEN)
    game = ana.makes()
    ben.post(f"/games/{game}/seats", {})
    for client in (ben, anonymous):
        for path in (f"/games/{game}", f"/players/{ana.account}", f"/games/{game}/export", f"/games/{game}/events"):
            assert ADDRESS not in client.get(path).text
    assert ADDRESS not in ana.get(f"/games/{game}/export").text
    assert ADDRESS not in ana.get("/me").text


def test_address_and_choices_are_in_a_backup(service, ana, tmp_path: Path, running_stores):
    put(ana, CHOSEN)
    store, games = service.services.store, service.services.games
    backup(games.log, tmp_path / "all", 1, sections=[AccountSection(store)])
    service.services.accounts.delete(ana.account)
    for primary in store.primaries().values():
        primary.flushall()
    restore(games.log, tmp_path / "all", sections=[AccountSection(store)])
    found = service.services.mail.preferences.read(ana.account)
    assert (found.pending, found.choices) == (ADDRESS, ("turn", "finished"))


class TestLimits:
    @pytest.fixture
    def settings(self, settings):
        return Settings(
            mail_server=settings.mail_server,
            mail_from=settings.mail_from,
            public_url=settings.public_url,
            limits={**Settings().limits, "mail_of_an_account": Limit(2, 3600)},
        )

    def test_an_account_changes_its_mail_so_often(self, ana):
        assert [put(ana, {"choices": ["turn"]}).status_code for _ in range(3)] == [200, 200, 429]


class TestWithoutAServer:
    @pytest.fixture
    def settings(self):
        return Settings()

    def test_there_is_no_mail(self, ana):
        assert ana.get("/me/mail").get_json()["available"] is False
        assert problem(put(ana, CHOSEN)) == (409, "not_now")
