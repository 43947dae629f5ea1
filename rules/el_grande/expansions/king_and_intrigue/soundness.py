"""What must hold in King & Intrigue where the base game says otherwise."""

from __future__ import annotations

from collections import Counter

from rules.el_grande.board import Board, Fact
from rules.el_grande.deck import copies
from rules.el_grande.expansions.king_and_intrigue.facts import CardsKept, held
from rules.el_grande.expansions.king_and_intrigue.opening import KEPT
from rules.el_grande.facts import RoundEnded


def power_cards_are_all_there(before: Board, fact: Fact, after: Board) -> str | None:
    """A hand, and what was played from it, are different cards of the set: all of them, or those that were kept."""
    if len(set(after.power.values())) < len(after.power):
        return f"a card was played twice: {after.power}"
    if after.hands is before.hands:
        return None
    everything = set(after.rules.power_cards)
    for player in after.players:
        cards = [*after.hands[player], *after.history[player]]
        number = KEPT if after.round or (isinstance(fact, CardsKept) and fact.player == player) else len(cards)
        if len(set(cards)) < len(cards) or not set(cards) <= everything or len(cards) != number:
            return f"{player}'s cards are {cards}"
    return None


def everybody_takes_one_card_a_round(before: Board, fact: Fact, after: Board) -> str | None:
    """One player has the King card, another the Intrigue card."""
    takers = Counter(after.taken.values())
    if takers and max(takers.values()) > 1:
        return f"a player took two cards: {after.taken}"
    if isinstance(fact, RoundEnded) and len(before.taken) != 2:
        return f"{len(before.taken)} of the shared cards were taken"
    return None


def vetoes_are_few_and_fresh(before: Board, fact: Fact, after: Board) -> str | None:
    """There is one veto at most, and it ends with its round."""
    if len(after.vetoes) > 1 or any(veto.until != after.round for veto in after.vetoes):
        return f"more than the veto of this round: {after.vetoes}"
    return "a veto outlived its round" if isinstance(fact, RoundEnded) and after.vetoes else None


def no_action_card_is_lost(before: Board, fact: Fact, after: Board) -> str | None:
    """Between two rounds every card of a stack is in it or discarded; cards of hands lie in no stack."""
    if not isinstance(fact, RoundEnded):
        return None
    rules, hands = after.rules, set(after.rules.hand_cards.values())
    lying = (*(card for stack in after.stacks for card in stack), *after.discards)
    everywhere = Counter(card for card in lying if card not in hands)
    stacked = (item for item in rules.cards.items() if item[1].stack and not item[1].returns)
    known = Counter(copy for name, card in stacked for copy in copies(name, card))
    return None if everywhere == known else f"cards lost or doubled: {(known - everywhere) + (everywhere - known)}"


def region_cards_are_held_once(before: Board, fact: Fact, after: Board) -> str | None:
    """A region card is held by one player at most."""
    regions = [region for cards in held(after).values() for region in cards]
    return f"a region card is held twice: {held(after)}" if len(set(regions)) < len(regions) else None


RESTATED = (
    power_cards_are_all_there,
    everybody_takes_one_card_a_round,
    vetoes_are_few_and_fresh,
    no_action_card_is_lost,
)
