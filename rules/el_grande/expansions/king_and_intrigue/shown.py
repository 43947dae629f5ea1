"""What is seen and told of King & Intrigue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

from rules.drawing import View
from rules.el_grande.board import Board, Deed, State, with_deed
from rules.el_grande.expansions.king_and_intrigue.facts import NAME, held, holding
from rules.el_grande.expansions.king_and_intrigue.ranks import caballero_cards
from rules.el_grande.extension import RULES, Clause
from rules.el_grande.picture.faces import action_card, cards_face_up
from rules.kernel import EVERYTHING, Player, Viewer
from rules.picture import Card, Figure
from rules.texts import ENGLISH, Catalogue, Text, all_of, clauses, one_by_one, say, say_many


class RegionCards(TypedDict):
    size: int
    """How many there are."""
    regions: tuple[str, ...] | None
    """Null for viewers who may not know them."""


class RemovedCards(TypedDict):
    size: int
    """How many there are."""
    cards: tuple[int, ...] | None
    """Null for viewers who may not know them."""


class KingAndIntrigue(TypedDict):
    """What King & Intrigue adds to a position."""

    caballero_cards: Mapping[Player, int]
    """How many caballeros each player may place in this round; nobody's before all have played a card."""
    region_cards: dict[Player, RegionCards]
    """The region cards that players hold face down."""
    removed: dict[Player, RemovedCards]
    """The cards with which a player does not play."""
    free_placement: tuple[Player, ...]
    """The players whose placement of this round may go anywhere."""


def view(state: State, viewer: Viewer, catalogue: Catalogue = ENGLISH) -> KingAndIntrigue:
    board: Board = state.board
    return {
        "caballero_cards": dealt(board.power, board.players),
        "region_cards": {
            player: {"size": len(cards), "regions": cards if viewer in (player, EVERYTHING) else None}
            for player, cards in held(board).items()
        },
        "removed": {player: _removed(board, player, viewer) for player in board.players},
        "free_placement": tuple(deed.player for deed in board.deeds or ()),
    }


def dealt(power: Mapping[Player, int], players: tuple[Player, ...]) -> dict[Player, int]:
    """The caballero cards, once all have played."""
    return caballero_cards(power) if len(power) == len(players) else {}


def _removed(board: Board, player: Player, viewer: Viewer) -> RemovedCards:
    mine = (*board.hands[player], *board.history[player])
    cards = tuple(value for value in board.rules.power_cards if value not in mine)
    number = len(board.rules.power_cards) - len(mine)
    return {"size": number, "cards": cards if viewer in (player, EVERYTHING) else None}


# Positions as text


def _written(board: Board) -> Iterator[str]:
    for player, regions in held(board).items():
        yield f"region_cards {player}: {' '.join(regions)}"


def _read(board: Board, player: str, body: str) -> Board:
    regions = tuple(body.split())
    if player not in board.players or not set(regions) <= set(board.rules.regions):
        raise KeyError(body)
    return holding(board, {**held(board), player: regions})


def _written_deeds(board: Board) -> Iterator[str]:
    for deed in board.deeds or ():
        yield f"done {deed.player}: {deed.card}"


def _read_deed(board: Board, player: str, body: str) -> Board:
    if player not in board.players or body not in board.rules.cards:
        raise KeyError(body)
    return with_deed(board, Deed(player, body))


CLAUSES = {"region_cards": Clause(_written, _read), "done": Clause(_written_deeds, _read_deed)}


# Drawing


def table_cards(seen: View) -> Iterator[Card]:
    """The King card and the Intrigue card, then the cards that were played in this round, highest first."""
    yield from cards_face_up(seen)
    rules = RULES[seen["rules"]]
    numbers = dealt(seen["power"], seen["players"])
    for player, value in sorted(seen["power"].items(), key=lambda played: -played[1]):
        card = action_card(rules, rules.hand_cards[value], player)
        title = say("{value} {title}", value=value, title=card.title)
        yield Card(card.key, title, card.text, card.detail, card.icon, numbers.get(player, 0), player, "played")


def in_use(seen: View, player: Player) -> str:
    """The card that the player has played; the one of the rank is offered beside it."""
    return RULES[seen["rules"]].hand_cards[seen["power"][player]]


def places_in_use(seen: View, player: Player) -> int:
    return dealt(seen["power"], seen["players"]).get(player, 0)


def figures(seen: View, player: Player) -> Iterator[Figure]:
    mine = seen[NAME]
    if number := mine["caballero_cards"].get(player):
        yield Figure("place", number, say("caballeros to place in this round"))
    if cards := mine["region_cards"].get(player):
        yield Figure("secret-score", cards["size"], _held_in_secret(cards["regions"]))


def _held_in_secret(regions: tuple[str, ...] | None) -> Text:
    if not regions:
        return say("region cards held in secret")
    return say("region cards held in secret: {regions}", regions=one_by_one(regions))


# Telling


def _played(fact: Any) -> Text:
    return say("{player} plays card {value}", player=fact.player, value=fact.value)


def _kept(fact: Any) -> Text:
    if not fact.values:
        return say("{player} keeps {number} cards", player=fact.player, number=fact.number)
    return say("{player} keeps {values}", player=fact.player, values=all_of(fact.values))


def _dealt(fact: Any) -> Text:
    return clauses(
        say_many("{player} may place {count} caballero", "{player} may place {count} caballeros", number, player=player)
        for player, number in fact.cards.items()
    )


def _given_up(fact: Any) -> Text:
    return say("{player} gives up the veto", player=fact.player)


def _freed(fact: Any) -> Text:
    return say("{player} may place caballeros in any regions", player=fact.player)


def _region_card(fact: Any) -> Text:
    if not fact.region:
        return say("{player} takes a region card in secret", player=fact.player)
    return say("{player} takes the region card of {region}", player=fact.player, region=fact.region)


def _shown(fact: Any) -> Text:
    return clauses(
        say("{player} shows {regions}: the points there count twice", player=player, regions=all_of(regions))
        for player, regions in fact.cards.items()
    )


SENTENCES = {
    "power_cards_dealt": lambda fact: say("every player takes {count} action cards", count=len(fact.values)),
    "power_card_played": _played,
    "cards_kept": _kept,
    "caballero_cards_dealt": _dealt,
    "veto_given_up": _given_up,
    "placement_freed": _freed,
    "region_card_taken": _region_card,
    "region_cards_shown": _shown,
    "region_cards_returned": lambda fact: say("the region cards go back"),
}

NAMES = {
    "king_and_intrigue": say("King & Intrigue"),
    "foreign": say("one of an opponent"),
    "own": say("own ones out of one region"),
    "kept_card": say("cards"),
}
