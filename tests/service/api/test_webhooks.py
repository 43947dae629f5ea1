"""Webhooks over HTTP: owners, representations and refusals."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import Any

import pytest

from service.accounts.records import key as account_key
from service.app import create_app
from service.client import verify_signature
from service.notifications.mailboxes import Mailboxes, Webhook, save_hook
from service.notifications.retry_policy import RetryPolicy
from service.notifications.webhooks import guessable_hook_id
from service.operations import logs
from service.settings import Settings
from tests.events.servers import eventually
from tests.service.api.asking import PREFIX, ApiClient, begun, problem
from tests.service.notifications.harness import LOOPBACK, Harness
from tests.service.notifications.receiver import HANG, REDIRECT, receiver

URL = "https://bot.example/hook"


@pytest.fixture
def service(running_stores):
    """A service whose operator lets webhooks lead to this machine."""
    with running_stores.opened("embedded") as store:
        app = create_app(Settings(store_url=store.url, webhooks_to=LOOPBACK))
        yield app
        app.services.close()


@pytest.fixture
def harness(service) -> Harness:
    return Harness(service.services.store)


@pytest.fixture
def bot():
    with receiver() as receiving:
        yield receiving


def make(client: ApiClient, url: str = URL, *events: str, **headers: str):
    answer = client.post("/me/webhooks", {"url": url, "events": events or ["your_turn"]}, **headers)
    assert answer.status_code == 201, answer.text
    return answer.get_json()


def test_the_secret_is_shown_once(ana):
    made = ana.post("/me/webhooks", {"url": URL})
    hook = made.get_json()
    assert made.status_code == 201
    assert made.headers["Location"] == f"{PREFIX}/me/webhooks/{hook['id']}"
    assert made.headers["Cache-Control"] == "no-store"
    secret = hook.pop("secret")
    assert secret.startswith("whsec_")
    assert hook["events"] == ["your_turn"]
    assert ana.get("/me/webhooks").get_json() == {"webhooks": [hook]}
    assert ana.get(f"/me/webhooks/{hook['id']}").get_json() == hook
    assert secret not in ana.get("/me/webhooks").text


def test_the_same_key_creates_one_webhook(ana, ben):
    first = make(ana, Idempotency_Key="k")
    assert make(ana, Idempotency_Key="k") == first
    reused = ana.post("/me/webhooks", {"url": URL + "/2"}, Idempotency_Key="k")
    assert problem(reused) == (422, "key_reused")
    assert make(ben, Idempotency_Key="k")["id"] != first["id"]


def test_webhooks_can_be_changed_and_deleted(ana):
    hook = make(ana)
    path = f"/me/webhooks/{hook['id']}"
    changed = ana.ask("PATCH", path, json={"events": ["commit", "game_over", "commit"], "url": URL + "/2"}).get_json()
    assert (changed["events"], changed["url"]) == (["commit", "game_over"], URL + "/2")
    off = ana.ask("PATCH", path, json={"enabled": False}).get_json()
    assert (off["enabled"], off["disabled_because"]) == (False, "by its owner")
    on = ana.ask("PATCH", path, json={"enabled": True}).get_json()
    assert (on["enabled"], on["disabled_because"]) == (True, None)
    assert ana.ask("PATCH", path, json={}).get_json() == on
    assert problem(ana.ask("PATCH", path, json={"enabled": 1})) == (422, "invalid")
    assert ana.delete(path).status_code == 204
    assert problem(ana.get(path)) == (404, "not_found")
    assert ana.get("/me/webhooks").get_json() == {"webhooks": []}


def test_an_account_has_ten_webhooks_at_most(ana):
    for number in range(10):
        make(ana, f"{URL}/{number}")
    assert problem(ana.post("/me/webhooks", {"url": URL})) == (409, "too_many_webhooks")


def all_requests(hook: str) -> list[tuple[str, str, dict]]:
    path = f"/me/webhooks/{hook}"
    return [
        ("GET", path, {}),
        ("PATCH", path, {"json": {"enabled": False}}),
        ("DELETE", path, {}),
        ("POST", f"{path}/secret", {}),
        ("POST", f"{path}/test", {}),
        ("GET", f"{path}/deliveries", {}),
        ("POST", f"{path}/deliveries/1/retry", {}),
    ]


def test_webhooks_of_others_are_not_there(ana, eve):
    hook = make(ana)
    for method, path, more in all_requests(hook["id"]):
        assert problem(eve.ask(method, path, **more)) == (404, "not_found"), path
    assert eve.get("/me/webhooks").get_json() == {"webhooks": []}
    assert ana.get(f"/me/webhooks/{hook['id']}").get_json()["enabled"]


def test_webhooks_need_the_scope_account(ana, anonymous, guest):
    hook = make(ana)["id"]
    for method, path, more in [*all_requests(hook), ("GET", "/me/webhooks", {}), ("POST", "/me/webhooks", {})]:
        assert problem(anonymous.ask(method, path, **more)) == (401, "unauthorized"), path
        assert problem(guest("read", "play").ask(method, path, **more)) == (403, "forbidden"), path


@pytest.mark.parametrize(
    "url",
    [
        "http://bot.example/",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://ana@bot.example/",
        "https://bot.example:22/",
    ],
)
def test_an_address_that_is_not_allowed_is_refused_at_once(ana, service, url):
    service.services.webhooks.sender.address_policy._allowed = []
    assert problem(ana.post("/me/webhooks", {"url": url})) == (422, "address_refused")
    hook = make(ana)["id"]
    assert problem(ana.ask("PATCH", f"/me/webhooks/{hook}", json={"url": url})) == (422, "address_refused")


@pytest.mark.parametrize(
    "body",
    [{}, {"url": ""}, {"url": 7}, {"url": URL, "events": []}, {"url": URL, "events": ["test"]}, {"url": URL, "a": 1}],
    ids=["nothing", "no URL", "a number", "no events", "an event that is none", "more"],
)
def test_a_request_that_does_not_fit_is_refused(ana, body):
    assert problem(ana.post("/me/webhooks", body)) == (422, "invalid")


# Deliveries


def test_a_test_is_sent_at_once_and_its_outcome_answered(ana, bot):
    hook = make(ana, bot.url + "/hook")
    result = ana.post(f"/me/webhooks/{hook['id']}/test").get_json()
    assert (result["arrived"], result["status"], result["why"]) == (True, 204, None)
    [got] = bot.got
    assert (got.payload["kind"], got.payload["webhook"]) == ("test", hook["id"])
    assert verify_signature(hook["secret"], got.headers, got.body)
    bot.behaviour = lambda _: REDIRECT
    result = ana.post(f"/me/webhooks/{hook['id']}/test").get_json()
    assert (result["arrived"], result["status"]) == (False, 307)
    assert "redirects are not followed" in result["why"]
    assert [got.path for got in bot.got] == ["/hook", "/hook"]


def test_only_so_many_tests_are_under_way_at_once(ana, bot, service, monkeypatch):
    """Else slow receivers would take all threads of the service."""
    monkeypatch.setattr(service.services.webhooks, "_tests", BoundedSemaphore(1))
    monkeypatch.setattr(service.services.webhooks.sender, "_seconds", 600)
    hook = make(ana, bot.url)["id"]
    with ThreadPoolExecutor(1) as threads:
        bot.behaviour = lambda _: HANG
        first = threads.submit(ana.described.app.test_client().post, **asking(ana, hook))
        eventually(lambda: len(bot.got) == 1)
        assert problem(ana.post(f"/me/webhooks/{hook}/test")) == (503, "busy")
        bot.ending.set()
        assert first.result().status_code == 200
    bot.behaviour = lambda _: 204
    assert ana.post(f"/me/webhooks/{hook}/test").get_json()["arrived"]


def asking(client: ApiClient, hook: str) -> dict[str, Any]:
    return {"path": f"{PREFIX}/me/webhooks/{hook}/test", "headers": {"Authorization": f"Bearer {client.token}"}}


def test_tests_are_limited(ana, bot):
    hook = make(ana, bot.url)["id"]
    statuses = [ana.post(f"/me/webhooks/{hook}/test").status_code for _ in range(12)]
    assert statuses[:10] == [200] * 10
    assert statuses[-1] == 429


def test_a_new_secret_replaces_the_old_one(ana, bot):
    hook = make(ana, bot.url)
    rotated = ana.post(f"/me/webhooks/{hook['id']}/secret", Idempotency_Key="r").get_json()
    assert rotated["secret"] != hook["secret"]
    assert ana.post(f"/me/webhooks/{hook['id']}/secret", Idempotency_Key="r").get_json() == rotated


REVOKED = (410, "revoked")


def test_a_secret_that_was_replaced_does_not_come_back_with_the_request_that_made_it(ana):
    hook = make(ana, Idempotency_Key="k")
    path = f"/me/webhooks/{hook['id']}/secret"
    first = ana.post(path, Idempotency_Key="k").get_json()["secret"]
    assert first != hook["secret"]
    assert problem(ana.post("/me/webhooks", {"url": URL, "events": ["your_turn"]}, Idempotency_Key="k")) == REVOKED
    second = ana.post(path, Idempotency_Key="r").get_json()["secret"]
    assert problem(ana.post(path, Idempotency_Key="k")) == REVOKED
    assert ana.post(path, Idempotency_Key="r").get_json()["secret"] == second
    assert ana.post(path).get_json()["secret"] not in (hook["secret"], first, second)
    assert problem(ana.post(path, Idempotency_Key="r")) == REVOKED


def test_a_webhook_that_was_deleted_does_not_come_back_with_the_request_that_made_it(ana):
    hook = make(ana, Idempotency_Key="k")
    ana.delete(f"/me/webhooks/{hook['id']}")
    assert problem(ana.post("/me/webhooks", {"url": URL, "events": ["your_turn"]}, Idempotency_Key="k")) == REVOKED
    assert ana.get("/me/webhooks").get_json() == {"webhooks": []}
    assert make(ana, Idempotency_Key="l")["id"] != hook["id"]


def test_a_webhook_that_was_made_before_ids_were_opaque_is_recognised(ana, service):
    """Its id was made of the account and the key alone, and the key of its secret's request was plain."""
    mailboxes, id = Mailboxes(service.services.store), guessable_hook_id(ana.account, "k")
    assert make(ana, Idempotency_Key="another")["id"] != guessable_hook_id(ana.account, "another")
    before = Webhook(id, URL, ("your_turn",), "whsec_before", 1, rotated_by="k")
    mailboxes.change(ana.account, lambda _: ([save_hook(ana.account, before)], None))
    assert make(ana, Idempotency_Key="k")["secret"] == "whsec_before"
    rotated = ana.post(f"/me/webhooks/{id}/secret", Idempotency_Key="r").get_json()["secret"]
    assert rotated != "whsec_before"
    assert problem(ana.post("/me/webhooks", {"url": URL, "events": ["your_turn"]}, Idempotency_Key="k")) == REVOKED
    ana.delete(f"/me/webhooks/{id}")
    assert problem(ana.post("/me/webhooks", {"url": URL, "events": ["your_turn"]}, Idempotency_Key="k")) == REVOKED


def test_no_key_is_kept_beside_a_webhook(ana, service):
    key = "a-key-of-a-client"
    hook = make(ana, Idempotency_Key=key)
    ana.post(f"/me/webhooks/{hook['id']}/secret", Idempotency_Key=key + "-2")
    assert key not in str(service.services.store.commands.hgetall(account_key(ana.account, "book")))


def test_deliveries_are_listed_and_parked_ones_retried(ana, ben, bot, harness):
    hook = make(ana, bot.url, "commit")["id"]
    path = f"/me/webhooks/{hook}/deliveries"
    bot.behaviour = lambda payload: 503 if payload["event"]["version"] == 2 else 204
    begun(ana, ben)
    harness.notify()
    waiting = ana.get(path).get_json()["deliveries"]
    assert [(each["number"], each["state"], each["attempts"]) for each in waiting] == [
        (number, "waiting", 0) for number in (4, 3, 2, 1)
    ]
    with harness.delivering(RetryPolicy(attempts=1)):
        harness.until_all_are_delivered(ana.account)
    listed = ana.get(path).get_json()["deliveries"]
    assert [each["state"] for each in listed] == ["delivered", "delivered", "parked", "delivered"]
    page = ana.get(f"{path}?limit=2").get_json()
    assert (page["next"], page["deliveries"]) == (3, listed[:2])
    assert ana.get(f"{path}?before=3").get_json()["deliveries"] == listed[2:]
    [parked] = ana.get(f"{path}?state=parked").get_json()["deliveries"]
    assert (parked["id"], parked["status"], parked["why"]) == (f"{hook}.2", 503, "the receiver answered 503")
    assert ana.post(f"{path}/2/retry").get_json()["state"] == "waiting"
    assert problem(ana.post(f"{path}/4/retry")) == (409, "not_now")
    assert problem(ana.post(f"{path}/99/retry")) == (404, "not_found")
    bot.behaviour = lambda _: 204
    with harness.delivering():
        harness.until_all_are_delivered(ana.account)
    assert bot.taken[-1].delivery == parked["id"]


def test_neither_urls_nor_secrets_nor_bodies_are_logged(ana, ben, bot, harness, capfd):
    hook = make(ana, bot.url + "/hook?password=colada", "commit")
    begun(ana, ben)
    harness.notify()
    with harness.delivering():
        harness.until_all_are_delivered(ana.account)
    ana.post(f"/me/webhooks/{hook['id']}/test")
    logs.flush()
    written = capfd.readouterr().err
    lines = [json.loads(line) for line in written.splitlines()]
    assert [line["outcome"] for line in lines if line["event"] == "delivery"] == ["delivered"] * 4
    for secret in ("colada", bot.url, hook["secret"], "game_started", "webhook-signature", "v1,"):
        assert secret not in written


def test_figures_for_operators(ana, ben, bot, harness, service):
    make(ana, bot.url, "commit")
    begun(ana, ben)
    harness.notify()
    with harness.delivering():
        harness.until_all_are_delivered(ana.account)
    figures = service.test_client().get("/metrics").text
    for figure in (
        'hidalgo_notices_total{kind="game_started"}',
        "hidalgo_notifier_lag_seconds_count",
        'hidalgo_webhook_tries_total{outcome="delivered"}',
    ):
        [line] = [line for line in figures.splitlines() if line.startswith(figure)]
        assert float(line.split()[-1]) > 0
