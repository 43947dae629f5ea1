"""How Grandissimo is drawn: Portugal, ship tiles, the prison, mercenaries, alliance markers."""

# ruff: noqa: E501 - outlines are long

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from rules.drawing import View
from rules.el_grande.board import space_of
from rules.el_grande.expansions.grandissimo.actions import KEEP, NOW
from rules.el_grande.expansions.grandissimo.characters import DRAW, PLACE, SEND
from rules.el_grande.expansions.grandissimo.characters import MOVE as MOVE_MERCENARY
from rules.el_grande.expansions.grandissimo.facts import (
    BLACK,
    INQUISITOR,
    JESTER,
    NAME,
    PORTUGAL,
    QUEEN,
    SHIPS,
    CaballeroImprisoned,
    CaballerosLanded,
    ConscriptsPlaced,
    ForeignPlaced,
    PrisonersPardoned,
)
from rules.el_grande.expansions.grandissimo.incognito import PASS, PASS_TURN, USE
from rules.el_grande.picture import pieces
from rules.el_grande.picture.geography import FAR_LANDS, SITES, Overseas, Point, Site
from rules.el_grande.picture.scene import LIFT, stack_point
from rules.el_grande.regions import CASTILLO
from rules.kernel import Player
from rules.picture import ANSWER, CARD, MOVE, PIECE, SHAPES, TILE, Beat, Control, Sprite
from rules.texts import say

# Places


def _portugal() -> Site:
    """Along the west coast, as in the base game, where it is only a name."""
    rows = {
        2: ((102, 548), (158, 548)),
        3: ((102, 521), (158, 521), (130, 575)),
        4: ((102, 521), (158, 521), (102, 575), (158, 575)),
        5: ((102, 494), (158, 494), (102, 548), (158, 548), (130, 602)),
    }
    grandes = {
        1: ((130, 672),),
        2: ((109, 672), (151, 672)),
        3: ((88, 672), (130, 672), (172, 672)),
        4: ((79, 672), (113, 672), (147, 672), (181, 672)),
        5: ((62, 672), (96, 672), (130, 672), (164, 672), (198, 672)),
    }
    return Site(
        outline=FAR_LANDS[PORTUGAL],
        short="POR",
        centre=(140, 520),
        label=(152, 372),
        table=(148, 402),
        king=(146, 456),
        stacks=rows,
        grandes=grandes,
        token=(82, 456),
        style="abroad",
    )


WIDTH, HEIGHT = 176, 52
DECK = 32
"""How far apart two seats stand on a ship or in prison."""


def _ship(number: int, centre: Point) -> Site:
    x, y = centre
    hull = f"M{x - 92},{y - 22}L{x + 92},{y - 22}L{x + 78},{y + 26}Q{x + 74},{y + 32} {x + 66},{y + 32}"
    outline = f"{hull}L{x - 66},{y + 32}Q{x - 74},{y + 32} {x - 78},{y + 26}Z"
    rows = {players: tuple(_in_a_row(centre, players)) for players in range(2, len(SHAPES) + 1)}
    return Site(outline, f"S{number}", centre, (x, y - 28), (x, y), rows, {}, style="unseen")


def _in_a_row(centre: Point, players: int) -> Iterator[Point]:
    x, y = centre
    for seat in range(players):
        yield x + DECK * (seat - (players - 1) / 2), y + 4


KING_IN_CASTILLO = (838, 706)
PRISON_AT = (500, 40)

SITES_OF_SHIPS = {SHIPS[0]: _ship(1, (594, 868)), SHIPS[1]: _ship(2, (130, 862))}
MAP = Overseas(
    {CASTILLO: replace(SITES[CASTILLO], king=KING_IN_CASTILLO), PORTUGAL: _portugal(), **SITES_OF_SHIPS},
    covers=("compass",),
)

# Symbols

STAR = "M0-25L7-18H18V-7L25 0L18 7V18H7L0 25L-7 18H-18V7L-25 0L-18-7V-18H-7Z"
"""Mercenaries belong to no seat: a star, and black."""


def _small(seat: str) -> str:
    """A pile on a ship or in prison."""
    digits = pieces.DIGITS.get(seat, 10)
    return (
        f'<g class="stack {seat}" transform="scale(.76)"><path class="cast" d="{SHAPES[seat]}" transform="translate(0 4)"/>'
        f'<path class="face" d="{SHAPES[seat]}"/><text class="count" y="{digits}" data-text="0"></text></g>'
    )


SYMBOLS = {
    **{f"stack-{BLACK}-{layers}": pieces.stack(BLACK, layers, STAR) for layers in (1, 2, 3)},
    **{f"small-{seat}": _small(seat) for seat in SHAPES},
    "ship-tile": (
        '<g class="ship-tile"><path class="cast" d="M-92-18L92-18L78 30Q74 36 66 36L-66 36Q-74 36-78 30Z"/>'
        '<path class="hull" d="M-92-22L92-22L78 26Q74 32 66 32L-66 32Q-74 32-78 26Z"/>'
        '<path class="plank" d="M-86-6H86M-82 14H82"/><path class="sail" d="M-84-24Q-70-46-84-66L-52-58Q-44-40-52-24Z"/>'
        '<text class="label small" y="-32" text-anchor="middle" data-text="0"></text></g>'
    ),
    "prison": (
        '<g class="prison"><rect class="cast" x="-134" y="-25" width="268" height="58" rx="9"/>'
        '<rect class="plate" x="-134" y="-29" width="268" height="58" rx="9"/>'
        '<path class="bars" d="M-46-29V29M94-29V29M104-29V29M114-29V29M124-29V29"/>'
        '<text class="label small" x="-90" y="6" text-anchor="middle" data-text="0"></text></g>'
    ),
    "marked-piece": '<circle class="unseen" r="14"/>',
    "ally": (
        '<g class="ally"><circle class="cast" r="17" cy="3"/><circle class="plate" r="17"/>'
        '<path class="line" d="M0-11V10M-6 10H6M-9-7H9M-9-7L-13 2H-5ZM9-7L5 2H13Z"/></g>'
    ),
}

ICONS = {QUEEN: "queen", JESTER: "jester", INQUISITOR: "gavel"}

CONTROLS = {
    "ship": Control(TILE, symbol="ship-tile"),
    "character": Control(TILE, icons=ICONS),
    "deed": Control(
        ANSWER,
        names={
            DRAW: say("One to court"),
            PLACE: say("Place one"),
            SEND: say("To a court"),
            MOVE_MERCENARY: say("Move a mercenary"),
        },
    ),
    "when": Control(ANSWER, names={NOW: say("Use it now"), KEEP: say("Keep it")}),
    "seat": Control(ANSWER),
    "grande": Control(PIECE, "grande/{value}"),
    "owned_piece": Control(PIECE, "{value}"),
    "kept_action_card": Control(CARD),
    "consent": Control(
        ANSWER, names={"true": say("It goes along"), "false": say("It stays")}, shortcuts={"true": "y", "false": "n"}
    ),
    "incognito": Control(
        ANSWER,
        names={USE: say("Now"), PASS: say("Not now"), PASS_TURN: say("Not in this turn")},
        icons={USE: "mask"},
        shortcuts={USE: "u", PASS: "p", PASS_TURN: "t"},
    ),
}

# What stands there


def taboo(seen: View) -> str:
    """The region of the Grande who acts for the king is the king's."""
    deputy = seen[NAME]["deputy"]
    return str(seen["grandes"][deputy] if deputy else seen["king"])


def sprites(seen: View) -> Iterator[Sprite]:
    here = seen[NAME]
    for ship, tile in here["ships"].items():
        if tile["court"]:
            yield from _ship_in_play(seen, ship, tile)
    if here["prison"]:
        yield from _prison(seen, here["prison"])
    for piece in seen["marked"]:
        x, y = stack_point(seen, piece["owner"], space_of(piece["at"]))
        yield Sprite(f"{piece['owner']}/{piece['at']}", "marked-piece", "marks", x + LIFT[0], y + LIFT[1])
    for region in here["alliance"]:
        x, y = _beside_points(region)
        yield Sprite(f"ally/{region}", "ally", "marks", x, y)


def _beside_points(region: str) -> Point:
    """Beside the points of the region."""
    x, y = SITES[region].table
    return x + 70, y


def _ship_in_play(seen: View, ship: str, tile: View) -> Iterator[Sprite]:
    site = SITES_OF_SHIPS[ship]
    yield Sprite(ship, "ship-tile", "tables", *site.centre, texts=(say("ship of {player}", player=tile["court"]),))
    for player, number in tile["aboard"].items():
        x, y = stack_point(seen, player, ship)
        yield Sprite(f"{ship}/{player}", f"small-{player}", "pieces", x, y, texts=(str(number),))


def _prison(seen: View, prisoners: View) -> Iterator[Sprite]:
    yield Sprite("prison", "prison", "tables", *PRISON_AT, texts=(say("prison"),))
    for number, (player, count) in enumerate(prisoners.items()):
        x, y = PRISON_AT[0] - 24 + number * 34, PRISON_AT[1]
        yield Sprite(f"prison/{player}", f"small-{player}", "pieces", x, y, texts=(str(count),))


# What is seen to happen


def beats(fact: Any, before: View, after: View) -> Iterator[Beat]:
    match fact:
        case CaballeroImprisoned(owner, source):
            yield _flight(after, owner, stack_point(after, owner, source.partition("+")[0]), PRISON_AT, 1)
        case PrisonersPardoned(_, space, prisoners):
            for owner, number in prisoners.items():
                yield _flight(after, owner, PRISON_AT, _point(after, owner, space), number)
        case CaballerosLanded(player, ship, region, number):
            yield _flight(after, player, SITES_OF_SHIPS[ship].centre, stack_point(after, player, region), number)
        case ConscriptsPlaced(player, space, number):
            yield _flight(after, player, player, _point(after, player, space), number)
        case ForeignPlaced(owner, space, by):
            yield _flight(after, owner, by, _point(after, owner, space), 1)


def _point(seen: View, player: Player, space: str) -> Point:
    return SITES[CASTILLO].centre if space == CASTILLO else stack_point(seen, player, space)


def _flight(seen: View, player: Player, start: Point | Player, end: Point | Player, number: int) -> Beat:
    return Beat(MOVE, f"stack-{player}-{pieces.height(number)}", start, end, str(number))
