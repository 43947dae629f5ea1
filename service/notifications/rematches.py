"""Rematches: after a game, the same people at a new table with the same agreements, everybody one seat further.

The first player who asks opens the table and owns it; the others are told, with an invitation to their seat, unless
they have muted the first one: then it is kept all the same. A player who asks as well sits down there. The id of the
table follows from the former game, so that all ask for the same one.
"""

from __future__ import annotations

from dataclasses import dataclass

from events.errors import NoSuchGame, NotNow, NotPermitted
from events.log.service_secret import ServiceSecret
from events.submission import Submission
from events.table.commands import Join, SeatBot
from events.table.facts import BOT_PREFIX
from events.table.game import ABORTED, OPEN, OVER, Game
from rules.kernel import Player
from rules.texts import say
from service.accounts.mutes import Mutes
from service.games.access import seat_of
from service.games.game_service import GAME_ID_BYTES, GameService
from service.games.invitations import invitation_word
from service.notifications.notices import rematch_notice
from service.notifications.postings import Posting, Postings

MOST_CLEARED = 20
"""So many tables for rematches of one game may have been cleared."""


@dataclass(frozen=True)
class Rematches:
    service: GameService
    secret: ServiceSecret
    postings: Postings
    mutes: Mutes

    def ask(self, game: str, account: str, *, is_bot: bool = False) -> Game:
        """The table of the rematch, at which this player sits now."""
        former = self.service.look(game, account)
        former.seat_of(account)
        check_can_follow(former)
        table = self._table(former, account)
        if table.status == OPEN and not seat_of(table, account):
            table = self._seated(table, former, account, is_bot=is_bot)
        return table

    def _table(self, former: Game, account: str) -> Game:
        """The one that is there, or a new one; not one that was cleared."""
        for number in range(MOST_CLEARED):
            id = self.secret.id("rematch", f"{former.id}\0{number}", GAME_ID_BYTES)
            try:
                found = self.service.games.load(id)
            except NoSuchGame:
                return self._opened(id, former, account)
            if found.status != ABORTED:
                return found
        raise NotNow(say("too many tables for a rematch of this game were cleared"))

    def _opened(self, id: str, former: Game, account: str) -> Game:
        table = self.service.games.create(
            former.rules,
            len(former.players),
            former.options,
            owner=account,
            visibility=former.visibility,
            time=former.time,
            may_resign=former.may_resign,
            may_take_back=former.may_take_back,
            title=former.title,
            starts_when_full=True,
            game=id,
            submission=Submission(key="create"),
        )
        self._invite(table, former, account)
        self.service.submit(id, Join(account, moved_on(former)[account]), Submission(account, "rematch"))
        return self._with_bots(id, former)

    def _seated(self, table: Game, former: Game, account: str, *, is_bot: bool) -> Game:
        """On the seat that was kept, or on another one if that is taken."""
        kept = moved_on(former)[account]
        seat = "" if kept in table.seats else kept
        joining = Join(account, seat, invited=account not in table.removed, is_bot=is_bot)
        self.service.submit(table.id, joining, Submission())
        return self._with_bots(table.id, former)

    def _with_bots(self, id: str, former: Game) -> Game:
        """Bots sit down as well; again, should the first player's request have ended half-way."""
        table = self.service.games.load(id)
        for player, bot in former.bots.items():
            seat = next_seat(former, player)
            if table.status == OPEN and seat not in table.seats:
                seating = SeatBot(table.owner, bot.name, seat, bot.pace_ms)
                table = self.service.submit(id, seating, Submission(key=f"rematch {seat}")).after
        return table

    def _invite(self, table: Game, former: Game, account: str) -> None:
        secret, postings = self.service.games.log.secret(table.id), dict[str, Posting]()
        for other, seat in moved_on(former).items():
            if other != account and not other.startswith(BOT_PREFIX):
                word = invitation_word(secret, f"rematch {other}")
                self.service.invitations.reserve(table.id, word, seat, other)
                notice = rematch_notice(table, seat, word, account, self.service.games.now())
                if account not in self.mutes.of(other):
                    postings[other] = Posting(notice, f"rematch {table.id}")
        self.postings.post_all(postings)


def check_can_follow(former: Game) -> None:
    if former.tournament:
        raise NotPermitted(say("the tournament says who plays whom"))
    if former.status != OVER:
        raise NotNow(say("the game is not over"))


def moved_on(former: Game) -> dict[str, Player]:
    """The players of a game, and the seat of each in the next one."""
    return {account: next_seat(former, seat) for seat, account in former.seats.items() if seat not in former.bots}


def next_seat(former: Game, seat: Player) -> Player:
    return former.players[(former.players.index(seat) + 1) % len(former.players)]
