"""The further ways to answer that expansions with boards of their own bring, each in a game that comes to it."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tests.browser.situations import MENU, Found, Way, looked_at, way

GAMES_LOOKED_AT = 60


class Brought(NamedTuple):
    """What an expansion brings."""

    rules: tuple[str, ...]
    """The games that are looked at, in turn."""
    ways: tuple[Way, ...]


PIECE = "piece", "own_piece"
INQUISITOR = ("who", "inquisitor"), ("do", "inquisitor")
REACT = "plagiarise", "react"
HELD = "answer", "held"
USED = ("card", "held"), ("target", "card")

COLONIES = Brought(
    (
        "el_grande+grand_inquisitor_and_colonies",
        "el_grande+king_and_intrigue+grand_inquisitor_and_colonies",
        "el_grande+grand_inquisitor_and_colonies",
    ),
    (
        Way("disk_two_first", "set_disk", (("region", "disk"),)),
        Way("ship_departure", "sail", (PIECE, ("to", "destination"))),
        Way("ship_departure", "open_done"),
        Way("draw", "claim", (PIECE,)),
        Way("draw", "sail", (PIECE, ("to", "destination"))),
        Way("choose_card", "claim", (PIECE,)),
        Way("choose_card", "sail", (PIECE, ("to", "destination"))),
        Way("menu", "sail", (PIECE, ("to", "destination"))),
        Way("menu", "claim", (PIECE,)),
        Way("step", "claim", (PIECE,)),
        Way("draw", "character", INQUISITOR),
        Way("choose_card", "character", (*INQUISITOR, ("to", "placement"))),
        Way("menu", "character", INQUISITOR),
        Way("menu", "character", (*INQUISITOR, ("to", "placement"))),
        Way(*MENU, (("to", "space"),)),
        Way(*MENU, (("to", "space"), ("pieces", "named_piece"))),
        Way(*MENU, (("player", "seat"),)),
        Way(*MENU, (("card", "card"),)),
        Way(*MENU, (("card", "card"), ("to", "king_goes"))),
        Way(*MENU, (("card", "card"), ("space", "space"))),
        Way(*MENU, (("card", "card"), ("mode", ""))),
        Way(*MENU, (("card", "card"), ("mode", ""), ("source", "space"))),
        Way(*MENU, (("card", "card"), ("board", "scoreboard"), ("to", "scoreboard_goes"))),
        Way("menu", "use_held", USED),
        Way("draw", "use_held", USED),
        Way("menu", "use_held", (*USED, ("to", "space"))),
        Way("menu", "use_held", (*USED, ("to", "space"), ("pieces", "named_piece"))),
        Way(*REACT, (HELD,)),
        Way(*REACT, (HELD, ("card", "card"))),
        Way(*REACT, (HELD, ("card", "card"), ("to", "king_goes"))),
        Way(*REACT, (HELD, ("card", "card"), ("mode", ""), ("source", "space"))),
        Way("use_stack", "use_stack", (("choice", "use_stack"),)),
        Way("limit_fill", "fill", (("pieces", "named_piece"),)),
    ),
)

CHARACTER = ("who", "character"), ("do", "deed")
MERCENARY = (*CHARACTER, ("from", "space"), ("to", "destination"))

GRANDISSIMO = Brought(
    ("el_grande+grandissimo", "el_grande+grandissimo", "el_grande+grandissimo+anniversary"),
    (
        Way("place_foreign", "place_foreign", (("owner", "seat"), ("to", "placement"))),
        Way("landing", "land", (("tile", "ship"), ("to", "placement"))),
        Way("landing", "open_done"),
        Way("menu", "symbol", (("tile", "ship"),)),
        Way("menu", "symbol", (("owner", "piece"), ("from", "piece"))),
        Way("menu", "character", CHARACTER),
        Way("draw", "character", (*CHARACTER, ("to", "placement"))),
        Way("menu", "character", (*CHARACTER, ("to", "placement"))),
        Way("choose_card", "character", (*CHARACTER, ("to_player", "seat"))),
        Way("menu", "character", (*CHARACTER, ("to_player", "seat"))),
        Way("menu", "character", MERCENARY),
        Way("menu", "character", (*MERCENARY, ("escort", "owned_piece"))),
        Way("second_menu", "character", (*CHARACTER, ("to", "placement"))),
        Way("consent", "consent", (("agree", "consent"),)),
        Way("incognito", "react", (("answer", "incognito"),)),
        Way("disk_castillo", "set_disk", (("region", "disk"),)),
        Way(*MENU, (("character", "character"),)),
        Way(*MENU, (("own", "owned_piece"),)),
        Way(*MENU, (("own", "owned_piece"), ("others", "owned_piece"))),
        Way(*MENU, (("pardon", "destination"),)),
        Way(*MENU, (("to", "king_goes"), ("pardon", "destination"))),
        Way(*MENU, (("player", "grande"),)),
        Way(*MENU, (("regions", "space"),)),
        Way(*MENU, (("when", "when"), ("stack", "action_card"))),
        Way("menu", "use_held", (("card", "kept_action_card"),)),
        Way("second_menu", "place", (("to", "placement"),)),
        Way("second_menu", "special", (("to", "king_goes"),)),
        Way("second_menu", "end_card"),
        Way("step", "step", (("from", "scoreboard"), ("to", "scoreboard_goes"))),
    ),
)

BROUGHT = (COLONIES, GRANDISSIMO)


@cache
def found_of(brought: Brought) -> dict[Way, Found]:
    """The first game, of those that are looked at, for every way. A piece may go by several names: the last of them is
    the one that is seen on top of the others."""
    known: dict[Way, Found] = {}
    for seed in range(GAMES_LOOKED_AT):
        for here in looked_at(seed, brought.rules):
            [decision] = here.decisions
            for each, form in {way(decision, form): form for form in decision.forms}.items():
                known.setdefault(each, here.found(form))
        if set(brought.ways) <= set(known):
            break
    return known
