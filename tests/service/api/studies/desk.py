"""A study over HTTP, and what its owner does with it."""

from __future__ import annotations

from typing import Any

from werkzeug.test import TestResponse

from service.accounts import SCOPES
from tests.service.api.asking import ApiClient, Described


class Desk:
    def __init__(self, owner: ApiClient, study: str, chapter: str = "") -> None:
        self.owner, self.study, self.chapter = owner, study, chapter

    @staticmethod
    def guest(described: Described, *scopes: str) -> ApiClient:
        accounts = described.app.services.accounts
        account = accounts.make_guest()
        token = accounts.tokens.create(account.id, "test", scopes or SCOPES["guest"])
        return ApiClient(described, token.secret, account.id)

    @classmethod
    def of(cls, described: Described, game: str, owner: ApiClient | None = None, **fields: Any) -> Desk:
        """A new study with this game as its first chapter."""
        owner = owner or cls.guest(described)
        made = owner.post("/studies", {"title": "Vetoes", "game": game, "chapter_title": "Round 5", **fields})
        assert made.status_code == 201, made.text
        body = made.get_json()
        return cls(owner, body["id"], body["chapters"][0]["id"])

    @property
    def path(self) -> str:
        return f"/studies/{self.study}"

    def edit(self, kind: str, *, by: ApiClient | None = None, **fields: Any) -> TestResponse:
        return (by or self.owner).post(f"{self.path}/edits", {"kind": kind, **fields})

    def edited(self, kind: str, **fields: Any) -> Any:
        """An edit that is accepted; in this chapter, unless it concerns the study."""
        answer = self.edit(kind, **fields)
        assert answer.status_code == 201, answer.text
        return answer.get_json()

    def write(self, text: str = "Takes the *sting* out of it", node: str = "20", **more: Any) -> Any:
        return self.edited("write_comment", chapter=self.chapter, node=node, text=text, **more)

    def read(self, by: ApiClient | None = None, query: str = "") -> Any:
        answer = (by or self.owner).get(self.path + query)
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    def page(self, by: ApiClient | None = None, query: str = "") -> Any:
        """The chapter."""
        answer = (by or self.owner).get(f"{self.path}/chapters/{self.chapter}{query}")
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    def node_path(self, node: str) -> str:
        return f"{self.path}/chapters/{self.chapter}/nodes/{node}"

    def position(self, node: str, by: ApiClient | None = None, query: str = "") -> Any:
        answer = (by or self.owner).get(self.node_path(node) + query)
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    def example(self, node: str) -> dict[str, Any]:
        """A seat and a move that can be tried at a node."""
        decision = self.position(node)["decisions"][0]
        return {"seat": decision["seat"], "move": decision["example"]}

    def try_move(self, parent: str = "20", **more: Any) -> Any:
        """The answer to the first move that can be tried at a node."""
        return self.edited("try_move", chapter=self.chapter, parent=parent, **self.example(parent), **more)

    def joined_by(self, member: ApiClient, role: str = "contributor") -> ApiClient:
        handle = member.get("/me").get_json()["handle"]
        self.edited("set_member", handle=handle, role=role)
        return member
