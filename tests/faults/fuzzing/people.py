"""The guests for whom schemathesis asks: they also find their way to a table and to their turn.

Loaded by schemathesis in a process of its own. Without these hooks nearly everything would be refused for want of a
seat; with them three of four requests are made by a guest who may, the others by any.
"""

from __future__ import annotations

import json
import os
from random import Random
from typing import Any
from urllib.request import Request, urlopen

import schemathesis

CHANCE = Random(os.environ.get("HIDALGO_FUZZ_SEED", "1"))
PEOPLE = 4
TABLE: dict[str, Any] = {"rules": "el_grande", "expansions": [], "players": 2, "options": {"game_length": "short"}}
TABLES_IN_USE = 20
"""So many of the newest are asked about, so that some of them come far."""


class Table:
    """A game, as far as the answers showed it."""

    def __init__(self) -> None:
        self.owner = ""
        self.status = "open"
        self.is_full = False
        self.seats: dict[str, str] = {}
        self.waiting: list[str] = []

    def hear(self, answer: dict[str, Any]) -> None:
        if "owner" in answer:
            self.owner = answer["owner"]
            self.seats = {row["seat"]: row["player"]["id"] for row in answer["seats"] if row["player"]}
            self.is_full = len(self.seats) == answer["players"]
        self.status = answer.get("status", self.status)
        self.waiting = answer.get("waiting", self.waiting)

    def allows(self, operation: str) -> bool:
        """Whether any guest could do that here now."""
        match operation:
            case "post_games_seats" | "post_games_invitations":
                return self.status == "open" and not self.is_full
            case "post_games_start":
                return self.status == "open" and self.is_full
            case "get_games_decisions" | "post_games_moves":
                return self.status == "running"
            case "post_games_resign":
                return self.status == "running" and CHANCE.random() < 0.1
            case "post_games_abort" | "delete_games_seats_mine":
                return self.status == "open" and CHANCE.random() < 0.1
        return True

    def fitting(self, operation: str, account: str) -> bool:
        """Whether this guest may do that, as far as the answers showed."""
        match operation:
            case "post_games_start" | "post_games_abort" | "post_games_invitations":
                return account == self.owner
            case "post_games_seats":
                return account not in self.seats.values()
            case "get_games_decisions" | "post_games_moves":
                return account in [self.seats.get(seat) for seat in self.waiting]
        return account in self.seats.values()


TOKENS: dict[str, str] = {}
"""The token of each account."""
TABLES: dict[str, Table] = {}


def url() -> str:
    return os.environ["HIDALGO_FUZZ_URL"] + "/api/v1"


def new_guest() -> tuple[str, str]:
    with urlopen(Request(f"{url()}/guests", method="POST"), timeout=20) as response:
        guest = json.load(response)
    return guest["id"], guest["token"]


def guests() -> dict[str, str]:
    while len(TOKENS) < PEOPLE:
        account, token = new_guest()
        TOKENS[account] = token
    return TOKENS


def token_for(operation: str, game: str) -> str:
    """The token of a guest who asks."""
    if operation in ("delete_me", "post_me"):
        return new_guest()[1]
    people = guests()
    table = TABLES.get(game)
    able = [token for account, token in people.items() if table and table.fitting(operation, account)]
    return CHANCE.choice(able if able and CHANCE.random() < 0.75 else list(people.values()))


@schemathesis.auth(refresh_interval=None)
class GuestTokens:
    def get(self, case: schemathesis.Case, context: schemathesis.AuthContext) -> str:
        return CHANCE.choice(list(guests().values()))

    def set(self, case: schemathesis.Case, data: str, context: schemathesis.AuthContext) -> None:
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    """Sensible requests go to a fitting table, by a fitting guest. A request without a token of ours stays as it is."""
    given = str(case.headers.get("Authorization", "")).removeprefix("Bearer ")
    operation = str(case.operation.definition.raw["operationId"])
    if is_sensible(case):
        lead_somewhere(case, operation)
    if given in TOKENS.values():
        game = str(case.path_parameters.get("game", ""))
        case.headers["Authorization"] = f"Bearer {token_for(operation, game)}"


def is_sensible(case: schemathesis.Case) -> bool:
    """All of it fits the schema, so it may be exchanged for something that fits as well."""
    return case.meta is not None and case.meta.generation.mode.is_positive


def lead_somewhere(case: schemathesis.Case, operation: str) -> None:
    if operation == "post_games" and CHANCE.random() < 0.5:
        case.body = TABLE | {"visibility": CHANCE.choice(["public", "private"])}
    table = TABLES.get(str(case.path_parameters.get("game")))
    # Where a link has led to a fitting table, it stays.
    if "game" in case.path_parameters and not (table and table.allows(operation)) and CHANCE.random() < 0.9:
        case.path_parameters["game"] = table_for(operation)
    if operation == "post_games_moves" and CHANCE.random() < 0.9:
        case.body = answer_to_a_question(str(case.path_parameters["game"])) or case.body
    if operation in ("post_games_seats", "post_games_invitations") and CHANCE.random() < 0.75:
        case.body = {}
    for header in ("If-Match", "If-None-Match"):
        if CHANCE.random() < 0.75:
            case.headers.pop(header, None)


def table_for(operation: str) -> str:
    """A table where this can be done; a new game, if there is none."""
    tables = [game for game in list(TABLES)[-TABLES_IN_USE:] if TABLES[game].allows(operation)]
    return CHANCE.choice(tables) if tables else begun()


def begun() -> str:
    first, second = CHANCE.sample(list(guests().values()), 2)
    game = str(asked(first, "POST", "", TABLE)["id"])
    asked(second, "POST", f"/{game}/seats", {})
    TABLES.setdefault(game, Table()).hear(asked(first, "POST", f"/{game}/start", {}))
    return game


def answer_to_a_question(game: str) -> dict[str, Any]:
    """A move that is legal now, if the game waits for one of ours."""
    table = TABLES.get(game, Table())
    for token in [TOKENS[account] for seat in table.waiting if (account := table.seats.get(seat)) in TOKENS]:
        for decision in asked(token, "GET", f"/{game}/decisions")["decisions"]:
            return dict(decision["example"])
    return {}


def asked(token: str, method: str, path: str, body: Any = None) -> dict[str, Any]:
    """A request beside schemathesis, to get on."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{url()}/games{path}", data, headers, method=method), timeout=20) as response:
        return dict(json.load(response))


@schemathesis.hook
def after_call(context: schemathesis.HookContext, case: schemathesis.Case, response: schemathesis.Response) -> None:
    """Remember which tables there are, and whose turn it is."""
    if response.status_code not in (200, 201) or "/games" not in case.path or not response.content:
        return
    if "json" not in response.headers["content-type"][0]:
        return  # a picture
    answer = json.loads(response.content.splitlines()[0])
    game = case.path_parameters.get("game") or answer.get("id")
    if game and ("owner" in answer or "waiting" in answer):
        TABLES.setdefault(str(game), Table()).hear(answer)


@schemathesis.check
def what_fits_is_not_called_invalid(
    context: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case
) -> None:
    """The rules may refuse what fits the schema, but not as if it did not."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code < 400:
        return
    problem = json.loads(response.content)
    assert problem["code"] != "invalid" or says_what_no_schema_can(problem), problem


BETWEEN_FIELDS = {
    "A bot has neither a nonce nor an invitation.",
    "At most 100 games.",
    "Either ids of games, or fields that choose some.",
}
"""Faults of several fields together, or of a list inside a text."""


def says_what_no_schema_can(problem: dict[str, Any]) -> bool:
    faults = [fault for fields in problem["errors"].values() for some in fields.values() for fault in some]
    return set(faults) <= BETWEEN_FIELDS
