"""How the things that decisions ask for are shown and picked: a row for each kind (`x-of`)."""

from __future__ import annotations

from rules.el_caballero.geometry import DIRECTIONS, FACES, number
from rules.picture import CARD, HAND, NUMBER, PIECE, PLACE, TURN, Control

NUMBERS = {
    f"{face}/{rotation}": tuple(str(number(face, rotation, direction)) for direction in DIRECTIONS)
    for face in FACES
    for rotation in DIRECTIONS
}
"""What a Caballero card shows to the north, east, south and west, by face and rotation."""

TURNED = Control(TURN, "{face}/{rotation}", symbol="card-{seat}", faces=NUMBERS)

CONTROLS = {
    "power_card": Control(HAND),
    "supply": Control(NUMBER, starts_full=True),
    "tile": Control(CARD),
    "tile_cell": Control(PLACE),
    "tile_rotation": Control(TURN, symbol="tile-{tile}-{rotation}"),
    "card_cell": Control(PLACE),
    "face": TURNED,
    "card_rotation": TURNED,
    "own_card": Control(PIECE, "card/{value}"),
    "own_castle": Control(PIECE, "card/{value}"),
    "own_ship": Control(PIECE, "ship/{at}:{dir}"),
    "moved_ship": Control(PIECE, "ship/{from}:{from_dir}"),
    "ship_cell": Control(PLACE),
    "region_side": Control(PLACE),
}
