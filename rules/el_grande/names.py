"""What things are called: the ids that texts carry, as people say them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rules.el_grande.board import is_marked, space_of
from rules.el_grande.deck import ActionCard, copies
from rules.el_grande.regions import CASTILLO, COURT, PROVINCE
from rules.seats import SEATS
from rules.texts import Text, Value, say, say_many

if TYPE_CHECKING:
    from rules.el_grande.extension import Points

PLACES = {
    "galicia": say("Galicia"),
    "pais_vasco": say("Basque Country"),
    "castilla_la_vieja": say("Old Castile"),
    "castilla_la_nueva": say("New Castile"),
    "aragon": say("Aragon"),
    "cataluna": say("Catalonia"),
    "valencia": say("Valencia"),
    "granada": say("Granada"),
    "sevilla": say("Seville"),
    CASTILLO: say("Castillo"),
    COURT: say("the court"),
    PROVINCE: say("the province"),
}

REASONS = {
    "first": say("first"),
    "second": say("second"),
    "third": say("third"),
    "king": say("king"),
    "grande": say("grande"),
}
"""For what points are awarded."""


def place(key: str) -> Text:
    """A space as people call it, or the place of a marked piece.

    >>> str(place("castilla_la_nueva")), str(place("granada+hat")), str(place("court"))
    ('New Castile', 'Granada (hat)', 'the court')
    """
    space = space_of(key)
    if not is_marked(key):
        return PLACES[space]
    return marked(PLACES[space], key.removeprefix(space)[1:])


def marked(place: Text, mark: Value) -> Text:
    """What is called by its place and by what marks it."""
    return say("{place} ({mark})", place=place, mark=mark)


def power_card(caballeros: int) -> Text:
    """What a power card does, beside the order of turns."""
    if not caballeros:
        return say("Bring no caballeros to court.")
    return say_many(
        "Bring {count} caballero to court, or none.", "Bring up to {count} caballeros to court.", caballeros
    )


def names(cards: Mapping[str, ActionCard], scoreboards: Mapping[str, Points]) -> dict[str, Text]:
    """The names of everything in a game with these cards and scoreboards."""
    game = {"el_grande": say("El Grande")}
    return {**game, **SEATS, **PLACES, **REASONS, **titles(cards), **dict(_tables(scoreboards))}


def titles(cards: Mapping[str, ActionCard]) -> dict[str, Text]:
    """What these cards and all their copies are called."""
    return dict(_titles(cards))


def _titles(cards: Mapping[str, ActionCard]) -> Iterator[tuple[str, Text]]:
    for card, row in cards.items():
        title = say("“{title}”", title=row.title)
        yield from ((copy, title) for copy in (card, *copies(card, row)))


def _tables(scoreboards: Mapping[str, Points]) -> Iterator[tuple[str, Text]]:
    for scoreboard, (first, second, third) in scoreboards.items():
        yield scoreboard, say("scoreboard {first}/{second}/{third}", first=first, second=second, third=third)
