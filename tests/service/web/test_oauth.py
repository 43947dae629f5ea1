"""Apps on other sites: an account allows one, it gets a code and tokens; and what attackers try on the way."""

from __future__ import annotations

import threading
import time
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata

from service.accounts.apps import App
from service.accounts.authorizations import ACCESS_LASTS, CODE_LASTS, DAY, LOST_ANSWERS, MOST_FAMILIES
from service.http.application import Application
from service.settings import Limit, Settings
from tests.service.web.conftest import BROWSER, PASSWORD, Visitor

BACK = "https://club.example/back"
VERIFIER = "v" * 50
FORM = "application/x-www-form-urlencoded"


def challenge(verifier: str = VERIFIER) -> str:
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")


@dataclass
class Site:
    """An app on another site, as its author has written it."""

    service: Application
    app: App
    fields: dict[str, str] = field(default_factory=dict)

    def url(self, **changed: str) -> str:
        asked = {
            "response_type": "code",
            "client_id": self.app.id,
            "redirect_uri": BACK,
            "scope": "read play",
            "state": "abc",
            "code_challenge": challenge(),
            "code_challenge_method": "S256",
        } | changed
        return "/oauth/authorize?" + urlencode({name: value for name, value in asked.items() if value})

    def code(self, visitor: Visitor, **changed: str) -> str:
        """The code that comes back when the visitor allows the app."""
        return answered(visitor.submit(self.url(**changed), "/oauth/authorize", decision="allow"))["code"]

    def post(self, path: str, **fields: str):
        return self.service.test_client().post(path, data=fields, headers={"Origin": "https://club.example"})

    def token(self, secret: str, **changed: str):
        fields = {"grant_type": "authorization_code", "code": secret, "redirect_uri": BACK, "client_id": self.app.id}
        fields |= {"code_verifier": VERIFIER} | changed
        return self.post("/oauth/token", **{name: value for name, value in fields.items() if value})

    def refresh(self, token: str, **changed: str):
        fields = {"grant_type": "refresh_token", "refresh_token": token, "client_id": self.app.id} | changed
        return self.post("/oauth/token", **fields)

    def me(self, token: str):
        return self.service.test_client().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})


def answered(response) -> dict[str, str]:
    """What came back to the app, and to no other address."""
    assert response.status_code == 303, response.text
    url = urlsplit(response.headers["Location"])
    assert f"{url.scheme}://{url.netloc}{url.path}" == BACK
    return dict(parse_qsl(url.query))


@pytest.fixture
def clock(monkeypatch):
    """The time of codes and tokens, which tests set forward."""
    ahead = [0.0]

    def forward(app, milliseconds: int) -> None:
        ahead[0] += milliseconds / 1000
        for part in (app.services.accounts, app.services.authorizations):
            monkeypatch.setattr(part, "_clock", lambda: time.time() + ahead[0])

    return forward


@pytest.fixture
def site(app) -> Site:
    owner = app.services.accounts.register("Author", PASSWORD)
    return Site(app, app.services.apps.register(owner.id, "Club <b>site</b>", [BACK, "http://127.0.0.1:5173/back"]))


@pytest.fixture
def tokens(site, cid):
    """What the app got for a code."""
    return site.token(site.code(cid)).json


# As it is meant


def test_an_account_allows_an_app_which_acts_for_it_with_the_scopes_allowed(site, cid):
    page = cid.get(site.url())
    assert "Club &lt;b&gt;site&lt;/b&gt; wants to use your account" in page.text
    assert "Author" in page.text
    assert "club.example" in page.text
    back = answered(cid.submit(site.url(), "/oauth/authorize", decision="allow"))
    assert (back["state"], back["iss"]) == ("abc", "http://localhost")
    answer = site.token(back["code"])
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    given = answer.json
    assert (given["token_type"], given["scope"], given["expires_in"]) == ("Bearer", "play read", 3600)
    me = site.me(given["access_token"]).json
    assert (me["handle"], me["scopes"], me["by"]) == ("El_Cid", ["play", "read"], "token")


def test_a_visitor_may_leave_playing_out(site, cid):
    answer = cid.client.post(
        site.url(), data={"decision": "allow", "scopes": "read", "duration": "day", "csrf": csrf(cid)}, headers=BROWSER
    )
    given = site.token(answered(answer)["code"]).json
    assert given["scope"] == "read"
    moved = site.service.test_client().post(
        "/api/v1/games", json={"players": 2}, headers={"Authorization": f"Bearer {given['access_token']}"}
    )
    assert (moved.status_code, moved.json["code"]) == (403, "forbidden")


def test_an_app_that_names_no_scope_asks_to_read(site, cid):
    assert site.token(site.code(cid, scope="")).json["scope"] == "read"


def test_a_visitor_refuses_and_the_app_hears_it(site, cid):
    back = answered(cid.submit(site.url(), "/oauth/authorize", decision="refuse"))
    assert (back["error"], back["state"], back["iss"]) == ("access_denied", "abc", "http://localhost")
    assert "code" not in back


def test_a_visitor_signs_in_first_and_comes_back_to_the_question(site, browser, cid):
    visitor = browser()
    asked = visitor.get(site.url())
    assert asked.status_code == 303
    signed_in = visitor.submit(asked.headers["Location"], "/sign-in", handle="El_Cid", password=PASSWORD)
    assert "wants to use your account" in visitor.get(signed_in.headers["Location"]).text


def test_an_app_on_this_machine_may_use_plain_http(site, cid):
    local = "http://127.0.0.1:5173/back"
    answer = cid.submit(site.url(redirect_uri=local), "/oauth/authorize", decision="allow")
    assert answer.headers["Location"].startswith(local + "?code=")


def test_the_server_describes_itself(app):
    answer = app.test_client().get("/.well-known/oauth-authorization-server")
    metadata = AuthorizationServerMetadata(answer.json | {"issuer": "https://hidalgo.example"})
    for name in ("authorization_endpoint", "token_endpoint", "revocation_endpoint", "service_documentation"):
        metadata[name] = metadata[name].replace("http://localhost", "https://hidalgo.example")
    metadata.validate()
    assert answer.json["code_challenge_methods_supported"] == ["S256"]
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


class TestPublicUrl:
    @pytest.fixture
    def settings(self):
        return Settings(public_url="https://hidalgo.example")

    def test_the_operator_names_the_issuer(self, site, cid, app):
        assert (
            answered(cid.submit(site.url(), "/oauth/authorize", decision="refuse"))["iss"] == "https://hidalgo.example"
        )
        assert (
            app.test_client().get("/.well-known/oauth-authorization-server").json["issuer"] == "https://hidalgo.example"
        )


# Nothing is sent to an address that was not verified


@pytest.mark.parametrize(
    "changed",
    [
        {"redirect_uri": "https://evil.example/back"},
        {"redirect_uri": BACK + "/"},
        {"redirect_uri": BACK + "?x=1"},
        {"redirect_uri": BACK.upper()},
        {"redirect_uri": "https://club.example@evil.example/back"},
        {"redirect_uri": "http://club.example/back"},
        {"redirect_uri": "http://127.0.0.1:5174/back"},
        {"redirect_uri": "javascript:alert(1)"},
        {"redirect_uri": 'https://evil.example/"\\'},
        {"redirect_uri": "https://évil.example/"},
        {"redirect_uri": ""},
        {"client_id": ""},
        {"client_id": "c_unknown"},
        {"client_id": "c_" + "x" * 28},
        {"client_id": 'c_"'},
        {"response_type": 'to"ken', "redirect_uri": "https://evil.example/"},
        {"response_type": "token", "redirect_uri": "https://evil.example/"},
        {"scope": "admin", "redirect_uri": "https://evil.example/"},
        {"state": "x" * 1001},
        {"state": "a\nb"},
    ],
    ids=str,
)
def test_a_request_whose_address_is_not_verified_is_shown_and_never_redirected(site, cid, changed):
    for visit in (cid.get, lambda url: cid.client.post(url, data={"csrf": csrf(cid), "decision": "allow"})):
        answer = visit(site.url(**changed))
        assert answer.status_code == 400
        assert "Location" not in answer.headers
        assert 'href="https://evil' not in answer.text


def test_a_parameter_that_comes_twice_is_refused(site, cid):
    for name in ("redirect_uri", "client_id", "scope", "state", "code_challenge", "code_challenge_method"):
        answer = cid.get(site.url() + f"&{name}=https://evil.example/")
        assert "evil.example" not in answer.headers.get("Location", "")
        assert answer.status_code == 400 or "error=invalid_request" in answer.headers["Location"]


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"scope": "read admin"}, "invalid_scope"),
        ({"scope": "account"}, "invalid_scope"),
        ({"code_challenge": ""}, "invalid_request"),
        ({"code_challenge_method": ""}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "", "code_challenge_method": ""}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_verified_app_is_told_to_the_app(site, cid, changed, error):
    back = answered(cid.get(site.url(**changed)))
    assert (back["error"], back["state"], back["iss"]) == (error, "abc", "http://localhost")


# The consent is the visitor's own


def csrf(visitor: Visitor) -> str:
    return visitor.get("/account").text.partition('name="csrf" value="')[2].partition('"')[0]


def test_no_other_site_can_press_the_button(site, cid, app):
    fields = {"decision": "allow", "scopes": "read", "duration": "open"}
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}):
        answer = cid.client.post(site.url(), data=fields | {"csrf": csrf(cid)}, headers=headers)
        assert (answer.status_code, answer.json["code"]) == (403, "csrf")
    answer = cid.client.post(site.url(), data=fields, headers={"Sec-Fetch-Site": "same-origin"})
    assert (answer.status_code, answer.json["code"]) == (403, "csrf")
    account = app.services.accounts.account_named("El_Cid").id
    assert app.services.authorizations.grants(account) == []


def test_no_site_can_show_the_question_in_a_frame(site, cid):
    answer = cid.get(site.url())
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "form-action 'self' https://club.example;" in policy
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_token_allows_nothing(site, app, cid):
    account = app.services.accounts.account_named("El_Cid").id
    token = app.services.accounts.tokens.create(account, "all", ["read", "play", "account"])
    shown = {"Authorization": f"Bearer {token.secret}"}
    assert app.test_client().get(site.url(), headers=shown).status_code == 401
    fields = {"decision": "allow", "scopes": "read", "duration": "open"}
    assert app.test_client().post(site.url(), data=fields, headers=shown).status_code == 401


@pytest.mark.parametrize("fields", [{"duration": "ever"}, {"scopes": "admin"}, {"scopes": "", "duration": "day"}])
def test_a_forged_form_allows_nothing_more_than_was_asked(site, cid, fields):
    sent = {"decision": "allow", "scopes": "read", "duration": "open", "csrf": csrf(cid)} | fields
    assert cid.client.post(site.url(), data=sent).status_code == 400


def test_more_than_the_app_asks_for_is_not_given(site, cid):
    sent = {"decision": "allow", "scopes": ["read", "play", "admin"], "duration": "open", "csrf": csrf(cid)}
    answer = cid.client.post(site.url(scope="read"), data=sent)
    assert site.token(answered(answer)["code"]).json["scope"] == "read"


# Codes


def test_a_code_is_used_once_and_its_second_use_ends_what_it_gave(site, cid):
    code = site.code(cid)
    given = site.token(code).json
    assert site.me(given["access_token"]).status_code == 200
    again = site.token(code)
    assert (again.status_code, again.json["error"]) == (400, "invalid_grant")
    assert site.me(given["access_token"]).status_code == 401
    assert site.refresh(given["refresh_token"]).json["error"] == "invalid_grant"


def test_of_two_requests_with_one_code_at_once_at_most_one_gets_tokens(site, cid):
    code, answers = site.code(cid), []
    threads = [threading.Thread(target=lambda: answers.append(site.token(code))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers].count(200) <= 1


def test_a_code_ends_after_a_minute(site, cid, app, clock):
    code = site.code(cid)
    clock(app, CODE_LASTS + 1)
    assert site.token(code).json["error"] == "invalid_grant"


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"code_verifier": "w" * 50}, "invalid_grant"),
        ({"code_verifier": ""}, "invalid_request"),
        ({"code_verifier": challenge()}, "invalid_grant"),
        ({"code_verifier": "short"}, "invalid_request"),
        ({"redirect_uri": "http://127.0.0.1:5173/back"}, "invalid_grant"),
        ({"redirect_uri": ""}, "invalid_grant"),
        ({"client_id": ""}, "invalid_client"),
        ({"client_id": "c_" + "x" * 28}, "invalid_client"),
        ({"code": "hdc_" + "x" * 59}, "invalid_grant"),
        ({"code": "nothing"}, "invalid_grant"),
        ({"grant_type": "password"}, "unsupported_grant_type"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": 'a"b'}, "unsupported_grant_type"),
        ({"client_secret": "guess"}, "invalid_client"),
    ],
    ids=str,
)
def test_a_code_without_all_that_belongs_to_it_gives_nothing(site, cid, changed, error):
    answer = site.token(site.code(cid), **changed)
    assert (answer.status_code, answer.json["error"]) == (400, error)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_the_code_of_one_app_is_nothing_to_another(site, cid, app):
    """Injected codes: an attacker's app, or an attacker's code in an honest app."""
    owner = app.services.accounts.register("Eve", PASSWORD)
    evil = Site(app, app.services.apps.register(owner.id, "Evil", [BACK]))
    code = site.code(cid)
    assert evil.token(code).json["error"] == "invalid_grant"
    assert site.token(code).status_code == 200
    foreign = evil.code(cid, code_challenge=challenge("e" * 50))
    assert site.token(foreign).json["error"] == "invalid_grant"


def test_a_parameter_of_the_token_request_that_comes_twice_is_refused(site, cid, app):
    body = urlencode([("grant_type", "authorization_code"), ("code", site.code(cid)), ("code", "x")])
    answer = app.test_client().post("/oauth/token", data=body, content_type=FORM)
    assert (answer.status_code, answer.json["error"]) == (400, "invalid_request")


# Refresh tokens


def test_a_refresh_token_is_replaced_at_every_use(site, tokens):
    first = site.refresh(tokens["refresh_token"]).json
    second = site.refresh(first["refresh_token"]).json
    assert len({tokens["refresh_token"], first["refresh_token"], second["refresh_token"]}) == 3
    assert site.me(second["access_token"]).json["scopes"] == ["play", "read"]
    assert site.me(tokens["access_token"]).status_code == 200


def test_a_lost_answer_is_given_again_for_a_moment(site, tokens):
    first, again = (site.refresh(tokens["refresh_token"]).json for _ in "ab")
    assert first["refresh_token"] == again["refresh_token"]
    assert site.me(again["access_token"]).status_code == 200


def test_an_older_refresh_token_ends_the_whole_family(site, tokens, app, clock):
    newer = site.refresh(tokens["refresh_token"]).json
    clock(app, LOST_ANSWERS + 1)
    assert site.refresh(tokens["refresh_token"]).json["error"] == "invalid_grant"
    for ended in (tokens, newer):
        assert site.me(ended["access_token"]).status_code == 401
    assert site.refresh(newer["refresh_token"]).json["error"] == "invalid_grant"


def test_two_generations_back_is_theft_at_once(site, tokens):
    first = site.refresh(tokens["refresh_token"]).json
    second = site.refresh(first["refresh_token"]).json
    assert site.refresh(tokens["refresh_token"]).json["error"] == "invalid_grant"
    assert site.me(second["access_token"]).status_code == 401


def test_a_refresh_token_with_another_end_ends_the_family_and_a_made_up_one_nothing(site, tokens):
    stranger = tokens["refresh_token"][:20] + "x" * 16 + tokens["refresh_token"][36:]
    for made_up in (stranger, "hdr_x", "hdg_" + "x" * 59, tokens["access_token"]):
        assert site.refresh(made_up).json["error"] == "invalid_grant"
    assert site.me(tokens["access_token"]).status_code == 200
    assert site.refresh(tokens["refresh_token"][:36] + "x" * 43).json["error"] == "invalid_grant"
    assert site.me(tokens["access_token"]).status_code == 401


def test_the_refresh_token_of_one_app_is_nothing_to_another(site, tokens, app):
    owner = app.services.accounts.register("Eve", PASSWORD)
    evil = Site(app, app.services.apps.register(owner.id, "Evil", [BACK]))
    assert evil.refresh(tokens["refresh_token"]).json["error"] == "invalid_grant"
    assert evil.post("/oauth/revoke", token=tokens["refresh_token"], client_id=evil.app.id).status_code == 200
    assert site.refresh(tokens["refresh_token"]).status_code == 200


def test_fewer_scopes_may_be_asked_for_and_no_more(site, cid):
    given = site.token(site.code(cid)).json
    assert site.refresh(given["refresh_token"], scope="read").json["scope"] == "read"
    limited = site.token(site.code(cid, scope="read")).json
    assert site.refresh(limited["refresh_token"], scope="read play").json["error"] == "invalid_scope"
    assert site.refresh(limited["refresh_token"]).status_code == 200


def test_an_access_token_ends_after_an_hour_and_its_app_gets_another(site, tokens, app, clock):
    clock(app, ACCESS_LASTS + 1)
    assert site.me(tokens["access_token"]).status_code == 401
    assert site.me(site.refresh(tokens["refresh_token"]).json["access_token"]).status_code == 200


def test_all_of_it_ends_on_the_day_that_the_visitor_has_chosen(site, cid, app, clock):
    fields = {"decision": "allow", "scopes": "read", "duration": "day", "csrf": csrf(cid)}
    given = site.token(answered(cid.client.post(site.url(), data=fields))["code"]).json
    clock(app, DAY + 1)
    assert site.me(given["access_token"]).status_code == 401
    assert site.refresh(given["refresh_token"]).json["error"] == "invalid_grant"


def test_old_browsers_of_one_app_make_room_for_new_ones(site, cid, app):
    first = site.token(site.code(cid)).json
    for _ in range(MOST_FAMILIES):
        newest = site.token(site.code(cid)).json
    assert site.me(first["access_token"]).status_code == 401
    assert site.me(newest["access_token"]).status_code == 200
    account = app.services.accounts.account_named("El_Cid").id
    fields = app.services.authorizations._records.read(account)
    assert sum(name.startswith("family:") for name in fields) == MOST_FAMILIES


# The end


def test_an_app_gives_its_token_back(site, tokens):
    answer = site.post("/oauth/revoke", token=tokens["access_token"], client_id=site.app.id)
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, "*")
    assert site.me(tokens["access_token"]).status_code == 401
    fresh = site.refresh(tokens["refresh_token"]).json
    assert site.post("/oauth/revoke", token=fresh["refresh_token"], client_id=site.app.id).status_code == 200
    assert site.me(fresh["access_token"]).status_code == 401
    assert site.refresh(fresh["refresh_token"]).json["error"] == "invalid_grant"


def test_no_app_gives_back_a_personal_token(site, app, cid):
    account = app.services.accounts.account_named("El_Cid").id
    token = app.services.accounts.tokens.create(account, "mine", ["read"]).secret
    assert site.post("/oauth/revoke", token=token, client_id=site.app.id).status_code == 200
    assert site.me(token).status_code == 200


def test_a_token_of_an_app_is_not_among_the_personal_tokens_and_makes_none(site, tokens, app):
    account = app.services.accounts.account_named("El_Cid").id
    assert app.services.accounts.tokens.of(account) == []
    shown = {"Authorization": f"Bearer {tokens['access_token']}"}
    for method, path in (("POST", "/tokens"), ("GET", "/tokens"), ("DELETE", "/me"), ("POST", "/me/webhooks")):
        assert app.test_client().open(f"/api/v1{path}", method=method, json={}, headers=shown).status_code == 403


@pytest.mark.parametrize(
    "end", ["the visitor ends it", "the app is deleted", "its author is gone", "the account is gone"]
)
def test_everything_ends_with_the_consent_the_app_or_an_account(site, tokens, app, cid, end):
    accounts, pending = app.services.accounts, site.code(cid)
    account = accounts.account_named("El_Cid").id
    match end:
        case "the visitor ends it":
            app.services.authorizations.end(account, site.app.id)
        case "the app is deleted":
            app.services.apps.delete(site.app.owner, site.app.id)
        case "its author is gone":
            accounts.delete(site.app.owner, PASSWORD)
        case "the account is gone":
            accounts.delete(account, PASSWORD)
    assert site.me(tokens["access_token"]).status_code == 401
    for answer in (site.refresh(tokens["refresh_token"]), site.token(pending)):
        assert answer.status_code == 400
        assert answer.json["error"] in ("invalid_grant", "invalid_client")


def test_a_reset_password_ends_what_apps_were_allowed(site, tokens, app):
    app.services.accounts.reset_password("El_Cid")
    assert site.me(tokens["access_token"]).status_code == 401
    assert site.refresh(tokens["refresh_token"]).status_code == 400
    account = app.services.accounts.account_named("El_Cid").id
    assert app.services.authorizations.grants(account) == []


def test_nothing_secret_is_kept(site, tokens, app, cid):
    code = site.code(cid)
    account = app.services.accounts.account_named("El_Cid").id
    kept = str(app.services.authorizations._records.read(account))
    for secret in (code, tokens["access_token"], tokens["refresh_token"], VERIFIER):
        assert secret not in kept
        assert secret[20:] not in kept


class TestLimits:
    @pytest.fixture
    def settings(self):
        few = {"grants_from_an_address": Limit(3, 3600)}
        return Settings(limits=dict(Settings().limits) | few)

    def test_tries_are_counted(self, site):
        tried = [site.token("hdc_" + "x" * 59) for _ in range(4)]
        assert [answer.status_code for answer in tried] == [400, 400, 400, 429]
        assert tried[-1].headers["Access-Control-Allow-Origin"] == "*"
