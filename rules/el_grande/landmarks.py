"""Landmarks of El Grande: rounds, turns, general scorings, and the majorities of regions."""

from __future__ import annotations

from typing import Any

from rules.drawing import View
from rules.el_grande.board import Board, State
from rules.el_grande.brief import brief, title
from rules.el_grande.facts import GameEnded, GeneralScoringBegan, RoundBegan, SpaceScored, TurnBegan
from rules.el_grande.picture.geography import sites_of
from rules.el_grande.regions import CASTILLO
from rules.el_grande.scoring import counted, ranking
from rules.kernel import Player
from rules.landmarks import END, ROUND, SCORED, SCORING, TURN, Landmark, Landmarks, Lead


def landmark(fact: Any) -> Landmark | None:
    match fact:
        case RoundBegan(number):
            return Landmark(ROUND, number=number)
        case TurnBegan(player):
            return Landmark(TURN, seat=player)
        case GeneralScoringBegan(number):
            return Landmark(SCORING, number=number)
        case SpaceScored():
            return Landmark(SCORED, space=fact.space, points=fact.points)
        case GameEnded():
            return Landmark(END)
    return None


def leads(state: State, seen: View) -> tuple[Lead, ...]:
    """The players at the first place of every space; of the castillo only if the viewer may look into it."""
    sites, spaces = sites_of(state.board.rules), (*seen["regions"], CASTILLO)
    hidden = () if seen["castillo"] is not None else (CASTILLO,)
    return tuple(
        Lead(space, sites[space].short, () if space in hidden else _first(state.board, space)) for space in spaces
    )


def _first(board: Board, space: str) -> tuple[Player, ...]:
    tied_groups = ranking(board, space, counted(board, space))
    return tuple(tied_groups[0]) if tied_groups else ()


LANDMARKS = Landmarks(landmark, leads, brief, title)
