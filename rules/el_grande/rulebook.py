"""What El Grande is made of: its map, its scoreboards and its cards, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from rules.el_grande.extension import Rules
from rules.el_grande.names import power_card
from rules.el_grande.regions import LANGUAGES, NAMES
from rules.texts import ENGLISH, Catalogue


class Region(TypedDict):
    """A region of the map."""

    id: str
    names: dict[str, str]
    """By language."""
    points: tuple[int, ...]
    """For first, second and third."""
    neighbours: tuple[str, ...]
    """The regions beside it."""
    coastal: bool


class Card(TypedDict):
    """An action card."""

    id: str
    stack: int
    """0 if it lies in none."""
    places: int
    """How many caballeros may be placed with it."""
    title: str
    text: str
    """What its special action does, in a sentence."""
    copies: int


class PowerCard(TypedDict):
    value: int
    caballeros: int
    """How many come to court."""
    text: str
    """What it does, in a sentence."""
    card: str | None
    """The action card that it is at the same time; null if it is none."""


class RuleBook(TypedDict):
    """The material of the game."""

    regions: list[Region]
    castillo: tuple[int, ...]
    """Its points for first, second and third."""
    scoreboards: Mapping[str, tuple[int, ...]]
    """Movable scoreboards, with their points."""
    rounds: Mapping[str, tuple[int, ...]]
    """The rounds that are played, by length of the game."""
    scoring_rounds: tuple[int, ...]
    cards: list[Card]
    power_cards: list[PowerCard]


def rulebook(rules: Rules, catalogue: Catalogue = ENGLISH) -> RuleBook:
    """Everything that does not change while a game is played.

    >>> from rules.el_grande.base import BASE
    >>> rulebook(BASE)["power_cards"][12]
    {'value': 13, 'caballeros': 0, 'text': 'Bring no caballeros to court.', 'card': None}
    """
    return {
        "regions": [_region(rules, name) for name in rules.regions],
        "castillo": rules.castillo_points,
        "scoreboards": rules.scoreboards,
        "rounds": rules.rounds,
        "scoring_rounds": rules.scoring_rounds,
        "cards": [
            {
                "id": card,
                "stack": row.stack,
                "places": row.places,
                "title": row.title.rendered(catalogue),
                "text": row.text.rendered(catalogue),
                "copies": row.copies,
            }
            for card, row in rules.cards.items()
        ],
        "power_cards": [
            {
                "value": value,
                "caballeros": count,
                "text": power_card(count).rendered(catalogue),
                "card": rules.hand_cards.get(value),
            }
            for value, count in rules.power_cards.items()
        ],
    }


def _region(rules: Rules, name: str) -> Region:
    region = rules.regions[name]
    return {
        "id": name,
        "names": dict(zip(LANGUAGES, region.names or NAMES[name], strict=True)),
        "points": region.points,
        "neighbours": region.neighbours,
        "coastal": region.coastal,
    }
