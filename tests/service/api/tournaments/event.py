"""A tournament over HTTP: its organiser, and what they and others do."""

from __future__ import annotations

from typing import Any

from werkzeug.test import TestResponse

from service.accounts import SCOPES
from tests.service.api.asking import ApiClient, Described

OPTIONS = {
    "title": "Club evening",
    "game": "el_grande",
    "game_options": {"game_length": "short"},
    "size": 4,
    "sizes": [3],
    "stages": [{"rounds": 2}],
    "schedule": {"rule": "by-hand"},
}
IN_ORDER = {2: [1, 2], 3: [1, 2, 3], 4: [1, 2, 3, 4]}


def guest(described: Described) -> ApiClient:
    accounts = described.app.services.accounts
    account = accounts.make_guest()
    return ApiClient(described, accounts.tokens.create(account.id, "test", SCOPES["guest"]).secret, account.id)


def handle_of(client: ApiClient) -> str:
    return str(client.get("/me").get_json()["handle"])


class Event:
    """A tournament of Olga's."""

    def __init__(self, described: Described, **options: Any) -> None:
        self.described, self.olga = described, guest(described)
        made = self.olga.post("/tournaments", OPTIONS | options)
        assert made.status_code == 201, made.text
        self.id = made.get_json()["id"]
        self.path = f"/tournaments/{self.id}"

    def act(self, kind: str, *, by: ApiClient | None = None, **fields: Any) -> TestResponse:
        return (by or self.olga).post(f"{self.path}/actions", {"kind": kind, **fields})

    def acted(self, kind: str, *, by: ApiClient | None = None, **fields: Any) -> Any:
        """An action that is accepted."""
        answer = self.act(kind, by=by, **fields)
        assert answer.status_code == 201, answer.text
        return answer.get_json()

    def read(self, path: str = "", by: ApiClient | None = None) -> Any:
        answer = (by or self.olga).get(self.path + path)
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    def guest(self) -> ApiClient:
        return guest(self.described)

    def player(self) -> ApiClient:
        """A new player."""
        entered = self.guest()
        self.acted("register", by=entered)
        return entered

    def arbiter(self) -> ApiClient:
        member = self.guest()
        self.acted("set_staff", handle=handle_of(member), role="arbiter")
        return member

    def with_bots(self, count: int) -> Event:
        for number in range(1, count + 1):
            self.acted("register", player=f"bot:greedy:{number}")
        return self

    def started(self, bots: int = 8) -> Event:
        self.with_bots(bots).acted("start")
        return self

    def draw(self) -> int:
        """A round is drawn, published and begun; gives its number."""
        for kind in ("propose_round", "publish_round", "start_round"):
            self.acted(kind)
        return int(self.read()["current"])

    def record(self, round: int) -> None:
        """Every table ends in the order of its seats."""
        for table in self.read(f"/rounds/{round}?limit=200")["tables"]:
            result = {"places": IN_ORDER[len(table["players"])]}
            self.acted("record_result", round=round, table=table["table"], result=result)

    def play(self, rounds: int = 1) -> Event:
        for _ in range(rounds):
            self.record(self.draw())
            self.acted("close_round")
        return self
