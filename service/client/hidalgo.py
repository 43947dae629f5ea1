"""The service in its own words: one method for each thing that can be asked of it."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, Self
from urllib.parse import quote

from .answers import Accepted, Account, Commit, Decision, Decisions, Game, Notice, Position, Preview
from .connection import Connection
from .following import Source, follow, listen
from .problems import Problem

PAGE = 100


class Hidalgo:
    """A service, and who you are there. Use it in one thread at a time; more cost a connection each.

        hidalgo = Hidalgo("http://127.0.0.1:8000").guest()
        game = hidalgo.create_game(players=3)

    Whatever is lost on the way is sent again for `patience` seconds, and nothing is done twice: see `connection`.
    Refusals are raised as a `Problem`.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 30,
        patience: float = 60,
        tls: ssl.SSLContext | None = None,
        on_retry: Callable[[Problem], None] = lambda trouble: None,
    ) -> None:
        self._connection = Connection(url, token, timeout=timeout, patience=patience, tls=tls, on_retry=on_retry)

    @property
    def url(self) -> str:
        return self._connection.url

    @property
    def token(self) -> str | None:
        """Who has it is you: keep it, and keep it to yourself."""
        return self._connection.token

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Who you are

    def register(self, handle: str, password: str) -> Self:
        """A new account; from now on this is you."""
        return self._signed_in(self._connection.post("/accounts", {"handle": handle, "password": password}).json())

    def guest(self) -> Self:
        """A new guest, without a password; from now on this is you."""
        return self._signed_in(self._connection.post("/guests", {}).json())

    def me(self) -> Account:
        return Account.read(self._connection.get("/me").json())

    def _signed_in(self, said: Mapping[str, Any]) -> Self:
        self._connection.token = said["token"]
        return self

    # Tables

    def rules(self, game: str | None = None) -> Any:
        """Which games there are; or one of them, with its regions and cards."""
        return self._connection.get(f"/rules/{quote(game)}" if game else "/rules").json()

    def create_game(
        self,
        rules: str | None = None,
        players: int = 4,
        *,
        expansions: Sequence[str] = (),
        options: Mapping[str, str] | None = None,
        visibility: str = "public",
        time: Mapping[str, Any] | None = None,
        may_resign: bool = True,
        join: bool = True,
        nonce: str | None = None,
    ) -> Game:
        """A new table. You sit down at it unless you say otherwise. `time` is a time control, such as `bank_ms=…`."""
        wish: dict[str, Any] = {"players": players, "expansions": list(expansions), "options": dict(options or {})}
        wish |= {"visibility": visibility, "join": join, "may_resign": may_resign}
        wish |= _given(rules=rules, time=time, nonce=nonce)
        return Game.read(self._connection.post("/games", wish).json())

    def games(
        self, *, status: str | None = None, rules: str | None = None, player: str | None = None, limit: int = PAGE
    ) -> Iterator[Game]:
        """All public games of this kind, the newest first, fetched page by page."""
        query: dict[str, Any] = {"status": status, "rules": rules, "player": player, "limit": limit, "cursor": None}
        while True:
            page = self._connection.get("/games", query).json()
            yield from (Game.read(game) for game in page["games"])
            query["cursor"] = page.get("next")
            if query["cursor"] is None:
                return

    def game(self, game: Game | str) -> Game:
        return Game.read(self._connection.get(_path(game)).json())

    def join(
        self, game: Game | str, seat: str | None = None, *, nonce: str | None = None, invitation: str | None = None
    ) -> Game:
        """Sit down: on this seat, or on the first one that is free."""
        wish = _given(seat=seat, nonce=nonce, invitation=invitation)
        return Game.read(self._connection.post(_path(game, "seats"), wish).json())

    def leave(self, game: Game | str) -> Game:
        """Stand up, before the game begins."""
        return Game.read(self._connection.delete(_path(game, "seats", "mine")).json())

    def invite(self, game: Game | str, seat: str | None = None) -> str:
        """An invitation to a table; who brings it may sit down, once."""
        invitation: str = self._connection.post(_path(game, "invitations"), _given(seat=seat)).json()["invitation"]
        return invitation

    def start(self, game: Game | str) -> Game:
        return self._changed(game, "start")

    def abort(self, game: Game | str) -> Game:
        return self._changed(game, "abort")

    def resign(self, game: Game | str) -> Game:
        """Leave a running game for good."""
        return self._changed(game, "resign")

    def pause(self, game: Game | str) -> Game:
        """Ask for a pause; there is one when everybody has asked."""
        return self._changed(game, "pause")

    def resume(self, game: Game | str) -> Game:
        """Let the clocks run again."""
        return self._changed(game, "resume")

    def take_back(self, game: Game | str) -> Game:
        """Play again after the seat was played for you."""
        return self._changed(game, "return")

    def take_vacation(self, game: Game | str, days: int) -> Game:
        """Be away, for some of the days that were agreed."""
        return self._changed(game, "vacation", days=days)

    def ledger(self, game: Game | str) -> Sequence[Mapping[str, Any]]:
        """Everything that happened to the clocks."""
        rows: Sequence[Mapping[str, Any]] = self._connection.get(_path(game, "clock")).json()["rows"]
        return rows

    def _changed(self, game: Game | str, how: str, **wish: Any) -> Game:
        return Game.read(self._connection.post(_path(game, how), wish).json())

    # Playing

    def decisions(self, game: Game | str) -> Decisions:
        """The questions that wait for you now."""
        return Decisions.read(self._connection.get(_path(game, "decisions")).json())

    def move(
        self,
        game: Game | str,
        /,
        decision: Decision | str,
        kind: str,
        *,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Accepted:
        """Answer a decision: `hidalgo.move(game, decision, "play_power_card", value=7)`, or with a whole answer
        `hidalgo.move(game, **decision.example)`. With the same `idempotency_key` it is taken once."""
        path, answer = _path(game, "moves"), _answer(decision, kind, fields)
        return Accepted.read(self._connection.post(path, answer, key=idempotency_key).json())

    def dry_run(self, game: Game | str, /, decision: Decision | str, kind: str, **fields: Any) -> Preview:
        """What this answer would bring; nothing is done."""
        path, answer = _path(game, "moves"), _answer(decision, kind, fields)
        return Preview.read(self._connection.post(path, answer, {"dry_run": "true"}).json())

    # Looking

    def state(self, game: Game | str, *, version: int | None = None, viewer: str | None = None) -> Position:
        """The position: now or after an earlier version, as you may see it or as a spectator does."""
        return Position.read(self._connection.get(_path(game, "state"), _given(version=version, viewer=viewer)).json())

    def events(self, game: Game | str, *, after: int = 0, limit: int = PAGE) -> Iterator[Commit]:
        """What has happened since a version, fetched page by page."""
        while True:
            page = self._connection.get(_path(game, "events"), {"after": after, "limit": limit}).json()
            for said in page["events"]:
                commit = Commit.read(said)
                after = commit.version
                yield commit
            if page.get("next") is None or not page["events"]:
                return

    def stream(self, game: Game | str, *, after: int = 0, pause: float = 1) -> Generator[Commit, None, None]:
        """What happens, as it happens, until the game is over. Nothing is left out and nothing comes twice, whatever
        becomes of the connection; where the service has no stream to spare, it is asked every `pause` seconds."""

        def heard(after: int) -> Iterator[Commit]:
            events = listen(self._connection, _path(game, "stream"), after)
            return (Commit.read(json.loads(event.data)) for event in events if event.name == "commit")

        def missed(after: int) -> Iterator[Commit] | None:
            now = self.game(game)
            if now.version > after:
                return self.events(game, after=after)
            return None if now.is_over else iter(())

        return follow(Source(heard, missed, lambda commit: commit.version), after, pause)

    def export(self, game: Game | str) -> bytes:
        """The game as a file for `hidalgo verify`."""
        return self._connection.get(_path(game, "export")).body

    # What concerns you

    def inbox(self, *, after: int = 0, limit: int = PAGE) -> Iterator[Notice]:
        """Your notices since one of them, fetched page by page."""
        while True:
            page = self._connection.get("/me/inbox", {"after": after, "limit": limit}).json()
            for said in page["notices"]:
                notice = Notice.read(said)
                after = notice.id
                yield notice
            if page.get("next") is None or not page["notices"]:
                return

    def inbox_stream(self, *, after: int = 0, pause: float = 1) -> Generator[Notice, None, None]:
        """Your notices as they come, without end; none is left out and none comes twice, as with `stream`."""

        def heard(after: int) -> Iterator[Notice]:
            events = listen(self._connection, "/me/inbox/stream", after)
            return (Notice.read(json.loads(event.data)) for event in events if event.name == "notice")

        return follow(Source(heard, lambda after: self.inbox(after=after), lambda notice: notice.id), after, pause)


def _path(game: Game | str, *more: str) -> str:
    return "/".join(["/games", quote(_id(game), safe=""), *more])


def _id(game: Game | str) -> str:
    return game.id if isinstance(game, Game) else game


def _answer(decision: Decision | str, kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"decision": decision.id if isinstance(decision, Decision) else decision, "kind": kind, **fields}


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
