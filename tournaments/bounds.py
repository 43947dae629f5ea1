"""How few repeated meetings a round can have at all: bounds by counting, for certificates and for plans. Pure.

A player who has met almost everybody must meet somebody again. And a table takes players from the tables of an earlier
round: if it is larger than their number, two of one of them meet again.

>>> least_repeats([4, 4, 4], [8] * 12, [[4, 4, 4]])
3
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb

from rules.texts import Text, say, say_many


def least_repeats(sizes: Sequence[int], strangers: Sequence[int], together: Iterable[Sequence[int]]) -> int:
    """So many pairs meet again at least, if these tables are to be filled.

    `strangers` are how many of the others each player has not met; `together` is how many of the players each table of
    an earlier round had, round by round.
    """
    return max([_by_players(sizes, strangers), *(_by_tables(sizes, tables, len(strangers)) for tables in together)])


def _by_players(sizes: Sequence[int], strangers: Sequence[int]) -> int:
    """Everybody has as many opponents as the table gives; those who know most sit at the smallest tables."""
    wanted = sorted(size - 1 for size in sizes for _ in range(size))
    again = sum(max(0, want - have) for want, have in zip(wanted, sorted(strangers), strict=True))
    return -(-again // 2)


def _by_tables(sizes: Sequence[int], together: Sequence[int], players: int) -> int:
    """Pairs of one earlier table at the new ones, if players are spread as evenly as can be. Players who sat alone, or
    with none of these, help where they are needed most."""
    groups = sum(count > 1 for count in together)
    if groups >= max(sizes, default=0):
        return 0
    filled, others = sorted(sizes), players - sum(count for count in together if count > 1)
    while others and filled[-1] > groups:
        others -= 1
        filled[-1] -= 1
        filled.sort()
    return sum(_of_one_table(size, groups) for size in filled) if groups else 0


def _of_one_table(size: int, groups: int) -> int:
    """
    >>> _of_one_table(4, 3), _of_one_table(5, 2), _of_one_table(4, 4)
    (1, 4, 0)
    """
    each, rest = divmod(size, groups)
    return rest * comb(each + 1, 2) + (groups - rest) * comb(each, 2)


# Plans


def repeat_free_rounds(players: int, size: int) -> int:
    """
    >>> repeat_free_rounds(16, 4), repeat_free_rounds(12, 4), repeat_free_rounds(40, 4)
    (5, 1, 13)
    """
    return 1 if players < size * size else (players - 1) // (size - 1)


def repeats_of_plan(players: int, size: int, rounds: int) -> int:
    """
    >>> repeats_of_plan(16, 4, 7), repeats_of_plan(12, 4, 2), repeats_of_plan(64, 4, 7)
    (48, 3, 0)
    """
    tables = players // size
    in_all = rounds * tables * comb(size, 2) - comb(players, 2)
    after_first = (rounds - 1) * _by_tables([size] * tables, [size] * tables, tables * size)
    return max(0, in_all, after_first)


def recommended_rounds(players: int, size: int) -> int:
    """So many rounds find a winner, and no more than can be played without repeats.

    >>> recommended_rounds(64, 4), recommended_rounds(64, 2), recommended_rounds(16, 4), recommended_rounds(12, 4)
    (6, 8, 5, 5)
    """
    levels, field = 0, 1
    while field < players:
        levels, field = levels + 1, field * size
    wanted = levels + (2 if size == 2 else 3)
    return min(wanted, repeat_free_rounds(players, size)) if players >= size * size else wanted


def warnings(players: int, size: int, rounds: int) -> tuple[Text, ...]:
    """What an organiser must know before the start."""
    if players < size:
        return (say("{players} players do not fill a table of {size}", players=players, size=size),)
    repeats = repeats_of_plan(players, size, rounds)
    if not repeats:
        return ()
    most = repeat_free_rounds(players, size)
    return (
        say_many(
            "with {players} players at tables of {size} only {count} round is without repeated meetings",
            "with {players} players at tables of {size} only {count} rounds are without repeated meetings",
            most,
            players=players,
            size=size,
        ),
        say_many(
            "in {rounds} rounds at least {count} pair meets again",
            "in {rounds} rounds at least {count} pairs meet again",
            repeats,
            rounds=rounds,
        ),
    )
