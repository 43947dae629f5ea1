"""Tables of three to five: repeats, level tables, wishes."""

import pytest
from msgspec.structs import replace

from tests.tournaments.playing import Event
from tournaments.pairing.sizes import plan
from tournaments.tally import tally
from tournaments.wishes import LEVEL_FIRST, Wishes

FIELDS = [(32, 3, (4,)), (40, 4, (3,)), (64, 5, (4,))]
LARGER = [(33, 3, (4,)), (48, 3, (4,)), (43, 4, (3,)), (64, 4, (3,)), (131, 4, (3,)), (67, 5, (4,)), (100, 5, (4,))]


@pytest.mark.parametrize(("players", "size", "allowed"), FIELDS)
def test_nobody_meets_twice_in_seven_rounds(players, size, allowed):
    assert Event(players, size, allowed=allowed).play(7).repeats == 0


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("players", "size", "allowed"), FIELDS)
def test_nobody_meets_twice_in_seven_rounds_of_a_hundred_events(players, size, allowed):
    assert [seed for seed in range(100) if Event(players, size, seed, allowed).play(7).repeats] == []


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("players", "size", "allowed"), LARGER)
def test_nobody_meets_twice_in_larger_fields_either(players, size, allowed):
    assert [seed for seed in range(100, 110) if Event(players, size, seed, allowed).play(7).repeats] == []


@pytest.mark.parametrize(("players", "size", "rounds"), [(16, 4, 6), (12, 4, 2), (9, 3, 5), (6, 3, 2)])
def test_small_fields_have_as_few_repeats_as_can_be(players, size, rounds):
    event = Event(players, size).play(rounds)
    assert [c.repeats for c in event.certificates if not c.is_proven] == []


def test_thousands_are_seated_without_a_repeat():
    event = Event(1023, 4, allowed=(3,)).play(4)
    assert event.repeats == 0
    assert event.certificates[-1].window == 3


def test_the_same_seed_draws_the_same_round():
    events = [Event(30, 4, allowed=(3,)).play(3) for _ in range(2)]
    assert events[0].history == events[1].history
    assert events[0].certificates == events[1].certificates


def test_another_seed_draws_another_round():
    assert Event(30, 4, seed=1, allowed=(3,)).draw().round != Event(30, 4, seed=2, allowed=(3,)).draw().round


@pytest.mark.parametrize("seed", range(2))
def test_pairs_that_are_kept_apart_do_not_meet(seed):
    pairs = (("p0001", "p0002"), ("p0001", "p0003"), ("p0004", "p0005"), ("p0005", "p0006"))
    event = Event(13, 4, seed, (3,), wishes=Wishes(forbidden=pairs)).play(3)
    assert all(certificate.kept_apart == 0 for certificate in event.certificates)


def test_team_mates_are_kept_apart_before_repeats_are():
    event = Event(16, 4)
    teams = tuple(replace(player, team=f"team {number % 4}") for number, player in enumerate(event.history.players))
    event.history = replace(event.history, players=teams)
    event.tally = tally(event.history)
    event.play(3)
    assert [certificate.team_mates for certificate in event.certificates] == [0, 0, 0]


def test_level_tables_come_first_if_the_organiser_wants_that():
    event = Event(24, 4).play(3)
    apart, beside = event.draw(), event.draw(wishes=Wishes(rematch=LEVEL_FIRST))
    assert beside.certificate.squares < apart.certificate.squares
    assert beside.certificate.repeats > apart.certificate.repeats


def test_leaders_sit_together_in_the_last_round():
    event = Event(40, 4).play(4)
    drawn = event.draw(wishes=Wishes(leaders_together=True))
    first = [event.tally.scores[player] for player in drawn.round.tables[0].players]
    assert sorted(first, reverse=True) == sorted(event.tally.scores.values(), reverse=True)[:4]
    assert drawn.certificate.fixed == 1


def test_a_short_table_is_nobodys_lot_twice_while_another_had_none():
    event = Event(43, 4, allowed=(3,)).play(5)
    assert max(event.tally.encounters.odd.values()) == 1


def test_byes_go_round_before_anybody_has_a_second_one():
    event = Event(5, 4).play(5)
    assert set(event.tally.encounters.byes.values()) == {1}


def test_the_first_bye_goes_to_the_lowest_score():
    event = Event(9, 4).play(1)
    bye = next(iter(event.draw().round.unpaired))
    assert event.tally.scores[bye] == 0


def test_tables_by_hand_stay_and_the_others_are_drawn_around_them():
    event = Event(13, 4, allowed=(3,)).play(1)
    given = (("p0001", "p0002", "p0003"),)
    drawn = event.draw(given=given)
    assert drawn.round.tables[0].players == given[0]
    assert sorted(len(table.players) for table in drawn.round.tables) == sorted([3, *plan(10, 4, (3,)).sizes])
    assert drawn.certificate.fixed == 1


def test_players_who_are_not_there_are_not_seated():
    event = Event(14, 4, allowed=(3,)).play(1)
    drawn = event.draw(present=event.present[2:], unpaired={"p0001": "absent", "p0002": "half_bye"})
    seated = [player for table in drawn.round.tables for player in table.players]
    assert sorted(seated) == event.present[2:]
    assert drawn.round.unpaired == {"p0001": "absent", "p0002": "half_bye"}


def test_withdrawals_late_entries_and_pairs_kept_apart_together():
    """As a club evening goes: players come and go, and some should not meet."""
    pairs = tuple((f"p{one:04}", f"p{one + 1:04}") for one in range(1, 12, 2))
    event = Event(40, 4, allowed=(3,), wishes=Wishes(forbidden=pairs))
    everybody = list(event.present)
    for _ in range(7):
        away = set(event.chance.sample(everybody, event.chance.randint(4, 6)))
        event.present = [player for player in everybody if player not in away]
        event.play(unpaired=dict.fromkeys(away, "absent"))
    assert sum(certificate.kept_apart for certificate in event.certificates) == 0
    assert event.repeats <= 1


def test_strong_and_weak_share_a_table_in_the_first_round_if_seeded_by_rating():
    event = Event(16, 4, wishes=Wishes(seeding="rating"))
    numbers = {player.id: player.number for player in event.history.players}
    strata = [sorted((numbers[player] - 1) // 4 for player in table.players) for table in event.draw().round.tables]
    assert strata == [[0, 1, 2, 3]] * 4
