"""Accounts, guests, sessions and tokens over HTTP."""

from dataclasses import replace

import pytest
from argon2 import PasswordHasher

from service.accounts import MOST_TOKENS, Accounts
from service.accounts.passwords import Passwords
from service.api.accounts import blueprint
from service.http import authentication, problems, request_bodies
from service.http.application import Application
from service.services import services
from service.settings import DEFAULT_LIMITS, Limit, Settings

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD = "tizona y colada"
HANDLE_AND_PASSWORD = {"handle": "el_cid", "password": PASSWORD}

pytestmark = pytest.mark.parametrize("store", ["embedded"], indirect=True)


def app_with(store, *, cached_for=0, secure_cookies=False, **limits):
    settings = Settings(limits={**DEFAULT_LIMITS, **limits}, secure_cookies=secure_cookies)
    accounts = Accounts(store, Passwords(CHEAP), cached_for=cached_for)
    app = Application(settings, replace(services(store, settings), accounts=accounts))
    app.config["TESTING"] = True
    request_bodies.register(app)
    problems.register(app)
    app.register_blueprint(blueprint, url_prefix="/api/v1")

    @app.route("/api/v1/table", methods=["GET", "POST"])
    @authentication.needs("play")
    def table():
        return {"account": authentication.current().account}

    @app.get("/api/v1/window")
    def window():
        identity = authentication.optional_identity()
        return {"handle": identity.handle if identity else None}

    @app.get("/api/v1/tower")
    @authentication.needs("admin")
    def tower():
        return {}

    return app


@pytest.fixture
def app(store):
    return app_with(store)


@pytest.fixture
def accounts(app):
    return app.services.accounts


@pytest.fixture
def asking(app):
    return Asking(app)


class Asking:
    """A client that speaks of what is below /api/v1; cookies stay in its jar."""

    def __init__(self, app):
        self.http = app.test_client()

    def __call__(self, method, path, body=None, *, token="", csrf="", **more):
        headers = dict(more.pop("headers", {}))
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if csrf:
            headers["X-CSRF-Token"] = csrf
        return self.http.open(f"/api/v1{path}", method=method, json=body, headers=headers, **more)

    def registered(self, handle="el_cid"):
        return self("POST", "/accounts", {"handle": handle, "password": PASSWORD}).get_json()

    def signed_in(self, handle="el_cid"):
        return self("POST", "/sessions", {"handle": handle, "password": PASSWORD}).get_json()

    @property
    def cookie(self):
        found = self.http.get_cookie("hidalgo_session")
        return found.value if found else None


def is_problem(answer, status, code):
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json"), answer.text
    assert answer.get_json()["code"] == code
    return True


# Accounts and guests


def test_registering_answers_with_an_id_and_a_token_for_everything(asking):
    answer = asking("POST", "/accounts", HANDLE_AND_PASSWORD)
    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    person = answer.get_json()
    assert set(person) == {"id", "handle", "role", "bot", "token"}
    assert (person["handle"], person["role"]) == ("el_cid", "player")
    me = asking("GET", "/me", token=person["token"]).get_json()
    assert (me["id"], me["by"], me["scopes"]) == (person["id"], "token", ["account", "play", "read"])
    assert me["csrf"] is None


def test_a_taken_handle_is_refused(asking):
    asking.registered()
    assert is_problem(asking("POST", "/accounts", HANDLE_AND_PASSWORD | {"handle": "EL_CID"}), 409, "handle_taken")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"handle": "el_cid"},
        {"handle": "x", "password": PASSWORD},
        {"handle": "сid", "password": PASSWORD},
        {"handle": "el_cid\n", "password": PASSWORD},
        {"handle": "el_cid", "password": "short"},
        {"handle": "el_cid", "password": "x" * 201},
        {"handle": "el_cid", "password": None},
        {"handle": 12345678, "password": PASSWORD},
        {"handle": ["el_cid"], "password": PASSWORD},
        {"handle": "el_cid", "password": PASSWORD, "role": "admin"},
    ],
)
def test_a_wrong_field_is_refused_and_its_value_never_repeated(asking, body):
    answer = asking("POST", "/accounts", body)
    assert is_problem(answer, 422, "invalid")
    assert answer.get_json()["errors"]
    assert PASSWORD not in answer.text


@pytest.mark.parametrize("path", ["/accounts", "/guests", "/sessions"])
def test_a_body_that_is_not_json_is_refused(asking, path):
    """So no form on another site can sign a visitor in."""
    form = asking.http.post(f"/api/v1{path}", data={"handle": "el_cid", "password": PASSWORD})
    assert is_problem(form, 415, "unsupported_media_type")
    text = asking.http.post(f"/api/v1{path}", data='{"handle": "el_cid"}', content_type="text/plain")
    assert is_problem(text, 415, "unsupported_media_type")


def test_a_guest_plays_at_once_and_becomes_an_account_later(asking):
    guest = asking("POST", "/guests", {}).get_json()
    assert guest["role"] == "guest"
    assert asking("GET", "/table", token=guest["token"]).get_json() == {"account": guest["id"]}
    player = asking("POST", "/me", HANDLE_AND_PASSWORD, token=guest["token"])
    assert player.get_json() == {"id": guest["id"], "handle": "el_cid", "role": "player", "bot": False}
    assert asking("GET", "/me", token=guest["token"]).get_json()["handle"] == "el_cid"
    again = asking("POST", "/me", HANDLE_AND_PASSWORD | {"handle": "campeador"}, token=guest["token"])
    assert is_problem(again, 409, "not_a_guest")


def test_a_guest_needs_no_body(asking):
    assert asking("POST", "/guests").status_code == 201
    assert is_problem(asking("POST", "/guests", {"handle": "el_cid"}), 422, "invalid")


# Authentication


@pytest.mark.parametrize(("method", "path"), [("GET", "/table"), ("GET", "/me"), ("GET", "/tokens"), ("DELETE", "/me")])
def test_a_request_without_a_token_is_refused(asking, method, path):
    answer = asking(method, path)
    assert is_problem(answer, 401, "unauthorized")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "token", ["nonsense", "hdg_" + "x" * 59, "hdg_ü", "x" * 5000, "a b", "hdg_" + "{" * 59], ids=range(6)
)
def test_an_unknown_token_is_refused_even_where_none_is_needed(asking, token):
    for path in ("/table", "/window"):
        answer = asking("GET", path, headers={"Authorization": f"Bearer {token}".encode().decode("latin-1")})
        assert is_problem(answer, 401, "unauthorized")
        assert answer.headers["WWW-Authenticate"] == 'Bearer error="invalid_token"'
        assert token not in answer.text


def test_a_token_is_never_taken_from_the_address(asking):
    token = asking.registered()["token"]
    for name in ("token", "access_token", "Authorization"):
        assert asking("GET", f"/table?{name}={token}").status_code == 401


def test_other_ways_to_authorise_mean_nothing(asking):
    asking.registered()
    assert asking("GET", "/window", headers={"Authorization": "Basic ZWxfY2lkOng="}).get_json() == {"handle": None}
    asking.signed_in()
    answer = asking("GET", "/window", headers={"Authorization": "Basic ZWxfY2lkOng="})
    assert answer.get_json() == {"handle": "el_cid"}, "a proxy may want a password of its own"


def test_an_empty_bearer_is_a_wrong_token_and_not_the_cookie(asking):
    asking.registered()
    asking.signed_in()
    assert asking("GET", "/window", headers={"Authorization": "Bearer"}).status_code == 401


def test_of_a_token_and_a_cookie_the_token_counts(asking):
    asking.registered()
    other = asking.registered("babieca")
    asking.signed_in()
    assert asking("GET", "/window", token=other["token"]).get_json() == {"handle": "babieca"}
    assert asking("POST", "/table", token=other["token"]).get_json() == {"account": other["id"]}


def test_a_scope_that_is_missing_is_named(asking):
    token = asking.registered()["token"]
    reader = asking("POST", "/tokens", {"name": "reader", "scopes": ["read"]}, token=token).get_json()
    answer = asking("GET", "/table", token=reader["token"])
    assert is_problem(answer, 403, "forbidden")
    assert answer.get_json()["detail"] == "this needs the scope play; this token has read"


def test_only_an_admin_enters_the_tower(asking, accounts):
    token = asking.registered()["token"]
    asking.signed_in()
    assert asking("GET", "/tower", token=token).status_code == 403
    assert asking("GET", "/tower").status_code == 403
    accounts.set_role("el_cid", "admin")
    assert asking("GET", "/tower").status_code == 200
    assert asking("GET", "/tower", token=token).status_code == 403, "the token is older than the office"


# Sessions


def test_a_session_is_a_cookie_that_no_script_can_read(asking):
    asking.registered()
    answer = asking("POST", "/sessions", HANDLE_AND_PASSWORD | {"handle": "EL_CID"})
    assert answer.status_code == 200
    assert set(answer.get_json()) == {"id", "handle", "csrf"}
    cookie = answer.headers["Set-Cookie"].split("; ")
    assert cookie[0].startswith("hidalgo_session=hds_")
    assert {"HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=2592000"} <= set(cookie)
    assert "Secure" not in cookie


def test_over_https_the_cookie_is_secure(asking):
    asking.registered()
    over_https = asking("POST", "/sessions", HANDLE_AND_PASSWORD, base_url="https://localhost")
    assert "Secure" in over_https.headers["Set-Cookie"].split("; ")


def test_the_operator_can_have_secure_cookies_always(store):
    asking = Asking(app_with(store, secure_cookies=True))
    asking.registered()
    behind_a_proxy = asking("POST", "/sessions", HANDLE_AND_PASSWORD)
    assert "Secure" in behind_a_proxy.headers["Set-Cookie"].split("; ")


def test_signing_in_says_the_same_about_a_wrong_handle_and_a_wrong_password(asking):
    asking.registered()
    answers = [
        asking("POST", "/sessions", {"handle": handle, "password": "wrong password"}, headers={"X-Request-Id": "1"})
        for handle in ("el_cid", "nobody_here", "not a handle", "", "admin")
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.text for answer in answers}) == 1
    assert all("Set-Cookie" not in answer.headers for answer in answers)


def test_a_planted_session_is_not_taken_over(asking, app):
    """Fixation: a session that was there before is ended, and another begins."""
    asking.registered()
    asking.signed_in()
    planted = asking.cookie
    asking.signed_in()
    assert asking.cookie != planted
    other = Asking(app)
    other.http.set_cookie("hidalgo_session", planted)
    assert other("GET", "/window").get_json() == {"handle": None}


def test_a_write_needs_the_csrf_token_of_its_session(asking, app):
    asking.registered()
    csrf = asking.signed_in()["csrf"]
    other = Asking(app)
    others = other.signed_in()["csrf"]
    assert asking("GET", "/table").status_code == 200
    assert is_problem(asking("POST", "/table"), 403, "csrf")
    assert is_problem(asking("POST", "/table", csrf=others), 403, "csrf")
    assert is_problem(asking("POST", "/table", csrf="ü"), 403, "csrf")
    assert asking("POST", "/table", csrf=csrf).status_code == 200
    for method, path in [("POST", "/tokens"), ("DELETE", "/me"), ("DELETE", "/sessions"), ("POST", "/me")]:
        assert is_problem(asking(method, path, {}), 403, "csrf")


def test_me_has_the_csrf_token_and_keeps_the_cookie_alive(asking):
    asking.registered()
    csrf = asking.signed_in()["csrf"]
    answer = asking("GET", "/me")
    assert (answer.get_json()["csrf"], answer.get_json()["by"]) == (csrf, "session")
    assert "Max-Age=2592000" in answer.headers["Set-Cookie"]


def test_signing_out_ends_the_session(asking):
    asking.registered()
    csrf = asking.signed_in()["csrf"]
    kept = asking.cookie
    assert asking("DELETE", "/sessions", csrf=csrf).status_code == 204
    assert asking.cookie is None
    asking.http.set_cookie("hidalgo_session", kept)
    assert asking("GET", "/window").get_json() == {"handle": None}
    assert asking("DELETE", "/sessions", csrf=csrf).status_code == 401


def test_a_token_has_no_session_to_end(asking):
    token = asking.registered()["token"]
    assert is_problem(asking("DELETE", "/sessions", token=token), 403, "forbidden")


@pytest.mark.parametrize("cookie", ["", "x", "hds_" + "x" * 59, "é", "a" * 3000], ids=range(5))
def test_an_old_cookie_counts_as_none(asking, cookie):
    asking.http.set_cookie("hidalgo_session", cookie)
    assert asking("GET", "/window").get_json() == {"handle": None}
    assert asking("POST", "/table").status_code == 401


# Tokens


def test_tokens_are_made_listed_and_revoked(asking):
    token = asking.registered()["token"]
    made = asking("POST", "/tokens", {"name": "my bot", "scopes": ["read", "play"]}, token=token)
    assert made.status_code == 201
    new = made.get_json()
    assert (new["name"], new["scopes"]) == ("my bot", ["play", "read"])
    listed = asking("GET", "/tokens", token=token)
    assert [kept["name"] for kept in listed.get_json()["tokens"]] == ["first", "my bot"]
    assert "hdg_" not in listed.text
    assert asking("GET", "/table", token=new["token"]).status_code == 200
    assert asking("DELETE", f"/tokens/{new['id']}", token=token).status_code == 204
    assert asking("GET", "/table", token=new["token"]).status_code == 401
    assert is_problem(asking("DELETE", f"/tokens/{new['id']}", token=token), 404, "not_found")


def test_a_token_makes_no_stronger_one(asking):
    token = asking.registered()["token"]
    weak = asking("POST", "/tokens", {"name": "weak", "scopes": ["account"]}, token=token).get_json()["token"]
    answer = asking("POST", "/tokens", {"name": "strong", "scopes": ["account", "play"]}, token=weak)
    assert is_problem(answer, 403, "scope_not_held")
    assert is_problem(asking("POST", "/tokens", {"name": "x", "scopes": ["admin"]}, token=token), 403, "scope_not_held")
    same = asking("POST", "/tokens", {"name": "as weak"}, token=weak)
    assert same.get_json()["scopes"] == ["account"]


def test_a_token_without_the_scope_sees_no_tokens(asking):
    token = asking.registered()["token"]
    bot = asking("POST", "/tokens", {"name": "bot", "scopes": ["play", "read"]}, token=token).get_json()["token"]
    for method, path in [("GET", "/tokens"), ("POST", "/tokens"), ("DELETE", "/tokens/x"), ("DELETE", "/me")]:
        assert is_problem(asking(method, path, token=bot), 403, "forbidden")


def test_a_token_that_was_just_revoked_makes_no_other(store):
    """Even where the token is still remembered."""
    asking = Asking(app_with(store, cached_for=60))
    person = asking.registered()
    assert asking("GET", "/table", token=person["token"]).status_code == 200
    elsewhere = app_with(store).services.accounts
    elsewhere.tokens.revoke(person["id"], elsewhere.tokens.of(person["id"])[0].id)
    assert asking("GET", "/table", token=person["token"]).status_code == 200, "believed for a while"
    assert asking("POST", "/tokens", {"name": "mine"}, token=person["token"]).status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "x" * 61},
        {"name": "a\r\nSet-Cookie: x"},
        {"name": "nul\0"},
        {"name": "bot", "scopes": []},
        {"name": "bot", "scopes": ["all"]},
        {"name": "bot", "scopes": "read"},
        {"name": "bot", "scopes": ["read"] * 9},
        {"name": "bot", "id": "t_1"},
    ],
)
def test_a_token_that_cannot_be_is_refused(asking, body):
    assert is_problem(asking("POST", "/tokens", body, token=asking.registered()["token"]), 422, "invalid")


def test_there_is_an_end_to_tokens(asking, accounts):
    person = asking.registered()
    for number in range(MOST_TOKENS - 1):
        accounts.tokens.create(person["id"], str(number), ["read"])
    assert is_problem(asking("POST", "/tokens", {"name": "x"}, token=person["token"]), 409, "too_many_tokens")


# Deletion


def test_deleting_needs_the_password_and_frees_the_handle(asking):
    person = asking.registered()
    csrf = asking.signed_in()["csrf"]
    assert is_problem(asking("DELETE", "/me", {}, csrf=csrf), 403, "wrong_password")
    assert is_problem(asking("DELETE", "/me", {"password": "wrong"}, token=person["token"]), 403, "wrong_password")
    assert asking("DELETE", "/me", {"password": PASSWORD}, csrf=csrf).status_code == 204
    assert asking.cookie is None
    assert asking("GET", "/me", token=person["token"]).status_code == 401
    assert asking.registered()["id"] != person["id"]


def test_a_guest_leaves_without_a_password(asking):
    guest = asking("POST", "/guests").get_json()
    assert asking("DELETE", "/me", token=guest["token"]).status_code == 204
    assert asking("GET", "/me", token=guest["token"]).status_code == 401


# Limits


def test_a_password_cannot_be_guessed_for_long(store):
    asking = Asking(app_with(store, sign_ins_of_a_handle=Limit(3, 600)))
    asking.registered()
    for _ in range(3):
        asking("POST", "/sessions", {"handle": "el_cid", "password": "wrong password"})
    for handle in ("el_cid", "EL_CID"):
        answer = asking("POST", "/sessions", HANDLE_AND_PASSWORD | {"handle": handle})
        assert is_problem(answer, 429, "too_many_requests")
        assert 1 <= int(answer.headers["Retry-After"]) <= 200
    assert asking("POST", "/sessions", {"handle": "other", "password": PASSWORD}).status_code == 401


def test_guesses_of_strangers_do_not_keep_the_owner_from_the_password(store):
    """The owner holds a token, or is signed in."""
    asking = Asking(app_with(store, sign_ins_of_a_handle=Limit(3, 600)))
    token, stranger = asking.registered()["token"], Asking(app_with(store, sign_ins_of_a_handle=Limit(3, 600)))
    csrf = asking.signed_in()["csrf"]
    for _ in range(3):
        stranger("POST", "/sessions", {"handle": "el_cid", "password": "wrong password"})
    assert is_problem(stranger("POST", "/sessions", HANDLE_AND_PASSWORD), 429, "too_many_requests")
    change = {"old": PASSWORD, "new": "babieca al trote"}
    assert asking("PUT", "/me/password", change, csrf=csrf).status_code == 204
    assert asking("PUT", "/me/password", {"old": change["new"], "new": PASSWORD}, token=token).status_code == 204
    assert asking("DELETE", "/me", {"password": PASSWORD}, token=token).status_code == 204


def test_an_account_confirms_its_password_only_so_often_and_others_are_not_hindered(store):
    asking = Asking(app_with(store, passwords_of_an_account=Limit(1, 600)))
    token, other = asking.registered()["token"], asking.registered("dona_jimena")["token"]
    assert asking("DELETE", "/me", {"password": "wrong"}, token=token).status_code == 403
    assert is_problem(asking("DELETE", "/me", {"password": PASSWORD}, token=token), 429, "too_many_requests")
    assert asking("POST", "/sessions", HANDLE_AND_PASSWORD).status_code == 200
    assert asking("DELETE", "/me", {"password": PASSWORD}, token=other).status_code == 204


def test_a_password_cannot_be_guessed_by_deleting(store):
    asking = Asking(app_with(store, passwords_of_an_account=Limit(1, 600)))
    token = asking.registered()["token"]
    assert asking("DELETE", "/me", {"password": "wrong"}, token=token).status_code == 403
    assert asking("DELETE", "/me", {"password": PASSWORD}, token=token).status_code == 429


@pytest.mark.parametrize(
    ("limit", "path", "body"),
    [
        ("sign_ins_from_an_address", "/sessions", HANDLE_AND_PASSWORD),
        ("accounts_from_an_address", "/accounts", HANDLE_AND_PASSWORD),
        ("guests_from_an_address", "/guests", {}),
    ],
)
def test_one_address_tries_only_so_often_and_others_are_not_hindered(store, limit, path, body):
    asking = Asking(app_with(store, **{limit: Limit(1, 600)}))
    assert asking("POST", path, body).status_code != 429
    assert is_problem(asking("POST", path, body), 429, "too_many_requests")
    assert asking("POST", path, body, environ_overrides={"REMOTE_ADDR": "192.0.2.7"}).status_code != 429


# Passwords


def test_a_changed_password_ends_other_sessions_and_keeps_this_one(app, asking):
    asking.registered()
    elsewhere = Asking(app)
    elsewhere.signed_in()
    csrf = asking.signed_in()["csrf"]
    change = {"old": PASSWORD, "new": "babieca al trote"}
    assert asking("PUT", "/me/password", change, csrf=csrf).status_code == 204
    assert asking("GET", "/me").status_code == 200
    assert elsewhere("GET", "/me").status_code == 401
    assert is_problem(elsewhere("POST", "/sessions", HANDLE_AND_PASSWORD), 401, "unauthorized")
    assert elsewhere("POST", "/sessions", HANDLE_AND_PASSWORD | {"password": change["new"]}).status_code == 200


def test_a_password_is_not_changed_without_the_old_one(asking):
    token = asking.registered()["token"]
    change = {"old": "a guess", "new": "babieca al trote"}
    assert is_problem(asking("PUT", "/me/password", change, token=token), 403, "wrong_password")
    assert asking("POST", "/sessions", HANDLE_AND_PASSWORD).status_code == 200


def test_guessing_the_old_password_is_limited_like_signing_in(store):
    asking = Asking(app_with(store, passwords_of_an_account=Limit(1, 600)))
    token, change = asking.registered()["token"], {"old": "a guess", "new": "babieca al trote"}
    assert asking("PUT", "/me/password", change, token=token).status_code == 403
    assert is_problem(asking("PUT", "/me/password", change, token=token), 429, "too_many_requests")


def test_a_guest_has_no_password_to_change(asking):
    token = asking("POST", "/guests").get_json()["token"]
    change = {"old": "", "new": "babieca al trote"}
    assert is_problem(asking("PUT", "/me/password", change, token=token), 409, "still_a_guest")
