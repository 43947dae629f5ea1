"""Seats are shared out evenly."""

import pytest

from tests.tournaments.playing import Event


def seat_counts(event, size=4):
    return [[had.count(seat) for seat in range(size)] for had in event.tally.encounters.seats.values()]


def check_balanced(event):
    counts = seat_counts(event)
    differences = [max(seats) - min(seats) for seats in counts]
    assert max(differences) <= 2
    assert sum(differences) * 10 <= 8 * len(differences)
    assert all(1 <= seats[0] <= 3 for seats in counts)


def test_after_eight_rounds_nobody_had_a_seat_three_times_more_often_than_another():
    check_balanced(Event(160, 4).play(8))


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("players", [64, 100, 256, 1024])
def test_seats_are_even_in_fields_of_every_size(players):
    for seed in range(5):
        check_balanced(Event(players, 4, seed).play(8))


def test_after_four_rounds_at_tables_of_four_most_had_every_seat_once():
    counts = seat_counts(Event(160, 4).play(4))
    assert sum(seats == [1, 1, 1, 1] for seats in counts) > len(counts) // 2


def test_in_a_mixed_field_nobody_always_comes_late():
    event = Event(43, 4, allowed=(3,)).play(6)
    late = event.tally.encounters.positions
    games = {player: len(had) for player, had in event.tally.encounters.seats.items()}
    assert all(abs(2 * late[player] - 60 * games[player]) <= 180 for player in games)
