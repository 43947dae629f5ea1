"""What a tournament's decisions mean for its games: a ruling rewinds one, a pause stops all clocks.

Every effect is a command to the game under a name made of the commit that decided it: it is taken once.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass

from events.errors import NoSuchGame, Packed
from events.games import Games
from events.log.codec import Commit
from events.submission import Submission
from events.table.commands import Pause, Resume, Rewind, StopGame, SubstitutePlayer, TableCommand
from events.table.game import Game
from rules.errors import Refused
from service.games.game_index import GameIndex
from tournaments.decider import tournament_facts
from tournaments.facts import (
    GameRewound,
    PlayerSubstituted,
    TableHeld,
    TableReleased,
    TournamentCancelled,
    TournamentFact,
    TournamentPaused,
    TournamentResumed,
)
from tournaments.tournament import PairedRound, Tournament

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class GameEffects:
    games: Games
    index: GameIndex

    def follow(self, tournament: Tournament, commit: Commit) -> None:
        """Carry out what a commit means for games."""
        for number, fact in enumerate(tournament_facts(commit)):
            for game, command in self._effects(tournament, fact):
                name = f"{tournament.id} {commit.header.version} {number}"
                self._submit(game, command, Submission(by="tournament", key=name))

    def _effects(self, tournament: Tournament, fact: TournamentFact) -> Iterator[tuple[str, TableCommand]]:
        match fact:
            case GameRewound(game=game, version=version):
                yield game, Rewind(version)
            case TournamentPaused():
                yield from ((game, Pause()) for game in open_games(tournament))
            case TournamentResumed():
                yield from ((paired.games[table], Resume()) for paired, table in going_on(tournament))
            case TableHeld(round, table):
                yield from ((game, Pause()) for game in game_at(tournament, round, table))
            case TableReleased(round, table) if not tournament.is_paused:
                yield from ((game, Resume()) for game in game_at(tournament, round, table))
            case TournamentCancelled():
                yield from ((game, StopGame()) for game in open_games(tournament))
            case PlayerSubstituted(player, account):
                for game, seat in self._seats(tournament, player):
                    yield game, SubstitutePlayer(seat, account)

    def _seats(self, tournament: Tournament, player: str) -> Iterator[tuple[str, str]]:
        """Games that a player is in, and their seat."""
        for paired, table in open_tables(tournament):
            players = paired.round.tables[table].players
            if player in players:
                game = paired.games[table]
                yield game, self.games.load(game).players[players.index(player)]

    def _submit(self, game: str, command: TableCommand, submission: Submission) -> None:
        try:
            self.index.put(self._submitted(game, command, submission))
        except (NoSuchGame, Refused) as refusal:
            logger.info("game %s takes no %s: %s", game, type(command).__name__, refusal)

    def _submitted(self, game: str, command: TableCommand, submission: Submission) -> Game:
        """A ruling may come long after the end, when the game is packed or has left the store."""
        try:
            return self.games.submit(game, command, submission).after
        except Packed:
            self.games.log.unpack(game)
            return self.games.submit(game, command, submission).after


def open_games(tournament: Tournament) -> tuple[str, ...]:
    """The games that are played now."""
    return tuple(paired.games[table] for paired, table in open_tables(tournament))


def going_on(tournament: Tournament) -> Iterator[tuple[PairedRound, int]]:
    """Tables that are played now, and whose clocks no arbiter has stopped."""
    return ((paired, table) for paired, table in open_tables(tournament) if table not in paired.held)


def game_at(tournament: Tournament, round: int, table: int) -> tuple[str, ...]:
    game = tournament.round(round).games.get(table)
    return (game,) if game else ()


def open_tables(tournament: Tournament) -> tuple[tuple[PairedRound, int], ...]:
    """Tables whose games are played now: those of the present round, and those that play again by a ruling."""
    current = tournament.current
    now = tuple((current, table) for table in current.open_tables) if current else ()
    return tuple((paired, table) for paired, table in (*now, *tournament.reopened) if table in paired.games)
