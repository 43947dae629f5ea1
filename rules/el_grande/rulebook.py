"""What El Grande is made of: its map, its scoreboards and its cards, as plain data."""

from __future__ import annotations

from typing import Any

from rules.el_grande.extension import Rules
from rules.el_grande.names import power_card
from rules.el_grande.regions import LANGUAGES, NAMES
from rules.texts import ENGLISH, Catalogue


def rulebook(rules: Rules, catalogue: Catalogue = ENGLISH) -> dict[str, Any]:
    """Everything that does not change while a game is played.

    >>> from rules.el_grande.base import BASE
    >>> rulebook(BASE)["power_cards"][12]
    {'value': 13, 'caballeros': 0, 'text': 'Bring no caballeros to court.'}
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
                "title": row.title.rendered(catalogue),
                "text": row.text.rendered(catalogue),
                "copies": row.copies,
            }
            for card, row in rules.cards.items()
        ],
        "power_cards": [
            {"value": value, "caballeros": count, "text": power_card(count).rendered(catalogue)}
            for value, count in rules.power_cards.items()
        ],
    }


def _region(rules: Rules, name: str) -> dict[str, Any]:
    region = rules.regions[name]
    return {
        "id": name,
        "names": dict(zip(LANGUAGES, NAMES[name], strict=True)),
        "points": region.points,
        "neighbours": region.neighbours,
        "coastal": region.coastal,
    }
