"""What a client asks of a write beside the write itself: that it is done once (Idempotency-Key), and only to the
version it has seen (If-Match)."""

from __future__ import annotations

import re

from flask import request

from events.games import Game, new_id
from rules.errors import Unreadable
from service.errors import Changed

KEY = "Idempotency-Key"
VISIBLE = re.compile(r"[\x21-\x7e]{1,64}")


def key() -> str:
    """The client's name for this request, or a new one that nobody will ever send again."""
    given = request.headers.get(KEY)
    if given is None:
        return new_id()
    if not VISIBLE.fullmatch(given):
        raise Unreadable(f"{KEY} is 1 to 64 visible ASCII characters")
    return given


def check_version(game: Game) -> None:
    """Refuses a write to a game that the client has not seen as it is."""
    if "If-Match" in request.headers and not request.if_match.contains(str(game.version)):
        raise Changed(f"the game is at version {game.version}, which is not the one you named: look at it again")
