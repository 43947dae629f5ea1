"""A position in words, for readers who do not see the map: regions, cards, players; and in one sentence."""

from __future__ import annotations

from collections.abc import Iterator

from rules.drawing import View
from rules.el_caballero.names import region_title, tile_name
from rules.el_caballero.picture.scene import mode_of, panels
from rules.el_caballero.story import place
from rules.el_caballero.tiles import LAND
from rules.picture import Headline, Panel
from rules.texts import Text, Value, one_by_one, say, say_many


def words(seen: View) -> tuple[Text, ...]:
    return (
        *map(region, seen["regions"]),
        *map(_card, seen["cards"]),
        *map(_player, panels(seen)),
        say("Face up: {tiles}.", tiles=one_by_one(tile_name(tile["tile"]) for tile in seen["visible"])),
    )


def spaces(seen: View) -> dict[str, Text]:
    """Every cell: its card, or the regions of its tile."""
    told = {card["at"]: _card(card) for card in seen["cards"]}
    regions: dict[str, list[Text]] = {}
    for one in seen["regions"]:
        for cell in dict.fromkeys(side.partition(":")[0] for side in one["sides"]):
            regions.setdefault(cell, []).append(region(one))
    return told | {cell: _joined(sentences) for cell, sentences in regions.items()}


def _joined(sentences: list[Text]) -> Text:
    first, *others = sentences
    for other in others:
        first = say("{sentence} {next}", sentence=first, next=other)
    return first


def region(one: View) -> Text:
    """A region: what it is worth, and who is there."""
    name = region_title(one["kind"], place(one["at"], one["dir"]))
    return say(
        "{region}, worth {value}: {contents}.", region=name, value=one["value"], contents=one_by_one(_contents(one))
    )


def _contents(one: View) -> Iterator[Value]:
    if one["closed"]:
        yield say("closed")
    else:
        yield say_many("open on {count} side", "open on {count} sides", one["open_sides"])
    for player, count in one["counts"].items():
        if one["kind"] == LAND:
            yield say("{player} {count}", player=player, count=count)
        else:
            yield say_many("{count} ship of {player}", "{count} ships of {player}", count, player=player)
    if owner := one["governor"]:
        yield say("governor of {player}", player=owner)


def _card(card: View) -> Text:
    return say(
        "Card of {player} at {cell}: {contents}.",
        player=card["owner"],
        cell=card["at"],
        contents=one_by_one(_on_card(card)),
    )


def _on_card(card: View) -> Iterator[Value]:
    shown = [card["numbers"][direction] for direction in card["land"]]
    if shown:
        yield say("{numbers} to land", numbers=one_by_one(shown))
    else:
        yield say("at sea")
    if card["castle"]:
        yield say("castle")
    if card["grande"]:
        yield say("Grande")
    if card["ships"]:
        yield say_many("{count} ship", "{count} ships", len(card["ships"]))


def _player(panel: Panel) -> Text:
    figures = (say("{value} {label}", value=figure.value, label=figure.label) for figure in panel.figures)
    return say(
        "{player}: {score} points, {figures}.", player=panel.seat, score=panel.score, figures=one_by_one(figures)
    )


def headline(seen: View) -> Headline:
    count = len(seen["tiles"])
    stress = say_many("{count} sector", "{count} sectors", count)
    return Headline(
        say(
            "Round {round} of {last}: the map has {sectors}.",
            round=seen["round"],
            last=mode_of(seen).rounds,
            sectors=stress,
        ),
        stress,
    )
