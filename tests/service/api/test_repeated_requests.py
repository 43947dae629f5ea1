"""A request that comes again under its Idempotency-Key gets the first answer, byte by byte, also after a restart."""

from dataclasses import replace
from ipaddress import ip_network
from time import sleep
from uuid import uuid4

import pytest

from service.accounts.answers import MOST, Answer, keyed_request
from service.app import create_app
from service.http.idempotency import KEY
from tests.service.api.asking import ApiClient, Described, problem

HOOK = "http://127.0.0.1:9/hook"
TIMED = {"bank_ms": 600_000, "increment_ms": 0, "cap_ms": 600_000}
PASSWORD = "tizona y colada"


@pytest.fixture
def settings(settings):
    return replace(settings, webhooks_to=[ip_network("127.0.0.0/8")])


def said(answer):
    """Everything that matters of an answer."""
    headers = {name: answer.headers.getlist(name) for name in ("Content-Type", "ETag", "Location", "Set-Cookie")}
    return answer.status_code, headers, answer.data


def again(service, client, method, path, body=None, key="", wait=lambda: None):
    """A request twice, the second time to a process that has just started. Gives the first answer."""
    key = key or str(uuid4())
    more = {"json": body} if body is not None else {}
    first = client.ask(method, path, headers={KEY: key}, **more)
    assert first.status_code < 300, first.text
    wait()
    started = create_app(service.settings)
    other = ApiClient(Described(started), client.token, client.account)
    assert said(other.ask(method, path, headers={KEY: key}, **more)) == said(first)
    started.services.close()
    return first


def test_writes_of_webhooks(service, ana):
    hook = again(service, ana, "POST", "/me/webhooks", {"url": HOOK, "events": ["commit"]}).get_json()["id"]
    path = f"/me/webhooks/{hook}"
    again(service, ana, "PATCH", path, {"enabled": False})
    again(service, ana, "PATCH", path, {"enabled": True})
    again(service, ana, "POST", f"{path}/secret", wait=lambda: ana.ask("PATCH", path, json={"enabled": False}))
    again(service, ana, "POST", f"{path}/test")
    again(service, ana, "DELETE", path)


def test_writes_of_an_account(service, ana):
    token = again(service, ana, "POST", "/tokens", {"name": "bot"}).get_json()["id"]
    again(service, ana, "DELETE", f"/tokens/{token}")
    again(service, ana, "POST", "/me", {"handle": "el_cid", "password": PASSWORD})
    again(service, ana, "PUT", "/me/password", {"old": PASSWORD, "new": "babieca al trote"})
    again(service, ana, "DELETE", "/me", {"password": "babieca al trote"})


def test_writes_to_a_game_whose_clocks_run(service, ana, ben):
    game = again(service, ana, "POST", "/games", {"players": 2, "time": TIMED}).get_json()["id"]
    again(service, ben, "POST", f"/games/{game}/seats", wait=lambda: ana.post(f"/games/{game}/start"))
    for _ in range(4):
        asked = ana if ana.decision(game) else ben
        again(service, asked, "POST", f"/games/{game}/moves", asked.decision(game)["example"])
    again(service, ana, "POST", f"/games/{game}/pause")
    again(service, ben, "POST", f"/games/{game}/resign")


def test_a_sign_out(service, anonymous):
    """The session is gone, and yet the answer is the same."""
    http = anonymous.http
    made = http.post("/api/v1/accounts", json={"handle": "el_cid", "password": PASSWORD})
    assert made.status_code == 201
    csrf = http.post("/api/v1/sessions", json={"handle": "el_cid", "password": PASSWORD}).get_json()["csrf"]
    cookie = http.get_cookie("hidalgo_session")
    headers = {KEY: "out", "X-CSRF-Token": csrf}
    first = http.delete("/api/v1/sessions", headers=headers)
    assert first.status_code == 204
    http.set_cookie("hidalgo_session", cookie.value)
    assert said(http.delete("/api/v1/sessions", headers=headers)) == said(first)
    http.set_cookie("hidalgo_session", cookie.value)
    assert http.get("/api/v1/me").status_code == 401


def test_a_sign_in_gives_the_same_session_until_that_ends(service, anonymous):
    body = {"handle": "el_cid", "password": PASSWORD}
    assert anonymous.post("/accounts", body).status_code == 201
    first = again(service, anonymous, "POST", "/sessions", body, key="in", wait=lambda: sleep(1.1))
    headers = {"X-CSRF-Token": first.get_json()["csrf"]}
    other = anonymous.post("/sessions", body, Idempotency_Key="other").get_json()
    assert other["csrf"] != first.get_json()["csrf"]
    anonymous.post("/sessions", body, Idempotency_Key="in")
    assert anonymous.ask("DELETE", "/sessions", headers=headers).status_code in (204, 401, 403)
    assert problem(anonymous.post("/sessions", body, Idempotency_Key="in")) == (410, "revoked")
    wrong = {**body, "password": "something else"}
    assert problem(anonymous.post("/sessions", wrong, Idempotency_Key="in")) == (401, "unauthorized")


def test_a_guest_is_made_once(service, anonymous):
    first = again(service, anonymous, "POST", "/guests", key=str(uuid4())).get_json()
    other = anonymous.post("/guests", Idempotency_Key=str(uuid4())).get_json()
    assert first["id"] != other["id"]
    assert first["token"] != other["token"]


def test_a_guest_stays_the_same_when_it_has_become_an_account(service, described, anonymous):
    def upgrade():
        guest = anonymous.post("/guests", Idempotency_Key=key).get_json()
        me = ApiClient(described, guest["token"], guest["id"])
        assert me.post("/me", {"handle": "el_cid", "password": PASSWORD}).status_code == 200

    key = str(uuid4())
    again(service, anonymous, "POST", "/guests", key=key, wait=upgrade)


def test_a_guest_needs_a_key_that_cannot_be_guessed(anonymous):
    assert problem(anonymous.post("/guests", Idempotency_Key="guest-1")) == (400, "unreadable")


def test_an_account_is_registered_once_for_those_who_know_its_password(service, anonymous):
    body = {"handle": "el_cid", "password": PASSWORD}
    again(service, anonymous, "POST", "/accounts", body, key="mine")
    wrong = {**body, "password": "something else"}
    assert problem(anonymous.post("/accounts", wrong, Idempotency_Key="mine")) == (409, "handle_taken")
    assert problem(anonymous.post("/accounts", body, Idempotency_Key="yours")) == (409, "handle_taken")


def test_a_revoked_first_token_does_not_come_back(described, anonymous):
    for path, body, key in (
        ("/accounts", {"handle": "el_cid", "password": PASSWORD}, "mine"),
        ("/guests", {}, str(uuid4())),
    ):
        made = anonymous.post(path, body, Idempotency_Key=key).get_json()
        me = ApiClient(described, made["token"], made["id"])
        [token] = me.get("/tokens").get_json()["tokens"]
        assert me.delete(f"/tokens/{token['id']}").status_code == 204
        assert problem(anonymous.post(path, body, Idempotency_Key=key)) == (410, "revoked")


def test_a_deleted_account_does_not_come_back(described, anonymous):
    key = str(uuid4())
    made = anonymous.post("/guests", Idempotency_Key=key).get_json()
    assert ApiClient(described, made["token"], made["id"]).delete("/me").status_code == 204
    assert problem(anonymous.post("/guests", Idempotency_Key=key)) == (410, "revoked")


def test_a_deleted_webhook_does_not_come_back(ana):
    body = {"url": HOOK, "events": ["commit"]}
    hook = ana.post("/me/webhooks", body, Idempotency_Key="k").get_json()["id"]
    assert ana.delete(f"/me/webhooks/{hook}").status_code == 204
    assert problem(ana.post("/me/webhooks", body, Idempotency_Key="k")) == (410, "revoked")


def test_another_request_needs_another_key(ana):
    hook = ana.post("/me/webhooks", {"url": HOOK}).get_json()["id"]
    assert ana.ask("PATCH", f"/me/webhooks/{hook}", json={"enabled": False}, headers={KEY: "k"}).status_code == 200
    answer = ana.ask("PATCH", f"/me/webhooks/{hook}", json={"enabled": True}, headers={KEY: "k"})
    assert problem(answer) == (422, "key_reused")


def test_the_key_of_another_token_is_another_key(ana, ben):
    for person, handle in ((ana, "el_cid"), (ben, "dona_jimena")):
        answer = person.post("/me", {"handle": handle, "password": PASSWORD}, Idempotency_Key="k")
        assert answer.get_json()["handle"] == handle


def test_a_refused_request_is_tried_again(ana, ben):
    body = {"handle": "el_cid", "password": PASSWORD}
    assert ben.post("/me", body).status_code == 200
    assert problem(ana.post("/me", body, Idempotency_Key="k")) == (409, "handle_taken")
    assert ben.ask("DELETE", "/me", json={"password": PASSWORD}).status_code == 204
    assert ana.post("/me", body, Idempotency_Key="k").status_code == 200


def test_what_is_kept_tells_neither_passwords_nor_tokens(service, ana):
    ana.post("/me", {"handle": "el_cid", "password": PASSWORD}, Idempotency_Key="k")
    ana.post("/tokens", {"name": "bot"}, Idempotency_Key="k")
    [(_, kept)] = service.services.store.commands.hgetall(f"hidalgo:{{{ana.account}}}:answers").items()
    assert b"el_cid" in kept
    assert PASSWORD.encode() not in kept
    assert b"hdg_" not in kept


def test_a_request_that_is_under_way_is_not_begun_again(service, ana):
    request = keyed_request(ana.token, "k", b"POST /api/v1/me", b"")
    assert request
    assert service.services.answers.claim(request) is None
    answer = ana.post("/me", {"handle": "el_cid", "password": PASSWORD}, Idempotency_Key="k")
    assert problem(answer) == (503, "busy")
    service.services.answers.release(request)
    assert ana.post("/me", {"handle": "el_cid", "password": PASSWORD}, Idempotency_Key="k").status_code == 200


def test_every_write_takes_a_key(described):
    without = [
        operation["operationId"]
        for item in described.document["paths"].values()
        for method, operation in item.items()
        if method in ("post", "put", "patch", "delete")
        and {"$ref": "#/components/parameters/IdempotencyKey"} not in operation.get("parameters", [])
    ]
    assert without == []


def test_the_oldest_answers_make_room(service, ana):
    answers = service.services.answers
    for number in range(MOST + 5):
        request = keyed_request(ana.token, f"k{number}", b"PUT /", b"")
        assert request
        answers.keep(request, Answer(request.fingerprint, 204, [], ""))
    assert service.services.store.commands.hlen(f"hidalgo:{{{ana.account}}}:answers") == MOST
    assert answers.find(request)


@pytest.mark.parametrize("path", ["/tournaments/plan", "/games"])
def test_an_unreadable_key_is_refused_before_anything_is_done(ana, path):
    body = {"players": 22, "size": 4} if path == "/tournaments/plan" else {"players": 3}
    answer = ana.ask("POST", path, json=body, headers={KEY: "x" * 65})
    assert problem(answer) == (400, "unreadable")
