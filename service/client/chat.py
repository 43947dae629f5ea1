"""The chat of a table: players write to each other, and so do spectators. `docs/chat.md` has all of it.

    chat = Hidalgo(url, token).chat
    chat.write(game, "Have fun, everybody")
    for message in chat.stream(game):
        print(message["player"]["handle"], message["text"])

A message is a plain dictionary, as the service sends it; to name one, give it back.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from .connection import Connection
from .resources import Game
from .streams import Source, follow, listen

Message = Mapping[str, Any]


class Chat:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def look(self, game: Game | str, *, room: str = "", after: int = 0) -> dict[str, Any]:
        """The last `messages`, oldest first, and whether you `may_write`. Of your own `room`; after the end also of the
        other one, `players` or `spectators`."""
        found: dict[str, Any] = self._connection.get(_path(game), {"room": room, "after": after}).json()
        return found

    def write(self, game: Game | str, text: str) -> Message:
        """A line of plain text, to everybody in your room."""
        message: Message = self._connection.post(_path(game), {"text": text}).json()
        return message

    def stream(
        self, game: Game | str, *, room: str = "", after: int = 0, pause: float = 1
    ) -> Generator[Message, None, None]:
        """The messages as they are written, without end; none comes twice, whatever becomes of the connection. One that
        `removes` another tells that its text is gone."""

        def streamed(after: int) -> Iterator[Message]:
            events = listen(self._connection, _path(game, "stream"), after, {"room": room})
            return (json.loads(event.data) for event in events if event.name == "message")

        def missed(after: int) -> Iterator[Message]:
            return iter(self.look(game, room=room, after=after)["messages"])

        return follow(Source(streamed, missed, lambda message: int(message["id"])), after, pause)

    def remove(self, game: Game | str, message: Message) -> None:
        """Take the text of a message away: of your own, or of any at your table."""
        self._connection.delete(_path_of(game, message))

    def complain(self, game: Game | str, message: Message, reason: str = "") -> None:
        """Tell the administrators of a message."""
        self._connection.post(f"{_path_of(game, message)}/complaint", {"reason": reason})

    # People who are not read

    def mutes(self) -> list[Mapping[str, Any]]:
        """The people whose messages you do not read."""
        players: list[Mapping[str, Any]] = self._connection.get("/me/mutes").json()["players"]
        return players

    def mute(self, player: str) -> None:
        """Read nothing of an account, named by its id, any more; it is not told."""
        self._connection.put(f"/me/mutes/{quote(player, safe='')}", {})

    def unmute(self, player: str) -> None:
        self._connection.delete(f"/me/mutes/{quote(player, safe='')}")


def _path_of(game: Game | str, message: Message) -> str:
    return _path(game, message["room"], str(message["id"]))


def _path(game: Game | str, *more: str) -> str:
    id = game.id if isinstance(game, Game) else game
    return "/".join(["/games", quote(id, safe=""), "chat", *(quote(part, safe="") for part in more)])
