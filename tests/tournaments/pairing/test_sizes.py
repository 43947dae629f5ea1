"""Into which tables players are split, against all splits there are."""

from itertools import combinations_with_replacement

import pytest

from tournaments.bounds import repeats_of_plan, warnings
from tournaments.pairing.sizes import Plan, plan, split

ALLOWED = [(4, (3,)), (4, (3, 5)), (3, (4,)), (3, (2, 4)), (5, (4,)), (5, (3, 4)), (4, ()), (2, ()), (4, (2, 3))]


@pytest.mark.parametrize(("preferred", "allowed"), ALLOWED)
def test_no_split_has_fewer_tables_of_another_size(preferred, allowed):
    for players in range(1, 31):
        found = split(players, preferred, allowed)
        fewest = fewest_others(players, preferred, allowed)
        assert (None if found is None else sum(size != preferred for size in found)) == fewest
        assert found is None or sum(found) == players


def fewest_others(players, preferred, allowed):
    sizes = {preferred, *allowed}
    splits = [
        chosen
        for tables in range(1, players // min(sizes) + 1)
        for chosen in combinations_with_replacement(sorted(sizes), tables)
        if sum(chosen) == players
    ]
    # A table of two stands only where nothing else is possible.
    if preferred != 2:
        least = min((chosen.count(2) for chosen in splits), default=0)
        splits = [chosen for chosen in splits if chosen.count(2) == least]
    return min((sum(size != preferred for size in chosen) for chosen in splits), default=None)


def test_with_tables_of_three_and_four_only_five_players_need_a_bye():
    byes = {players: plan(players, 4, (3,)).byes for players in range(3, 60)}
    assert {players for players, count in byes.items() if count} == {5}


def test_with_tables_of_three_to_five_nobody_sits_out():
    assert not any(plan(players, 4, (3, 5)).byes for players in range(3, 200))


def test_an_odd_field_of_two_has_one_bye():
    assert plan(7, 2, ()) == Plan((2, 2, 2), 1)


def test_large_fields_are_split_as_small_ones():
    assert split(4095, 4, (3,)) == (4,) * 1023 + (3,)
    assert split(4097, 4, (3, 5)) == (4,) * 1023 + (5,)


def test_an_organiser_is_told_what_a_plan_costs():
    assert repeats_of_plan(16, 4, 7) == 48
    assert [str(text) for text in warnings(12, 4, 3)] == [
        "with 12 players at tables of 4 only 1 round is without repeated meetings",
        "in 3 rounds at least 6 pairs meet again",
    ]
    assert warnings(64, 4, 7) == ()
