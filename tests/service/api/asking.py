"""Clients of the interface in tests. Every answer is held against its description."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from werkzeug.test import TestResponse

from service.http.application import Application
from tests.service.described import Description

PREFIX = "/api/v1"
SHORT = {"game_length": "short"}
TWO = {"players": 2, "options": SHORT}


DESCRIPTIONS: list[Description] = []


def description_of(app: Application) -> Description:
    """Every application describes itself alike: one of them is asked."""
    if not DESCRIPTIONS:
        DESCRIPTIONS.append(Description(app.test_client().get(f"{PREFIX}/openapi.json").get_json()))
    return DESCRIPTIONS[0]


class Described(Description):
    """The description that an application gives of itself."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.share(description_of(app))

    def hear(self, method: str, path: str, response: TestResponse) -> None:
        assert response.headers["X-Request-Id"]
        if response.mimetype == "application/json":
            assert ("ETag" in response.headers) == self.has_header(method, path, response.status_code, "ETag")
        self.check(method, path, response.status_code, response.mimetype or "", response.data)


class ApiClient:
    """A client of /api/v1, with an account if `token` is given."""

    def __init__(self, described: Described, token: str = "", account: str = "") -> None:
        self.described = described
        self.token = token
        self.account = account

    @cached_property
    def http(self):
        return self.described.app.test_client()

    def ask(self, method: str, path: str, **more: Any) -> TestResponse:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= more.pop("headers", {})
        response = self.http.open(PREFIX + path, method=method, headers=headers, **more)
        self.described.hear(method, PREFIX + path, response)
        return response

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.ask("GET", path, headers=spelled(headers))

    def post(self, path: str, body: Any = None, **headers: str) -> TestResponse:
        return (
            self.ask("POST", path, json=body, headers=spelled(headers))
            if body is not None
            else self.ask("POST", path, headers=spelled(headers))
        )

    def put(self, path: str, body: Any, **headers: str) -> TestResponse:
        return self.ask("PUT", path, json=body, headers=spelled(headers))

    def delete(self, path: str, **headers: str) -> TestResponse:
        return self.ask("DELETE", path, headers=spelled(headers))

    # Steps that many tests need

    def makes(self, **fields: Any) -> str:
        """The id of a new table."""
        answer = self.post("/games", TWO | fields)
        assert answer.status_code == 201, answer.text
        return str(answer.get_json()["id"])

    def state(self, game: str, query: str = "") -> Any:
        answer = self.get(f"/games/{game}/state{query}")
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    def decision(self, game: str) -> Any:
        """The first decision that waits for this account, or nothing."""
        answer = self.get(f"/games/{game}/decisions")
        assert answer.status_code == 200, answer.text
        return (answer.get_json()["decisions"] or [None])[0]

    def game(self, game: str) -> Any:
        answer = self.get(f"/games/{game}")
        assert answer.status_code == 200, answer.text
        return answer.get_json()


def spelled(headers: dict[str, str]) -> dict[str, str]:
    """Names of headers as they are written: `If_Match` is If-Match."""
    return {name.replace("_", "-"): value for name, value in headers.items()}


def problem(response: TestResponse) -> tuple[int, str]:
    """Status and code of a problem."""
    assert response.mimetype == "application/problem+json", response.text
    body = response.get_json()
    assert body["status"] == response.status_code
    assert body["request_id"] == response.headers["X-Request-Id"]
    return response.status_code, body["code"]


def begun(*people: ApiClient, **fields: Any) -> str:
    """A game that has begun, of the first one, with all of them."""
    first, *others = people
    game = first.makes(players=len(people), **fields)
    for other in others:
        word = first.post(f"/games/{game}/invitations").get_json()["invitation"]
        assert other.post(f"/games/{game}/seats", {"invitation": word}).status_code == 200
    assert first.post(f"/games/{game}/start").status_code == 200
    return game


def asked(game: str, *people: ApiClient) -> tuple[ApiClient, Any]:
    """The client that is asked now, and its decision."""
    for person in people:
        if decision := person.decision(game):
            return person, decision
    raise AssertionError("no decision waits")


def play_on(game: str, *people: ApiClient, moves: int = 10_000) -> int:
    """The examples of the decisions, one after the other. Gives how many moves were made."""
    for number in range(moves):
        if people[0].game(game)["status"] != "running":
            return number
        person, decision = asked(game, *people)
        answer = person.post(f"/games/{game}/moves", decision["example"])
        assert answer.status_code == 201, answer.text
    return moves
