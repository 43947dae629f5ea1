"""Direct encounter: the games between tied players alone. Pure.

If all of them have met, they are ordered by these games. If not, a player who leads even if every missing game were
won by the others comes first (C.07, 6.2); at larger tables the tie stays. Then the same among those who are tied still.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tournaments.scorecards import Scorecard

WIN, PARTS = 2, 2520
"""A win is 2, a shared place 1; means of up to ten encounters of two players stay whole."""


def direct_encounter(tied: Sequence[str], cards: Mapping[str, Scorecard], *, may_lead: bool) -> list[list[str]]:
    """The tied players in order, in groups that are tied still."""
    if len(tied) < 2:
        return [list(tied)]
    group = set(tied)
    won = {player: _encounters(cards[player], group) for player in tied}
    if all(len(met) == len(tied) - 1 for met in won.values()):
        groups = _by_score(tied, {player: sum(met.values()) for player, met in won.items()})
    else:
        groups = _leading(tied, won) if may_lead else [list(tied)]
    if len(groups) == 1:
        return groups
    return [part for one in groups for part in direct_encounter(one, cards, may_lead=may_lead)]


def _encounters(card: Scorecard, group: set[str]) -> dict[str, int]:
    """By opponent of the group: the mean of all encounters."""
    found: dict[str, list[int]] = {}
    for entry in card.entries:
        if entry.is_played:
            for other in entry.opponents:
                if other in group:
                    found.setdefault(other, []).append(WIN if other in entry.beaten else int(other in entry.tied))
    return {other: PARTS * sum(results) // len(results) for other, results in found.items()}


def _by_score(tied: Sequence[str], scores: Mapping[str, int]) -> list[list[str]]:
    return [[p for p in tied if scores[p] == score] for score in sorted(set(scores.values()), reverse=True)]


def _leading(tied: Sequence[str], won: Mapping[str, Mapping[str, int]]) -> list[list[str]]:
    """Players one by one who cannot be caught, and the others together."""
    sure = {player: sum(met.values()) for player, met in won.items()}
    most = {player: sure[player] + WIN * PARTS * (len(tied) - 1 - len(won[player])) for player in tied}
    left = sorted(tied, key=lambda player: (-sure[player], -most[player]))
    groups: list[list[str]] = []
    while len(left) > 1 and sure[left[0]] > max(most[player] for player in left[1:]):
        groups.append([left.pop(0)])
    return [*groups, left]
