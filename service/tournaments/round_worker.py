"""The round worker: it gives the commands that are due in tournaments, has games created, and notes results.

What is due is computed from the tournament itself (`tournaments.due`), and every command is decided on it: two workers,
a worker that was killed or one that sleeps cause no double round and miss none. A command has a name made of what it is
about, and of the version of the tournament where it depends on that: the log takes it once.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from time import monotonic
from typing import Protocol

from cachetools import TTLCache

from events.decider import Outage
from events.errors import NoSuchGame, NothingDue, NotNow, StoreError, TryLater
from events.games import Games
from events.log import Due as DueTournament
from events.submission import Submission
from events.table.commands import ForfeitAbsent, StopGame
from events.table.game import RUNNING, Game
from rules.errors import Refused
from rules.kernel import Player
from service.notifications.tournament_texts import NO_ROUND, Value
from service.notifications.tournament_texts import NO_SHOW as ABSENT
from service.tournaments.ended_games import EndedGame, EndedGames
from service.tournaments.table_games import TableGames, result
from tournaments.commands import SERVICE, AttachGame, ProposeRound, RecordResult
from tournaments.due import CREATE_GAME, NO_SHOW, ROUND_LIMIT, Due, due
from tournaments.repository import Tournaments
from tournaments.tournament import Tournament

logger = logging.getLogger(__name__)

SECONDS_AT_A_TIME = 1.0
"""So long a run takes, and one tournament in it: other work of the process is urgent, too."""
GAMES_AT_ONCE = 200
SECONDS_PUT_OFF = 30.0
"""Until something that cannot be done is tried again."""
MOST_PUT_OFF = 100_000


class Alert(Protocol):
    def __call__(self, tournament: Tournament, about: str, once: str, **values: Value) -> None: ...


def no_alert(tournament: Tournament, about: str, once: str, **values: Value) -> None:
    """Nobody is told."""


class RoundWorker:
    """For one thread."""

    def __init__(
        self, tournaments: Tournaments, games: Games, tables: TableGames, ended: EndedGames, alert: Alert = no_alert
    ) -> None:
        """`alert` is called with what needs the staff of a tournament."""
        self._tournaments, self._games, self._tables, self._ended = tournaments, games, tables, ended
        self._alert = alert
        self._put_off: TTLCache[object, bool] = TTLCache(MOST_PUT_OFF, SECONDS_PUT_OFF, monotonic)
        self._came: TTLCache[str, bool] = TTLCache(MOST_PUT_OFF, 24 * 3600, monotonic)
        """Games in which every player has been seen."""
        self._look_at: TTLCache[str, int] = TTLCache(MOST_PUT_OFF, 24 * 3600, monotonic)
        """When a player of a game can be absent at the soonest."""

    # Results

    def note_results(self, buckets: Collection[int]) -> int:
        """Tell tournaments how games have ended; says how many that were."""
        waiting = self._ended.waiting(buckets, GAMES_AT_ONCE) if buckets else []
        end = monotonic() + SECONDS_AT_A_TIME
        noted = 0
        for ended in waiting:
            noted += self._note_result(ended)
            if monotonic() > end:
                break
        return noted

    def _note_result(self, ended: EndedGame) -> int:
        try:
            self._record(self._games.load(ended.game))
        except (StoreError, TryLater):
            raise
        except Refused as refusal:
            # It was noted before, or a ruling has come first.
            logger.info("the result of game %s is not noted: %s", ended.game, refusal)
        except Exception:
            logger.exception("the result of game %s cannot be noted", ended.game)
            self._ended.put_off(ended, self._games.now())
            return 0
        self._ended.forget(ended)
        return 1

    def _record(self, game: Game) -> None:
        if (found := result(game)) and (at := game.tournament):
            command = RecordResult(SERVICE, at.round, at.table, found, game.id)
            self._tournaments.submit(at.tournament, command, Submission(key=f"result {game.id}"))

    # What is due

    def attend(self, buckets: Collection[int]) -> int:
        """Look after tournaments in which something is due; says how many things were done."""
        if not buckets:
            return 0
        now = self._tournaments.now()
        return sum(self._look_after(each) for each in self._tournaments.log.due(list(buckets), now))

    def _look_after(self, waiting: DueTournament) -> int:
        if waiting.game in self._put_off:
            return 0
        try:
            return self._do_due(waiting.game)
        except NoSuchGame:
            return 0
        except (StoreError, TryLater):
            raise
        except Exception:
            logger.exception("tournament %s cannot be looked after", waiting.game)
            self._put_off[waiting.game] = True
            return 0

    def _do_due(self, id: str) -> int:
        """Everything that is due in a tournament, and what follows from that, for a while."""
        end, done = monotonic() + SECONDS_AT_A_TIME, 0
        while monotonic() < end:
            tournament = self._tournaments.load(id)
            waiting = [each for each in due(tournament, self._now(tournament)) if _name(id, each) not in self._put_off]
            progress = 0
            for each in waiting:
                progress += self._done(tournament, each)
                if each.command or monotonic() > end:
                    break
            if not progress:
                return done
            done += progress
        return done

    def _now(self, tournament: Tournament) -> int:
        """The time of the tournament: it stood still while the service was away in the round under way."""
        now = self._tournaments.now()
        current = tournament.current
        return now - away(self._games.outages(), current.started_at, now) if current and current.started_at else now

    def _done(self, tournament: Tournament, each: Due) -> bool:
        """Whether something was done."""
        try:
            if each.command:
                once = Submission(key=f"{type(each.command).__name__} {tournament.version}")
                self._tournaments.submit(tournament.id, each.command, once)
                return True
            return self._answered(tournament, each)
        except NothingDue:
            return False
        except NotNow as refusal:
            if isinstance(each.command, ProposeRound):
                logger.warning("no round of tournament %s can be drawn: %s", tournament.id, refusal)
                number = len(tournament.rounds) + 1
                self._alert(tournament, NO_ROUND, f"{number} {refusal.sentence}", round=number, reason=refusal.text)
            self._put_off[_name(tournament.id, each)] = True
            return False

    def _answered(self, tournament: Tournament, each: Due) -> bool:
        paired = tournament.round(each.round)
        if each.question == CREATE_GAME:
            game = self._tables.create(tournament, paired, each.table)
            attach = AttachGame(SERVICE, each.round, each.table, game.id)
            self._tournaments.submit(tournament.id, attach, Submission(key=f"game {game.id}"))
            return True
        if each.question == NO_SHOW and self._look_at.get(paired.games[each.table], 0) > self._games.now():
            return False
        game = self._games.load(paired.games[each.table])
        if game.status != RUNNING:
            self._ended.note({game.id: game})
            return False
        if each.question == ROUND_LIMIT:
            self._games.submit(game.id, StopGame())
            return True
        assert each.question == NO_SHOW, f"there is no question {each.question}"
        return self._look_for_players(tournament, each, game)

    def _look_for_players(self, tournament: Tournament, each: Due, game: Game) -> bool:
        """Players who were asked for so long, and have never answered, are not there."""
        if game.id in self._came:
            return False
        missing = [player for player in game.players if player not in game.came and _is_awaited(game, player)]
        if not missing:
            self._came[game.id] = True
            return False
        now = self._games.now()
        absent_at = game.at + tournament.options.schedule.no_show_ms + away(self._games.outages(), game.at, now)
        if now < absent_at:
            # Whatever happens in the game until then, nobody is absent sooner.
            self._look_at[game.id] = absent_at
            return False
        absent = [player for player in missing if player in game.asked]
        for player in absent:
            self._alert(tournament, ABSENT, f"{game.id} {player}", round=each.round, table=each.table)
            self._games.submit(game.id, ForfeitAbsent(player))
        return bool(absent)


def _is_awaited(game: Game, player: Player) -> bool:
    return player not in game.unattended and not game.is_bot(player)


def away(outages: Iterable[Outage], since: int, now: int) -> int:
    """Milliseconds of all outages since a moment.

    >>> away([Outage(until=50, since=20), Outage(until=5, since=1)], since=30, now=100)
    20
    """
    return sum(max(0, min(outage.until, now) - max(outage.since, since)) for outage in outages)


def _name(tournament: str, each: Due) -> object:
    return tournament, each.question, each.round, each.table, type(each.command)
