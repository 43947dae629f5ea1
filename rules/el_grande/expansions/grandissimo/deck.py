"""Which eleven of the nineteen cards of stack 6 are played with."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.el_grande.board import Board
from rules.el_grande.expansions.grandissimo.cards import STACK_SIX
from rules.el_grande.expansions.grandissimo.facts import mine
from rules.el_grande.expansions.grandissimo.symbols import SYMBOLS
from rules.errors import Unreadable
from rules.fairness import Chance
from rules.game import About, Selection
from rules.texts import say, say_many

RANDOM, FIRST_GAME = "random", "first_game"
DECK = "deck"
SIZE = 11
OPTIONS = {DECK: (RANDOM, FIRST_GAME)}
SELECTION = Selection(SIZE, tuple(About(card.title, card.text) for card in STACK_SIX.values()))

HARD = "gr_spanish_inquisition"
FOR_A_FIRST_GAME = tuple(card for card in STACK_SIX if card not in SYMBOLS and card != HARD)
"""Advice of the rules: no symbols, and not the Spanish Inquisition."""

Possible = Callable[[Board, tuple[str, ...], Mapping[str, str]], tuple[str, ...]]
Dealt = Callable[[tuple[str, ...], Chance, Mapping[str, str]], tuple[str, ...]]


def dealt_from_deck(former: Dealt) -> Dealt:
    """Of stack 6 only the cards of the deck are dealt; the others stay in the box."""

    def dealt(cards: tuple[str, ...], chance: Chance, agreed: Mapping[str, str]) -> tuple[str, ...]:
        if cards[0] not in STACK_SIX:
            return former(cards, chance, agreed)
        deck = agreed[DECK]
        if deck == RANDOM:
            return chance.shuffled(cards)[:SIZE]
        return chance.shuffled(FOR_A_FIRST_GAME if deck == FIRST_GAME else chosen(deck))

    return dealt


def possible_in_deck(former: Possible) -> Possible:
    """Of stack 6 nobody knows which cards are in the box, unless they were agreed: only those that have been seen."""

    def possible(board: Board, stack: tuple[str, ...], agreed: Mapping[str, str]) -> tuple[str, ...]:
        is_known = agreed.get(DECK, RANDOM) != RANDOM
        if is_known or not stack or stack[0] not in STACK_SIX:
            return former(board, stack, agreed)
        return tuple(card for card in STACK_SIX if card not in (*board.face_up, *board.discards, *mine(board).kept))

    return possible


def check_deck(deck: str) -> None:
    chosen(deck)


def chosen(deck: str) -> tuple[str, ...]:
    """The cards of a list such as `1,2,5`: their numbers, in any order.

    >>> chosen("1,2,3,4,5,6,7,8,9,10,12")[-1]
    'gr_conscription'
    """
    words = [word.strip() for word in deck.split(",")]
    numbers = {int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 3}
    if len(numbers) == len(words) != SIZE:
        raise Unreadable(
            say_many(
                "a deck has {size} cards of stack 6: {count} was chosen",
                "a deck has {size} cards of stack 6: {count} were chosen",
                len(numbers),
                size=SIZE,
            )
        )
    if not numbers <= set(range(1, len(STACK_SIX) + 1)) or len(numbers) != len(words) or len(words) != SIZE:
        raise Unreadable(
            say(
                "a deck is {random}, {first_game}, or {size} different numbers from 1 to {last}: 1,2,5…, not {deck}",
                random=RANDOM,
                first_game=FIRST_GAME,
                size=SIZE,
                last=len(STACK_SIX),
                deck=deck,
            )
        )
    return tuple(card for number, card in enumerate(STACK_SIX, start=1) if number in numbers)
