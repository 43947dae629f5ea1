"""A position of El Grande as a scene: sprites on the map, the cards of the round, what lies in front of each player."""

from __future__ import annotations

from collections.abc import Iterator

from rules.drawing import View
from rules.el_grande.board import marks_of, slot_of, space_of
from rules.el_grande.extension import RULES, Points, Rules
from rules.el_grande.picture import pieces
from rules.el_grande.picture.faces import power_card
from rules.el_grande.picture.geography import SITES, Point, Site, sites_of
from rules.el_grande.regions import CASTILLO
from rules.kernel import Player
from rules.picture import Card, Figure, Panel, Round, Scene, Sprite
from rules.texts import Text, say

LIFT = (-23, -15)
"""Where a pennon stands, seen from its bearer's pile."""

CARRIED_AT = ((20, 19), (-20, 19))
"""Where that which is carried lies, in the order of `Rules.carried`."""

ASIDE = (17, 24)
"""Where those stand who do not count, seen from their fellows."""

BLACK_IN_CASTILLO = (852, 792)


def scene(seen: View) -> Scene:
    return Scene(tuple(sprites(seen)), tuple(panels(seen)), tuple(cards(seen)), tuple(rounds(seen)))


def rules_of(seen: View) -> Rules:
    return RULES[seen["rules"]]


# The map


def sprites(seen: View) -> Iterator[Sprite]:
    for space in (*seen["regions"], CASTILLO):
        yield _name(seen, space)
    yield from _tables(seen)
    yield from thumbnail(seen)


def thumbnail(seen: View) -> Iterator[Sprite]:
    """The pieces and tiles: without names and printed points."""
    yield Sprite("taboo", f"taboo-{rules_of(seen).taboo_shown(seen)}", "state")
    yield from _scoreboards(seen)
    yield Sprite("king", "king", "lords", *king_point(seen, seen["king"]))
    yield from _grandes(seen)
    for region, counts in seen["regions"].items():
        yield from _stacks(seen, region, counts)
    yield from _inside_castillo(seen)
    yield from _marked(seen)
    for further in rules_of(seen).sprites:
        yield from further(seen)


def _name(seen: View, space: str) -> Sprite:
    rules = rules_of(seen)
    site, name = sites_of(rules)[space], rules.names[space]
    if space == CASTILLO:
        return Sprite(f"name/{space}", "ribbon", "names", *site.label, texts=(name,))
    symbol = "small-label" if site.narrow else "label"
    return Sprite(f"name/{space}", symbol, "names", *site.label, texts=(name, site.short))


def _tables(seen: View) -> Iterator[Sprite]:
    """The printed points of every space."""
    rules = rules_of(seen)
    sites = sites_of(rules)
    for space in (*seen["regions"], CASTILLO):
        points = rules.castillo_points if space == CASTILLO else rules.regions[space].points
        yield Sprite(f"table/{space}", "table", "tables", *sites[space].table, _ranks(seen), _digits(points))


def _scoreboards(seen: View) -> Iterator[Sprite]:
    """They lie on top of the printed points."""
    for scoreboard, space in seen["scoreboards"].items():
        points = rules_of(seen).scoreboards[scoreboard]
        yield Sprite(scoreboard, "scoreboard", "tables", *site_of(seen, space).table, _ranks(seen), _digits(points))


def _ranks(seen: View) -> str:
    """The class of points of which only the first ones count."""
    return f"ranks-{rules_of(seen).ranks[len(seen['players'])]}"


def _digits(points: Points) -> tuple[str, ...]:
    return tuple(map(str, points))


def _grandes(seen: View) -> Iterator[Sprite]:
    for player in seen["players"]:
        if home := seen["grandes"].get(player):
            yield Sprite(f"grande/{player}", f"grande-{player}", "lords", *grande_point(seen, player, home))


def _stacks(seen: View, space: str, counts: View) -> Iterator[Sprite]:
    in_slots = _in_slots(seen, space)
    for player, count in counts.items():
        if number := count - sum(in_slots.get(player, {}).values()):
            yield _pile(seen, space, player, number, stack_point(seen, player, space))
    for player, slots in in_slots.items():
        for slot, number in slots.items():
            key = f"{space}:{slot}"
            yield _pile(seen, key, player, number, point_of(seen, player, key))


def _pile(seen: View, key: str, player: Player, count: int, point: Point) -> Sprite:
    symbol = f"stack-{player}-{pieces.height(count)}"
    style = "two-digits" if count > 9 else ""
    named = f"{player}/{key}" if rules_of(seen).neutral else ""
    return Sprite(f"{key}/{player}", symbol, "pieces", *point, style, texts=(str(count),), stands_for=named)


def _in_slots(seen: View, space: str) -> dict[Player, dict[str, int]]:
    """Who is on special places of a space: each of them is a pile of its own."""
    found: dict[Player, dict[str, int]] = {}
    for piece in seen["marked"]:
        if space_of(piece["at"]) == space and (slot := slot_of(piece["at"])):
            slots = found.setdefault(piece["owner"], {})
            slots[slot] = slots.get(slot, 0) + 1
    return found


def _inside_castillo(seen: View) -> Iterator[Sprite]:
    if seen["castillo"] is None:
        yield Sprite("closed", "closed", "pieces", *CASTILLO_DOOR, texts=(say("secret"),))
    else:
        yield from _stacks(seen, CASTILLO, seen["castillo"])


def _marked(seen: View) -> Iterator[Sprite]:
    """A bearer is drawn as a sign on its pile; so is what is carried, once for all that are alike."""
    carried = rules_of(seen).carried
    alike: dict[tuple[str, Player], int] = {}
    for piece in seen["marked"]:
        if marks_of(piece["at"]):
            alike[piece["at"], piece["owner"]] = alike.get((piece["at"], piece["owner"]), 0) + 1
    for (key, owner), number in alike.items():
        place, _, mark = key.partition("+")
        x, y = point_of(seen, owner, place)
        lift = CARRIED_AT[carried.index(mark)] if mark in carried else LIFT
        yield Sprite(
            key=f"{key}/{owner}" if mark in carried else f"{mark}/{owner}",
            symbol=f"carried-{mark}" if mark in carried else f"{mark}-{owner}",
            layer="pieces",
            x=x + lift[0],
            y=y + lift[1],
            texts=(str(number) if number > 1 else "",) if mark in carried else (),
            stands_for=f"{owner}/{key}" if mark in carried else f"{key}/{owner}",
        )


# Points of the map


CASTILLO_DOOR = (SITES[CASTILLO].stacks[3][1][0], SITES[CASTILLO].stacks[5][0][1] + 22)


def king_point(seen: View, region: str) -> Point:
    point = site_of(seen, region).king
    assert point, "the king stands in regions only"
    return point


def site_of(seen: View, space: str) -> Site:
    return sites_of(rules_of(seen))[space]


def point_of(seen: View, player: Player, key: str) -> Point:
    """Where the piece with this key stands: on a special place, or with its fellows."""
    space, slot = space_of(key), slot_of(key)
    site = site_of(seen, space)
    if slot in site.slots:
        return site.slots[slot]
    x, y = stack_point(seen, player, space)
    return (x + ASIDE[0], y + ASIDE[1]) if slot and slot in rules_of(seen).uncounted else (x, y)


def stack_point(seen: View, player: Player, space: str) -> Point:
    """Where this player's caballeros stand: always in the same place of a space."""
    players = seen["players"]
    site = site_of(seen, space)
    if player not in players:
        return site.token or BLACK_IN_CASTILLO
    return site.stacks[len(players)][players.index(player)]


def grande_point(seen: View, player: Player, home: str) -> Point:
    here = [other for other in seen["players"] if seen["grandes"].get(other) == home or other == player]
    return site_of(seen, home).grandes[len(here)][here.index(player)]


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
    if seen["over"] or not seen["face_up"]:
        return "asked" if _is_asked(seen, player) else ""
    if _is_ordered(seen) and player == seen["turn"]:
        return "acting"
    if _is_asked(seen, player):
        return "asked"
    return "done" if _is_ordered(seen) and player not in seen["queue"] else ""


def _is_asked(seen: View, player: Player) -> bool:
    return bool(seen["waiting"]) and player in seen["waiting"]["players"]


def _figures(seen: View, player: Player) -> Iterator[Figure]:
    yield Figure("court-arch", seen["courts"].get(player, 0), say("caballeros at court"))
    yield Figure("province", seen["provinces"].get(player, 0), say("caballeros in the province"))
    yield Figure("cards", seen["hands"][player]["size"], say("power cards in hand"))
    for veto in seen["vetoes"]:
        if veto["player"] == player:
            yield Figure("veto", 1, say("veto, until the end of round {round}", round=veto["until"]))
    for figures in rules_of(seen).figures:
        yield from figures(seen, player)


def _hand(seen: View, player: Player) -> tuple[Card, ...] | None:
    held, rules = seen["hands"][player]["cards"], rules_of(seen)
    if held is None:
        return None
    played = seen["power"].get(player)
    return tuple(
        power_card(rules, value, brings, "played" if value == played else "held" if value in held else "gone")
        for value, brings in rules.power_cards.items()
        if not rules.hand_cards or value in held or value in seen["history"][player]
    )


def cards(seen: View) -> Iterator[Card]:
    """The cards that lie open on the table."""
    yield from rules_of(seen).table_cards(seen)


def rounds(seen: View) -> Iterator[Round]:
    rules, now = rules_of(seen), seen["round"]
    for number in rules.rounds[seen["game_length"]]:
        state = "done" if seen["over"] or number < now else "now" if number == now else "ahead"
        yield Round(number, state, number in rules.scoring_rounds)
