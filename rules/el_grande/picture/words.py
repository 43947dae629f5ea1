"""A position in words, for readers who do not see the map: every space, then every player, then the cards; and in one
sentence."""

from __future__ import annotations

from collections.abc import Iterator

from rules.drawing import View
from rules.el_grande.board import slot_of, space_of
from rules.el_grande.picture.scene import cards, panels, rules_of
from rules.el_grande.regions import CASTILLO
from rules.picture import Card, Headline, Panel
from rules.texts import Text, Value, one_by_one, say


def words(seen: View) -> tuple[Text, ...]:
    return *spaces(seen).values(), *map(_player, panels(seen)), *map(_card, cards(seen))


def spaces(seen: View) -> dict[str, Text]:
    return {space: _space(seen, space) for space in (*seen["regions"], CASTILLO)}


INSIDE = {"pais_vasco": say("the Basque Country")}
"""Places that are called otherwise inside of a sentence."""


def headline(seen: View) -> Headline:
    place = INSIDE.get(seen["king"], rules_of(seen).names[seen["king"]])
    return Headline(say("The King is in {region}.", region=place), place)


def _space(seen: View, space: str) -> Text:
    return say(
        "{space}, worth {points}: {contents}.",
        space=rules_of(seen).names[space],
        points=_worth(seen, space),
        contents=one_by_one(_contents(seen, space)),
    )


def _worth(seen: View, space: str) -> str:
    rules = rules_of(seen)
    printed = rules.castillo_points if space == CASTILLO else rules.regions[space].points
    laid = {where: rules.scoreboards[scoreboard] for scoreboard, where in seen["scoreboards"].items()}
    return "/".join(map(str, laid.get(space, printed)))


def _contents(seen: View, space: str) -> Iterator[Value]:
    counts = seen["castillo"] if space == CASTILLO else seen["regions"][space]
    if counts is None:
        yield say("closed")
        return
    if space == seen["king"]:
        yield say("the king is here")
    for player, count in counts.items():
        yield say("{player} {count}", player=player, count=count)
    if not counts:
        yield say("empty")
    for player, home in seen["grandes"].items():
        if home == space:
            yield say("{player}'s Grande", player=player)
    for piece in seen["marked"]:
        if space_of(piece["at"]) != space:
            continue
        if slot := slot_of(piece["at"]):
            yield say("{player} {slot}", player=piece["owner"], slot=slot)
        if mark := piece["at"].partition("+")[2]:
            yield say("{player}'s {mark}", player=piece["owner"], mark=mark)


def _player(panel: Panel) -> Text:
    figures = (say("{value} {label}", value=figure.value, label=figure.label) for figure in panel.figures)
    return say(
        "{player}: {score} points, {figures}.",
        player=panel.seat,
        score=panel.score,
        figures=one_by_one(figures),
    )


def _card(card: Card) -> Text:
    if card.seat:
        return say("{title}, taken by {player}. {text}", title=card.title, player=card.seat, text=card.detail)
    return say("{title}. {text}", title=card.title, text=card.detail)
