"""The account page: password, tokens, sessions, and the end of the account."""

import re

import pytest

from tests.service.web.conftest import PASSWORD


def test_the_page_is_for_its_account_alone_and_for_no_cache(browser, cid):
    answer = cid.get("/account")
    assert "El_Cid" in answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    other = browser().get("/account?done=password")
    assert (other.status_code, other.headers["Location"]) == (303, "/sign-in?next=/account%3Fdone%3Dpassword")


def test_the_password_is_changed_with_the_old_one_and_other_sessions_end(browser, cid):
    second = browser()
    second.submit("/sign-in", "/sign-in", handle="El_Cid", password=PASSWORD)
    wrong = cid.submit("/account", "/account/password", old="not the one", new="babieca al trote")
    assert (wrong.status_code, "the old password is wrong" in wrong.text) == (403, True)
    changed = cid.submit("/account", "/account/password", old=PASSWORD, new="babieca al trote")
    assert "The password is changed" in cid.get(changed.headers["Location"]).text
    assert second.get("/account").status_code == 303
    assert browser().submit("/sign-in", "/sign-in", handle="El_Cid", password="babieca al trote").status_code == 303


def test_a_token_is_shown_once_works_for_programs_and_is_revoked(app, cid):
    made = cid.submit("/account", "/account/tokens#", name="my <bot>", scopes="read")
    [secret] = re.findall(r"hdg_[\w-]{59}", made.text)
    assert "my &lt;bot&gt;" in made.text
    assert secret not in cid.get("/account").text
    asked = {"Authorization": f"Bearer {secret}"}
    assert app.test_client().get("/api/v1/me", headers=asked).json["scopes"] == ["read"]
    gone = cid.submit("/account", "/account/tokens/t_")
    assert "The token is revoked." in cid.get(gone.headers["Location"]).text
    assert app.test_client().get("/api/v1/me", headers=asked).status_code == 401


def test_a_form_for_a_token_that_is_sent_twice_makes_one(app, cid):
    fields = {"name": "my bot", "scopes": "read", "key": "the same"}
    secrets = {re.findall(r"hdg_[\w-]{59}", cid.submit("/account", "/account/tokens#", **fields).text)[0] for _ in "ab"}
    assert len(secrets) == 1


@pytest.mark.parametrize(
    ("fields", "status"), [({"name": "", "scopes": "read"}, 422), ({"name": "bot", "scopes": "admin"}, 403)]
)
def test_a_token_that_cannot_be_made_is_refused_in_the_page(cid, fields, status):
    answer = cid.submit("/account", "/account/tokens#", **fields)
    assert (answer.status_code, 'role="alert"' in answer.text) == (status, True)


def test_sessions_are_listed_and_ended_one_by_one_or_all_others(browser, cid):
    others = [browser(), browser()]
    for other in others:
        other.submit("/sign-in", "/sign-in", handle="El_Cid", password=PASSWORD)
    page = cid.get("/account").text
    assert (page.count("used on 20"), page.count("this browser")) == (3, 1)
    cid.submit("/account", "/account/sessions/")
    assert sorted(other.get("/account").status_code for other in others) == [200, 303]
    cid.submit("/account", "/account/sessions/end-others")
    assert [other.get("/account").status_code for other in others] == [303, 303]
    assert cid.get("/account").status_code == 200


@pytest.mark.parametrize("session", ["0", "", "0" * 16, "%2e%2e"])
def test_no_session_ends_by_a_part_of_its_id(browser, cid, session):
    csrf = re.findall(r'name="csrf" value="([^"]+)"', cid.get("/account").text)[0]
    cid.client.post(f"/account/sessions/{session}/end", data={"csrf": csrf})
    assert cid.get("/account").status_code == 200


def test_an_account_is_deleted_with_its_password_alone(app, cid):
    refused = cid.submit("/account", "/account/delete", password="not the one")
    assert (refused.status_code, "the password is wrong" in refused.text) == (403, True)
    assert cid.submit("/account", "/account/delete", password=PASSWORD).headers["Location"] == "/"
    assert app.services.accounts.account_named("El_Cid") is None
    assert cid.get("/account").status_code == 303


def test_the_token_of_another_account_is_not_found(app, browser, cid):
    eve = browser()
    eve.sign_up("Eve")
    account = app.services.accounts.account_named("El_Cid").id
    token = app.services.accounts.tokens.create(account, "bot", ["read"])
    csrf = re.findall(r'name="csrf" value="([^"]+)"', eve.get("/account").text)[0]
    answer = eve.client.post(f"/account/tokens/{token.token.id}/revoke", data={"csrf": csrf})
    assert answer.status_code == 404
    assert app.services.accounts.tokens.identity(token.secret)


# Apps


def test_an_app_is_registered_changed_and_deleted_on_the_page(app, cid):
    account = app.services.accounts.account_named("El_Cid").id
    uris = "https://club.example/back\r\nhttp://127.0.0.1:5173/back"
    made = cid.submit("/account", "/account/apps#", name="Club <site>", redirect_uris=uris)
    [found] = app.services.apps.of(account)
    assert found.redirect_uris == uris.split()
    refused = cid.submit("/account", "/account/apps#", name="Club & Co", redirect_uris="ftp://club.example/")
    assert 'value="Club &amp; Co"' in refused.text
    assert ">ftp://club.example/</textarea>" in refused.text
    page = cid.get(made.headers["Location"]).text
    assert found.id in page
    assert "Club &lt;site&gt;" in page
    wrong = cid.submit("/account", f"/account/apps/{found.id}#", name="Club", redirect_uris="http://club.example/")
    assert (wrong.status_code, "a redirect URI is https" in wrong.text) == (422, True)
    cid.submit("/account", f"/account/apps/{found.id}#", name="Club", redirect_uris="https://club.example/")
    assert app.services.apps.find(found.id).redirect_uris == ["https://club.example/"]
    cid.submit("/account", f"/account/apps/{found.id}/delete")
    assert app.services.apps.of(account) == []


def test_an_app_that_the_visitor_allows_is_ended_on_the_page(app, browser, cid):
    author = app.services.accounts.register("Author", PASSWORD)
    allowed = app.services.apps.register(author.id, "Club site", ["https://club.example/back"])
    account = app.services.accounts.account_named("El_Cid").id
    app.services.authorizations.allow(
        account, allowed.id, "Club site", ["read"], 90, "https://club.example/back", "c" * 43
    )
    assert "Club site" in cid.get("/account").text
    ended = cid.submit("/account", "/account/authorizations/")
    assert "may do nothing for you any more" in cid.get(ended.headers["Location"]).text
    assert app.services.authorizations.grants(account) == []
