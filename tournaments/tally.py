"""The tally of a history: scores, encounters and digest, carried on from round to round. Pure.

A round costs the same however many came before it, because none of them is looked at again.
"""

from __future__ import annotations

from msgspec import Struct

from tournaments.encounters import Encounters, encounters, encounters_after
from tournaments.history import History, add_points, history_digest, next_digest, scores
from tournaments.results import Round


class Tally(Struct, frozen=True):
    """After some rounds."""

    rounds: int
    scores: dict[str, int]
    encounters: Encounters
    digest: str


def tally(history: History) -> Tally:
    """Of all rounds of a history."""
    return Tally(len(history.rounds), scores(history), encounters(history.rounds), history_digest(history))


def tally_after(before: Tally, history: History, round: Round) -> Tally:
    """With one more round."""
    number, points = before.rounds + 1, {player.id: 0 for player in history.players} | before.scores
    add_points(points, history, round, number)
    met = encounters_after(before.encounters, round)
    return Tally(number, points, met, next_digest(before.digest, history, round, number))
