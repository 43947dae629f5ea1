"""Follows the results of tournaments into the ledger of ratings, and computes what has changed there.

A table is rated for the accounts that sat in its game, and have answered in it once: whatever a ruling says, nobody
loses by a game that they did not come to, and a table without a game rates nobody. Bots of the service are not rated,
nor does anybody gain by beating them: the places of the others among themselves count. Players who left the game come
last.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

from events.errors import NoSuchGame
from events.games import Games
from events.log.codec import Commit
from events.table.facts import BOT_PREFIX
from rules.catalogue import GAMES
from service.tournaments.rating_ledger import RatedTable, RatingLedger
from tournaments.decider import tournament_facts
from tournaments.facts import ResultChanged, ResultRecorded
from tournaments.ratings import Rating, after_game
from tournaments.repository import Tournaments
from tournaments.results import Result, Table, standing_places
from tournaments.tournament import Tournament

SECONDS_AT_A_TIME = 0.5
TABLES_AT_ONCE = 200
COMMITS_AT_ONCE = 500


class RatingWorker:
    """`attend` is for one thread of one process, `follow` for any."""

    def __init__(self, ledger: RatingLedger, tournaments: Tournaments, games: Games) -> None:
        self._ledger, self._tournaments, self._games = ledger, tournaments, games

    # Results

    def follow(self, tournament: Tournament, commit: Commit) -> None:
        """Note the results of a commit, and of those before it that were missed."""
        if not tournament.options.rated:
            return
        version, known = commit.header.version, self._ledger.read_until(tournament.id)
        if known >= version:
            return
        if known < version - 1:
            self._catch_up(tournament, known, version - 1)
        self._note(tournament, commit)
        self._ledger.note_read(tournament.id, version)

    def _catch_up(self, tournament: Tournament, known: int, until: int) -> None:
        for first in range(known, until, COMMITS_AT_ONCE):
            last = min(first + COMMITS_AT_ONCE, until)
            for commit in self._tournaments.commits(tournament.id, first, last):
                self._note(tournament, commit)
            self._ledger.note_read(tournament.id, last)

    def _note(self, tournament: Tournament, commit: Commit) -> None:
        for fact in tournament_facts(commit):
            if isinstance(fact, ResultRecorded | ResultChanged):
                self._note_result(tournament, commit, fact)

    def _note_result(self, tournament: Tournament, commit: Commit, fact: ResultRecorded | ResultChanged) -> None:
        family, name = family_of(tournament), f"{tournament.id}/{fact.round}/{fact.table}"
        is_put = False
        while not is_put:
            before = self._ledger.table(family, name)
            if before and before.version >= commit.header.version:
                return
            # A corrected result stays where it was; one after none is new.
            at = (before.at if before else 0) or commit.header.at
            players, places = self._ranked(tournament, fact.round, fact.table, fact.result)
            table = RatedTable(
                tournament.id, fact.round, fact.table, commit.header.version, at if fact.result else 0, players, places
            )
            is_put = self._ledger.put(family, table, before)

    def _ranked(
        self, tournament: Tournament, round: int, number: int, result: Result | None
    ) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """The accounts that are rated for a result, and their places."""
        if not result:
            return (), ()
        paired = tournament.round(round)
        table = Table(paired.round.tables[number].players, result)
        accounts = self._came(tournament, table, paired.games.get(number, ""))
        ranked = [
            (account, place)
            for seat, (account, place) in enumerate(zip(accounts, standing_places(table), strict=True))
            if account and seat not in result.absent and not account.startswith(BOT_PREFIX)
        ]
        return tuple(account for account, _ in ranked), tuple(place for _, place in ranked)

    def _came(self, tournament: Tournament, table: Table, game: str) -> list[str]:
        """The accounts seat by seat, empty where nobody came; of a game that is lost, the players of the table."""
        players = [tournament.participants[player].account for player in table.players]
        if not game:
            return [""] * len(players)
        try:
            played = self._games.load(game)
        except NoSuchGame:
            return players
        return [played.seats.get(seat) or "" if seat in played.came else "" for seat in played.players]

    # Computing

    def attend(self) -> int:
        """Compute ratings that have changed, for a while; says of how many tables."""
        end, count = monotonic() + SECONDS_AT_A_TIME, 0
        if not self._is_read(end):
            return 0
        for family in GAMES:
            while monotonic() < end and (chunk := self._ledger.next_chunk(family, TABLES_AT_ONCE)):
                ratings, after = dict(chunk.before), list[Mapping[str, Rating]]()
                for table in chunk.tables:
                    after.append(after_game(table.game, ratings))
                    ratings |= after[-1]
                count += len(chunk.tables) if self._ledger.save(family, chunk, after) else 0
        return count

    def _is_read(self, end: float) -> bool:
        """Read all tournaments, if the ledger is new or lost; not finished when the time is over."""
        if self._ledger.is_complete:
            return True
        log = self._tournaments.log
        for bucket in log.buckets.all:
            for id in log.games(bucket):
                if monotonic() > end:
                    return False
                self._read(self._tournaments.load(id))
        self._ledger.mark_complete()
        return True

    def _read(self, tournament: Tournament) -> None:
        known = self._ledger.read_until(tournament.id)
        if tournament.options.rated and known < tournament.version:
            self._catch_up(tournament, known, tournament.version)


def family_of(tournament: Tournament) -> str:
    """Expansions of a game are one family with it."""
    return tournament.options.game.partition("+")[0]
