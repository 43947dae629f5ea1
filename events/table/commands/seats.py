"""Before the start: seats, nonces, the start itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from events.errors import NotNow, NotPermitted
from events.log import chain
from events.log.codec import Header
from events.table.commands.base import (
    TABLE,
    AccountCommand,
    OwnerCommand,
    PlayerCommand,
    TableCommand,
    check_open,
)
from events.table.decide import Draft
from events.table.facts import (
    GameAborted,
    GameStarted,
    NonceAdded,
    PlayerRemoved,
    SeatLeft,
    SeatTaken,
)
from events.table.game import Game
from rules import catalogue
from rules.errors import Unreadable
from rules.kernel import Fact, Player
from rules.texts import one_by_one, say


class Join(AccountCommand, frozen=True):
    """Take a free seat, the first one if none is named, and perhaps add to the game's chance."""

    seat: str = ""
    nonce: str = ""
    invited: bool = False
    """An invitation opens a private table, and any table to a player who was removed from it."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [SeatTaken(seat, account)]:
                return cls(account, seat)
            case [SeatTaken(seat, account), NonceAdded(_, nonce)]:
                return cls(account, seat, nonce)
        return None

    def permit(self, game: Game) -> None:
        if self.invited:
            return
        super().permit(game)
        if self.account in game.removed:
            raise NotPermitted(say("the owner has removed you from this table: you need an invitation to come back"))

    def decide(self, draft: Draft) -> None:
        game = draft.game
        check_open(game)
        if self.account in game.seats.values():
            raise NotNow(say("you sit at this table already"))
        seat = self._free_seat(game)
        draft.tell(SeatTaken(seat, self.account))
        if self.nonce and seat not in game.nonces:
            draft.tell(NonceAdded(seat, self.nonce))

    def _free_seat(self, game: Game) -> Player:
        free = [seat for seat in game.players if seat not in game.seats]
        if not free:
            raise NotNow(say("all seats are taken"))
        if self.seat and self.seat not in game.players:
            raise Unreadable(
                say("this table has no seat {seat}: choose from {free}", seat=self.seat, free=one_by_one(free))
            )
        if self.seat and self.seat not in free:
            raise NotNow(say("the seat {seat} is taken: choose from {free}", seat=self.seat, free=one_by_one(free)))
        return self.seat or free[0]


class Leave(PlayerCommand, frozen=True):
    """Leave the seat before the game begins."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [SeatLeft(_, account)]:
                return cls(account)
        return None

    def decide(self, draft: Draft) -> None:
        check_open(draft.game)
        draft.tell(SeatLeft(draft.game.seat_of(self.account), self.account))


class RemovePlayer(OwnerCommand, frozen=True):
    """Make another account leave its seat before the game begins."""

    player: str = ""
    """The account that sits there: on the same seat another one may sit by now."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [PlayerRemoved(_, player)]:
                return cls(header.by, player)
        return None

    def author(self, game: Game) -> str:
        return self.account or TABLE

    def decide(self, draft: Draft) -> None:
        game = draft.game
        self.permit(game)  # The arbiter asks for nothing but the decision.
        check_open(game)
        if self.player == game.owner:
            raise NotNow(say("the owner is not removed, but may stand up"))
        seat = next((seat for seat, account in game.seats.items() if account == self.player), None)
        if seat is None:
            raise NotNow(say("this player does not sit at the table"))
        draft.tell(PlayerRemoved(seat, self.player))


class Abort(OwnerCommand, frozen=True):
    """Clear the table before the game begins."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [GameAborted()]:
                return cls(header.by)
        return None

    def author(self, game: Game) -> str:
        return self.account or TABLE

    def decide(self, draft: Draft) -> None:
        check_open(draft.game)
        draft.tell(GameAborted())


class AddNonce(TableCommand, frozen=True):
    """Add to the game's chance before it starts."""

    player: Player
    nonce: str

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [NonceAdded(player, nonce)]:
                return cls(player, nonce)
        return None

    def author(self, game: Game) -> str:
        return self.player

    def decide(self, draft: Draft) -> None:
        check_open(draft.game)
        if self.player not in draft.game.players:
            raise Unreadable(say("this table has no seat {seat}", seat=self.player))
        if self.player in draft.game.nonces:
            raise NotNow(say("{player} has added to the game's chance already", player=self.player))
        draft.tell(NonceAdded(self.player, self.nonce))


class Start(OwnerCommand, frozen=True):
    """Fix the seed and set the table. Where accounts play, every seat must be taken."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [GameStarted(), *_]:
                return cls()
        return None

    def decide(self, draft: Draft) -> None:
        game = draft.game
        check_open(game)
        if (game.owner or game.seats) and (free := len(game.players) - len(game.seats)):
            raise NotNow(say("{free} of {seats} seats are still free", free=free, seats=len(game.players)))
        draft.tell(GameStarted())
        seed = chain.seed(draft.secret, game.nonces)
        rules = catalogue.rules_named(game.rules)
        draft.move(*catalogue.game_named(game.rules).start(rules, len(game.players), seed, **game.options))
