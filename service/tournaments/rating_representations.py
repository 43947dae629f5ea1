"""Ratings as everybody sees them. Games of private tournaments count, and only their people learn where they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rules.catalogue import GAMES
from service.tournaments.rating_ledger import RatedStep, RatingLedger
from tournaments.ratings import NEW, strength
from tournaments.repository import Tournaments
from tournaments.tournament import Tournament

NEWEST = 10**9


@dataclass(frozen=True)
class RatingHistory:
    ledger: RatingLedger
    tournaments: Tournaments

    def ratings(self, player: str) -> list[dict[str, Any]]:
        """The present rating of a player in each game that they were rated in."""
        found = self.ledger.current(player, tuple(GAMES))
        return [{"game": family, **_rating(step)} for family, step in found.items()]

    def page(self, player: str, family: str, viewer: str | None, before: int, limit: int) -> dict[str, Any]:
        """Steps before a number, the newest first."""
        found = self.ledger.history(player, family, before, limit + 1)
        steps = found[:limit]
        known = self.seen(steps, viewer)
        earlier = [*(step.strength for step in found[1:]), strength(NEW)]
        return {
            "game": family,
            "steps": [
                {
                    "number": step.number,
                    "at": step.at,
                    **_rating(step),
                    "change": step.strength - former,
                    "place": step.place,
                    "players": step.players,
                    "tournament": step.tournament if step.tournament in known else None,
                    "round": step.round if step.tournament in known else None,
                }
                for step, former in zip(steps, earlier, strict=False)
            ],
            "next": steps[-1].number if len(found) > limit else None,
        }

    def seen(self, steps: Sequence[RatedStep], viewer: str | None) -> dict[str, Tournament]:
        """The tournaments of these steps that a viewer may know of."""
        found = self.tournaments.load_newer({step.tournament: 0 for step in steps})
        return {id: tournament for id, tournament in found.items() if tournament and tournament.is_visible_to(viewer)}


def _rating(step: RatedStep) -> dict[str, Any]:
    return {
        "rating": step.strength,
        "mean": step.rating.mean,
        "uncertainty": step.rating.uncertainty,
        "games": step.rating.games,
    }
