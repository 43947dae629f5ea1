"""Streams end with the rights of the client that holds them, also when another process ends these rights."""

import os
import sysconfig
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from events.store import Store, connect
from service.accounts import Accounts
from service.accounts.passwords import Passwords
from service.app import create_app
from service.settings import Settings
from tests.events.servers import Server, eventually, server
from tests.running import Service, running
from tests.service.accounts.test_accounts import CHEAP
from tests.service.streaming import Stream

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))
AT_MOST = 5.0
"""Seconds for which a stream may outlive its rights."""
KEEP_ALIVE = 60
"""Seconds, so that no stream ends by looking at itself."""
PASSWORD = "tizona y colada"


@pytest.fixture
def redis() -> Iterator[Server]:
    with server(appendfsync="everysec") as redis:
        yield redis


@pytest.fixture
def store(redis) -> Iterator[Store]:
    with closing(connect(redis.url)) as store:
        yield store


@pytest.fixture
def accounts(store) -> Accounts:
    """The accounts of the service, as this process has them."""
    return Accounts(store, Passwords(CHEAP), cached_for=0)


@pytest.fixture
def service(redis, tmp_path) -> Iterator[Service]:
    """The process that holds the streams."""
    settings = {"REDIS_URL": redis.url, "HIDALGO_KEEP_ALIVE": str(KEEP_ALIVE), "HIDALGO_ACCESS_LOG": "off"}
    with running([HIDALGO, "serve", "--no-scheduler"], tmp_path, {**os.environ, **settings}) as service:
        yield service


@pytest.fixture
def elsewhere(redis) -> Iterator:
    """Another process of the service: this one."""
    app = create_app(Settings(store_url=redis.url))
    yield app.test_client()
    app.services.close()


@contextmanager
def stream(service: Service, path: str, secret: str) -> Iterator[Stream]:
    address = urlsplit(service.url)
    connection = HTTPConnection(str(address.hostname), address.port, timeout=KEEP_ALIVE / 2)
    shown = {"Authorization": f"Bearer {secret}"} if secret.startswith("hdg_") else {}
    shown |= {"Cookie": f"hidalgo_session={secret}"} if secret.startswith("hds_") else {}
    connection.request("GET", f"/api/v1{path}", headers=shown)
    opened = Stream(connection, connection.getresponse())
    try:
        assert opened.response.status == 200, opened.response.read()
        yield opened
    finally:
        opened.close()


def seconds_until_the_end(opened: Stream) -> float:
    """How long it stays open; it says goodbye before it ends."""
    begun = time.monotonic()
    *_, last = opened.events
    assert last.name == "bye"
    return time.monotonic() - begun


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def revoke_a_token(elsewhere, accounts, account):
    token = accounts.create_token(account.id, "streaming", ["read"])

    def end() -> None:
        owner = accounts.create_token(account.id, "owner", ["account"]).secret
        assert elsewhere.delete(f"/api/v1/tokens/{token.token.id}", headers=bearer(owner)).status_code == 204

    return token.secret, end


def sign_out(elsewhere, accounts, account):
    session = accounts.sign_in(account.handle, PASSWORD)

    def end() -> None:
        elsewhere.set_cookie("hidalgo_session", session.secret)
        assert elsewhere.delete("/api/v1/sessions", headers={"X-CSRF-Token": session.csrf}).status_code == 204

    return session.secret, end


def change_the_password(elsewhere, accounts, account):
    session = accounts.sign_in(account.handle, PASSWORD)
    change = {"old": PASSWORD, "new": "babieca al trote"}

    def end() -> None:
        owner = accounts.create_token(account.id, "owner", ["account"]).secret
        answer = elsewhere.put("/api/v1/me/password", json=change, headers=bearer(owner))
        assert answer.status_code == 204, answer.text

    return session.secret, end


def delete_the_account(elsewhere, accounts, account):
    token = accounts.create_token(account.id, "streaming", ["read", "account"]).secret

    def end() -> None:
        answer = elsewhere.delete("/api/v1/me", json={"password": PASSWORD}, headers=bearer(token))
        assert answer.status_code == 204, answer.text

    return token, end


def reset_the_password(elsewhere, accounts, account):
    token = accounts.create_token(account.id, "streaming", ["read"]).secret
    return token, lambda: accounts.reset_password(account.handle)


def sign_in_too_often(elsewhere, accounts, account):
    session = accounts.sign_in(account.handle, PASSWORD)

    def end() -> None:
        for _ in range(20):
            time.sleep(0.002)  # Sessions that begin in the same millisecond have no oldest.
            accounts.sign_in(account.handle, PASSWORD)

    return session.secret, end


ENDINGS = {
    "revoked": revoke_a_token,
    "signed-out": sign_out,
    "changed": change_the_password,
    "deleted": delete_the_account,
    "reset": reset_the_password,
    "crowded": sign_in_too_often,
}


def test_streams_end_within_five_seconds_of_their_rights(service, elsewhere, accounts):
    """Of a token, a session or an account, in a process other than the one that ends them."""
    guest = accounts.make_guest()
    lasting = accounts.create_token(guest.id, "lasting", ["read", "play"]).secret
    game = elsewhere.post("/api/v1/games", json={"players": 2}, headers=bearer(lasting)).get_json()["id"]
    paths = ("/me/inbox/stream", f"/games/{game}/stream")
    with ExitStack() as open_streams, ThreadPoolExecutor(40) as threads:

        def opened(path: str, secret: str) -> Stream:
            return open_streams.enter_context(stream(service, path, secret))

        staying = [opened(path, lasting) for path in paths]
        ending: dict[str, Stream] = {}
        endings = []
        for name, prepared in ENDINGS.items():
            account = accounts.register(name, PASSWORD)
            other = accounts.create_token(account.id, "other", ["read"]).secret
            secret, end = prepared(elsewhere, accounts, account)
            endings.append(end)
            ending |= {f"{name} {path}": opened(path, secret) for path in paths}
            if name not in ("deleted", "reset"):
                staying.append(opened("/me/inbox/stream", other))
        anonymous = opened(paths[1], "")
        time.sleep(3)  # Streams that were opened just now are looked at for that alone.
        ends = {name: threads.submit(seconds_until_the_end, each) for name, each in ending.items()}
        for end in endings:
            end()
        took = {name: future.result() for name, future in ends.items()}
        assert all(seconds < AT_MOST for seconds in took.values()), took
        assert all(is_open(each) for each in (*staying, anonymous))


def is_open(opened: Stream) -> bool:
    """Nothing more arrives, and neither does the end."""
    opened.connection.sock.settimeout(0.2)
    try:
        while opened.response.read1(65536):
            pass
    except TimeoutError:
        return True
    return False


def test_a_hundred_streams_cost_the_store_a_command_in_two_seconds(service, accounts, store):
    """And a look at each when it is opened."""
    with ExitStack() as open_streams:
        for _ in range(50):
            token = accounts.create_token(accounts.make_guest().id, "streaming", ["read"]).secret
            for _ in range(2):
                open_streams.enter_context(stream(service, "/me/inbox/stream", token))
        time.sleep(3)
        before, seconds = calls(store), 4.0
        time.sleep(seconds)
        after = calls(store)
        used = {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}
        assert used.get("xrange", 0) <= seconds, used
        assert used.get("hmget", 0) == 0, used


def calls(store: Store) -> dict[str, int]:
    stats = store.commands.info("commandstats")
    return {name.removeprefix("cmdstat_"): row["calls"] for name, row in stats.items()}


def test_streams_outlive_a_store_that_is_away_and_end_when_it_is_back(service, accounts, redis):
    token = accounts.create_token(accounts.make_guest().id, "streaming", ["read"])
    account = accounts.identity_of_token(token.secret).account
    with stream(service, "/me/inbox/stream", token.secret) as opened, ThreadPoolExecutor(1) as threads:
        redis.kill()
        redis.start()
        eventually(lambda: accounts.identity_of_token(token.secret))
        ended = threads.submit(seconds_until_the_end, opened)
        time.sleep(3)
        assert not ended.done()
        accounts.revoke(account, token.token.id)
        assert ended.result() < AT_MOST + 3
