"""El Grande with one more expansion, as long as a test lasts."""

import dataclasses
from itertools import count

from msgspec.structs import replace

from rules.catalogue import GAMES, rules

NUMBERS = count()


def expanded(monkeypatch, expand=lambda rules: rules, **changes):
    """Rules that the catalogue knows, in which these answers are changed."""
    name = f"changed_{next(NUMBERS)}"

    def one_more(base):
        return dataclasses.replace(expand(base), name=f"{base.name}+{name}", **changes)

    game = GAMES["el_grande"]
    monkeypatch.setitem(GAMES, "el_grande", replace(game, expansions={**game.expansions, name: one_more}))
    return rules("el_grande", (name,))
