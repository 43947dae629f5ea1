"""The table of El Caballero, drawn as text: map, players, tiles."""

from __future__ import annotations

from collections.abc import Iterator

from rules.drawing import (
    FAINT,
    STRONG,
    Block,
    Cell,
    Column,
    Drawing,
    Heading,
    Line,
    Rows,
    Span,
    View,
)
from rules.el_caballero.extension import RULES, Mode
from rules.el_caballero.facts import RoundBegan, ScoringBegan
from rules.el_caballero.geometry import coordinates
from rules.el_caballero.names import tile_name
from rules.el_caballero.tiles import FISH, GOLD, LAND
from rules.kernel import Player
from rules.seats import SEATS
from rules.texts import Text, one_by_one, say

GROUND = {"L": "▒", "S": "~"}
FINDS = {GOLD: "$", FISH: "f", "": ""}
SHIP, CASTLE, GRANDE, GOVERNOR = "△", "⌂", "♜", "♟"


def table(seen: View, you: Player) -> tuple[Block, ...]:
    """Everything on the table."""
    return (
        Heading(say("Round {round} of {last}", round=seen["round"], last=_mode(seen).rounds)),
        *_map(seen),
        Line(),
        _regions(seen),
        Line(),
        _players(seen, you),
        Line(),
        *_visible(seen),
        *_hand(seen, you),
    )


def end(seen: View, you: Player) -> tuple[Block, ...]:
    """The map, and the final places."""
    return *_map(seen), _result(seen, you)


def _mode(seen: View) -> Mode:
    return RULES[seen["rules"]].modes[seen["mode"]]


# The map


def _map(seen: View) -> Iterator[Block]:
    cells = {**{tile["at"]: _tile(tile) for tile in seen["tiles"]}, **{c["at"]: _card(c) for c in seen["cards"]}}
    if not cells:
        return
    xs, ys = zip(*map(coordinates, cells), strict=True)
    columns = range(min(xs) - 1, max(xs) + 2)
    yield Rows(
        (Column(to_the_right=True, style=FAINT), *(Column(str(x)) for x in columns)),
        tuple(
            (Span(str(y)), *(cells.get(f"{x},{y}", Span("")) for x in columns)) for y in range(min(ys) - 1, max(ys) + 2)
        ),
    )
    yield Line(
        say(
            "▒ land   ~ sea   $ gold   f fish   {ship} ship   {castle} castle   {grande} Grande",
            ship=SHIP,
            castle=CASTLE,
            grande=GRANDE,
        ),
        FAINT,
    )


def _tile(tile: View) -> Cell:
    """Its four sides, and what it shows."""
    north, east, south, west = (GROUND[kind] for kind in tile["edges"])
    middle = FINDS[tile["symbol"]] or (GROUND["L"] if "L" in tile["edges"] else GROUND["S"])
    return Span(f" {north * 3} "), Span(f"{west}{west}{middle}{east}{east}"), Span(f" {south * 3} ")


def _card(card: View) -> Cell:
    """The four numbers of a card, with ships beside them, and what stands on it."""
    north, east, south, west = (
        f"{number}{SHIP if direction in card['ships'] else ''}" for direction, number in enumerate(card["numbers"])
    )
    inside = (CASTLE if card["castle"] else "") + (GRANDE if card["grande"] else "") or "•"
    lines = f"  {north}", f"{west} {inside} {east}", f"  {south}"
    return tuple(Span(line, card["owner"]) for line in lines)


def _regions(seen: View) -> Rows:
    """What every region is worth, and who is there."""
    titles = say("region"), say("worth"), say("there")
    return Rows(
        (Column(titles[0]), Column(titles[1], to_the_right=True), Column(titles[2])),
        tuple(
            (Span(_region_name(one)), Span(str(one["value"])), Span(_there(one), FAINT if one["closed"] else ""))
            for one in seen["regions"]
            if one["counts"] or one["governor"] or one["closed"]
        ),
    )


def _region_name(one: View) -> Text:
    name = say("land {cell}", cell=one["at"]) if one["kind"] == LAND else say("sea {cell}", cell=one["at"])
    return say("{region} (closed)", region=name) if one["closed"] else name


def _there(one: View) -> Text | str:
    parts = [say("{player} {pieces}", player=SEATS[player], pieces=count) for player, count in one["counts"].items()]
    if owner := one["governor"]:
        parts.append(say("{sign} {player}", sign=GOVERNOR, player=SEATS[owner]))
    return say("{list}", list=one_by_one(parts)) if parts else ""


# Players


def _players(seen: View, you: Player) -> Rows:
    titles = [say("score"), say("court"), say("reserve"), say("ships"), say("power"), say("hand")]
    if _mode(seen).governors:
        titles.insert(4, say("governors"))
    numbers = (Column(title, to_the_right=True) for title in titles)
    return Rows(
        (Column(say("player")), *numbers),
        tuple((Span(_named(seen, player, you), player), *_figures(seen, player)) for player in seen["players"]),
    )


def _named(seen: View, player: Player, you: Player) -> Text:
    return say("{sign} {player}", sign="▸" if player == seen["turn"] else " ", player=_called(player, you))


def _called(player: Player, you: Player) -> Text:
    return say("{player} (you)", player=SEATS[player]) if player == you else SEATS[player]


def _figures(seen: View, player: Player) -> Iterator[Span]:
    for pieces in ("scores", "courts", "reserves", "fleets"):
        yield Span(str(seen[pieces].get(player, 0)))
    if _mode(seen).governors:
        yield Span(str(seen["governors_left"].get(player, 0)))
    yield Span(str(seen["power"].get(player, "–")))
    yield Span(str(len(seen["hands"].get(player, ()))))


# Tiles and cards


def _visible(seen: View) -> Iterator[Block]:
    """The tiles that lie face up."""
    if not seen["visible"]:
        return
    yield Rows(
        (Column(say("tile"), to_the_right=True), Column(say("sides N E S W")), Column()),
        tuple(
            (
                Span(str(tile["tile"]), STRONG),
                Span(" ".join(GROUND[kind] for kind in tile["edges"])),
                Span(tile_name(tile["tile"])),
            )
            for tile in seen["visible"]
        ),
    )


def _hand(seen: View, you: Player) -> Iterator[Block]:
    """Your own power cards, each with the Caballeros it brings; a spectator has none."""
    if you not in seen["hands"]:
        return
    power_cards, held = RULES[seen["rules"]].power_cards, seen["hands"][you]
    yield Line()
    yield Rows(
        (Column(style=FAINT), *(Column(to_the_right=True) for _ in held)),
        (
            (Span(say("your power cards")), *(Span(str(value), STRONG) for value in held)),
            (Span(say("bring Caballeros")), *(Span(str(power_cards[value].heads)) for value in held)),
        ),
    )


def _left_in_turn(seen: View, you: Player) -> Line:
    """What your turn still allows."""
    left = seen["left"] or {}
    return Line(
        say(
            "Court {court}. Left in this turn: {tiles} tiles, {caballeros} cards, {ships} ships, {castles} castles.",
            court=seen["courts"][you],
            tiles=left.get("tiles", 0),
            caballeros=left.get("caballeros", 0),
            ships=left.get("ships", 0),
            castles=left.get("castles", 0),
        )
    )


# The end


def _result(seen: View, you: Player) -> Rows:
    """The final places."""
    titles = Column(say("place"), to_the_right=True), Column(say("player")), Column(say("score"), to_the_right=True)
    ranking = sorted(seen["places"].items(), key=lambda item: item[1])
    return Rows(
        titles,
        tuple(
            (Span(str(place)), Span(_called(player, you), player), Span(str(seen["scores"][player])))
            for player, place in ranking
        ),
        say("Final result"),
    )


DRAWING = Drawing(
    table=table,
    end=end,
    news=(RoundBegan, ScoringBegan),
    reminders={"turn": lambda seen, you: (*_map(seen), *_visible(seen))},
    remarks={"turn": lambda seen, you: (_left_in_turn(seen, you),)},
)
