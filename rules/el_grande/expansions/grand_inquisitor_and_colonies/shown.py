"""What is seen and told of Grand Inquisitor & Colonies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypedDict

from rules.drawing import View
from rules.el_grande.board import COLOURS, Board, Deed, State
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import (
    BLACK,
    NAME,
    SUPPLY,
    changed,
    colonies,
    lately,
    supply,
    with_lately,
)
from rules.el_grande.expansions.grand_inquisitor_and_colonies.regions import (
    AFRICA,
    AMERICA,
    FRANCIA,
    SHIP,
    SLOTS,
    SPACES_OF_THE_LIMIT_BOARD,
    free_spaces,
)
from rules.el_grande.expansions.grand_inquisitor_and_colonies.tokens import tokens
from rules.el_grande.extension import RULES, Clause, Rules
from rules.el_grande.names import marked
from rules.kernel import Player, Viewer
from rules.picture import Figure
from rules.texts import ENGLISH, Catalogue, Text, all_of, say, say_many


class LimitBoard(TypedDict):
    region: str
    spaces: int
    """How many caballeros count there."""
    free: int


class Tokens(TypedDict):
    unclaimed: int
    """How many lie in their colony."""
    supply: int


class MarkedSpace(TypedDict):
    space: str
    round: int
    """The round in which it was marked: it is scored at the end of the next."""


class GrandInquisitorAndColonies(TypedDict):
    """What Grand Inquisitor & Colonies adds to a position."""

    inquisitor: Player
    """The player who holds the Grand Inquisitor; empty while nobody does."""
    inquisitor_used: tuple[Player, ...]
    """The players who have used it in this round."""
    limit_board: LimitBoard
    tokens: dict[str, Tokens]
    """Gold and goods."""
    arrived: Mapping[str, Mapping[Player, int]]
    """How many caballeros have come to the ship or a colony in this round, by their key: they travel freely later."""
    marked_space: MarkedSpace | None
    held: Mapping[str, Player]
    """Action cards that are kept to be used later."""
    stack_cards: dict[Player, str]
    """Cards of stacks that players use in this round in place of their own."""


def view(state: State, viewer: Viewer, catalogue: Catalogue = ENGLISH) -> GrandInquisitorAndColonies:
    board: Board = state.board
    mine = colonies(board)
    return {
        "inquisitor": mine.inquisitor,
        "inquisitor_used": lately(board).asked,
        "limit_board": {
            "region": mine.limit,
            "spaces": SPACES_OF_THE_LIMIT_BOARD[len(board.players)],
            "free": free_spaces(board),
        },
        "tokens": {
            token: {"unclaimed": mine.unclaimed.get(token, 0), "supply": supply(board, token)} for token in SUPPLY
        },
        "arrived": lately(board).fresh,
        "marked_space": {"space": mine.marked, "round": mine.marked_in} if mine.marked else None,
        "held": mine.held,
        "stack_cards": {deed.player: deed.card for deed in lately(board).chosen},
    }


# Positions as text


def _written(board: Board) -> Iterator[str]:
    mine = colonies(board)
    if mine.inquisitor:
        yield f"inquisitor: {mine.inquisitor}"
    if mine.limit:
        yield f"limit_board: {mine.limit}"
    if any(mine.unclaimed.values()):
        yield f"tokens: {', '.join(f'{token} {number}' for token, number in mine.unclaimed.items() if number)}"
    if mine.marked:
        yield f"marked_space: {mine.marked} {mine.marked_in}"


def _written_held(board: Board) -> Iterator[str]:
    for card, player in colonies(board).held.items():
        yield f"held {player}: {card}"


def _written_lately(board: Board) -> Iterator[str]:
    now = lately(board)
    for key, counts in now.fresh.items():
        yield f"arrived {key}: {', '.join(f'{player} {number}' for player, number in counts.items())}"
    if now.asked:
        yield f"inquisitor_used: {' '.join(now.asked)}"
    for word, deeds in (("performed", now.performed), ("stopped", now.stopped), ("chosen", now.chosen)):
        for deed in deeds:
            yield f"{word} {deed.player}: {deed.card}"


def _nothing(board: Board) -> Iterator[str]:
    return iter(())


def _numbers(body: str) -> dict[str, int]:
    return {name: int(number) for name, number in (item.split() for item in body.split(","))}


def _read_marked(board: Board, _: str, body: str) -> Board:
    space, number = body.split()
    return changed(board, marked=space, marked_in=int(number))


def _read_arrived(board: Board, key: str, body: str) -> Board:
    return with_lately(board, fresh={**lately(board).fresh, key: _numbers(body)})


def _deeds(field: str) -> Callable[[Board, str, str], Board]:
    def read(board: Board, player: str, body: str) -> Board:
        return with_lately(board, **{field: (*getattr(lately(board), field), Deed(player, body))})

    return read


def _known(board: Board, player: str) -> str:
    if player not in board.players:
        raise KeyError(player)
    return player


CLAUSES = {
    "inquisitor": Clause(_written, lambda board, _, body: changed(board, inquisitor=_known(board, body))),
    "limit_board": Clause(_nothing, lambda board, _, body: changed(board, limit=body)),
    "tokens": Clause(_nothing, lambda board, _, body: changed(board, unclaimed=_numbers(body))),
    "marked_space": Clause(_nothing, _read_marked),
    "held": Clause(
        _written_held,
        lambda board, player, body: changed(board, held={**colonies(board).held, body: _known(board, player)}),
    ),
    "arrived": Clause(_written_lately, _read_arrived),
    "inquisitor_used": Clause(_nothing, lambda board, _, body: with_lately(board, asked=tuple(body.split()))),
    "performed": Clause(_nothing, _deeds("performed")),
    "stopped": Clause(_nothing, _deeds("stopped")),
    "chosen": Clause(_nothing, _deeds("chosen")),
}

# Drawing


def figures(seen: View, player: Player) -> Iterator[Figure]:
    mine = seen[NAME]
    if mine["inquisitor"] == player:
        yield Figure("king-any", 1, say("Grand Inquisitor"))
    rules = RULES[seen["rules"]]
    for card, holder in mine["held"].items():
        if holder == player:
            yield Figure(rules.faces[card].icon, 1, say("keeps {card}", card=rules.cards[card].title))


# Telling


def _drawn(fact: Any) -> Text:
    return say(
        "{count} black caballeros each stand in {regions}; the limit board lies in {limit}",
        count=fact.each,
        regions=all_of(fact.black),
        limit=fact.limit,
    )


def _brought(fact: Any) -> Text:
    return say("{card} brings {tokens}", card=fact.card, tokens=tokens(fact.gold, fact.goods))


def _claimed(fact: Any) -> Text:
    return say("{player} claims {token} in {piece}", player=fact.player, token=fact.token, piece=fact.piece)


def _delivered(fact: Any) -> Text:
    if not fact.player:
        return say("{token} is delivered for nobody", token=fact.token)
    return say_many(
        "{player} delivers {token}: {count} point",
        "{player} delivers {token}: {count} points",
        fact.points,
        player=fact.player,
        token=fact.token,
    )


def _sailed(fact: Any) -> Text:
    if fact.owner == fact.player:
        return say(
            "a caballero of {player} travels from {source} to {target}",
            player=fact.player,
            source=fact.source,
            target=fact.target,
        )
    return say(
        "{player} lets a black caballero travel from {source} to {target}",
        player=fact.player,
        source=fact.source,
        target=fact.target,
    )


def _filled(fact: Any) -> Text:
    return say("onto the limit board come {pieces}", pieces=_pieces(fact.pieces))


def _board_moved(fact: Any) -> Text:
    if not fact.pieces:
        return say("the limit board goes to {region}", region=fact.region)
    return say("the limit board goes to {region}; on it are {pieces}", region=fact.region, pieces=_pieces(fact.pieces))


def _pieces(pieces: Mapping[str, int]) -> Any:
    numbers: dict[str, int] = {}
    for name, number in pieces.items():
        owner = name.partition("/")[0]
        numbers[owner] = numbers.get(owner, 0) + number
    return all_of(say("{owner} {count}", owner=owner, count=number) for owner, number in numbers.items())


SENTENCES = {
    "further_regions_drawn": _drawn,
    "tokens_laid_out": lambda fact: say("the first tokens are {tokens}", tokens=tokens(fact.gold, fact.goods)),
    "tokens_brought": _brought,
    "action_stopped": lambda fact: say("the special action of {card} does not begin", card=fact.card),
    "token_claimed": _claimed,
    "token_delivered": _delivered,
    "token_lost": lambda fact: say("{token} goes back to the supply", token=fact.token),
    "caballero_sailed": _sailed,
    "inquisitor_taken": lambda fact: say("{player} takes the Grand Inquisitor", player=fact.player),
    "inquisitor_used": lambda fact: say("{player} uses the Grand Inquisitor", player=fact.player),
    "limit_board_filled": _filled,
    "limit_board_moved": _board_moved,
    "card_held": lambda fact: say("{player} keeps {card} for later", player=fact.player, card=fact.card),
    "held_card_spent": lambda fact: say("{player} gives {card} away", player=fact.player, card=fact.card),
    "card_executed": lambda fact: say("{player} executes {card}", player=fact.player, card=fact.card),
    "stack_card_chosen": lambda fact: say("{player} uses {card}", player=fact.player, card=fact.card),
    "card_copied": lambda fact: say("{player} repeats {card}", player=fact.player, card=fact.card),
    "action_performed": lambda fact: say("{player} has performed {card}", player=fact.player, card=fact.card),
    "space_marked": lambda fact: say(
        "{player} marks {space}: it is scored at the end of the next round", player=fact.player, space=fact.space
    ),
    "marker_returned": lambda fact: say("the marker goes back"),
}

UNTOLD = ("action_performed", "action_stopped", "marker_returned")

# Names

WORDS = {
    NAME: say("Grand Inquisitor & Colonies"),
    FRANCIA: say("France"),
    SHIP: say("Ship"),
    AMERICA: say("America"),
    AFRICA: say("Africa"),
    BLACK: say("black"),
    "gold": say("gold"),
    "goods": say("goods"),
    "ambassador": say("ambassador"),
    "emissary": say("emissary"),
    "third": say("third"),
    "captain": say("captain"),
    "viceroy": say("viceroy"),
    "limit": say("on the limit board"),
    "beside": say("beside the limit board"),
    "grand_inquisitor": say("Grand Inquisitor"),
    "draw": say("one to court"),
    "place": say("place one"),
    "use": say("use the card"),
    "pass": say("pass"),
}


def names(rules: Rules) -> dict[str, Text]:
    """What places and pieces are called, black ones included."""
    keys = dict(_keys(rules))
    black = {f"{BLACK}/{key}": say("black, {place}", place=text) for key, text in keys.items()}
    standing = {
        f"{player}/{key}": say("{player}, {place}", player=player, place=text)
        for player in COLOURS
        for key, text in keys.items()
    }
    return {**WORDS, **keys, **standing, **black}


def _keys(rules: Rules) -> Iterator[tuple[str, Text]]:
    regions = {name: rules.names.get(name, WORDS.get(name, say("?"))) for name in rules.regions}
    for region, name in regions.items():
        slots = SLOTS.get(region, ()) if region == FRANCIA else (*SLOTS.get(region, ()), "limit", "beside")
        places = {region: name, **{f"{region}:{slot}": marked(name, WORDS[slot]) for slot in slots}}
        yield from places.items()
        if region in (SHIP, AMERICA, AFRICA):
            for place, text in places.items():
                yield from ((f"{place}+{token}", marked(text, WORDS[token])) for token in SUPPLY)
