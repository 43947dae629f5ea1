"""What a client asks of a write beside the write itself: that it is done once (Idempotency-Key), and only to the
version it has seen (If-Match)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import msgspec
from flask import request

from events.games import Game, new_id
from rules.errors import Unreadable
from service.http.problems import Changed
from service.http.request_bodies import BODY
from service.http.responses import version_of

KEY = "Idempotency-Key"
GIVEN = "HTTP_IDEMPOTENCY_KEY"
VISIBLE = re.compile(r"[\x21-\x7e]{1,64}")


@dataclass(frozen=True)
class Once:
    """A request that is done once: the client's name for it, and all that it asks for."""

    key: str
    request: bytes = b""

    def by(self, who: str) -> dict[str, Any]:
        """The command that it is for the log."""
        return {"command": f"{who}/{self.key}", "request": self.request}

    def with_secret(self, secret: str) -> str:
        """What it is known by to one who shows this secret; nothing if the client has not named it."""
        return f"{secret}\0{self.key}" if self.request else ""


def once() -> Once:
    """This request, by the name that the client has given it or by a new one that nobody will ever send again."""
    environ = request.environ
    given = environ.get(GIVEN)
    if given is None:
        return Once(new_id())
    if not VISIBLE.fullmatch(given):
        raise Unreadable(f"{KEY} is 1 to 64 visible ASCII characters")
    asked = environ["REQUEST_METHOD"], request.path, environ[BODY]
    return Once(given, msgspec.json.encode(asked, order="sorted"))


def is_matched(version: str) -> bool:
    """Whether the client names this version, whoever it has seen it as."""
    named = request.if_match
    return named.star_tag or any(version_of(etag) == version for etag in named if etag)


def check_version(game: Game) -> None:
    """Refuses a write to a game that the client has not seen as it is."""
    if "HTTP_IF_MATCH" in request.environ and not is_matched(str(game.version)):
        raise Changed(f"the game is at version {game.version}, which is not the one you named: look at it again")
