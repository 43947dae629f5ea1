"""What must hold in Grandissimo where the base game says otherwise."""

from __future__ import annotations

from collections import Counter

from rules.el_grande.board import Board, Fact, count, is_region
from rules.el_grande.deck import copies
from rules.el_grande.expansions.grandissimo.actions import score_courts
from rules.el_grande.expansions.grandissimo.cards import STACK_SIX
from rules.el_grande.expansions.grandissimo.deck import SIZE
from rules.el_grande.expansions.grandissimo.facts import (
    BLACK,
    MERCENARIES,
    AlliedRegionsScored,
    CourtsScored,
    DeputyMoved,
    foreign_court,
    mine,
)
from rules.el_grande.expansions.grandissimo.general import score_allies
from rules.el_grande.facts import CaballerosReleased, RoundEnded
from rules.el_grande.invariants import kings_region_is_untouched as untouched
from rules.el_grande.invariants import points_follow_from_the_board as points_of_spaces
from rules.el_grande.regions import CASTILLO


def king_and_grandes_stand_in_regions(before: Board, fact: Fact, after: Board) -> str | None:
    """Grandes may be in the castillo; the king is there exactly while a Grande acts for him."""
    if not after.king:
        return None
    for player, space in after.grandes.items():
        if space != CASTILLO and not is_region(after, space):
            return f"{player}'s Grande stands in {space}"
    deputy = mine(after).deputy
    if (after.king == CASTILLO) != bool(deputy):
        return f"the king is in {after.king}, and his deputy is {deputy or 'nobody'}"
    if deputy:
        return "the deputy is in the castillo" if after.grandes[deputy] == CASTILLO else None
    return None if after.rules.regions[after.king].admits_king else f"the king stands in {after.king}"


def kings_region_is_untouched(before: Board, fact: Fact, after: Board) -> str | None:
    """The Grande who acts for the king moves like him."""
    return None if isinstance(fact, DeputyMoved) else untouched(before, fact, after)


def castillo_empties_in_general_scorings(before: Board, fact: Fact, after: Board) -> str | None:
    """Or by an expulsion order: always as a whole."""
    if not before.cubes or after.cubes is before.cubes:
        return None
    for owner in (*after.players, BLACK):
        inside, left = count(before, CASTILLO, owner), count(after, CASTILLO, owner)
        if left < inside and not (isinstance(fact, CaballerosReleased) and left == 0):
            return f"{owner}'s caballeros in the castillo fell from {inside} to {left}"
    return None


def points_follow_from_the_board(before: Board, fact: Fact, after: Board) -> str | None:
    """Courts and allied regions are scored in ways of their own."""
    if isinstance(fact, CourtsScored):
        return None if fact == score_courts(before) else f"the courts are not scored as they are: {fact.awards}"
    if isinstance(fact, AlliedRegionsScored):
        if (fact.space, fact.ally) != mine(before).alliance:
            return f"{fact.space} and {fact.ally} are no allies"
        sound = fact == score_allies(before, fact.space, fact.ally)
        return None if sound else f"the allies are not scored as they stand: {fact.awards}"
    return points_of_spaces(before, fact, after)


def everybody_takes_one_card_a_round(before: Board, fact: Fact, after: Board) -> str | None:
    """Whoever has a double turn takes two."""
    if after.taken is before.taken and not isinstance(fact, RoundEnded):
        return None
    takers = Counter(after.taken.values())
    doubled = after.taken.get("gr_double_turn")
    for player, number in takers.items():
        if number > 1 + (player == doubled):
            return f"{player} took {number} cards: {after.taken}"
    if isinstance(fact, RoundEnded) and set(before.taken.values()) != set(before.players):
        return f"only {sorted(before.taken.values())} took cards"
    return None


def no_action_card_is_lost(before: Board, fact: Fact, after: Board) -> str | None:
    """Of stack 6 eleven cards are in the game; a second card may be kept by a player."""
    if not isinstance(fact, RoundEnded):
        return None
    rules = after.rules
    everywhere = Counter((*(card for stack in after.stacks for card in stack), *after.discards, *mine(after).kept))
    everywhere.update(veto.card for veto in after.vetoes)
    sixes = Counter({card: number for card, number in everywhere.items() if card in STACK_SIX})
    if sixes.total() != SIZE or len(sixes) != SIZE:
        return f"these cards of stack 6 are in the game: {sixes}"
    others = everywhere - sixes
    kinds = (item for item in rules.cards.items() if not item[1].returns and item[0] not in STACK_SIX)
    known = Counter(copy for name, card in kinds for copy in copies(name, card))
    return None if others == known else f"cards lost or doubled: {(known - others) + (others - known)}"


def mercenaries_never_leave(before: Board, fact: Fact, after: Board) -> str | None:
    """There are always two, in regions or in the castillo."""
    if after.cubes is before.cubes or not after.round:
        return None
    spaces = (*after.rules.regions, CASTILLO)
    number = sum(count(after, space, BLACK) for space in spaces)
    return None if number == MERCENARIES else f"{number} mercenaries are on the board"


def region_cards_are_used_once(before: Board, fact: Fact, after: Board) -> str | None:
    cards = [region for held in mine(after).hidden.values() for region in held.values() if region]
    used = [*cards, *mine(after).alliance]
    return f"a region card is used twice: {used}" if len(set(used)) < len(used) else None


def nobody_waits_in_the_own_court_as_a_guest(before: Board, fact: Fact, after: Board) -> str | None:
    if after.cubes is before.cubes or not after.round:
        return None
    own = next((player for player in after.players if count(after, foreign_court(player), player)), None)
    return f"{own} is a guest at home" if own else None


RESTATED = (
    king_and_grandes_stand_in_regions,
    kings_region_is_untouched,
    castillo_empties_in_general_scorings,
    points_follow_from_the_board,
    everybody_takes_one_card_a_round,
    no_action_card_is_lost,
)
FURTHER = (mercenaries_never_leave, region_cards_are_used_once, nobody_waits_in_the_own_court_as_a_guest)
