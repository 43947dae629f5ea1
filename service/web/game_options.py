"""What can be agreed because of an expansion, as forms offer it: by the catalogue alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rules.game import Game, Selection
from rules.texts import Text, say

Form = Mapping[str, Sequence[str]]

OWN = "own"
"""The value that stands for a choice of one's own, among the values of an option."""
NUMBER = ".number"
"""Ends the names of the fields with the numbers that were chosen."""

OPTION_WORDS: Mapping[str, Text] = {
    "game_length": say("Length"),
    "castillo_display": say("Castillo"),
    "full": say("full game"),
    "short": say("short game"),
    "hidden": say("shut"),
    "open": say("open"),
    "mode": say("Mode"),
    "basic": say("basic game"),
    "advanced": say("advanced game"),
    "deck": say("Cards of stack 6"),
    "random": say("at random"),
    "first_game": say("for a first game"),
    OWN: say("of your choice"),
}
"""Agreements of games, and their values, as people call them."""


class Further(NamedTuple):
    """An option that an expansion adds."""

    expansion: str
    option: str
    values: Mapping[str, Text | str]
    selection: Selection | None = None

    @property
    def left(self) -> Text:
        """How many are still to be chosen; a script fills in the number."""
        return say("{count} to choose", count="{count}")

    def chosen(self, agreed: str) -> str:
        """The value that a form shows as chosen."""
        return agreed if agreed in self.values else OWN if agreed and self.selection else next(iter(self.values))

    def numbers(self, agreed: str) -> frozenset[int]:
        """The numbers that a form shows as chosen."""
        return frozenset(int(word) for word in agreed.split(",") if word.isascii() and word.isdigit() and len(word) < 4)


def further_options(game: Game) -> tuple[Further, ...]:
    """The options that the expansions of a game add, in the order of the expansions."""
    found = []
    for expansion in game.expansions:
        selections = game.selections_with((expansion,))
        for option, values in game.options_with((expansion,)).items():
            if option not in game.options:
                selection = selections.get(option)
                all_of_them = (*values, OWN) if selection else values
                found.append(Further(expansion, option, words_of(all_of_them), selection))
    return tuple(found)


def words_of(values: Sequence[str]) -> dict[str, Text | str]:
    return {value: OPTION_WORDS.get(value, value) for value in values}


def read_further(form: Form, game: Game, expansions: Sequence[str]) -> dict[str, str]:
    """What a form says about the options of these expansions. A choice of one's own is kept even if it is not whole:
    it is refused with a reason when the table is made."""
    agreed = {}
    for each in further_options(game):
        value = next((value for value in reversed(form.get(each.option, ())) if value), "")
        if each.expansion not in expansions or value not in each.values:
            continue
        if value == OWN:
            agreed[each.option] = ",".join(numbers_of(form, each.option)) or OWN
        elif value != next(iter(each.values)):
            agreed[each.option] = value
    return agreed


def numbers_of(form: Form, option: str) -> list[str]:
    """
    >>> numbers_of({"deck.number": ["12", "3", "x"]}, "deck")
    ['3', '12']
    """
    given = {word for word in form.get(option + NUMBER, ()) if word.isascii() and word.isdigit() and len(word) < 4}
    return sorted(given, key=int)
