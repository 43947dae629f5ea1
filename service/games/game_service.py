"""The game service: what views call with the account that asks and what it wants.

Everything that must hold for a write is decided on the very game that it is appended to, in `events.table.commands`:
in a process that knows the game, a move is one round trip to the store.
"""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from msgspec import convert
from msgspec.structs import replace

from events.audit.export import export_pieces
from events.errors import AnotherRequest, NoSuchGame, NotNow, NotPermitted, Revoked
from events.games import Games
from events.log.codec import Commit
from events.log.service_secret import ServiceSecret
from events.repository import Accepted
from events.submission import Submission, new_id
from events.table.clock_ledger import Row, ledger_rows
from events.table.commands import Join, RemovePlayer, SeatBot, Start, TableCommand, check_visible
from events.table.facts import BotSeated, GameAborted, GameStarted, SeatLeft, SeatTaken, SecretRevealed
from events.table.game import OPEN, Game
from events.table.time_control import TimeControl, check_control
from rules import catalogue
from rules.codec import codec_for
from rules.errors import Unreadable
from rules.kernel import Preview, Viewer, dry_run
from rules.picture import Beat
from rules.texts import one_by_one, say
from service.games.access import seat_of, viewer_for
from service.games.broadcast import Broadcast
from service.games.game_index import GameIndex
from service.games.invitations import MOST, Invitation, Invitations, NotInvited, invitation_word
from service.games.move_previews import foreseen_beats

EVENTS_AT_ONCE = 200
LONGEST_TITLE = 60
GAME_ID_BYTES = 12

INDEXED = (SeatTaken, BotSeated, SeatLeft, GameStarted, GameAborted, SecretRevealed)
"""Facts that change where a game is listed."""


@dataclass(frozen=True)
class GameService:
    games: Games
    index: GameIndex
    invitations: Invitations
    secret: ServiceSecret
    broadcast: Broadcast
    shortest_decision_ms: int = 0
    """The time control of a new table gives as much for a decision, at least."""
    bot_pace_ms: int = 0
    """So long a bot waits before each of its answers."""

    # Writing

    def create(self, account: str, request: Mapping[str, Any], submission: Submission, *, is_bot: bool = False) -> Game:
        """A table, and a seat at it unless that is not wanted. The same submission makes the same table, once."""
        game = self.games.create(
            rules_name(request["rules"], request["expansions"]),
            request["players"],
            request["options"],
            owner=account,
            visibility=request["visibility"],
            time=self._time_control(request["time"]),
            may_resign=request["may_resign"],
            may_take_back=request["may_take_back"],
            title=request["title"].strip(),
            starts_when_full=request["starts_when_full"],
            game=self._game_id(submission),
            submission=submission,
        )
        if request["join"]:
            joining = replace(submission, key=f"{submission.key} join" if submission.key else "", expected=None)
            return self.submit(game.id, Join(account, nonce=request["nonce"], is_bot=is_bot), joining).after
        self.index.put(game)
        return game

    def _game_id(self, submission: Submission) -> str:
        """The same id for the same key, which no other account can work out; any id without a key."""
        if not submission.key:
            return ""
        former = guessable_game_id(submission.id)
        return former if self.games.log.version(former) else self.secret.id("game", submission.id, GAME_ID_BYTES)

    def _time_control(self, request: Mapping[str, Any] | None) -> TimeControl | None:
        if not request:
            return None
        control = convert(request, TimeControl)
        check_control(control, self.shortest_decision_ms)
        return control

    def submit(self, game: str, command: TableCommand, submission: Submission) -> Accepted[Game]:
        """Decide a command at a table and store what follows."""
        accepted = self.games.submit(game, command, submission)
        facts = accepted.commit.facts
        if any(isinstance(fact, INDEXED) for fact in facts):
            self.index.put(accepted.after, [fact.who for fact in facts if isinstance(fact, SeatLeft)])
        return self._begun(accepted)

    def _begun(self, accepted: Accepted[Game]) -> Accepted[Game]:
        """The game, which begins by itself with the last player, if that was agreed. Whoever sits down last answers as
        if the owner had started it; a process that dies in between leaves that to the owner."""
        game = accepted.after
        if not (game.starts_when_full and game.status == OPEN and game.is_full):
            return accepted
        with suppress(NotNow):  # A player may have left in the meantime.
            started = self.games.submit(game.id, Start(game.owner), Submission(key=f"start {game.version}"))
            self.index.put(started.after)
            return replace(accepted, after=started.after)
        return accepted

    def join(
        self, game: str, account: str, request: Mapping[str, Any], submission: Submission, *, is_bot: bool = False
    ) -> Accepted[Game]:
        """Take a seat. An invitation opens a private table, and may name the seat."""
        seat, invitation = request["seat"], request["invitation"]
        if invitation:
            seat = self._invited_seat(game, account, invitation) or seat
        return self.submit(game, Join(account, seat, request["nonce"], bool(invitation), is_bot), submission)

    def seat_bot(self, game: str, account: str, request: Mapping[str, Any], submission: Submission) -> Accepted[Game]:
        """Give a seat to a bot of the service."""
        pace_ms = self.bot_pace_ms if (pace := request.get("pace_ms")) is None else pace
        return self.submit(game, SeatBot(account, request["bot"], request["seat"], pace_ms), submission)

    def _invited_seat(self, game: str, account: str, word: str) -> str:
        loaded = self.games.load(game)
        if seat_of(loaded, account):
            return ""  # The account is at the table already: the invitation stays good.
        if self.is_link(loaded, word):
            if account in loaded.removed:
                raise NotInvited(say("the owner has removed you from this table: you need an invitation to come back"))
            return ""
        seat = self.invitations.claim(game, word, account)
        if seat is None:
            check_visible(loaded, account)
            raise NotInvited(say("there is no such invitation to this table, or it was used already"))
        return seat

    def remove(self, game: str, account: str, player: str, submission: Submission) -> Accepted[Game]:
        """Make a player leave the table. A used invitation ends first: a crash in between leaves no way back."""
        command = RemovePlayer(account, player)
        command.permit(self.look(game, account))
        self.invitations.use_up(game, player)
        return self.submit(game, command, submission)

    def link(self, game: str, account: str) -> Invitation:
        """The invitation of the table itself: for everybody who is shown it, and any free seat."""
        loaded = self.look(game, account)
        check_may_invite(loaded, account)
        return Invitation(self._link_word(loaded))

    def is_link(self, game: Game, word: str) -> bool:
        return hmac.compare_digest(self._link_word(game).encode(), word.encode(errors="replace"))

    def _link_word(self, game: Game) -> str:
        """It follows from the secret of the game, so that nothing is to be kept. Commands never have this name."""
        return invitation_word(self.games.log.secret(game.id), "\0link")

    def is_invited(self, game: Game, word: str, account: str) -> bool:
        """Whether a visitor who shows this word may know of the table, and perhaps sit down."""
        return self.is_link(game, word) or self.invitations.is_good(game.id, word, account)

    def invite(self, game: str, account: str, seat: str, submission: Submission) -> Invitation:
        loaded = self.look(game, account)
        check_may_invite(loaded, account)
        if seat and seat not in loaded.players:
            raise Unreadable(
                say(
                    "this table has no seat {seat}: choose from {players}",
                    seat=seat,
                    players=one_by_one(loaded.players),
                )
            )
        if self.invitations.count(game) >= MOST:
            raise NotNow(say("there are {most} invitations to this table already", most=MOST))
        word = invitation_word(self.games.log.secret(game), submission.id if submission.key else new_id())
        written = self.invitations.write(game, word, seat)
        if written.seat != seat:
            raise AnotherRequest(say("this name was given to another invitation before"))
        if written.used_up:
            raise Revoked(say("the player who used this invitation was removed from the table"))
        return written

    # Reading

    def look(self, game: str, account: str | None) -> Game:
        """The game now, if this account may see it; for spectators of a broadcast, as it was."""
        loaded = self.games.load(game)
        check_visible(loaded, account)
        return self.broadcast.shown(loaded, account)

    def at_the_table(self, game: str, account: str) -> tuple[Game, str]:
        """The game now, and this account's seat."""
        loaded = self.look(game, account)
        return loaded, loaded.seat_of(account)

    def look_back(self, game: str, account: str | None, version: int | None, viewer: str | None) -> tuple[Game, Viewer]:
        """The game now or as it was, and the viewer as whom this account sees it."""
        loaded = self.look(game, account)
        chosen = viewer_for(loaded, account, viewer)
        if version in (None, loaded.version):
            return loaded, chosen
        if version > loaded.version:
            raise NoSuchGame(self.games.no_such_version(game, version))
        return self.games.load(game, version), chosen

    def preview(self, game: str, account: str, payload: Mapping[str, Any]) -> tuple[Game, Preview]:
        """What a move would do, as far as its player may know."""
        loaded, seat = self.at_the_table(game, account)
        if not loaded.started:
            raise NotNow(say("the game has not begun"))
        return loaded, dry_run(loaded.state, codec_for(loaded.rules).answer(seat, payload))

    def foresee(self, game: str, account: str, payload: Mapping[str, Any]) -> tuple[Game, Preview, Sequence[Beat]]:
        """The same, and what would be seen to happen."""
        loaded, preview = self.preview(game, account, payload)
        answer = codec_for(loaded.rules).answer(loaded.seat_of(account), payload)
        return loaded, preview, foreseen_beats(loaded, answer, preview) if preview.accepted else ()

    def ledger(self, game: Game) -> Iterator[Row]:
        """Everything that ever happened to the clocks of a game: no secret to its viewers."""
        return ledger_rows(self.all_commits(game, after=0))

    def commits(self, game: Game, after: int, limit: int) -> list[Commit]:
        """Some commits after a version."""
        return self.games.commits(game.id, after, min(after + limit, game.version)) if after < game.version else []

    def all_commits(self, game: Game, after: int) -> Iterator[Commit]:
        """All commits after a version, read some at a time."""
        for first in range(after, game.version, EVENTS_AT_ONCE):
            yield from self.commits(game, first, EVENTS_AT_ONCE)

    def exported(self, game: str, account: str | None, viewer: str | None) -> Iterator[bytes]:
        """A file that any reader can verify, piece by piece."""
        loaded = self.look(game, account)
        return export_pieces(self.games, loaded, viewer_for(loaded, account, viewer))


def check_may_invite(game: Game, account: str) -> None:
    if account != game.owner and not seat_of(game, account):
        raise NotPermitted(say("only the owner and the players of a table may invite"))


def rules_name(name: str, expansions: list[str]) -> str:
    """The name that stored games have for these rules.

    >>> rules_name("el_grande", ["anniversary"])
    'el_grande+anniversary'
    """
    game, *more = name.split("+")
    return catalogue.rules(game, (*more, *expansions)).name


def guessable_game_id(command: str) -> str:
    """The id of a table that was made before ids were made with the secret of the service."""
    return urlsafe_b64encode(sha256(f"hidalgo game\0{command}".encode()).digest()[:12]).decode()
