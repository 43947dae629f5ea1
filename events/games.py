"""Games: create, load, move, look. The one way into a log for everybody who plays.

A game is loaded by folding its commits. Folded games are kept in memory, and only newer commits are read the next
time; the log is the truth, and any of them can be thrown away.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events import chain, codec
from events.codec import FINGERPRINT, SCHEMA, Commit, Header
from events.errors import AnotherRequest, Busy, Conflict, Damaged, NoSuchGame, NotNow
from events.facts import (
    GameAborted,
    GameCreated,
    GameStarted,
    NonceAdded,
    SeatLeft,
    SeatTaken,
    SecretRevealed,
    TableFact,
)
from events.log import Log
from rules import VERSION, catalogue
from rules.errors import Refused, Unreadable
from rules.kernel import EVERYTHING, Answer, Fact, State, TimeUp, Viewer, fold, play
from rules.wire import wire

OPEN, RUNNING, OVER, ABORTED = "open", "running", "over", "aborted"

ATTEMPTS = 20
"""How often a command is decided again because somebody was faster."""

KEPT = 1000
"""How many folded games a process keeps."""


class Game(Struct, frozen=True):
    """A game after some version: what was agreed, and where it stands."""

    id: str
    rules: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    commitment: str
    version: int
    head: str
    """The hash of the last commit."""
    state: State
    created_at: int = 0
    """Milliseconds since 1970."""
    owner: str = ""
    visibility: str = "public"
    seats: Mapping[str, str] = {}
    """Player to who sits there."""
    nonces: Mapping[str, str] = {}
    started: bool = False
    aborted: bool = False

    @property
    def status(self) -> str:
        if self.aborted:
            return ABORTED
        if not self.started:
            return OPEN
        return OVER if self.state.is_over else RUNNING

    def seat_of(self, who: str) -> str:
        """The player who this is at the table."""
        for player, sitting in self.seats.items():
            if sitting == who:
                return player
        raise NotNow("you do not sit at this table")


Check = Callable[[Game], None]
"""Raises what forbids a command on the game as it stands. Asked again on the newest game before it is believed."""


def anybody(game: Game) -> None:
    """Nothing forbids it."""


class Accepted(Struct, frozen=True):
    """A command was taken: the commit it made, and the game after it."""

    commit: Commit
    game: Game
    repeated: bool = False


class Games:
    """All games of a log."""

    def __init__(
        self,
        log: Log,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        draw: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        self.log = log
        self._now = now
        self._draw = draw
        self._kept = _Kept(KEPT)

    # Beginning

    def create(
        self,
        rules: str,
        players: int,
        options: Mapping[str, str] | None = None,
        *,
        owner: str = "",
        visibility: str = "public",
        game: str = "",
        command: str = "",
        request: bytes = b"",
    ) -> Game:
        """A new table. Its secret is drawn now and fixed by the first commit."""
        options = dict(options or {})
        named = catalogue.rules_named(rules)
        catalogue.game_named(rules).empty_table(named, players, **options)  # refuses what cannot be played
        game, secret = game or new_id(), self._draw(chain.SECRET_BYTES)
        created = GameCreated(game, named.name, players, options, chain.commitment(secret), owner, visibility)
        name = command or "create"
        header = Header(
            game, 1, self._now(), "table", _signed(name, request, secret), "", SCHEMA, VERSION, chain.NO_HASH
        )
        entry, commit = codec.write(header, [created], secret)
        if self.log.append(game, 0, entry, command=name, secret=secret).repeated:
            return self._repeated(game, 1, request).game
        return self._kept.put(_created(commit, created), secret)

    def join(
        self,
        game: str,
        who: str,
        *,
        player: str = "",
        nonce: str = "",
        command: str = "",
        request: bytes = b"",
        check: Check = anybody,
    ) -> Accepted:
        """Somebody sits down on a free seat, the first one if none is named, and may add to the game's chance."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            _check_open(known)
            if who in known.seats.values():
                raise NotNow("you sit at this table already")
            free = [seat for seat in known.players if seat not in known.seats]
            if not free:
                raise NotNow("all seats are taken")
            if player and player not in known.players:
                raise Unreadable(f"this table has no seat {player}: choose from {', '.join(free)}")
            if player and player not in free:
                raise NotNow(f"the seat {player} is taken: choose from {', '.join(free)}")
            seat = player or free[0]
            adds = [NonceAdded(seat, nonce)] if nonce and seat not in known.nonces else []
            return [SeatTaken(seat, who), *adds]

        return self._commit(game, decide, by=who, command=command or new_id(), request=request)

    def leave(
        self, game: str, who: str, *, command: str = "", request: bytes = b"", check: Check = anybody
    ) -> Accepted:
        """Somebody stands up before the game begins."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            _check_open(known)
            return [SeatLeft(known.seat_of(who), who)]

        return self._commit(game, decide, by=who, command=command or new_id(), request=request)

    def abort(
        self, game: str, by: str = "table", *, command: str = "", request: bytes = b"", check: Check = anybody
    ) -> Accepted:
        """Clear the table before the game begins."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            _check_open(known)
            return [GameAborted()]

        return self._commit(game, decide, by=by, command=command or new_id(), request=request)

    def add_nonce(self, game: str, player: str, nonce: str, *, command: str = "") -> Accepted:
        """A player adds to the game's chance, before it starts."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            _check_open(known)
            if player not in known.players:
                raise Unreadable(f"nobody at this table is called {player}")
            if player in known.nonces:
                raise NotNow(f"{player} has added to the game's chance already")
            return [NonceAdded(player, nonce)]

        return self._commit(game, decide, by=player, command=command or f"nonce/{player}")

    def start(self, game: str, *, command: str = "", request: bytes = b"", check: Check = anybody) -> Accepted:
        """Fix the seed and set the table."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            _check_open(known)
            if known.seats and len(known.seats) < len(known.players):
                raise NotNow(f"{len(known.players) - len(known.seats)} seats are still free")
            facts, _ = _set_table(known, chain.seed(secret, known.nonces))
            return [GameStarted(), *facts]

        return self._commit(game, decide, by="table", command=command or "start", request=request)

    # Playing

    def play(self, game: str, answer: Answer | TimeUp, *, command: str = "") -> Accepted:
        """Decide a command and store what follows. The same `command` is taken once, and answered the same again."""

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            return _played(known, secret, answer)

        by = answer.player if isinstance(answer, Answer) else "clock"
        return self._commit(game, decide, by=by, command=command or new_id(), decision=answer.decision)

    def play_as(
        self,
        game: str,
        who: str,
        said: Mapping[str, Any],
        *,
        command: str = "",
        request: bytes = b"",
        check: Check = anybody,
    ) -> Accepted:
        """Read what somebody who sits at the table said, decide it and store what follows, as `play` does.

        The game as this process knows it says which seat that is: nothing is loaded first.
        """

        def decide(known: Game, secret: bytes) -> Sequence[Fact]:
            check(known)
            return _played(known, secret, wire(known.rules).answer(known.seat_of(who), said))

        def by(known: Game) -> str:
            return known.seat_of(who)

        return self._commit(
            game, decide, by=by, command=command or new_id(), request=request, decision=said["decision"]
        )

    def _commit(
        self,
        game: str,
        decide: Callable[[Game, bytes], Sequence[Fact]],
        *,
        by: str | Callable[[Game], str],
        command: str,
        request: bytes = b"",
        decision: str = "",
    ) -> Accepted:
        """Decide on what is known, append, and decide again when somebody was faster.

        `request` is all that was asked by this command, if it can come again: then it must be the same.
        """
        known, secret = self._known(game)
        for _ in range(ATTEMPTS):
            try:
                facts = decide(known, secret)
            except (Refused, NotNow, NoSuchGame):
                # What looks refused may have been accepted before, or the game has moved on.
                if version := self.log.command_version(game, command):
                    return self._repeated(game, version, request)
                if (newest := self._catch_up(known)) is known:
                    raise
                known = newest
                continue
            who = by if isinstance(by, str) else by(known)
            signed = _signed(command, request, secret)
            header = Header(game, known.version + 1, self._now(), who, signed, decision, SCHEMA, VERSION, known.head)
            entry, commit = codec.write(header, facts, secret)
            try:
                appended = self.log.append(game, known.version, entry, command=command)
            except Conflict as faster:
                known = self._kept.put(
                    after(known, (codec.read(entry, known.rules) for entry in faster.entries)), secret
                )
                continue
            if appended.repeated:
                return self._repeated(game, appended.version, request)
            return Accepted(commit, self._kept.put(after(known, [commit]), secret))
        raise Busy(f"game {game} changes too fast")

    def _repeated(self, game: str, version: int, request: bytes) -> Accepted:
        known = self.load(game, version)
        [entry] = self.log.read(game, version - 1, version)
        commit = codec.read(entry, known.rules)
        made_by = commit.header.fingerprint
        if request and made_by and made_by != chain.fingerprint(self._known(game)[1], request):
            raise AnotherRequest("this name was given to another request before")
        return Accepted(commit, known, repeated=True)

    # Looking

    def load(self, game: str, version: int | None = None) -> Game:
        """The game now, or as it was after a version."""
        if version is None:
            return self._catch_up(self._known(game)[0])
        if version < 1:
            raise NoSuchGame(f"there is no version {version}")
        known = fold_entries(self.log.read(game, until=version))
        if known is None or known.version != version:
            raise NoSuchGame(f"there is no version {version} of game {game}")
        return known

    def commits(self, game: str, after: int = 0, until: int | None = None) -> list[Commit]:
        """The commits after a version."""
        known, _ = self._known(game)
        return [codec.read(entry, known.rules) for entry in self.log.read(game, after, until)]

    def _known(self, game: str) -> tuple[Game, bytes]:
        """The game as this process last saw it, and its secret."""
        if kept := self._kept.get(game):
            return kept
        known = fold_entries(self.log.read(game))
        if known is None:
            raise NoSuchGame(f"there is no game {game}")
        secret = self.log.secret(game)
        if chain.commitment(secret) != known.commitment:
            raise Damaged(f"the secret of game {game} is not the one it was created with")
        return self._kept.put(known, secret), secret

    def _catch_up(self, known: Game) -> Game:
        entries = self.log.read(known.id, known.version)
        if not entries:
            return known
        return self._kept.put(after(known, (codec.read(entry, known.rules) for entry in entries)))


class _Kept:
    """The games used last, and their secrets."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._games: OrderedDict[str, tuple[Game, bytes]] = OrderedDict()

    def get(self, game: str) -> tuple[Game, bytes] | None:
        with self._lock:
            if game in self._games:
                self._games.move_to_end(game)
            return self._games.get(game)

    def put(self, game: Game, secret: bytes | None = None) -> Game:
        """Keep this game unless a newer version is kept already; gives back what was put."""
        with self._lock:
            kept, known_secret = self._games.get(game.id, (None, b""))
            if kept is None or kept.version < game.version:
                self._games[game.id] = game, known_secret if secret is None else secret
                self._games.move_to_end(game.id)
            while len(self._games) > self._most:
                self._games.popitem(last=False)
        return game


# Folding


def fold_entries(entries: Sequence[bytes]) -> Game | None:
    """The game that these stored commits tell; None if there are none."""
    if not entries:
        return None
    commit, created = codec.read_creation(entries[0])
    return after(_created(commit, created), (codec.read(entry, created.rules) for entry in entries[1:]))


def after(game: Game, commits: Iterable[Commit]) -> Game:
    """The game after more commits."""
    for commit in commits:
        if commit.header.version != game.version + 1:
            raise Damaged(f"commit {commit.header.version} of game {game.id} follows {game.version}")
        game = _after_commit(game, commit)
    return game


def _created(commit: Commit, created: GameCreated) -> Game:
    board: Any = catalogue.game_named(created.rules).empty_table(
        catalogue.rules_named(created.rules), created.players, **created.options
    )
    return Game(
        id=created.game,
        rules=created.rules,
        players=board.players,
        options=created.options,
        commitment=created.commitment,
        version=commit.header.version,
        head=commit.hash,
        state=State(board),
        created_at=commit.header.at,
        owner=created.owner,
        visibility=created.visibility,
    )


def _after_commit(game: Game, commit: Commit) -> Game:
    for fact in commit.facts:
        if isinstance(fact, TableFact):
            game = _after_table_fact(game, fact)
    moves = [fact for fact in commit.facts if not isinstance(fact, TableFact)]
    return replace(
        game,
        version=commit.header.version,
        head=commit.hash,
        state=fold(game.state, moves) if moves else game.state,
    )


def _after_table_fact(game: Game, fact: TableFact) -> Game:
    match fact:
        case SeatTaken(player, who):
            return replace(game, seats={**game.seats, player: who})
        case SeatLeft(left):
            # A nonce stays when its seat is left: it was public, and taking it back would be a choice.
            return replace(game, seats={player: who for player, who in game.seats.items() if player != left})
        case NonceAdded(player, nonce):
            return replace(game, nonces={**game.nonces, player: nonce})
        case GameStarted():
            return replace(game, started=True)
        case GameAborted():
            return replace(game, aborted=True)
    return game


def _signed(command: str, request: bytes, secret: bytes) -> str:
    """A command's name, and what tells its request from any other."""
    return f"{command}{FINGERPRINT}{chain.fingerprint(secret, request)}" if request else command


def _check_open(game: Game) -> None:
    if game.status == ABORTED:
        raise NotNow("the table was cleared before the game began")
    if game.status != OPEN:
        raise NotNow("the game has begun")


def _played(game: Game, secret: bytes, answer: Answer | TimeUp) -> Sequence[Fact]:
    if not game.started:
        raise NotNow("the game has not begun")
    facts, after = play(game.state, answer)
    return [*facts, SecretRevealed(secret.hex())] if after.is_over else facts


def _set_table(game: Game, seed: bytes) -> tuple[tuple[Fact, ...], State]:
    named = catalogue.rules_named(game.rules)
    return catalogue.game_named(game.rules).start(named, len(game.players), seed, **game.options)


def redact(commit: Commit, viewer: Viewer) -> list[Fact]:
    """The facts of a commit as this viewer may know them."""
    return [fact if viewer == EVERYTHING else fact.seen_by(viewer) for fact in commit.facts]


def new_id() -> str:
    """A name nobody can guess."""
    return secrets.token_urlsafe(12)
