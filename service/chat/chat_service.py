"""The chat of a table, as views use it: who may read and write where, who may remove, and what is complained of."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from events.errors import NoSuchGame, NotNow, NotPermitted
from events.table.calendar import DAY
from events.table.game import ABORTED, OVER, Game
from rules.errors import Unreadable
from rules.texts import any_of, say
from service.accounts.audit_log import REMOVE_MESSAGE, AuditEntry, AuditLog
from service.accounts.mutes import Mutes
from service.accounts.silences import FOR_GOOD, Silences
from service.chat.complaints import Complaint, Complaints
from service.chat.rooms import PLAYERS, ROOMS, SPECTATORS, Chat, ChatOff, Message, Silenced, topic_of
from service.games.access import seat_of
from service.games.game_service import GameService
from service.games.representations import Profiles, player_resource

OPEN_AFTER_THE_END = DAY
"""Milliseconds in which people may still write after a game has ended."""

IsStaff = Callable[[str, str], bool]
"""Whether an account runs a tournament."""


class Room(NamedTuple):
    """A room of a table, for a reader."""

    game: Game
    name: str
    account: str | None

    @property
    def topic(self) -> str:
        return topic_of(self.game.id, self.name)


@dataclass(frozen=True)
class ChatService:
    chat: Chat
    service: GameService
    profiles: Profiles
    mutes: Mutes
    complaints: Complaints
    is_staff: IsStaff
    audit_log: AuditLog
    silences: Silences

    # Reading

    def room(self, game: str, account: str | None, name: str = "") -> Room:
        """The room that is asked for, or else the reader's own."""
        loaded = self.service.look(game, account)
        own = own_room(loaded, account)
        if name and name not in ROOMS:
            raise Unreadable(say("a room is {rooms}", rooms=any_of(ROOMS)))
        if name and name != own and loaded.status != OVER:
            raise NotPermitted(
                say("players cannot read what spectators write until the game is over")
                if own == PLAYERS
                else say("only the players of this table read what they write, until the game is over")
            )
        return Room(loaded, name or own, account)

    def messages(self, room: Room, after: int, limit: int) -> list[dict[str, Any]]:
        return self.shown(room, self.chat.read(room.topic, after, limit))

    def shown(self, room: Room, messages: list[Message]) -> list[dict[str, Any]]:
        """Messages for this reader, who has perhaps muted some people."""
        muted = self.mutes.of(room.account) if room.account else frozenset()
        profiles = self.profiles({each.by for each in messages})
        return [
            {
                "id": each.id,
                "room": room.name,
                "at": each.at,
                "player": player_resource(each.by, profiles.get(each.by)),
                "seat": seat_of(room.game, each.by),
                "text": each.text,
                "removed": each.removed,
                "removes": each.removes or None,
            }
            for each in messages
            if each.by not in muted or each.removes
        ]

    def may_write(self, game: Game, account: str | None) -> bool:
        try:
            self._check_may_write(game, account)
        except (NotPermitted, NotNow):
            return False
        return account is not None

    # Writing

    def write(self, game: str, account: str, text: str) -> dict[str, Any]:
        """A message in one's own room."""
        loaded = self.service.look(game, account)
        self._check_may_write(loaded, account)
        room = Room(loaded, own_room(loaded, account), account)
        [shown] = self.shown(room._replace(account=None), [self.chat.write(room.topic, account, text)])
        return shown

    def _check_may_write(self, game: Game, account: str | None) -> None:
        if game.tournament and not game.tournament.chat:
            raise ChatOff(say("nobody writes at the tables of this tournament"))
        if game.status == ABORTED:
            raise NotNow(say("the table was cleared before the game began"))
        if game.status == OVER and self.service.games.now() - game.at > OPEN_AFTER_THE_END:
            raise NotNow(say("the game has been over for too long"))
        if account and (until := self.silences.until(account, self.service.games.now())):
            raise Silenced(
                say("an administrator has silenced you for good")
                if until == FOR_GOOD
                else say("an administrator has silenced you until {day}", day=f"{moment_of(until):%Y-%m-%d %H:%M} UTC")
            )

    def remove(self, game: str, account: str, room: str, number: int, *, is_admin: bool = False) -> None:
        """By its author, by the owner of the table or the staff of its tournament, or by an administrator.

        What staff remove of others is told in the audit log."""
        loaded = self._known(game, account, is_admin=is_admin)
        topic, is_staff = topic_of(game, known_room(room)), is_admin or self._runs(loaded, account)
        may_all = is_staff or account == loaded.owner
        if not may_all:
            self.room(game, account, room)
        is_own = self.chat.message(topic, number).by == account
        if not (may_all or is_own):
            raise NotPermitted(say("only its author and the owner of the table remove a message"))
        with self._audited(f"{topic}/{number}", account) if is_staff and not is_own else nullcontext():
            self.chat.remove(topic, number, account)

    def _audited(self, about: str, account: str) -> AbstractContextManager[None]:
        profile = self.profiles([account]).get(account)
        return self.audit_log.recording(
            AuditEntry(REMOVE_MESSAGE, account, about, handle=profile.handle if profile else "")
        )

    def complain(self, game: str, account: str, room: str, number: int, reason: str) -> None:
        """For the administrators to look at: with a copy of what was written."""
        topic = self.room(game, account, known_room(room)).topic
        message = self.chat.message(topic, number)
        self.complaints.add(Complaint(game, room, number, message.by, message.text, account, reason))

    def _runs(self, game: Game, account: str) -> bool:
        return bool(game.tournament and self.is_staff(game.tournament.tournament, account))

    def _known(self, game: str, account: str, *, is_admin: bool) -> Game:
        """An administrator looks after tables that they do not see."""
        return self.service.games.load(game) if is_admin else self.service.look(game, account)


def moment_of(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def own_room(game: Game, account: str | None) -> str:
    return PLAYERS if account and seat_of(game, account) else SPECTATORS


def known_room(room: str) -> str:
    if room not in ROOMS:
        raise NoSuchGame(say("there is no such room"))
    return room
