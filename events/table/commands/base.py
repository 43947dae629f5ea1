"""The base of all commands at a table: an author, a permission, and an outcome."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from msgspec import Struct

from events.errors import NoSuchGame, NotNow, NotPermitted
from events.log.codec import Header
from events.table.decide import Draft
from events.table.game import ABORTED, OPEN, RUNNING, Game
from rules.kernel import Fact, Player
from rules.texts import say

TABLE = "table"
"""The author of commits that belong to no account."""

CLOCK = "clock"
"""The author of answers for players who are late or away."""


class TableCommand(Struct, frozen=True):
    """A command at a table."""

    interrupts: ClassVar[bool] = False
    """Whether it interrupts play, and could be given again and again."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        """The command of this kind that a commit tells of, without its outages and clocks; None if it tells of no such
        command."""
        return None

    @property
    def decision(self) -> str:
        """The decision that this answers, if it answers one."""
        return ""

    def author(self, game: Game) -> str:
        """The author of the commit."""
        return TABLE

    def permit(self, game: Game) -> None:
        """Refuses an author who may not give this command, however far the game has come."""

    def decide(self, draft: Draft) -> None:
        """Writes down what follows, or refuses."""
        raise AssertionError(f"{type(self).__name__} does not say what follows")


class AccountCommand(TableCommand, frozen=True):
    """A command of an account that the game is visible to."""

    account: str

    def author(self, game: Game) -> str:
        return self.account

    def permit(self, game: Game) -> None:
        check_visible(game, self.account)


class PlayerCommand(AccountCommand, frozen=True):
    """A command of an account that sits at the table."""

    def permit(self, game: Game) -> None:
        super().permit(game)
        game.seat_of(self.account)


class OwnerCommand(TableCommand, frozen=True):
    """A command of the account that owns the table; a table without an owner obeys any, but a tournament's only the
    service, which has no account."""

    account: str = ""

    @staticmethod
    def giver(header: Header) -> str:
        """The account whose command made a commit; none if it was the service's."""
        return "" if header.by == TABLE else header.by

    def author(self, game: Game) -> str:
        return self.account or TABLE

    def permit(self, game: Game) -> None:
        if not game.owner and not game.tournament:
            return
        check_visible(game, self.account)
        if self.account:
            check_run_by_players(game)
        if self.account != game.owner:
            raise NotPermitted(say("only the owner of the table may do this"))


def check_visible(game: Game, account: str | None) -> None:
    """A private game does not exist for strangers."""
    if not game.is_visible_to(account):
        raise NoSuchGame(say("there is no game {game}", game=game.id))


def check_run_by_players(game: Game) -> None:
    """The players of a tournament's table are seated by the service."""
    if game.tournament:
        raise NotPermitted(say("this table belongs to a tournament, which seats its players and starts its game"))


def check_open(game: Game) -> None:
    if game.status == ABORTED:
        raise NotNow(say("the table was cleared before the game began"))
    if game.status != OPEN:
        raise NotNow(say("the game has begun"))


def running_seat(game: Game, account: str) -> Player:
    """The seat of an account that plays."""
    seat = game.seat_of(account)
    if game.status != RUNNING:
        raise NotNow(say("the game is not running"))
    if seat in game.forfeited:
        raise NotNow(say("you have left this game for good"))
    return seat
