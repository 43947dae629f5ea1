"""How often an account or address may do what costs us something; and that a player never has to wait."""

from dataclasses import replace
from ipaddress import ip_network

import pytest

from service.app import create_app
from service.settings import LIMITS, Limit, Settings
from tests.service.api.asking import TWO, ApiClient, Described, begun, play_on, problem

TOO_OFTEN = (429, "too_many_requests")


WIDE = Limit(10_000, 3600)
KINDS = ("tables", "seats", "changes", "tokens", "webhooks", "webhook_tests")
"""Counted by account, and by address."""


@pytest.fixture
def settings() -> Settings:
    """Every limit is so tight that no client can pass it often. Many accounts may come from one address."""
    wide = {f"{kind}_from_an_address": WIDE for kind in KINDS}
    return Settings(limits=dict.fromkeys(LIMITS, Limit(3, 3600)) | wide, webhooks_to=[ip_network("127.0.0.0/8")])


def waits(answer) -> bool:
    return problem(answer) == TOO_OFTEN and int(answer.headers["Retry-After"]) > 0


def test_a_refusal_names_the_limit_its_window_and_by_what_it_is_counted(ana, anonymous):
    for _ in range(3):
        ana.makes()
    answer = ana.post("/games", TWO)
    limit = {"name": "tables_of_an_account", "requests": 3, "seconds": 3600, "counted_by": "account"}
    assert answer.get_json()["limit"] == limit
    assert answer.headers["RateLimit-Policy"] == '"tables_of_an_account";q=3;w=3600'
    assert answer.headers["RateLimit"] == f'"tables_of_an_account";r=0;t={answer.headers["Retry-After"]}'
    for _ in range(3):
        anonymous.post("/guests")
    assert anonymous.post("/guests").get_json()["limit"]["counted_by"] == "address"


def test_an_account_makes_only_so_many_tables(ana, ben):
    for _ in range(3):
        ana.makes()
    assert waits(ana.post("/games", TWO))
    ben.makes()


def test_an_account_sits_down_stands_up_and_invites_only_so_often(ana, ben):
    game = ana.makes()
    assert ben.post(f"/games/{game}/seats").status_code == 200
    assert ben.delete(f"/games/{game}/seats/mine").status_code == 200
    assert ben.post(f"/games/{game}/seats").status_code == 200
    assert waits(ben.delete(f"/games/{game}/seats/mine"))
    assert waits(ben.post(f"/games/{game}/invitations"))


def test_an_account_makes_only_so_many_tokens(ana):
    for number in range(3):
        assert ana.post("/tokens", {"name": f"bot {number}"}).status_code == 201
    assert waits(ana.post("/tokens", {"name": "one more"}))


TIMED = {"bank_ms": 600_000, "increment_ms": 0, "cap_ms": 600_000}


def test_an_account_pauses_and_resumes_only_so_often(ana, ben):
    game = begun(ana, ben, time=TIMED)
    assert ana.post(f"/games/{game}/pause").status_code == 200
    assert ben.post(f"/games/{game}/pause").status_code == 200
    assert ana.post(f"/games/{game}/resume").status_code == 200
    assert ana.post(f"/games/{game}/pause").status_code == 200
    for path in ("pause", "resume", "take-back", "return"):
        assert waits(ana.post(f"/games/{game}/{path}"))
    assert waits(ana.post(f"/games/{game}/vacation", {"days": 1}))
    assert ana.post(f"/games/{game}/resign").status_code == 200


def test_an_account_makes_and_changes_webhooks_only_so_often(ana):
    hook = ana.post("/me/webhooks", A_HOOK).get_json()["id"]
    assert ana.ask("PATCH", f"/me/webhooks/{hook}", json={"enabled": False}).status_code == 200
    assert ana.post(f"/me/webhooks/{hook}/secret").status_code == 200
    assert waits(ana.post("/me/webhooks", A_HOOK))
    assert waits(ana.ask("PATCH", f"/me/webhooks/{hook}", json={"enabled": True}))
    assert waits(ana.post(f"/me/webhooks/{hook}/secret"))
    assert waits(ana.post(f"/me/webhooks/{hook}/deliveries/1/retry"))
    assert ana.delete(f"/me/webhooks/{hook}").status_code == 204


A_HOOK = {"url": "http://127.0.0.1:1/", "events": ["your_turn"]}
COUNTED = {
    "tables": lambda person, game: person.post("/games", TWO),
    "seats": lambda person, game: person.post(f"/games/{game}/seats"),
    "changes": lambda person, game: person.post(f"/games/{game}/pause"),
    "tokens": lambda person, game: person.post("/tokens", {"name": "a bot"}),
    "webhooks": lambda person, game: person.post("/me/webhooks", A_HOOK),
    "webhook_tests": lambda person, game: person.post("/me/webhooks/unknown/test"),
}


class TestOfOneAddress:
    """Many accounts do together what one may not do alone."""

    @pytest.fixture
    def settings(self) -> Settings:
        limits = {f"{kind}_from_an_address": Limit(4, 3600) for kind in KINDS}
        return Settings(limits=dict.fromkeys(LIMITS) | limits, webhooks_to=[ip_network("127.0.0.0/8")])

    @pytest.mark.parametrize("counted", COUNTED.values(), ids=COUNTED)
    def test_they_are_counted_together(self, guest, service, counted):
        game = service.services.games.create("el_grande", 5).id
        for _ in range(4):
            assert counted(guest(), game).status_code != 429
        assert waits(counted(guest(), game))


def test_guests_from_an_address_are_counted(anonymous):
    for _ in range(3):
        assert anonymous.post("/guests").status_code == 201
    assert waits(anonymous.post("/guests"))


def test_guests_that_are_made_with_a_key_are_counted_too(anonymous):
    keys = [f"a-key-that-is-long-enough-to-be-random-{number}" for number in range(4)]
    *made, last = [anonymous.post("/guests", Idempotency_Key=key) for key in keys]
    assert [answer.status_code for answer in made] == [201] * 3
    assert waits(last)


def test_reads_without_an_account_are_limited(anonymous, ana):
    game = ana.makes()
    for path in ("/games", f"/games/{game}", f"/players/{ana.account}"):
        assert anonymous.get(path).status_code == 200
    for path in ("", "/state", "/events", "/export", "/stream"):
        assert waits(anonymous.get(f"/games/{game}{path}"))
    assert waits(anonymous.get(f"/players/{ana.account}"))
    assert waits(anonymous.get(f"/players/{ana.account}/games"))
    for _ in range(5):
        assert ana.get(f"/games/{game}").status_code == 200


def test_tries_of_unknown_tokens_are_limited(described):
    stranger = ApiClient(described, token="hdg_" + "x" * 59)
    for _ in range(3):
        assert problem(stranger.get("/me")) == (401, "unauthorized")
    assert waits(stranger.get("/me"))


def test_requests_that_need_no_store_are_not_counted(anonymous):
    for _ in range(5):
        assert anonymous.get("/rules").status_code == 200


def test_a_playing_client_is_never_limited(ana, ben):
    """A whole game, as fast as it goes, and everything a program looks at in between."""
    assert play_on(begun(ana, ben), ana, ben) > 50


# Behind a proxy


def behind(proxies: int, service) -> Described:
    """The same service for an operator who has so many proxies."""
    return Described(create_app(replace(service.settings, proxies=proxies)))


@pytest.fixture
def asking_through(service):
    apps = []

    def make(proxies: int) -> ApiClient:
        apps.append(behind(proxies, service))
        return ApiClient(apps[-1])

    yield make
    for described in apps:
        described.app.services.close()


def test_without_a_proxy_the_forwarded_address_is_ignored(asking_through):
    client = asking_through(0)
    for number in range(3):
        assert client.get("/games", X_Forwarded_For=f"192.0.2.{number}").status_code == 200
    assert waits(client.get("/games", X_Forwarded_For="192.0.2.99"))


def test_the_forwarded_address_of_the_operators_proxy_counts(asking_through):
    proxy = asking_through(1)
    for address in ("192.0.2.1", "192.0.2.2"):
        for _ in range(3):
            assert proxy.get("/games", X_Forwarded_For=address).status_code == 200
        assert waits(proxy.get("/games", X_Forwarded_For=address))


def test_only_the_address_that_the_proxy_added_counts(asking_through):
    """The proxy appends to what the client sent."""
    proxy = asking_through(1)
    for number in range(3):
        assert proxy.get("/games", X_Forwarded_For=f"198.51.100.{number}, 192.0.2.1").status_code == 200
    assert waits(proxy.get("/games", X_Forwarded_For="198.51.100.99, 192.0.2.1"))
    assert waits(proxy.get("/games", X_Forwarded_For="127.0.0.1, unknown, 192.0.2.1"))


def test_with_two_proxies_the_last_but_one_is_the_client(asking_through):
    proxies = asking_through(2)
    for number in range(3):
        assert proxies.get("/games", X_Forwarded_For=f"198.51.100.{number}, 192.0.2.1, 10.0.0.1").status_code == 200
    assert waits(proxies.get("/games", X_Forwarded_For="198.51.100.99, 192.0.2.1, 10.0.0.1"))


def test_the_forwarded_scheme_counts_only_from_a_proxy(asking_through):
    for proxies, is_secure in ((0, False), (1, True)):
        client = asking_through(proxies)
        client.post("/accounts", {"handle": f"el_cid_{proxies}", "password": "tizona y colada"})
        credentials = {"handle": f"el_cid_{proxies}", "password": "tizona y colada"}
        cookie = client.post("/sessions", credentials, X_Forwarded_Proto="https").headers["Set-Cookie"]
        assert ("Secure" in cookie) == is_secure
