"""What a pairing is made of: players with their scores, what they have met, and what the organiser wants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from rules.fairness import Chance
from tournaments.encounters import Encounters
from tournaments.wishes import NUMBER, RANDOM, RATING, Wishes, pair_of


class Entrant(Struct, frozen=True):
    """A player of the next round."""

    id: str
    score: int = 0
    rating: int = 0
    number: int = 0
    """The starting number: 1 is the strongest."""
    team: str = ""


class Field(Struct, frozen=True):
    """The players of a round in pairing order, and everything that counts between them."""

    entrants: tuple[Entrant, ...]
    encounters: Encounters
    wishes: Wishes = Wishes()

    def are_kept_apart(self, one: Entrant, other: Entrant) -> bool:
        return pair_of(one.id, other.id) in self.wishes.forbidden

    def are_team_mates(self, one: Entrant, other: Entrant) -> bool:
        return bool(self.wishes.teams_apart and one.team and one.team == other.team)


def pairing_order(entrants: Iterable[Entrant], seeding: str, seed: bytes, size: int) -> tuple[Entrant, ...]:
    """By score; inside equal scores by lot, or folded so that a table of this size has one player of each stratum."""
    by_id = sorted(entrants, key=lambda entrant: entrant.id)
    drawn = Chance(seed).shuffled(by_id)
    if seeding == RATING:
        drawn = tuple(sorted(drawn, key=lambda entrant: -entrant.rating))
    elif seeding == NUMBER:
        drawn = tuple(sorted(drawn, key=lambda entrant: entrant.number))
    groups: dict[int, list[Entrant]] = {}
    for entrant in drawn:
        groups.setdefault(entrant.score, []).append(entrant)
    folded = (group if seeding == RANDOM else fold(group, size) for _, group in sorted(groups.items(), reverse=True))
    return tuple(entrant for group in folded for entrant in group)


def fold(group: Sequence[Entrant], size: int) -> list[Entrant]:
    """
    >>> [entrant.id for entrant in fold([Entrant(id) for id in "abcdefgh"], 4)]
    ['a', 'c', 'e', 'g', 'b', 'd', 'f', 'h']
    """
    tables = -(-len(group) // size)
    return [group[index] for table in range(tables) for index in range(table, len(group), tables)]
