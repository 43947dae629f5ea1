"""Permissions: every operation of the service, asked by every kind of client.

A new operation fails the first test until it has its rows here. A cell is the status of the answer; a letter behind it
tells which code it has, where the status has several.
"""

# ruff: noqa: E501 - a table is as wide as it must be

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from argon2 import PasswordHasher
from werkzeug.test import TestResponse

from events.table.commands import Join, Leave, Start
from service.accounts import SCOPES, Accounts
from service.accounts.passwords import Passwords
from service.app import create_app
from service.http.application import Application
from service.notifications.receiver_addresses import AddressPolicy
from service.notifications.sender import Sender
from service.notifications.webhooks import Webhooks
from service.services import services
from service.settings import Settings

API = "/api/v1"
PASSWORD = "tizona y colada"
HOOK = "https://bot.example/hook"

CODES = {
    "401": "unauthorized",
    "403": "forbidden",
    "403c": "csrf",
    "403s": "not_seated",
    "404": "not_found",
    "409": "not_now",
    "409d": "not_your_decision",
    "409g": "not_a_guest",
    "409s": "still_a_guest",
    "422": "invalid",
}

# none       no token, no cookie
# bad        a token that does not exist
# read play  the owner of the table, with a token of this scope alone;
# acct admn  `account` and `admin` likewise
# guest      a guest who has nothing to do with the table
# other      a player who has nothing to do with the table
# seat       a player who sits there
# owner      a player who sits there and owns the table
# admin      an administrator who has nothing to do with the table
# cookie     the owner's browser, sent by another site: the session without X-CSRF-Token
# csrf       the owner's browser, sent by our page: the session with it

TABLE = """
                                                                       none bad  read play acct admn guest other seat owner admin cookie csrf
GET    /api/v1/games                                           -       200  401  200  403  403  403  200   200   200  200   200   200    200
POST   /api/v1/games                                           -       401  401  403  201  403  403  201   201   201  201   201   403c   201
GET    /api/v1/games/<game>                                    public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>                                    private 404  401  200  403  403  403  404   404   200  200   404   200    200
POST   /api/v1/games/<game>/abort                              public  401  401  403  200  403  403  403   403   403  200   403   403c   200
POST   /api/v1/games/<game>/abort                              private 401  401  403  200  403  403  404   404   403  200   404   403c   200
GET    /api/v1/games/<game>/clock                              public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/clock                              private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/decisions                          public  401  401  200  403  403  403  403s  403s  200  200   403s  200    200
GET    /api/v1/games/<game>/decisions                          private 401  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/events                             public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/events                             private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/export                             public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/export                             private 404  401  200  403  403  403  404   404   200  200   404   200    200
POST   /api/v1/games/<game>/invitations                        public  401  401  403  201  403  403  403   403   201  201   403   403c   201
POST   /api/v1/games/<game>/invitations                        private 401  401  403  201  403  403  404   404   201  201   404   403c   201
POST   /api/v1/games/<game>/moves                              public  401  401  403  409d 403  403  403s  403s  409d 409d  403s  403c   409d
POST   /api/v1/games/<game>/moves                              private 401  401  403  409d 403  403  404   404   409d 409d  404   403c   409d
DELETE /api/v1/games/<game>/players/<player>                   public  401  401  403  200  403  403  403   403   403  200   403   403c   200
DELETE /api/v1/games/<game>/players/<player>                   private 401  401  403  200  403  403  404   404   403  200   404   403c   200
POST   /api/v1/games/<game>/pause                              public  401  401  403  409  403  403  403s  403s  409  409   409   403c   409
POST   /api/v1/games/<game>/pause                              private 401  401  403  409  403  403  404   404   409  409   409   403c   409
POST   /api/v1/games/<game>/resign                             public  401  401  403  200  403  403  403s  403s  200  200   403s  403c   200
POST   /api/v1/games/<game>/resign                             private 401  401  403  200  403  403  404   404   200  200   404   403c   200
POST   /api/v1/games/<game>/resume                             public  401  401  403  409  403  403  403s  403s  409  409   409   403c   409
POST   /api/v1/games/<game>/resume                             private 401  401  403  409  403  403  404   404   409  409   409   403c   409
POST   /api/v1/games/<game>/return                             public  401  401  403  409  403  403  403s  403s  409  409   403s  403c   409
POST   /api/v1/games/<game>/return                             private 401  401  403  409  403  403  404   404   409  409   404   403c   409
POST   /api/v1/games/<game>/take-back                          public  401  401  403  409  403  403  403s  403s  409  409   403s  403c   409
POST   /api/v1/games/<game>/take-back                          private 401  401  403  409  403  403  404   404   409  409   404   403c   409
POST   /api/v1/games/<game>/vacation                           public  401  401  403  409  403  403  403s  403s  409  409   403s  403c   409
POST   /api/v1/games/<game>/vacation                           private 401  401  403  409  403  403  404   404   409  409   404   403c   409
POST   /api/v1/games/<game>/seats                              public  401  401  403  409  403  403  200   200   409  409   200   403c   409
POST   /api/v1/games/<game>/seats                              private 401  401  403  409  403  403  404   404   409  409   404   403c   409
DELETE /api/v1/games/<game>/seats/mine                         public  401  401  403  200  403  403  403s  403s  200  200   403s  403c   200
DELETE /api/v1/games/<game>/seats/mine                         private 401  401  403  200  403  403  404   404   200  200   404   403c   200
POST   /api/v1/games/<game>/start                              public  401  401  403  200  403  403  403   403   403  200   403   403c   200
POST   /api/v1/games/<game>/start                              private 401  401  403  200  403  403  404   404   403  200   404   403c   200
GET    /api/v1/games/<game>/state                              public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/state                              private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/games/<game>/stream                             public  200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/games/<game>/stream                             private 404  401  200  403  403  403  404   404   200  200   404   200    200
GET    /api/v1/players/<player>/games                          -       200  401  200  403  403  403  200   200   200  200   200   200    200
POST   /api/v1/accounts                                        -       201  201  201  201  201  201  201   201   201  201   201   201    201
POST   /api/v1/guests                                          -       201  201  201  201  201  201  201   201   201  201   201   201    201
DELETE /api/v1/me                                              -       401  401  403  403  204  403  204   204   204  204   204   403c   204
GET    /api/v1/me                                              -       401  401  200  200  200  200  200   200   200  200   200   200    200
POST   /api/v1/me                                              -       401  401  403  403  409g 403  200   409g  409g 409g  409g  403c   409g
GET    /api/v1/openapi.json                                    -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /api/v1/players/<player>                                -       200  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/rules                                           -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /api/v1/rules/<rules>                                   -       200  200  200  200  200  200  200   200   200  200   200   200    200
DELETE /api/v1/sessions                                        -       401  401  403  403  403  403  403   403   403  403   403   403c   204
POST   /api/v1/sessions                                        -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /api/v1/tokens                                          -       401  401  403  403  200  403  200   200   200  200   200   200    200
POST   /api/v1/tokens                                          -       401  401  403  403  201  403  201   201   201  201   201   403c   201
DELETE /api/v1/tokens/<token>                                  -       401  401  403  403  204  403  204   204   204  204   204   403c   204
GET    /api/v1/me/inbox                                        -       401  401  200  403  403  403  200   200   200  200   200   200    200
GET    /api/v1/me/inbox/stream                                 -       401  401  200  403  403  403  200   200   200  200   200   200    200
PUT    /api/v1/me/password                                     -       401  401  403  403  204  403  409s  204   204  204   204   403c   204
GET    /api/v1/me/webhooks                                     -       401  401  403  403  200  403  200   200   200  200   200   200    200
POST   /api/v1/me/webhooks                                     -       401  401  403  403  201  403  201   201   201  201   201   403c   201
GET    /api/v1/me/webhooks/<webhook>                           -       401  401  403  403  200  403  200   200   200  200   200   200    200
PATCH  /api/v1/me/webhooks/<webhook>                           -       401  401  403  403  200  403  200   200   200  200   200   403c   200
DELETE /api/v1/me/webhooks/<webhook>                           -       401  401  403  403  204  403  204   204   204  204   204   403c   204
GET    /api/v1/me/webhooks/<webhook>/deliveries                -       401  401  403  403  200  403  200   200   200  200   200   200    200
POST   /api/v1/me/webhooks/<webhook>/deliveries/<number>/retry -       401  401  403  403  404  403  404   404   404  404   404   403c   404
POST   /api/v1/me/webhooks/<webhook>/secret                    -       401  401  403  403  200  403  200   200   200  200   200   403c   200
POST   /api/v1/me/webhooks/<webhook>/test                      -       401  401  403  403  200  403  200   200   200  200   200   403c   200
GET    /static/<name>                                          -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /                                                       -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /docs                                                   -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /docs/<name>                                            -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /docs/begin.js                                          -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /healthz                                                -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /metrics                                                -       200  200  200  200  200  200  200   200   200  200   200   200    200
GET    /readyz                                                 -       200  200  200  200  200  200  200   200   200  200   200   200    200
"""


@dataclass(frozen=True)
class Column:
    """A client that asks."""

    role: str = ""
    at_the_table: str = "nobody"
    scopes: tuple[str, ...] = ()
    by: str = "token"


COLUMNS = {
    "none": Column(by="nothing"),
    "bad": Column(by="bad token"),
    "read": Column("player", "owner", ("read",)),
    "play": Column("player", "owner", ("play",)),
    "acct": Column("player", "owner", ("account",)),
    "admn": Column("admin", "owner", ("admin",)),
    "guest": Column("guest"),
    "other": Column("player"),
    "seat": Column("player", "seated"),
    "owner": Column("player", "owner"),
    "admin": Column("admin"),
    "cookie": Column("player", "owner", by="cookie"),
    "csrf": Column("player", "owner", by="csrf"),
}


@dataclass(frozen=True)
class Row:
    method: str
    path: str
    kind: str
    """`public` or `private` for what concerns a table; `-` for the rest."""
    cells: tuple[str, ...]

    @property
    def operation(self) -> str:
        return f"{self.method} {self.path}"


def rows(table: str) -> list[Row]:
    header, *lines = table.strip().splitlines()
    assert header.split() == list(COLUMNS)
    split = [line.split() for line in lines if line.strip()]
    return [Row(method, path, kind, tuple(cells)) for method, path, kind, *cells in split]


ROWS = rows(TABLE)


# What is sent, where an empty body does not do, and how far the table has come


BODIES: dict[str, dict[str, Any]] = {
    "POST /api/v1/accounts": {"handle": "babieca", "password": PASSWORD},
    "POST /api/v1/sessions": {"handle": "host", "password": PASSWORD},
    "POST /api/v1/me": {"handle": "babieca", "password": PASSWORD},
    "DELETE /api/v1/me": {"password": PASSWORD},
    "POST /api/v1/tokens": {"name": "my bot"},
    "PUT /api/v1/me/password": {"old": PASSWORD, "new": "babieca y tizona"},
    "POST /api/v1/me/webhooks": {"url": HOOK},
    "PATCH /api/v1/me/webhooks/<webhook>": {"enabled": True},
    "POST /api/v1/games": {"players": 2},
    "POST /api/v1/games/<game>/vacation": {"days": 1},
    # No player was ever asked this: a client that may move at all learns that it is not the question.
    "POST /api/v1/games/<game>/moves": {"decision": "99-red", "kind": "stop"},
}
A_SEAT_IS_FREE = ("/seats", "/seats/mine", "/invitations", "/abort")
FULL = ("/start", "/players/<player>")


class World:
    """A table, its host, and a client that asks."""

    def __init__(self, app: Application, column: Column, row: Row) -> None:
        self.app = app
        self.accounts: Accounts = app.services.accounts
        self.column = column
        self.host = self.accounts.register("host", PASSWORD).id
        self.asker = self.account(column.role) if column.role else ""
        self.game = self.table(row) if row.kind != "-" else ""

    def account(self, role: str) -> str:
        if role == "guest":
            return self.accounts.make_guest().id
        account = self.accounts.register("asker", PASSWORD).id
        self.accounts.set_role("asker", "admin" if role == "admin" else "player")
        return account

    def table(self, row: Row) -> str:
        games = self.app.services.games
        owner = self.asker if self.column.at_the_table == "owner" else self.host
        second = self.asker if self.column.at_the_table == "seated" else "a_another_player_1"
        game = games.create("el_grande", 3, owner=owner, visibility=row.kind).id
        for account in (owner, second, "a_another_player_2"):
            games.submit(game, Join(account, invited=True))
        if row.path.endswith(A_SEAT_IS_FREE):
            games.submit(game, Leave("a_another_player_2"))
        elif not row.path.endswith(FULL):
            games.submit(game, Start(owner))
        return str(game)

    def ask(self, row: Row) -> TestResponse:
        client, headers = self.app.test_client(), {}
        match self.column.by:
            case "bad token":
                headers = {"Authorization": f"Bearer hdg_{'x' * 59}"}
            case "token":
                headers = {"Authorization": f"Bearer {self.token()}"}
            case "cookie" | "csrf":
                session = self.accounts.sign_in("asker", PASSWORD)
                client.set_cookie("hidalgo_session", session.secret)
                headers = {"X-CSRF-Token": session.csrf} if self.column.by == "csrf" else {}
        body = BODIES.get(row.operation, {})
        sent: dict[str, Any] = {} if row.method == "GET" else {"json": body}
        return client.open(self.filled(row.path), method=row.method, headers=headers, **sent)

    def token(self) -> str:
        return self.accounts.create_token(self.asker, "test", self.column.scopes or SCOPES[self.column.role]).secret

    def filled(self, path: str) -> str:
        """The path with names in it; what is asked about besides tables belongs to the host or to the asker."""
        if "<token>" in path:
            mine = self.asker or self.host
            path = path.replace("<token>", self.accounts.create_token(mine, "old", ["read"]).token.id)
        if "<webhook>" in path:
            hook = self.app.services.webhooks.create(self.asker or self.host, HOOK, ["your_turn"], "old")
            path = path.replace("<webhook>", hook.id).replace("<number>", "1")
        names = {"<game>": self.game, "<player>": self.host, "<rules>": "el_grande", "<name>": "swagger-ui.css"}
        if "/games/<game>/players" in path:
            names["<player>"] = "a_another_player_2"
        if path.startswith("/static"):
            names["<name>"] = "pages.css"
        for name, value in names.items():
            path = path.replace(name, value)
        return path


@pytest.fixture
def app(running_stores):
    """With passwords that are kept in no time."""
    with running_stores.opened("embedded") as store:
        settings = Settings()
        quick = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        # All names lead to where no webhook may, so that a test delivery is refused before it leaves.
        private = AddressPolicy(resolve=lambda host, port: ["10.0.0.1"])
        wired = replace(
            services(store, settings, serving=True),
            accounts=Accounts(store, quick, cached_for=0),
            webhooks=Webhooks(store, Sender(private)),
        )
        yield create_app(settings, wired)
        wired.close()


def test_every_operation_of_the_service_has_its_rows():
    operations = {
        f"{method} {rule.rule}"
        for rule in create_app().url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert {row.operation for row in ROWS} == operations
    for operation in operations:
        kinds = {"public", "private"} if "<game>" in operation else {"-"}
        assert {row.kind for row in ROWS if row.operation == operation} == kinds


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.operation} {row.kind}")
def test_every_role_may_do_the_operations_of_its_rows(app, row):
    found = {name: asked(app, column, row) for name, column in COLUMNS.items()}
    assert found == dict(zip(COLUMNS, row.cells, strict=True))


def asked(app: Application, column: Column, row: Row) -> str:
    for primary in app.services.store.primaries().values():
        primary.flushall()
    with World(app, column, row).ask(row) as answer:
        status = str(answer.status_code)
        if answer.status_code < 400:
            return status
        code = answer.get_json()["code"]
    return next(
        (cell for cell, expected in CODES.items() if (cell[:3], expected) == (status, code)), f"{status} {code}"
    )
