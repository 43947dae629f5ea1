"""Landmarks of El Caballero: rounds, turns, scorings, and the majorities of land regions."""

from __future__ import annotations

from typing import Any

from rules.drawing import View
from rules.el_caballero.board import State
from rules.el_caballero.brief import brief, title
from rules.el_caballero.facts import GameEnded, RegionScored, RoundBegan, ScoringBegan, TurnBegan
from rules.el_caballero.names import region_title
from rules.el_caballero.tiles import LAND
from rules.landmarks import END, ROUND, SCORED, SCORING, TURN, Landmark, Landmarks, Lead


def landmark(fact: Any) -> Landmark | None:
    match fact:
        case RoundBegan(number):
            return Landmark(ROUND, number=number)
        case TurnBegan(player):
            return Landmark(TURN, seat=player)
        case ScoringBegan(number):
            return Landmark(SCORING, number=number)
        case RegionScored() if fact.points:
            return Landmark(SCORED, space=fact.at, points=fact.points, name=region_title(fact.kind, fact.at))
        case GameEnded():
            return Landmark(END)
    return None


def leads(state: State, seen: View) -> tuple[Lead, ...]:
    """The players with the most Caballeros in every land region that a card borders, and governors in closed ones."""
    return tuple(
        Lead(one["at"], one["at"], _first(one), region_title(LAND, one["at"]))
        for one in seen["regions"]
        if one["kind"] == LAND and (one["counts"] or one["governor"])
    )


def _first(one: View) -> tuple[str, ...]:
    if one["governor"]:
        return (one["governor"],)
    most = max(one["counts"].values())
    return tuple(player for player, count in one["counts"].items() if count == most)


LANDMARKS = Landmarks(landmark, leads, brief, title)
