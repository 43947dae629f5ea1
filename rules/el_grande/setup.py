"""Setting up the table. All chance of a game is spent here, in a fixed order, so that a seed reproduces it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.el_grande.board import COLOURS, Board, Fact, State
from rules.el_grande.deck import copies
from rules.el_grande.extension import Rules
from rules.el_grande.facts import FirstBidderDrawn, PowerCardsDealt, RegionsDrawn, StacksShuffled
from rules.el_grande.steps.rounds import BeginRound
from rules.errors import Unreadable
from rules.fairness import Chance
from rules.game import agreed
from rules.kernel import begin, fold
from rules.texts import say

OPTIONS = {"game_length": ("full", "short"), "castillo_display": ("hidden", "open")}
"""What can be agreed before the start; the first value is the default."""

PLAYERS = (2, 3, 4, 5)

CHANCE = (RegionsDrawn, StacksShuffled, FirstBidderDrawn)
"""The facts that follow from the seed."""


def empty_table(rules: Rules, players: int, **options: str) -> Board:
    """The board before anything has happened."""
    if players not in PLAYERS:
        raise Unreadable(say("El Grande is for 2 to 5 players, not {players}", players=players))
    agreements = agreed_with(rules, options)
    return rules.board(rules.name, COLOURS[:players], agreements["game_length"], agreements["castillo_display"])


def agreed_with(rules: Rules, options: Mapping[str, str]) -> dict[str, str]:
    """What was agreed for a game by these rules."""
    return agreed({**OPTIONS, **rules.options}, options, rules.other_values)


def start(rules: Rules, players: int, seed: bytes, **options: str) -> tuple[tuple[Fact, ...], State]:
    """A new game: the facts of its set-up, and the state in which the first player is asked."""
    table = State(empty_table(rules, players, **options))
    facts = deal(rules, table.board.players, Chance(seed), agreed_with(rules, options))
    for more in rules.setup:
        facts += more(fold(table, facts).board)
    board = fold(table, facts).board
    opening = (step() for step in rules.opening)
    following, state = begin(board, *opening, BeginRound(rules.rounds[board.game_length][0]))
    return facts + following, state


def deal(rules: Rules, players: Sequence[str], chance: Chance, agreements: Mapping[str, str] = {}) -> tuple[Fact, ...]:
    """Region cards, then the stacks in order, then the first bidder."""
    king, *regions = chance.shuffled(rules.region_order)
    apart, homes = tuple(regions[: rules.set_apart]), regions[rules.set_apart :]
    stacks = tuple(rules.dealt(stack, chance, agreements) for stack in face_down_stacks(rules))
    first = players[chance.below(len(players))]
    return (
        RegionsDrawn(king, dict(zip(players, homes, strict=False)), rules.pieces),
        *rules.drawn(apart),
        PowerCardsDealt(tuple(rules.power_cards)),
        StacksShuffled(stacks),
        FirstBidderDrawn(first),
    )


def face_down_stacks(rules: Rules) -> tuple[tuple[str, ...], ...]:
    """The cards of each stack in the order of the table, but for those that always lie face up."""
    hidden = [(name, card) for name, card in rules.cards.items() if card.stack and not card.returns]
    numbers = sorted({card.stack for _, card in hidden})
    return tuple(
        tuple(copy for name, card in hidden if card.stack == number for copy in copies(name, card))
        for number in numbers
    )
