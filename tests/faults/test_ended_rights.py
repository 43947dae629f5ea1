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
    opened = Stream(connection, connection.getresponse(), schema_of(path))
    try:
        assert opened.response.status == 200, opened.response.read()
        yield opened
    finally:
        opened.close()


def schema_of(path: str) -> str:
    if path.endswith("/chat/stream"):
        return "ChatStreamData"
    _, kind, *_ = path.split("/")
    kinds = {"me": "Inbox", "games": "Game", "studies": "Study", "tournaments": "Tournament"}
    return f"{kinds[kind]}StreamData"


def moment_of_the_end(opened: Stream) -> float:
    """It says goodbye before it ends."""
    *_, last = opened.events
    assert last.name == "bye"
    return time.monotonic()


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def revoke_a_token(elsewhere, accounts, account):
    token = accounts.tokens.create(account.id, "streaming", ["read"])

    def end() -> None:
        owner = accounts.tokens.create(account.id, "owner", ["account"]).secret
        assert elsewhere.delete(f"/api/v1/tokens/{token.token.id}", headers=bearer(owner)).status_code == 204

    return token.secret, end


def sign_out(elsewhere, accounts, account):
    session = accounts.sessions.sign_in(account.handle, PASSWORD)

    def end() -> None:
        elsewhere.set_cookie("hidalgo_session", session.secret)
        assert elsewhere.delete("/api/v1/sessions", headers={"X-CSRF-Token": session.csrf}).status_code == 204

    return session.secret, end


def change_the_password(elsewhere, accounts, account):
    session = accounts.sessions.sign_in(account.handle, PASSWORD)
    change = {"old": PASSWORD, "new": "babieca al trote"}

    def end() -> None:
        owner = accounts.tokens.create(account.id, "owner", ["account"]).secret
        answer = elsewhere.put("/api/v1/me/password", json=change, headers=bearer(owner))
        assert answer.status_code == 204, answer.text

    return session.secret, end


def delete_the_account(elsewhere, accounts, account):
    token = accounts.tokens.create(account.id, "streaming", ["read", "account"]).secret

    def end() -> None:
        answer = elsewhere.delete("/api/v1/me", json={"password": PASSWORD}, headers=bearer(token))
        assert answer.status_code == 204, answer.text

    return token, end


def reset_the_password(elsewhere, accounts, account):
    token = accounts.tokens.create(account.id, "streaming", ["read"]).secret
    return token, lambda: accounts.reset_password(account.handle)


def sign_in_too_often(elsewhere, accounts, account):
    session = accounts.sessions.sign_in(account.handle, PASSWORD)

    def end() -> None:
        for _ in range(20):
            time.sleep(0.002)  # Sessions that begin in the same millisecond have no oldest.
            accounts.sessions.sign_in(account.handle, PASSWORD)

    return session.secret, end


def allowed_app(elsewhere, accounts, account):
    """An app of another account, with an access token for this one."""
    services = elsewhere.application.services
    author = accounts.register(f"by-{account.handle}", PASSWORD)
    app = services.apps.register(author.id, "Club site", ["https://club.example/back"])
    code = services.authorizations.allow(account.id, app.id, app.name, ["read"], 0, app.redirect_uris[0], "c" * 43)
    return app, author, services.authorizations.redeem(code, app.id).access


def end_an_authorization(elsewhere, accounts, account):
    app, _, token = allowed_app(elsewhere, accounts, account)

    def end() -> None:
        owner = accounts.tokens.create(account.id, "owner", ["account"]).secret
        assert elsewhere.delete(f"/api/v1/me/authorizations/{app.id}", headers=bearer(owner)).status_code == 204

    return token, end


def delete_an_app(elsewhere, accounts, account):
    app, author, token = allowed_app(elsewhere, accounts, account)

    def end() -> None:
        owner = accounts.tokens.create(author.id, "owner", ["account"]).secret
        assert elsewhere.delete(f"/api/v1/me/apps/{app.id}", headers=bearer(owner)).status_code == 204

    return token, end


def revoke_by_the_app(elsewhere, accounts, account):
    app, _, token = allowed_app(elsewhere, accounts, account)

    def end() -> None:
        assert elsewhere.post("/oauth/revoke", data={"token": token, "client_id": app.id}).status_code == 200

    return token, end


ENDINGS = {
    "app-ended": end_an_authorization,
    "app-deleted": delete_an_app,
    "app-revoked": revoke_by_the_app,
    "revoked": revoke_a_token,
    "signed-out": sign_out,
    "changed": change_the_password,
    "deleted": delete_the_account,
    "reset": reset_the_password,
    "crowded": sign_in_too_often,
}


OF_ALL = ("revoked", "changed", "deleted")
"""Of these endings every kind of stream is looked at."""
A_STUDY = {"title": "Club games", "visibility": "public"}
A_TOURNAMENT = {"title": "Club evening", "game": "el_grande"}


def test_streams_end_within_five_seconds_of_their_rights(service, elsewhere, accounts):
    """Of a token, a session or an account, in a process other than the one that ends them."""
    guest = accounts.make_guest()
    lasting = accounts.tokens.create(guest.id, "lasting", ["read", "play"]).secret
    game = elsewhere.post("/api/v1/games", json={"players": 2}, headers=bearer(lasting)).get_json()["id"]
    study = elsewhere.post("/api/v1/studies", json=A_STUDY, headers=bearer(lasting)).get_json()["id"]
    event = elsewhere.post("/api/v1/tournaments", json=A_TOURNAMENT, headers=bearer(lasting)).get_json()["id"]
    paths = ("/me/inbox/stream", f"/games/{game}/stream")
    more = (f"/games/{game}/chat/stream", f"/studies/{study}/stream", f"/tournaments/{event}/stream")
    with ExitStack() as open_streams, ThreadPoolExecutor(40) as threads:

        def opened(path: str, secret: str) -> Stream:
            return open_streams.enter_context(stream(service, path, secret))

        staying = [opened(path, lasting) for path in paths]
        ending: dict[str, Stream] = {}
        endings = {}
        for name, prepared in ENDINGS.items():
            account = accounts.register(name, PASSWORD)
            other = accounts.tokens.create(account.id, "other", ["read"]).secret
            secret, end = prepared(elsewhere, accounts, account)
            endings[name] = end
            ending |= {f"{name} {path}": opened(path, secret) for path in (*paths, *(more if name in OF_ALL else ()))}
            if name not in ("deleted", "reset"):
                staying.append(opened("/me/inbox/stream", other))
        anonymous = opened(paths[1], "")
        time.sleep(3)  # Streams that were opened just now are looked at for that alone.
        ends = {name: threads.submit(moment_of_the_end, each) for name, each in ending.items()}
        ended = {}
        for name, end in endings.items():
            end()
            ended[name] = time.monotonic()
        took = {name: future.result() - ended[name.split()[0]] for name, future in ends.items()}
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
            token = accounts.tokens.create(accounts.make_guest().id, "streaming", ["read"]).secret
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


def test_streams_outlive_a_store_that_is_away_and_end_when_it_is_back(service, accounts, redis, store):
    # While it writes to a busy disk, a server that is killed has lost what it had answered a moment before.
    for primary in store.primaries().values():
        primary.config_set("appendfsync", "always")
    token = accounts.tokens.create(accounts.make_guest().id, "streaming", ["read"])
    account = accounts.tokens.identity(token.secret).account
    with stream(service, "/me/inbox/stream", token.secret) as opened, ThreadPoolExecutor(1) as threads:
        redis.kill()
        redis.start()
        eventually(lambda: accounts.tokens.identity(token.secret))
        ended = threads.submit(moment_of_the_end, opened)
        time.sleep(3)
        assert not ended.done()
        accounts.tokens.revoke(account, token.token.id)
        revoked = time.monotonic()
        assert ended.result() - revoked < AT_MOST
