"""Sign in, sign up, come in as a guest, sign out: with forms, as browsers send them."""

import pytest

from service.settings import Limit, Settings
from tests.service.web.conftest import BROWSER, PASSWORD


def test_a_new_visitor_signs_up_and_is_signed_in(browser):
    visitor = browser()
    answer = visitor.sign_up("El_Cid")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert "El_Cid" in visitor.get("/").text


def test_a_visitor_signs_in_with_any_capitals_and_signs_out(browser, cid):
    visitor = browser()
    assert visitor.submit("/sign-in", "/sign-in", handle="el_cid", password=PASSWORD).status_code == 303
    assert visitor.get("/account").status_code == 200
    secret = visitor.session
    assert visitor.submit("/account", "/sign-out").headers["Location"] == "/"
    visitor.client.set_cookie("hidalgo_session", secret)
    assert visitor.get("/account").status_code == 303


def test_a_wrong_password_shows_the_form_again_with_the_name_and_not_the_password(browser, cid):
    answer = browser().submit("/sign-in", "/sign-in", handle="El_Cid", password="not the one")
    assert answer.status_code == 401
    assert "no account has this handle and this password" in answer.text
    assert 'value="El_Cid"' in answer.text
    assert "not the one" not in answer.text


@pytest.mark.parametrize(
    ("handle", "password", "status", "sentence"),
    [
        ("El_Cid", PASSWORD, 409, "the handle El_Cid is taken"),
        ("x", PASSWORD, 422, "a handle has 3 to 20"),
        ("<b>x</b>", PASSWORD, 422, "a handle has 3 to 20"),
        ("admin", PASSWORD, 409, "the handle admin is reserved"),
        ("babieca", "short", 422, "a password has 8 to 200 characters"),
    ],
)
def test_a_name_that_cannot_be_had_is_refused_with_the_reason(browser, cid, handle, password, status, sentence):
    answer = browser().submit("/sign-up", "/sign-up", handle=handle, password=password)
    assert answer.status_code == status
    assert sentence in answer.text
    assert "<b>x" not in answer.text


@pytest.mark.parametrize(
    ("handle", "state", "near"),
    [
        ("Babieca", "free", []),
        ("el_cid", "taken", ["el_cid_2", "el_cid_3", "el_cid-el-grande"]),
        ("x", "unfit", []),
        ("admin", "unfit", []),
        ("<b>", "unfit", []),
    ],
)
def test_whether_a_name_can_be_had_is_told_before_it_is_asked_for(browser, cid, handle, state, near):
    answer = browser().client.get("/sign-up/name", query_string={"handle": handle}).get_json()
    assert (answer["state"], answer["near"]) == (state, near)


def test_a_taken_name_is_refused_with_a_few_like_it(browser, cid):
    visitor = browser()
    visitor.sign_up("El_Cid_2")
    answer = browser().submit("/sign-up", "/sign-up", handle="El_Cid", password=PASSWORD)
    assert 'data-name="El_Cid_3"' in answer.text
    assert 'data-name="El_Cid_2"' not in answer.text


def test_a_guest_comes_in_at_once_and_keeps_the_account_by_choosing_a_name(app, browser):
    visitor = browser()
    assert visitor.submit("/sign-in", "/guest").status_code == 303
    account = app.services.accounts.sessions.identity(visitor.session).account
    assert "guest-" in visitor.get("/sign-up").text
    assert visitor.sign_up("Babieca").status_code == 303
    assert app.services.accounts.account(account).handle == "Babieca"


def test_a_second_sign_in_ends_the_session_that_the_browser_had(app, cid):
    before = cid.session
    cid.submit("/sign-in", "/sign-in", handle="El_Cid", password=PASSWORD)
    assert app.services.accounts.sessions.identity(before) is None


@pytest.mark.parametrize("door", ["/sign-in", "/sign-up"])
def test_after_the_door_comes_the_page_that_was_wanted(browser, door):
    visitor = browser()
    visitor.sign_up("El_Cid")
    fields = {"handle": "El_Cid" if door == "/sign-in" else "Babieca", "password": PASSWORD}
    answer = browser().submit(f"{door}?next=/account%3Fdone%3Dpassword", door, **fields)
    assert answer.headers["Location"] == "/account?done=password"


@pytest.mark.parametrize("following", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:1"])
def test_no_door_leads_to_another_site(browser, cid, following):
    visitor = browser()
    answer = visitor.client.post(
        "/sign-in", data={"handle": "El_Cid", "password": PASSWORD, "next": following}, headers=BROWSER
    )
    assert answer.headers["Location"] == "/"
    assert "evil.example" not in visitor.client.get("/sign-in", query_string={"next": following}).text


# Other sites


FOREIGN = [
    {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example", "Sec-Fetch-Mode": "navigate"},
    {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost:9999"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.parametrize("path", ["/sign-in", "/sign-up", "/guest", "/sign-out", "/account/delete"])
def test_a_form_of_another_site_signs_no_visitor_in_or_out(browser, cid, path, headers):
    """Not even without a session: a visitor would play under the name of an attacker."""
    fields = {"handle": "El_Cid", "password": PASSWORD}
    answer = cid.client.post(path, data=fields, headers=headers)
    assert (answer.status_code, answer.json["code"]) == (403, "csrf")
    assert cid.get("/account").status_code == 200


def test_a_form_of_ours_without_its_hidden_field_does_nothing(cid):
    answer = cid.client.post("/account/sessions/end-others", data={"csrf": ""}, headers=BROWSER | {"Accept": "*/*"})
    assert (answer.status_code, answer.json["code"]) == (403, "csrf")


def test_an_older_browser_tells_its_origin_alone(browser):
    client = browser().client
    data = {"handle": "El_Cid", "password": PASSWORD}
    assert client.post("/sign-up", data=data, headers={"Origin": "http://localhost"}).status_code == 303


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"json": {"handle": "El_Cid"}}, 415, "unsupported_media_type"),
        ({"data": "handle=" + "x" * 70_000, "content_type": "application/x-www-form-urlencoded"}, 413, "too_large"),
        ({"data": b"handle=%ff", "content_type": "application/x-www-form-urlencoded"}, 400, "unreadable"),
        ({"data": b"a=1&" * 200, "content_type": "application/x-www-form-urlencoded"}, 400, "unreadable"),
        ({"data": b"\xff", "content_type": "application/x-www-form-urlencoded"}, 400, "unreadable"),
    ],
)
def test_what_is_no_form_is_refused(browser, sent, status, code):
    answer = browser().client.post("/sign-in", **sent)
    assert (answer.status_code, answer.json["code"]) == (status, code)


# Limits


class TestLimits:
    @pytest.fixture
    def settings(self):
        few = Limit(2, 3600)
        names = ("sign_ins_of_a_handle", "accounts_from_an_address", "guests_from_an_address")
        return Settings(limits=dict(Settings().limits) | dict.fromkeys(names, few))

    def test_guesses_at_a_door_are_counted_like_those_of_programs(self, browser):
        visitor = browser()
        tried = [visitor.submit("/sign-in", "/sign-in", handle="El_Cid", password=f"guess {n}") for n in range(3)]
        assert [answer.status_code for answer in tried] == [401, 401, 429]
        assert int(tried[-1].headers["Retry-After"]) > 0
        body = {"handle": "el_cid", "password": "guess 4"}
        assert visitor.client.post("/api/v1/sessions", json=body).status_code == 429

    def test_names_and_guests_are_counted(self, browser):
        made = [browser().sign_up(f"name_{n}").status_code for n in range(3)]
        guests = [browser().submit("/sign-in", "/guest").status_code for _ in range(3)]
        assert (made, guests) == ([303, 303, 429], [303, 303, 429])
