"""What must hold in Grand Inquisitor & Colonies, beside the base game or in its place."""

from __future__ import annotations

from collections import Counter

from rules.el_grande import invariants
from rules.el_grande.board import Board, Fact, count, marks_of, slot_of, space_of
from rules.el_grande.deck import copies, design
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import (
    BLACK,
    NAME,
    SUPPLY,
    TokenDelivered,
    colonies,
    lately,
    supply,
    there,
)
from rules.el_grande.expansions.grand_inquisitor_and_colonies.regions import (
    SLOTS,
    SPACES_OF_THE_LIMIT_BOARD,
    is_carrier,
)
from rules.el_grande.expansions.grand_inquisitor_and_colonies.tokens import POINTS
from rules.el_grande.facts import RegionsDrawn, RoundEnded
from rules.el_grande.regions import CASTILLO, COURT, PROVINCE

BLACK_CABALLEROS = 4


def king_and_grandes_stand_in_regions(before: Board, fact: Fact, after: Board) -> str | None:
    """A Grande may be in the castillo as well; the king is in Spain or in France."""
    regions = after.rules.regions
    if after.king and not regions[after.king].admits_king:
        return f"the king stands in {after.king}"
    lost = [player for player, home in after.grandes.items() if home not in regions and home != CASTILLO]
    return f"the Grandes of {lost} are nowhere" if lost else None


def points_follow_from_the_board(before: Board, fact: Fact, after: Board) -> str | None:
    """Tokens bring points as well."""
    if not isinstance(fact, TokenDelivered):
        return invariants.points_follow_from_the_board(before, fact, after)
    gained = {player: after.scores[player] - score for player, score in before.scores.items()}
    expected = {player: POINTS[fact.token] if player == fact.player else 0 for player in before.scores}
    return None if gained == expected else f"a token brought {gained}"


def everybody_takes_one_card_a_round(before: Board, fact: Fact, after: Board) -> str | None:
    """One card each, and one more if a player executes another."""
    takers = Counter(after.taken.values())
    most = 2 + bool(after.rules.hand_cards)
    if takers and max(takers.values()) > most:
        return f"a player took {max(takers.values())} cards: {after.taken}"
    if not isinstance(fact, RoundEnded) or after.rules.hand_cards:
        return None
    number, players = len(before.taken), len(before.players)
    return None if number in (players, players + 1) else f"{number} cards were taken by {players} players"


def no_action_card_is_lost(before: Board, fact: Fact, after: Board) -> str | None:
    """Between two rounds every card of a stack is in it, discarded, kept, or always face up."""
    if not isinstance(fact, RoundEnded):
        return None
    rules, hands = after.rules, set(after.rules.hand_cards.values())
    lying = (*(card for stack in after.stacks for card in stack), *after.discards, *colonies(after).held)
    everywhere = Counter(card for card in lying if card not in hands)
    everywhere.update(veto.card for veto in after.vetoes if design(after, veto.card).stack)
    stacked = (item for item in rules.cards.items() if item[1].stack and not item[1].returns)
    known = Counter(copy for name, card in stacked for copy in copies(name, card))
    return None if everywhere == known else f"cards lost or doubled: {(known - everywhere) + (everywhere - known)}"


def black_caballeros_stay_on_the_board(before: Board, fact: Fact, after: Board) -> str | None:
    """There are four of them, in regions or in the castillo."""
    if after.cubes is before.cubes and after.marked is before.marked:
        return None
    if isinstance(fact, RegionsDrawn):
        return None
    number = sum(count(after, space, BLACK) for space in after.cubes if space not in (COURT, PROVINCE))
    return None if number == BLACK_CABALLEROS else f"there are {number} black caballeros"


def tokens_are_all_there(before: Board, fact: Fact, after: Board) -> str | None:
    """Nobody carries two, or carries one where it has no business; no more are about than there are."""
    if after.marked is before.marked and getattr(after, NAME) is getattr(before, NAME):
        return None
    for piece in after.marked:
        if is_carrier(piece.at):
            if space_of(piece.at) not in ("ship", "america", "africa"):
                return f"a token is carried in {piece.at}"
            if slot_of(piece.at) in ("captain", "viceroy") or len(marks_of(piece.at)) > 1:
                return f"a token is carried at {piece.at}"
    if any(supply(after, token) < 0 or colonies(after).unclaimed.get(token, 0) < 0 for token in SUPPLY):
        return "there are more tokens than there are"
    return None


def special_places_hold_one(before: Board, fact: Fact, after: Board) -> str | None:
    """Every special place has one caballero at most; France has no other places, the limit board only so many."""
    if after.marked is before.marked and after.cubes is before.cubes:
        return None
    if not after.cubes:
        return None
    taken = Counter(piece.at.split("+")[0] for piece in after.marked if slot_of(piece.at))
    for place, number in taken.items():
        space, slot = space_of(place), slot_of(place)
        if slot in SLOTS.get(space, ()):
            if number > 1:
                return f"{number} caballeros are at {place}"
        elif space != colonies(after).limit:
            return f"a caballero is at {place}, where the limit board is not"
        elif slot == "limit" and number > SPACES_OF_THE_LIMIT_BOARD[len(after.players)]:
            return f"{number} caballeros are on the limit board"
    if any(after.cubes["francia"].values()):
        return "a caballero in France has no place"
    return None


def arrivals_of_the_round_are_there(before: Board, fact: Fact, after: Board) -> str | None:
    """No more have arrived under a key than are there."""
    for key, counts in lately(after).fresh.items():
        if any(number > there(after, owner, key) for owner, number in counts.items()):
            return f"more have arrived at {key} than are there"
    return None


def limit_board_is_full_between_turns(before: Board, fact: Fact, after: Board) -> str | None:
    """When a round ends nobody stands beside the limit board while a space is free."""
    if not isinstance(fact, RoundEnded):
        return None
    limit = colonies(after).limit
    taken = Counter(slot_of(piece.at) for piece in after.marked if space_of(piece.at) == limit)
    is_free = taken["limit"] < SPACES_OF_THE_LIMIT_BOARD[len(after.players)]
    if is_free and taken["beside"]:
        return "a space of the limit board is free, and a caballero is beside it"
    return "a caballero in its region is neither on it nor beside it" if any(after.cubes[limit].values()) else None


RESTATED = (
    king_and_grandes_stand_in_regions,
    points_follow_from_the_board,
    everybody_takes_one_card_a_round,
    no_action_card_is_lost,
)
FURTHER = (
    black_caballeros_stay_on_the_board,
    tokens_are_all_there,
    special_places_hold_one,
    arrivals_of_the_round_are_there,
    limit_board_is_full_between_turns,
)
