"""The client: one method for each operation of the service."""

from __future__ import annotations

import json
import secrets
import ssl
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, Self
from urllib.parse import quote

from .chat import Chat
from .connection import Connection
from .problems import Problem
from .resources import (
    Accepted,
    Account,
    Commit,
    Decision,
    Decisions,
    Game,
    GameWithPosition,
    Mail,
    Notice,
    Position,
    Preview,
)
from .streams import Source, follow, listen
from .studies import Studies
from .tournaments import Tournaments

PAGE = 100


class Hidalgo:
    """A service, and your account there. Use it in one thread at a time; more cost a connection each.

        hidalgo = Hidalgo("http://127.0.0.1:8000").guest()
        game = hidalgo.create_game(players=3)

    A request whose answer got lost is sent again for `retry_for` seconds, and nothing is done twice: see `connection`.
    Refusals are raised as a `Problem`.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        timeout: float = 30,
        retry_for: float = 60,
        tls: ssl.SSLContext | None = None,
        on_retry: Callable[[Problem], None] = lambda trouble: None,
    ) -> None:
        self._connection = Connection(url, token, timeout=timeout, retry_for=retry_for, tls=tls, on_retry=on_retry)
        self._nonces: dict[str, str] = {}
        self.chat = Chat(self._connection)
        self.studies = Studies(self._connection)
        self.tournaments = Tournaments(self._connection)

    @property
    def url(self) -> str:
        return self._connection.url

    @property
    def token(self) -> str | None:
        """Your credentials: keep them, and keep them to yourself."""
        return self._connection.token

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        """Any operation of the service, such as `request("POST", "/me/webhooks", {"url": …})`: sent again where that is
        safe, refusals raised as problems. The path is that below `/api/v1`; JSON is read."""
        return self._connection.send(method.upper(), path, query, body, key=idempotency_key).content()

    # Accounts

    def register(self, handle: str, password: str) -> Self:
        """A new account; this client is signed in as it from now on."""
        return self._signed_in(self._connection.post("/accounts", {"handle": handle, "password": password}).json())

    def guest(self) -> Self:
        """A new guest, without a password; this client is signed in as it from now on."""
        return self._signed_in(self._connection.post("/guests", {}).json())

    def me(self) -> Account:
        return Account.from_json(self._connection.get("/me").json())

    def declare_bot(self, is_bot: bool = True) -> Account:
        """Tell everybody that a program plays for this account, or that none does any more."""
        return Account.from_json(self._connection.put("/me/bot", {"bot": is_bot}).json())

    def _signed_in(self, account: Mapping[str, Any]) -> Self:
        self._connection.token = account["token"]
        return self

    # Tables

    def rules(self, game: str | None = None) -> Any:
        """The games that can be played; or one of them, with its regions and cards."""
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
        may_take_back: bool = True,
        title: str = "",
        starts_when_full: bool = False,
        join: bool = True,
        nonce: str | None = None,
    ) -> Game:
        """A new table. You sit down at it unless you say otherwise. `time` is a time control, such as `{"bank_ms": 1}`.

        You sit down by a second request: so your nonce is unknown while the service fixes its secret."""
        body: dict[str, Any] = {"players": players, "expansions": list(expansions), "options": dict(options or {})}
        body |= {"visibility": visibility, "join": False, "may_resign": may_resign}
        body |= {"may_take_back": may_take_back, "title": title, "starts_when_full": starts_when_full}
        body |= _given(rules=rules, time=time)
        game = Game.from_json(self._connection.post("/games", body).json())
        return self.join(game, nonce=nonce) if join else game

    def games(
        self, *, status: str | None = None, rules: str | None = None, player: str | None = None, limit: int = PAGE
    ) -> Iterator[Game]:
        """All public games of this kind, the newest first, fetched page by page."""
        query = {"status": status, "rules": rules, "player": player, "limit": limit}
        return map(Game.from_json, self._pages("/games", "games", "cursor", query))

    def game(self, game: Game | str) -> Game:
        return Game.from_json(self._connection.get(_path(game)).json())

    def join(
        self, game: Game | str, seat: str | None = None, *, nonce: str | None = None, invitation: str | None = None
    ) -> Game:
        """Sit down: on this seat, or on the first one that is free. Unless you name another nonce, a new one is added
        to the game's chance (`""` adds none)."""
        nonce = new_nonce() if nonce is None else nonce
        body = _given(seat=seat, nonce=nonce or None, invitation=invitation)
        seated = Game.from_json(self._connection.post(_path(game, "seats"), body).json())
        if nonce:
            self._nonces[seated.id] = nonce
        return seated

    def nonce(self, game: Game | str) -> str | None:
        """The nonce that this client has added to the game's chance: the fact `nonce_added` of your seat must show
        it."""
        return self._nonces.get(_id(game))

    def seat_bot(self, game: Game | str, bot: str, seat: str | None = None, *, pace_ms: int | None = None) -> Game:
        """Give a seat of your table, this one or the first that is free, to a bot of the service. `pace_ms`: how long
        people look at the table before it answers."""
        wish = _given(bot=bot, seat=seat, pace_ms=pace_ms)
        return Game.from_json(self._connection.post(_path(game, "seats"), wish).json())

    def leave(self, game: Game | str) -> Game:
        """Stand up, before the game begins."""
        return Game.from_json(self._connection.delete(_path(game, "seats", "mine")).json())

    def remove(self, game: Game | str, player: str) -> Game:
        """Make a player, named by the account's id, leave your table before the game begins."""
        return Game.from_json(self._connection.delete(_path(game, "players", player)).json())

    def invite(self, game: Game | str, seat: str | None = None) -> str:
        """An invitation to a table: it lets one player sit down."""
        invitation: str = self._connection.post(_path(game, "invitations"), _given(seat=seat)).json()["invitation"]
        return invitation

    def link(self, game: Game | str) -> str:
        """The link of your table: the page on which everybody who has it can sit down, without an account."""
        link: str = self._connection.post(_path(game, "invitations"), {"reusable": True}).json()["url"]
        return link

    def start(self, game: Game | str) -> Game:
        return self._changed(game, "start")

    def abort(self, game: Game | str) -> Game:
        return self._changed(game, "abort")

    def resign(self, game: Game | str) -> Game:
        """Leave a running game for good."""
        return self._changed(game, "resign")

    def rematch(self, game: Game | str) -> Game:
        """After the end: the new table for the same players, everybody one seat further. You sit there then."""
        return self._changed(game, "rematch")

    def pause(self, game: Game | str) -> Game:
        """Ask for a pause; there is one when all players have asked."""
        return self._changed(game, "pause")

    def resume(self, game: Game | str) -> Game:
        """Let the clocks run again."""
        return self._changed(game, "resume")

    def take_back(self, game: Game | str, of: str = "") -> Game:
        """Take your last move back, or agree that the seat `of` takes its own back."""
        return self._changed(game, "take-back", of=of)

    def return_to_seat(self, game: Game | str) -> Game:
        """Play again after your seat was played automatically."""
        return self._changed(game, "return")

    def take_vacation(self, game: Game | str, days: int) -> Game:
        """Be away, for some of the days that were agreed on."""
        return self._changed(game, "vacation", days=days)

    def ledger(self, game: Game | str) -> Sequence[Mapping[str, Any]]:
        """Everything that happened to the clocks."""
        rows: Sequence[Mapping[str, Any]] = self._connection.get(_path(game, "clock")).json()["rows"]
        return rows

    def _changed(self, game: Game | str, how: str, **body: Any) -> Game:
        return Game.from_json(self._connection.post(_path(game, how), body).json())

    # Playing

    def decisions(self, game: Game | str) -> Decisions:
        """The questions that wait for you now."""
        return Decisions.from_json(self._connection.get(_path(game, "decisions")).json())

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
        return Accepted.from_json(self._connection.post(path, answer, key=idempotency_key).json())

    def dry_run(self, game: Game | str, /, decision: Decision | str, kind: str, **fields: Any) -> Preview:
        """The facts that this answer would bring; nothing is done."""
        path, answer = _path(game, "moves"), _answer(decision, kind, fields)
        return Preview.from_json(self._connection.post(path, answer, {"dry_run": "true"}).json())

    # Reading

    def state(self, game: Game | str, *, version: int | None = None, viewer: str | None = None) -> Position:
        """The position: now or after an earlier version, as you may see it or as a spectator does."""
        return Position.from_json(
            self._connection.get(_path(game, "state"), _given(version=version, viewer=viewer)).json()
        )

    def positions(
        self,
        games: Iterable[Game | str] | None = None,
        *,
        status: str | None = None,
        rules: str | None = None,
        player: str | None = None,
        limit: int = PAGE,
    ) -> Iterator[GameWithPosition]:
        """Many games with their positions, a hundred at a request: these, without those that are not there for you; or
        all public games of this kind, the newest first."""
        query = {"status": status, "rules": rules, "player": player, "limit": limit}
        found = self._pages("/positions", "positions", "cursor", query) if games is None else self._named(games)
        return map(GameWithPosition.from_json, found)

    def _named(self, games: Iterable[Game | str]) -> Iterator[Mapping[str, Any]]:
        ids = [_id(game) for game in games]
        for start in range(0, len(ids), PAGE):
            named = ",".join(ids[start : start + PAGE])
            yield from self._connection.get("/positions", {"games": named}).json()["positions"]

    def events(self, game: Game | str, *, after: int = 0, limit: int = PAGE) -> Iterator[Commit]:
        """The commits after a version, fetched page by page."""
        query = {"after": after, "limit": limit}
        return map(Commit.from_json, self._pages(_path(game, "events"), "events", "after", query))

    def stream(self, game: Game | str, *, after: int = 0, pause: float = 1) -> Generator[Commit, None, None]:
        """The commits as they are made, until the game is over. None is left out and none comes twice, whatever
        becomes of the connection; if the service has no stream to spare, it is polled every `pause` seconds."""

        def streamed(after: int) -> Iterator[Commit]:
            events = listen(self._connection, _path(game, "stream"), after)
            return (Commit.from_json(json.loads(event.data)) for event in events if event.name == "commit")

        def polled(after: int) -> Iterator[Commit] | None:
            now = self.game(game)
            if now.version > after:
                return self.events(game, after=after)
            return None if now.is_over else iter(())

        return follow(Source(streamed, polled, lambda commit: commit.version), after, pause)

    def export(self, game: Game | str) -> bytes:
        """The game as a file for `hidalgo verify`."""
        return self._connection.get(_path(game, "export")).body

    # Notices

    def inbox(self, *, after: int = 0, limit: int = PAGE) -> Iterator[Notice]:
        """Your notices after a number, fetched page by page."""
        query = {"after": after, "limit": limit}
        return map(Notice.from_json, self._pages("/me/inbox", "notices", "after", query))

    def inbox_stream(self, *, after: int = 0, pause: float = 1) -> Generator[Notice, None, None]:
        """Your notices as they come, without end; none is left out and none comes twice, as with `stream`."""

        def streamed(after: int) -> Iterator[Notice]:
            events = listen(self._connection, "/me/inbox/stream", after)
            return (Notice.from_json(json.loads(event.data)) for event in events if event.name == "notice")

        return follow(Source(streamed, lambda after: self.inbox(after=after), lambda notice: notice.id), after, pause)

    # Mail

    def mail(self) -> Mail:
        """Your mail address and choices, and letters that have not arrived."""
        return Mail.from_json(self._connection.get("/me/mail").json())

    def change_mail(self, choices: Sequence[str], *, address: str | None = None, digest: str = "soon") -> Mail:
        """Choose the letters that you get, such as `["turn", "reminder"]`. A new address gets a letter with a code, and
        nothing else until you confirm it; without one the address stays."""
        body = {"choices": list(choices), "digest": digest, **_given(address=address)}
        return Mail.from_json(self._connection.put("/me/mail", body).json())

    def confirm_mail(self, code: str) -> Mail:
        """Confirm your address with the code of the letter that went there."""
        return Mail.from_json(self._connection.post("/me/mail/confirmation", {"code": code}).json())

    def retry_mail(self) -> Mail:
        """Write the letters that were parked anew."""
        return Mail.from_json(self._connection.post("/me/mail/retry", {}).json())

    def forget_mail(self) -> None:
        """Forget your address and choices, and all letters that wait."""
        self._connection.delete("/me/mail")

    def _pages(self, path: str, name: str, cursor: str, query: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
        """The items of a list, page by page; `cursor` is the parameter that leads to the next page."""
        page = self._connection.get(path, query).json()
        yield from page[name]
        while page.get("next") is not None:
            page = self._connection.get(path, {**query, cursor: page["next"]}).json()
            yield from page[name]


def new_nonce() -> str:
    """What a player adds to a game's chance, so that no other party can have chosen the shuffles."""
    return secrets.token_hex(16)


def _path(game: Game | str, *more: str) -> str:
    return "/".join(["/games", quote(_id(game), safe=""), *more])


def _id(game: Game | str) -> str:
    return game.id if isinstance(game, Game) else game


def _answer(decision: Decision | str, kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"decision": decision.id if isinstance(decision, Decision) else decision, "kind": kind, **fields}


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
