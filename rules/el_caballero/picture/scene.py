"""A position of El Caballero as a scene: tiles and cards on a map that grows, the tiles that lie open, the players."""

from __future__ import annotations

from collections.abc import Iterator

from rules.drawing import View
from rules.el_caballero.extension import RULES, Mode, Rules
from rules.el_caballero.geometry import coordinates, neighbours
from rules.el_caballero.names import tile_name
from rules.el_caballero.picture.geography import SIZE, centre, towards
from rules.el_caballero.picture.ground import ASPECT
from rules.el_caballero.picture.pieces import variant_of
from rules.el_caballero.tiles import LAND, TILES
from rules.kernel import Player
from rules.picture import Card, Figure, Panel, Place, Point, Round, Scene, Sprite
from rules.texts import Text, say, say_many

BESIDE = 81
"""From the middle of a card to a ship at its side."""
GOVERNOR, HARBOUR = 34, 68
"""From the middle of a tile to the governor of a region, and to its ship."""
MARGIN = 0.2
"""Cells around the map that are seen, beside those where something can be placed."""
SMALLEST = 5
"""So many cells are seen at least, in both directions."""


def scene(seen: View) -> Scene:
    return Scene(
        tuple(sprites(seen)),
        tuple(panels(seen)),
        tuple(cards(seen)),
        tuple(rounds(seen)),
        view(seen),
        tuple(places(seen)),
    )


def rules_of(seen: View) -> Rules:
    return RULES[seen["rules"]]


def mode_of(seen: View) -> Mode:
    return rules_of(seen).modes[seen["mode"]]


# The map


def sprites(seen: View) -> Iterator[Sprite]:
    yield from thumbnail(seen)
    yield from _closed(seen)


def thumbnail(seen: View) -> Iterator[Sprite]:
    """Tiles, cards and what stands on them."""
    for tile in seen["tiles"]:
        yield Sprite(f"tile/{tile['tile']}", f"tile-{tile['tile']}-{tile['rotation']}", "tiles", *centre(tile["at"]))
    for card in seen["cards"]:
        yield _card(card)
        yield from _on_card(card)
    yield from _governors(seen)


def _card(card: View) -> Sprite:
    style = " ".join(f"land-{direction}" for direction in card["land"])
    numbers = tuple(map(str, card["numbers"]))
    return Sprite(f"card/{card['at']}", f"card-{card['owner']}", "cards", *centre(card["at"]), style, numbers)


def _on_card(card: View) -> Iterator[Sprite]:
    at, owner = card["at"], card["owner"]
    x, y = centre(at)
    if card["castle"]:
        yield Sprite(f"castle/{at}", f"castle-{owner}", "pieces", x, y)
    if card["grande"]:
        yield Sprite(f"grande/{owner}", f"grande-{owner}", "pieces", *grande_point(at))
    for direction in card["ships"]:
        point = towards(at, direction, BESIDE)
        yield Sprite(f"ship/{at}:{direction}", f"ship-{owner}", "pieces", *point)


def grande_point(at: str) -> Point:
    x, y = centre(at)
    return x + 48, y - 48


def _governors(seen: View) -> Iterator[Sprite]:
    for region in seen["regions"]:
        if owner := region["governor"]:
            at, direction = region["at"], region["dir"]
            key = f"{at}:{direction}"
            yield Sprite(f"governor/{key}", f"governor-{owner}", "pieces", *towards(at, direction, GOVERNOR))
            if region["kind"] != LAND and region["counts"]:
                yield Sprite(f"ship/{key}", f"ship-{owner}", "pieces", *towards(at, direction, HARBOUR))


def ship_point(seen: View, at: str, direction: int) -> Point:
    """Where a ship lies: beside a card, or at a governor."""
    is_governed = any(tile["at"] == at for tile in seen["tiles"])
    return towards(at, direction, HARBOUR if is_governed else BESIDE)


def _closed(seen: View) -> Iterator[Sprite]:
    """A second line along the coasts of closed regions."""
    tiles = {tile["at"]: tile for tile in seen["tiles"]}
    for region in seen["regions"]:
        if not region["closed"]:
            continue
        for cell in dict.fromkeys(side.partition(":")[0] for side in region["sides"]):
            tile = tiles[cell]
            name = f"{TILES[tile['tile']].edges}-{variant_of(tile['tile'])}-{tile['rotation']}"
            for symbol in _coasts(region, cell, tile):
                yield Sprite(f"{symbol}/{cell}", f"{symbol}-{name}", "state", *centre(cell))


def _coasts(region: View, cell: str, tile: View) -> Iterator[str]:
    """The coasts of a region on one of its tiles, by the names of their symbols."""
    edges = TILES[tile["tile"]].edges
    if len(set(edges)) < 2:
        return
    if region["kind"] == LAND:
        yield "closed-land"
    elif edges != "LSLS":
        yield "closed-sea-0"
    else:
        # Clockwise from the first land: the sea in the east, then the one in the west.
        for number, base in enumerate((1, 3)):
            if f"{cell}:{(base + tile['rotation']) % 4}" in region["sides"]:
                yield f"closed-sea-{number}"


def view(seen: View) -> tuple[float, float, float, float]:
    """The map, the cells around it where something may come, and what such a shape shows beside them."""
    around = 0 if seen["over"] else 1
    cells = [coordinates(piece["at"]) for piece in (*seen["tiles"], *seen["cards"])] or [(0, 0)]
    xs, ys = zip(*cells, strict=True)
    wide = max(max(xs) - min(xs) + 1 + 2 * around, SMALLEST) + 2 * MARGIN
    high = max(max(ys) - min(ys) + 1 + 2 * around, SMALLEST) + 2 * MARGIN
    wide, high = max(wide, high * ASPECT), max(high, wide / ASPECT)
    left, top = (min(xs) + max(xs) - wide) / 2, (min(ys) + max(ys) - high) / 2
    return round(left * SIZE, 1), round(top * SIZE, 1), round(wide * SIZE, 1), round(high * SIZE, 1)


def places(seen: View) -> Iterator[Place]:
    """Every cell with something on it, and those around them."""
    taken = dict.fromkeys(piece["at"] for piece in (*seen["tiles"], *seen["cards"]))
    around = (other for at in taken for other in neighbours(at))
    for cell in dict.fromkeys((*taken, *around)):
        yield Place(cell, cell, centre(cell), {}, shape="cell")


# Beside the map


def panels(seen: View) -> Iterator[Panel]:
    for player in seen["players"]:
        yield Panel(
            seat=player,
            score=seen["scores"].get(player, 0),
            played=str(seen["power"].get(player, "")),
            note=_note(seen, player),
            turn=_turn(seen, player),
            state=_state(seen, player),
            figures=tuple(_figures(seen, player)),
            hand=_hand(seen, player),
        )


def _note(seen: View, player: Player) -> Text | str:
    if place := seen["places"].get(player):
        return say("place {place}", place=place)
    number = _turn(seen, player)
    return say("turn {number}", number=number) if number else ""


def _turn(seen: View, player: Player) -> int:
    """The place in the order of the round: the highest card begins."""
    order = sorted(seen["power"], key=seen["power"].__getitem__, reverse=True)
    return order.index(player) + 1 if _is_ordered(seen) else 0


def _is_ordered(seen: View) -> bool:
    return len(seen["power"]) == len(seen["players"])


def _state(seen: View, player: Player) -> str:
    asked = seen["waiting"]["players"] if seen["waiting"] else ()
    if player == seen["turn"]:
        return "acting"
    if player in asked:
        return "asked"
    return "done" if _is_ordered(seen) and player not in seen["queue"] and not seen["over"] else ""


def _figures(seen: View, player: Player) -> Iterator[Figure]:
    if player not in seen["courts"]:
        return
    yield Figure("court", seen["courts"][player], say("Caballeros at court"))
    yield Figure("cards", seen["reserves"][player], say("Caballero cards in reserve"))
    if fleet := seen["fleets"][player]:
        yield Figure("ship", fleet, say("ships at court"))
    if mode_of(seen).governors:
        yield Figure("governor", seen["governors_left"][player], say("governors left"))
    if seen["grandes"].get(player) == "":
        yield Figure("hat", 1, say("the Grande is at court"))


def _hand(seen: View, player: Player) -> tuple[Card, ...]:
    held, played = seen["hands"].get(player, ()), seen["power"].get(player)
    return tuple(
        Card(
            str(value),
            str(value),
            f"+{card.heads}" if card.tiles == 1 else f"+{card.heads} ▦",
            state="played" if value == played else "held" if value in held else "gone",
        )
        for value, card in rules_of(seen).power_cards.items()
    )


def cards(seen: View) -> Iterator[Card]:
    """The sector tiles that lie face up."""
    left = seen["stack"] if isinstance(seen["stack"], int) else len(seen["stack"])
    for tile in seen["visible"]:
        number = tile["tile"]
        name = tile_name(number)
        more = say_many("{count} tile is left in the stack", "{count} tiles are left in the stack", left)
        yield Card(str(number), name, detail=more, symbol=f"tile-{number}")


def rounds(seen: View) -> Iterator[Round]:
    mode, now = mode_of(seen), seen["round"]
    for number in range(1, mode.rounds + 1):
        state = "done" if seen["over"] or number < now else "now" if number == now else "ahead"
        yield Round(number, state, number in mode.scoring_rounds)
