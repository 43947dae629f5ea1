"""What must hold after every fact, whatever happens. Each function says what is wrong, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules.el_grande.board import Board, Fact, count, king_region, owners, total
from rules.el_grande.deck import copies
from rules.el_grande.facts import (
    CaballerosReleased,
    GameEnded,
    KingMoved,
    RegionsDrawn,
    RoundEnded,
    SpaceScored,
    SpecialActionVetoed,
)
from rules.el_grande.regions import CASTILLO
from rules.el_grande.scoring import score, score_unit
from rules.seats import final_places

GENERAL_SCORINGS = 3


def no_caballero_appears_or_vanishes(before: Board, fact: Fact, after: Board) -> str | None:
    """Province, court, regions and castillo add up to the same number for every player."""
    if after.cubes is before.cubes and after.marked is before.marked:
        return None
    pieces = sum(after.rules.pieces.values())
    for player in after.players:
        if (number := sum(count(after, space, player) for space in after.cubes)) != pieces:
            return f"{player} has {number} caballeros, not {pieces}"
    if any(number < 0 for counts in after.cubes.values() for number in counts.values()):
        return "a count is negative"
    return None


def king_and_grandes_stand_in_regions(before: Board, fact: Fact, after: Board) -> str | None:
    for piece, region in (("king", after.king), *after.grandes.items()):
        if after.king and region not in after.rules.regions:
            return f"{piece} stands in {region}"
    return None


def kings_region_is_untouched(before: Board, fact: Fact, after: Board) -> str | None:
    """Between two moves of the king nothing enters or leaves his region."""
    if isinstance(fact, (KingMoved, RegionsDrawn)) or not before.king:
        return None
    king = king_region(before)
    if after.cubes is not before.cubes or after.marked is not before.marked:
        for owner in owners(after):
            if count(before, king, owner) != count(after, king, owner):
                return f"{owner}'s caballeros in the king's region changed"
    for pieces, now in ((before.grandes, after.grandes), (before.scoreboards, after.scoreboards)):
        if now is not pieces and {p for p in pieces if pieces[p] == king} != {p for p in now if now[p] == king}:
            return "a Grande or a scoreboard entered or left the king's region"
    return None


def castillo_empties_in_general_scorings(before: Board, fact: Fact, after: Board) -> str | None:
    if not before.cubes or after.cubes is before.cubes:
        return None
    for player in after.players:
        inside, left = count(before, CASTILLO, player), count(after, CASTILLO, player)
        if left < inside and not (isinstance(fact, CaballerosReleased) and left == 0):
            return f"{player}'s caballeros in the castillo fell from {inside} to {left}"
    return None


def power_cards_are_all_there(before: Board, fact: Fact, after: Board) -> str | None:
    """Hand, played pile and the card just played make up the whole set; no value is played twice in a round."""
    if len(set(after.power.values())) < len(after.power):
        return f"a power card was played twice: {after.power}"
    if after.hands is before.hands and after.piles is before.piles:
        return None
    for player in after.players:
        held = [*after.hands[player], *after.piles[player]]
        if (value := after.power.get(player)) and value not in held:
            held.append(value)
        if sorted(held) != sorted(after.rules.power_cards):
            return f"{player}'s power cards are {sorted(held)}"
    return None


def scoreboards_lie_apart(before: Board, fact: Fact, after: Board) -> str | None:
    if len(set(after.scoreboards.values())) < len(after.scoreboards):
        return "two scoreboards lie on one space"
    if set(before.scoreboards) - set(after.scoreboards):
        return "a scoreboard went out of play"
    return None


def scores_never_fall(before: Board, fact: Fact, after: Board) -> str | None:
    if after.scores is before.scores:
        return None
    return next((f"{p}'s score fell" for p in before.scores if after.scores[p] < before.scores[p]), None)


def points_follow_from_the_board(before: Board, fact: Fact, after: Board) -> str | None:
    """A space is scored by who stands there: all ranks, or first places only."""
    if not isinstance(fact, SpaceScored):
        return None if after.scores is before.scores or isinstance(fact, RegionsDrawn) else "points came from nowhere"
    if fact in (score(before, fact.space), score(before, fact.space, ranks=1)):
        return None
    if any(unit.space == fact.space and fact == score_unit(before, unit) for unit in before.rules.units(before)):
        return None
    return f"{fact.space} is not scored as it stands: {fact.awards}"


def places_follow_from_the_scores(before: Board, fact: Fact, after: Board) -> str | None:
    if not isinstance(fact, GameEnded) or fact.places == final_places(before.scores):
        return None
    return f"the places {fact.places} do not follow from the scores {before.scores}"


def everybody_takes_one_card_a_round(before: Board, fact: Fact, after: Board) -> str | None:
    takers = Counter(after.taken.values())
    if takers and max(takers.values()) > 1:
        return f"a player took two cards: {after.taken}"
    if isinstance(fact, RoundEnded) and len(before.taken) != len(before.players):
        return f"{len(before.taken)} cards were taken by {len(before.players)} players"
    return None


def vetoes_are_few_and_fresh(before: Board, fact: Fact, after: Board) -> str | None:
    if len(after.vetoes) > 2:
        return "more than two vetoes exist"
    if isinstance(fact, RoundEnded) and any(veto.until <= fact.round for veto in after.vetoes):
        return "a veto outlived its last round"
    if isinstance(fact, SpecialActionVetoed) and fact.player == fact.against:
        return f"{fact.player} vetoed the own action"
    return None


def no_action_card_is_lost(before: Board, fact: Fact, after: Board) -> str | None:
    """Between two rounds every card is in a stack, discarded, held as a veto, or always face up."""
    if not isinstance(fact, RoundEnded):
        return None
    rules = after.rules
    everywhere = Counter((*(card for stack in after.stacks for card in stack), *after.discards))
    everywhere.update(veto.card for veto in after.vetoes)
    known = Counter(copy for name, card in rules.cards.items() if not card.returns for copy in copies(name, card))
    return None if everywhere == known else f"cards lost or doubled: {(known - everywhere) + (everywhere - known)}"


def counts_are_whole(before: Board, fact: Fact, after: Board) -> str | None:
    """What all players together have in a space is what lies there."""
    if after.cubes is before.cubes or not after.king:
        return None
    if any(total(after, space) < sum(after.cubes[space].values()) for space in after.cubes):
        return "a caballero belongs to no player at the table"
    return None


INVARIANTS = (
    no_caballero_appears_or_vanishes,
    king_and_grandes_stand_in_regions,
    kings_region_is_untouched,
    castillo_empties_in_general_scorings,
    power_cards_are_all_there,
    scoreboards_lie_apart,
    scores_never_fall,
    points_follow_from_the_board,
    places_follow_from_the_scores,
    everybody_takes_one_card_a_round,
    vetoes_are_few_and_fresh,
    no_action_card_is_lost,
    counts_are_whole,
)


# A game as a whole


def every_turn_is_taken_and_everything_scored(board: Board, facts: Iterable[Fact]) -> str | None:
    """Every player has a turn in every round, and three times everything is scored."""
    happened = Counter(str(fact.__struct_config__.tag) for fact in facts)
    turns = len(board.rules.rounds[board.game_length]) * len(board.players)
    for name, expected in (("turn_ended", turns), ("general_scoring_began", GENERAL_SCORINGS), ("game_ended", 1)):
        if happened[name] != expected:
            return f"{name} happened {happened[name]} times, not {expected}"
    return None
