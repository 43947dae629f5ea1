"""The tables of a round as cards: results of those that are done, public scores of those that are played now.

Where spectators see games later than players do, a running table shows scores to staff and to its players alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from events.table.facts import BOT_PREFIX
from events.table.game import RUNNING, Game
from rules.catalogue import game_named, rules_named
from rules.kernel import Player
from rules.texts import Text, say
from service.games.gallery import Thumbnail
from service.games.game_summary import summary
from service.http.context import services
from service.tournaments.tournament_representations import is_staff
from service.web.cards import Badge
from service.web.tournaments.people import Names, Person
from tournaments.history import points_at
from tournaments.options import Options
from tournaments.points import shown_points
from tournaments.results import Table, standing_places
from tournaments.tournament import PairedRound, Tournament


class Seat(NamedTuple):
    """A player at a table."""

    colour: Player
    person: Person
    is_me: bool
    score: int | None
    points: str
    """Of the tournament, once the table is done."""
    leads: bool
    is_asked: bool
    note: Text | None
    """Absent, left, or not there yet."""


class TableCard(NamedTuple):
    number: int
    """From 0."""
    state: str
    """Another, if the card looks otherwise."""
    game: str
    seats: list[Seat]
    badge: Badge
    round: int
    """Of the game that is played now; 0: it is not played."""
    last_round: int
    is_mine: bool
    is_my_turn: bool
    is_done: bool

    @property
    def title(self) -> Text:
        return say("Table {number}", number=self.number + 1)


class TableCards:
    """Of some tables of a round, which are read at once."""

    def __init__(self, tournament: Tournament, paired: PairedRound, tables: Sequence[int], account: str | None) -> None:
        self._tournament, self._paired = tournament, paired
        self._account, self._mine = account, tournament.player_of(account) if account else ""
        self._is_staff = is_staff(tournament, account)
        self.names = Names(tournament, (player for table in tables for player in paired.round.tables[table].players))
        self.games = games_of(paired, tables)
        self.cards = [self._card(table) for table in tables]

    @property
    def state(self) -> str:
        """Another, if a card looks otherwise."""
        return " ".join(card.state for card in self.cards)

    def _card(self, number: int) -> TableCard:
        table, game = self._paired.round.tables[number], self.games.get(number)
        is_mine = self._mine in table.players
        shows_scores = self._is_staff or is_mine or not self._tournament.options.spectators_delay_ms
        shown = game if game and shows_scores else None
        thumbnail = thumbnail_of(shown) if shown else None
        called = "?" if number in self._paired.claims else ""
        version = f"{game.version}{'' if shown else '-'}" if game else ""
        return TableCard(
            number=number,
            state=f"{self._paired.number}.{number}.{version}.{_result_state(table)}{called}",
            game=self._paired.games.get(number, ""),
            seats=self._seats(table, shown),
            badge=self._badge(number, table, game, thumbnail),
            round=thumbnail.round if thumbnail and not table.result else 0,
            last_round=thumbnail.last_round if thumbnail and not table.result else 0,
            is_mine=is_mine,
            is_my_turn=bool(game and not table.result and self._account in map(game.seats.get, game.asked)),
            is_done=table.result is not None,
        )

    def _seats(self, table: Table, game: Game | None) -> list[Seat]:
        colours = colours_of(self._tournament.options, len(table.players))
        if table.result:
            return self._done(table, colours)
        scores: Mapping[Player, int] = game.state.board.scores if game else {}
        best = max(scores.values(), default=0)
        return [
            Seat(
                colour,
                self.names.player(player),
                player == self._mine,
                scores.get(colour) if game else None,
                "",
                0 < scores.get(colour, 0) == best,
                bool(game and colour in game.asked),
                seat_note(game, colour),
            )
            for player, colour in zip(table.players, colours, strict=True)
        ]

    def _done(self, table: Table, colours: Sequence[Player]) -> list[Seat]:
        result = table.result
        assert result, "the table is done"
        points, places = points_at(self._tournament.options.points, table, result), standing_places(table)
        return [
            Seat(
                colours[seat],
                self.names.player(player),
                player == self._mine,
                result.victory_points[seat] if result.victory_points else None,
                shown_points(points[seat]),
                places[seat] == 1,
                False,
                say("absent") if seat in result.absent else say("left") if seat in result.abandoned else None,
            )
            for seat, player in enumerate(table.players)
        ]

    def _badge(self, number: int, table: Table, game: Game | None, thumbnail: Thumbnail | None) -> Badge:
        if table.result:
            return Badge(say("finished"), "plain")
        if not game:
            return Badge(say("about to begin") if self._paired.started_at else say("not begun"), "plain")
        if number in self._paired.claims:
            return Badge(say("arbiter called"), "warn", "gavel")
        if game.clock and game.clock.paused:
            return Badge(say("paused"), "warn", "pause")
        if thumbnail and thumbnail.round:
            last = thumbnail.round == thumbnail.last_round
            return Badge(say("last round") if last else say("round {number}", number=thumbnail.round), "good live")
        return Badge(say("live"), "good live")


def games_of(paired: PairedRound, tables: Sequence[int]) -> dict[int, Game]:
    """The games of tables that are not done, in one round trip."""
    ids = {paired.games[table]: table for table in tables if table in paired.games and not _is_done(paired, table)}
    found = services().games.load_newer(dict.fromkeys(ids, 0)) if ids else {}
    return {ids[id]: game for id, game in found.items() if game and game.status == RUNNING}


def _is_done(paired: PairedRound, table: int) -> bool:
    return paired.round.tables[table].result is not None


def _result_state(table: Table) -> str:
    return "" if not table.result else ",".join(map(str, (*table.result.places, *table.result.victory_points)))


def thumbnail_of(game: Game) -> Thumbnail | None:
    kept = services().gallery.thumbnails
    return kept.known(summary(game)) or kept.draw(game)


def seat_note(game: Game | None, colour: Player) -> Text | None:
    if not game:
        return None
    if colour in game.forfeited:
        return say("left")
    return say("not here yet") if colour in game.asked and is_missed(game, colour) else None


def is_missed(game: Game, colour: Player) -> bool:
    """Whether a player has never answered. Bots of the service are there from the beginning."""
    is_bot = game.seats.get(colour, "").startswith(BOT_PREFIX)
    return colour not in game.came and colour not in game.forfeited and not is_bot


@lru_cache(256)
def _colours(rules: str, size: int, options: tuple[tuple[str, str], ...]) -> tuple[Player, ...]:
    players: tuple[Player, ...] = game_named(rules).empty_table(rules_named(rules), size, **dict(options)).players
    return players


def colours_of(options: Options, size: int) -> tuple[Player, ...]:
    """The seats of a table, in the order of its players."""
    return _colours(options.game, size, tuple(options.game_options.items()))
