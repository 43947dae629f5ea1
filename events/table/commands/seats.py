"""Before the start: seats, nonces, the start itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
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
    check_run_by_players,
)
from events.table.decide import Draft
from events.table.facts import (
    BOT_PREFIX,
    BotDeclared,
    BotSeated,
    GameAborted,
    GameStarted,
    NonceAdded,
    PlayerRemoved,
    SeatLeft,
    SeatTaken,
    TableFact,
)
from events.table.game import Game
from rules import catalogue
from rules.bots import BOTS
from rules.errors import Unreadable
from rules.kernel import Fact, Player
from rules.texts import one_by_one, say


class Join(AccountCommand, frozen=True):
    """Take a free seat, the first one if none is named, and perhaps add to the game's chance."""

    seat: str = ""
    nonce: str = ""
    invited: bool = False
    """An invitation opens a private table, and any table to a player who was removed from it."""
    is_bot: bool = False
    """Whether the account has declared that a program plays for it."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [SeatTaken(seat, account)]:
                return cls(account, seat)
            case [SeatTaken(seat, account), NonceAdded(_, nonce)]:
                return cls(account, seat, nonce)
            case [SeatTaken(seat, account), BotDeclared()]:
                return cls(account, seat, is_bot=True)
            case [SeatTaken(seat, account), BotDeclared(), NonceAdded(_, nonce)]:
                return cls(account, seat, nonce, is_bot=True)
        return None

    def permit(self, game: Game) -> None:
        if not self.invited:
            super().permit(game)
        check_run_by_players(game)
        if self.account in game.removed and not self.invited:
            raise NotPermitted(say("the owner has removed you from this table: you need an invitation to come back"))

    def decide(self, draft: Draft) -> None:
        game = draft.game
        check_run_by_players(game)
        check_open(game)
        if self.account in game.seats.values():
            raise NotNow(say("you sit at this table already"))
        seat = free_seat(game, self.seat)
        draft.tell(SeatTaken(seat, self.account))
        if self.is_bot:
            draft.tell(BotDeclared(seat))
        if self.nonce:
            draft.tell(NonceAdded(seat, self.nonce))


class SeatBot(OwnerCommand, frozen=True):
    """Give a free seat, the first one if none is named, to a bot of the service."""

    bot: str = ""
    seat: str = ""
    pace_ms: int = 0

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [BotSeated(seat, bot, pace_ms)]:
                return cls(cls.giver(header), bot, seat, pace_ms)
        return None

    def decide(self, draft: Draft) -> None:
        game = draft.game
        self.permit(game)  # The arbiter asks for nothing but the decision.
        check_open(game)
        check_bot(self.bot)
        draft.tell(BotSeated(free_seat(game, self.seat), self.bot, self.pace_ms))


def check_bot(name: str) -> None:
    if name not in BOTS:
        raise Unreadable(say("there is no bot {bot}: choose from {bots}", bot=name, bots=one_by_one(BOTS)))


def free_seat(game: Game, wanted: str) -> Player:
    """The seat that is wanted, or the first one that is free."""
    free = [seat for seat in game.players if seat not in game.seats]
    if not free:
        raise NotNow(say("all seats are taken"))
    if wanted and wanted not in game.players:
        raise Unreadable(say("this table has no seat {seat}: choose from {free}", seat=wanted, free=one_by_one(free)))
    if wanted and wanted not in free:
        raise NotNow(say("the seat {seat} is taken: choose from {free}", seat=wanted, free=one_by_one(free)))
    return wanted or free[0]


class Leave(PlayerCommand, frozen=True):
    """Leave the seat before the game begins."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        match facts:
            case [SeatLeft(_, account)]:
                return cls(account)
        return None

    def permit(self, game: Game) -> None:
        super().permit(game)
        check_run_by_players(game)

    def decide(self, draft: Draft) -> None:
        check_run_by_players(draft.game)
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
                return cls(cls.giver(header), player)
        return None

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
                return cls(cls.giver(header))
        return None

    def decide(self, draft: Draft) -> None:
        self.permit(draft.game)  # The arbiter asks for nothing but the decision.
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
        if self.player in draft.game.own_nonces:
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

    def author(self, game: Game) -> str:
        return TABLE

    def decide(self, draft: Draft) -> None:
        game = draft.game
        check_open(game)
        is_for_accounts = game.owner or game.tournament or game.seats
        if is_for_accounts and (free := len(game.players) - len(game.seats)):
            raise NotNow(say("{free} of {seats} seats are still free", free=free, seats=len(game.players)))
        start(draft)


class SeatAll(TableCommand, frozen=True):
    """Seat the players of a tournament's table, each on a seat that the service has chosen, and start the game."""

    seats: Mapping[Player, str]
    """An account, or `bot:NAME`, for every seat."""
    nonces: Mapping[Player, str] = {}
    programs: tuple[Player, ...] = ()
    """Seats of accounts that have declared that a program plays for them."""
    pace_ms: int = 0
    """Of the bots of the service."""

    @classmethod
    def read_back(cls, header: Header, facts: Sequence[Fact]) -> Self | None:
        seated = list(takewhile(lambda fact: isinstance(fact, SEATING), facts))
        if not seated or not isinstance(facts[len(seated)], GameStarted):
            return None
        bots = [fact for fact in seated if isinstance(fact, BotSeated)]
        accounts = {fact.player: fact.who for fact in seated if isinstance(fact, SeatTaken)}
        return cls(
            {**accounts, **{fact.player: BOT_PREFIX + fact.bot for fact in bots}},
            {fact.player: fact.nonce for fact in seated if isinstance(fact, NonceAdded)},
            tuple(fact.player for fact in seated if isinstance(fact, BotDeclared)),
            next((fact.pace_ms for fact in bots), 0),
        )

    def decide(self, draft: Draft) -> None:
        self._check(draft.game)
        for seat in draft.game.players:
            draft.tell(*self._seated(seat))
        start(draft)

    def _check(self, game: Game) -> None:
        check_open(game)
        if not game.tournament:
            raise NotPermitted(say("players sit down by themselves at this table"))
        if game.seats:
            raise NotNow(say("the seats of this table are taken already"))
        if set(self.seats) != set(game.players):
            raise Unreadable(say("the seats of this table are {seats}", seats=one_by_one(game.players)))
        accounts = self._accounts()
        if not {*self.nonces, *self.programs} <= set(accounts):
            raise Unreadable(say("only the seat of an account has a nonce, or is played by its program"))
        if not all(accounts.values()) or len(set(accounts.values())) < len(accounts):
            raise Unreadable(say("every seat is for another account"))
        for account in self.seats.values():
            if account.startswith(BOT_PREFIX):
                check_bot(account.removeprefix(BOT_PREFIX))

    def _accounts(self) -> dict[Player, str]:
        return {seat: account for seat, account in self.seats.items() if not account.startswith(BOT_PREFIX)}

    def _seated(self, seat: Player) -> Iterator[TableFact]:
        account = self.seats[seat]
        if account.startswith(BOT_PREFIX):
            yield BotSeated(seat, account.removeprefix(BOT_PREFIX), self.pace_ms)
            return
        yield SeatTaken(seat, account)
        if seat in self.programs:
            yield BotDeclared(seat)
        if seat in self.nonces:
            yield NonceAdded(seat, self.nonces[seat])


SEATING = (SeatTaken, BotSeated, BotDeclared, NonceAdded)


def start(draft: Draft) -> None:
    """The seed is fixed, and the table is set."""
    game = draft.game
    draft.tell(GameStarted())
    seed = chain.seed(draft.secret, game.nonces)
    rules = catalogue.rules_named(game.rules)
    draft.move(*catalogue.game_named(game.rules).start(rules, len(game.players), seed, **game.options))
