"""Small fields against the best tables there are: by looking at all of them, and as CP-SAT proves (extra `proof`)."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.tournaments.playing import Event
from tournaments.pairing.costs import costs
from tournaments.pairing.draw import Request, field_of
from tournaments.pairing.sizes import plan
from tournaments.pairing.tables import best_tables

FIELDS = [(12, 4), (16, 4), (20, 4), (24, 4), (25, 5), (21, 3)]
SECONDS = 4


@pytest.mark.parametrize(
    ("players", "size", "allowed", "rounds"),
    [(6, 3, (), 5), (7, 4, (3,), 6), (8, 4, (), 5), (9, 3, (), 6), (10, 4, (3,), 5), (10, 5, (), 4)],
)
def test_no_other_tables_of_a_very_small_field_are_better(players, size, allowed, rounds):
    """Every way to fill the tables is tried, by code that shares nothing with the draw."""
    event = Event(players, size, allowed=allowed)
    for _ in range(rounds):
        tables = [table.players for table in event.draw().round.tables]
        seated = sorted(player for table in tables for player in table)
        everything = every_way(seated, [len(table) for table in tables])
        assert price(event, tables) == min(price(event, others) for others in everything)
        event.play(1)


def every_way(players: list[str], sizes: list[int]) -> Iterator[list[tuple[str, ...]]]:
    """Each once: the first player sits with any others, and so on."""
    if not players:
        yield []
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for others in combinations(players[1:], size - 1):
            rest = [player for player in players[1:] if player not in others]
            yield from ([(players[0], *others), *more] for more in every_way(rest, left))


def price(event: Event, tables: list[tuple[str, ...]]) -> tuple[int, int, int]:
    """Squared meetings, odd tables and differences of scores: none is traded for a later one."""
    met, odd, scores = event.tally.encounters.met, event.tally.encounters.odd, event.tally.scores
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    return (
        sum(met.get(one, {}).get(other, 0) ** 2 for one, other in pairs),
        sum(odd.get(player, 0) ** 2 for table in tables for player in table if len(table) != event.size),
        sum((scores[one] - scores[other]) ** 2 for one, other in pairs),
    )


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_small_fields_have_as_few_repeats_as_is_proven_and_are_nearly_as_level():
    pytest.importorskip("ortools")
    ratios, worse, proven = [], [], 0
    for players, size in FIELDS:
        event = Event(players, size).play(1)
        for _ in range(5):
            (repeats, squares), (best_repeats, best_squares, is_proven) = compared(event)
            proven += is_proven
            if is_proven and repeats > best_repeats:
                worse.append((players, size, len(event.history.rounds) + 1))
            if repeats == best_repeats:
                ratios.append((squares + 1) / (best_squares + 1))
            event.play(1)
    print(proven, "rounds proven; spread", sum(ratios) / len(ratios), "on average,", max(ratios), "at worst")
    assert worse == []
    assert sum(ratios) / len(ratios) <= 1.05


def compared(event):
    """Squared meetings and differences of our tables, and of the best ones."""
    drawn = event.draw()
    seed = bytes.fromhex(drawn.certificate.seed)
    field = field_of(Request(event.history, tuple(event.present), event.size, seed), event.tally)
    sizes = plan(len(field.entrants), event.size, ()).sizes
    tables, cost = best_tables(field, sizes, event.size, seed), costs(field, sizes, event.size)
    pairs = [(one, other) for table in tables for i, one in enumerate(table) for other in table[i + 1 :]]
    meetings = sum(cost.soft[one].get(other, 0) for one, other in pairs)
    squares = sum((cost.scores[one] - cost.scores[other]) ** 2 for one, other in pairs)
    return (meetings, squares), optimum(cost, tables)


def optimum(cost, start):
    """The fewest meetings, then the least differences; and whether that is proven."""
    from ortools.sat.python import cp_model

    model, players, tables = cp_model.CpModel(), range(len(cost.scores)), range(len(cost.sizes))
    at = [[model.new_bool_var("") for _ in tables] for _ in players]
    for player in players:
        model.add_exactly_one(at[player])
    for table in tables:
        model.add(sum(at[player][table] for player in players) == cost.sizes[table])
        for player in start[table]:
            for other in tables:
                model.add_hint(at[player][other], int(other == table))
    highest = sum((mine - theirs) ** 2 for mine in cost.scores for theirs in cost.scores) + 1
    terms = []
    for one in players:
        for other in range(one + 1, len(cost.scores)):
            weight = (cost.scores[one] - cost.scores[other]) ** 2 + highest * cost.soft[one].get(other, 0)
            if weight:
                together = model.new_bool_var("")
                for table in tables:
                    model.add(together >= at[one][table] + at[other][table] - 1)
                terms.append(weight * together)
    model.minimize(sum(terms))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds, solver.parameters.num_workers = SECONDS, 1
    status = solver.solve(model)
    return *divmod(round(solver.objective_value), highest), status == cp_model.OPTIMAL
