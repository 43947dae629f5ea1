"""The games of a tournament's tables: created and seated by the service, and read when they have ended.

Both steps can be repeated: the id of a game follows from its table, and its log takes every command once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from events.games import Games
from events.log.service_secret import ServiceSecret
from events.submission import Submission
from events.table.commands import SeatAll
from events.table.facts import ABSENT, BOT_PREFIX, TournamentTable
from events.table.game import OVER, Game
from rules.kernel import Player
from service.games.game_index import GameIndex
from tournaments.results import Result
from tournaments.tournament import PairedRound, Tournament

GAME_ID_BYTES = 12


@dataclass(frozen=True)
class TableGames:
    games: Games
    index: GameIndex
    secret: ServiceSecret
    bot_pace_ms: int = 0
    self_play_pace_ms: int = 0
    """The same where only bots play."""

    def create(self, tournament: Tournament, paired: PairedRound, table: int) -> Game:
        """The game of a table, with everybody on their seats, as it runs."""
        id, options = self.id(tournament, paired, table), tournament.options
        at_table = paired.round.tables[table].players
        self.games.create(
            options.game,
            len(at_table),
            options.game_options,
            visibility=options.visibility,
            time=options.time,
            may_take_back=False,
            game=id,
            title=options.title,
            tournament=TournamentTable(tournament.id, paired.number, table, options.spectators_delay_ms, options.chat),
            submission=Submission(key="create"),
        )
        seats = self.games.load(id).players
        accounts = {
            seat: seated_as(tournament.participants[player].account)
            for seat, player in zip(seats, at_table, strict=True)
        }
        has_people = any(not account.startswith(BOT_PREFIX) for account in accounts.values())
        seating = SeatAll(accounts, pace_ms=self.bot_pace_ms if has_people else self.self_play_pace_ms)
        seated = self.games.submit(id, seating, Submission(key="seats")).after
        self.index.put(seated)
        return seated

    def id(self, tournament: Tournament, paired: PairedRound, table: int) -> str:
        """Another one for each time that the table plays: a ruling may let it play again."""
        about = ("table", str(paired.number), str(table))
        rulings = sum(ruling.place == about for ruling in tournament.rulings.values())
        text = "\0".join([tournament.id, str(paired.number), str(table), str(rulings)])
        return self.secret.id("tournament game", text, GAME_ID_BYTES)


def seated_as(account: str) -> str:
    """The account of a player on a seat. Many bots of one name can take part, and each has a number there.

    >>> seated_as("bot:greedy:12"), seated_as("ana")
    ('bot:greedy', 'ana')
    """
    if not account.startswith(BOT_PREFIX):
        return account
    return BOT_PREFIX + account.removeprefix(BOT_PREFIX).partition(":")[0]


def result(game: Game) -> Result | None:
    """How a game has ended, seat by seat; None: it has not."""
    if game.status != OVER:
        return None
    scores: Mapping[Player, int] = game.state.board.scores
    out = game.forfeited
    return Result(
        places=tuple(game.places[seat] for seat in game.players),
        victory_points=tuple(scores[seat] for seat in game.players),
        absent=tuple(number for number, seat in enumerate(game.players) if out.get(seat) == ABSENT),
        abandoned=tuple(number for number, seat in enumerate(game.players) if out.get(seat, ABSENT) != ABSENT),
    )
