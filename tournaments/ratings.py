"""Ratings: how strong players are by all their games of one family, as a mean and its uncertainty.

They are computed from results in order, by the Bradley-Terry model with partial pairing of openskill: after a corrected
result everything that follows is computed again. Ratings seed players and fold tables; they rank nobody.

>>> after = rated([RatedGame(("ana", "ben", "cid"), (1, 2, 3))])
>>> after["ana"].mean > after["ben"].mean > after["cid"].mean
True
>>> strength(after["ana"]) > strength(NEW)
True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from msgspec import Struct
from openskill.models import BradleyTerryPart

from tournaments.results import Round, standing_places

DIGITS = 6
"""Kept of mean and uncertainty, so that every machine finds the same."""

SCALE, MIDDLE = 40, 1000


class Rating(Struct, frozen=True):
    mean: float = 25.0
    uncertainty: float = 8.333333
    games: int = 0


NEW = Rating()


class RatedGame(Struct, frozen=True):
    """Players, and the place of each; players who left the game come last."""

    players: tuple[str, ...]
    places: tuple[int, ...]


def strength(rating: Rating) -> int:
    """One number for seeding and for people: what a player is worth for sure.

    >>> strength(NEW), strength(Rating(35, 2))
    (1000, 2160)
    """
    return round(MIDDLE + SCALE * (rating.mean - 3 * rating.uncertainty))


def rated(games: Iterable[RatedGame], before: Mapping[str, Rating] | None = None) -> dict[str, Rating]:
    """The ratings of all players after these games, in order."""
    ratings = dict(before or {})
    for game in games:
        ratings |= after_game(game, ratings)
    return ratings


def rating_history(games: Iterable[RatedGame], player: str) -> list[Rating]:
    """The ratings of one player, after each of their games."""
    ratings: dict[str, Rating] = {}
    found = []
    for game in games:
        ratings |= after_game(game, ratings)
        if player in game.players:
            found.append(ratings[player])
    return found


def after_game(game: RatedGame, ratings: Mapping[str, Rating]) -> dict[str, Rating]:
    """The new ratings of the players of a game."""
    before = [ratings.get(player, NEW) for player in game.players]
    teams = [[_model().rating(each.mean, each.uncertainty)] for each in before]
    after = _model().rate(teams, ranks=[float(place) for place in game.places])
    return {
        player: Rating(round(new.mu, DIGITS), round(new.sigma, DIGITS), old.games + 1)
        for player, old, [new] in zip(game.players, before, after, strict=True)
    }


def rated_games(rounds: Iterable[Round]) -> Iterator[RatedGame]:
    """The games of these rounds that were played. A forfeit rates nobody."""
    for round in rounds:
        for table in round.tables:
            if table.is_played:
                places = dict(zip(table.players, standing_places(table), strict=True))
                yield RatedGame(table.present, tuple(places[player] for player in table.present))


@cache
def _model() -> Any:
    return BradleyTerryPart()
