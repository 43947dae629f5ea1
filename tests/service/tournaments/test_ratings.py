"""Ratings follow the results of all tournaments, in the order of their ends, also after rulings."""

from random import Random

import pytest

from service.tournaments import rating_worker
from service.tournaments.rating_ledger import RatedTable, RatingLedger
from service.tournaments.rating_worker import RatingWorker
from tests.service.tournaments.hall import ALL, Hall, by_hand
from tournaments.commands import (
    AcceptSeat,
    Adjudicate,
    ProposeRound,
    PublishRound,
    RecordResult,
    ReplayGame,
    ReverseRuling,
    StartRound,
    Substitute,
)
from tournaments.options import Stage
from tournaments.ratings import NEW, RatedGame, after_game, rated, strength
from tournaments.results import Result

FAMILY = "el_grande"


def round_of(hall: Hall, id: str, order: Random) -> None:
    """A round by hand, in which every table gets some result."""
    for command in (ProposeRound, PublishRound, StartRound):
        hall.do(id, command(hall.organiser))
    hall.attend()
    hall.come(id)
    number = len(hall.look(id).rounds)
    for table, seated in enumerate(hall.look(id).rounds[-1].round.tables):
        places = order.sample(range(1, len(seated.players) + 1), len(seated.players))
        hall.wait(1000)
        hall.do(id, Adjudicate(hall.organiser, "as seen", number, table, Result(tuple(places))))
    hall.attend()
    hall.attend()


def event(hall: Hall, *players: str, rounds: int = 2, seed: int = 1, **options) -> str:
    order = Random(seed)
    id = hall.started(*players, stages=(Stage(rounds=rounds),), schedule=by_hand(), **options)
    for _ in range(rounds):
        round_of(hall, id, order)
    settle(hall)
    return id


def settle(hall: Hall) -> None:
    while hall.feed.attend(ALL):
        pass
    while not hall.ratings.is_settled(FAMILY) or not hall.ratings.is_complete:
        hall.rating_worker.attend()


def strengths(hall: Hall, people: list[str]) -> dict[str, list[tuple[float, float, int]]]:
    """All steps of all of them."""
    return {
        account: [
            (step.rating.mean, step.rating.uncertainty, step.rating.games)
            for step in hall.ratings.history(account, FAMILY, 10**9, 1000)
        ]
        for account in people
    }


def fresh(hall: Hall, people: list[str]) -> dict[str, list[tuple[float, float, int]]]:
    """The same from an empty ledger."""
    for key in hall.store.commands.keys("hidalgo:{ratings}:*"):
        hall.store.commands.delete(key)
    assert strengths(hall, people) == {account: [] for account in people}
    settle(hall)
    return strengths(hall, people)


def test_a_table_rates_its_players_by_their_places(hall):
    ana, ben = hall.people(2)
    id = event(hall, ana, ben, rounds=1)
    [table] = hall.look(id).rounds[0].round.tables
    expected = rated([RatedGame(table.players, table.result.places)])
    for account in (ana, ben):
        step = hall.ratings.current(account, [FAMILY])[FAMILY]
        assert (step.rating, step.tournament, step.round, step.number) == (expected[account], id, 1, 1)
        assert step.place == table.result.places[table.players.index(account)]
    assert hall.ratings.current("nobody", [FAMILY]) == {}


def test_tournaments_are_rated_together_in_the_order_of_their_tables(hall):
    people = hall.people(4)
    event(hall, *people, seed=1)
    event(hall, *people, seed=2, visibility="private")
    found = strengths(hall, people)
    assert [len(steps) for steps in found.values()] == [4] * 4
    assert found == fresh(hall, people)


def test_an_unrated_tournament_rates_nobody(hall):
    people = hall.people(2)
    event(hall, *people, rated=False)
    assert fresh(hall, people) == {account: [] for account in people}


def test_a_corrected_result_changes_everything_after_it_and_nothing_before(hall):
    people = hall.people(4)
    id = event(hall, *people, rounds=3)
    before = strengths(hall, people)
    table = hall.look(id).rounds[1].round.tables[0]
    other = Result(tuple(reversed(table.result.places)))
    [*_, made] = hall.do(id, Adjudicate(hall.organiser, "a wrong count", 2, 0, other)).rulings
    settle(hall)
    corrected = strengths(hall, people)
    for account in people:
        assert corrected[account][-1] == before[account][-1], "the first round"
        assert corrected[account][0] != before[account][0], "the last round"
    assert corrected == fresh(hall, people)
    hall.do(id, ReverseRuling(hall.organiser, made, "it was right"))
    settle(hall)
    assert strengths(hall, people) == before == fresh(hall, people)


def test_a_game_that_is_played_again_is_not_rated_meanwhile(hall):
    people = hall.people(4)
    id = event(hall, *people, rounds=2)
    hall.do(id, ReplayGame(hall.organiser, "a wrong board", 1, 0))
    settle(hall)
    assert sorted(len(steps) for steps in strengths(hall, people).values()) == [1, 1, 2, 2]
    assert strengths(hall, people) == fresh(hall, people)


def test_bots_are_not_rated_and_the_others_among_themselves(hall):
    ana, ben = hall.people(2)
    id = hall.started(ana, ben, "bot:random:1", size=3, stages=(Stage(rounds=1),), schedule=by_hand())
    round_of(hall, id, Random(1))
    settle(hall)
    [table] = hall.look(id).rounds[0].round.tables
    places = dict(zip(table.players, table.result.places, strict=True))
    expected = rated([RatedGame((ana, ben), (places[ana], places[ben]))])
    assert hall.ratings.current(ana, [FAMILY])[FAMILY].rating == expected[ana]
    assert hall.ratings.current("bot:random", [FAMILY]) == {}


def test_absent_players_are_not_rated_and_those_who_left_come_last(hall):
    people = hall.people(3)
    id = hall.started(*people, size=3, stages=(Stage(rounds=1),), schedule=by_hand())
    for command in (ProposeRound, PublishRound, StartRound):
        hall.do(id, command(hall.organiser))
    hall.attend()
    hall.come(id)
    result = Result((1, 2, 3), absent=(0,), abandoned=(1,))
    hall.do(id, Adjudicate(hall.organiser, "as seen", 1, 0, result))
    settle(hall)
    absent, left, stayed = hall.look(id).rounds[0].round.tables[0].players
    assert hall.ratings.current(absent, [FAMILY]) == {}
    assert hall.ratings.strength(left, FAMILY) < hall.ratings.strength(stayed, FAMILY)


@pytest.mark.parametrize("absent", [(), (0,)])
def test_nobody_is_rated_for_a_game_that_they_did_not_come_to_whatever_a_ruling_says(hall, absent):
    ana, ben = hall.people(2)
    id = hall.started(ana, ben, stages=(Stage(rounds=1),), schedule=by_hand())
    for command in (ProposeRound, PublishRound, StartRound):
        hall.do(id, command(hall.organiser))
    hall.attend()
    hall.do(id, Adjudicate(hall.organiser, "as I say", 1, 0, Result((1, 2), absent=absent)))
    settle(hall)
    assert strengths(hall, [ana, ben]) == {ana: [], ben: []} == fresh(hall, [ana, ben])


def test_a_result_without_a_game_rates_nobody(hall):
    ana, ben = hall.people(2)
    id = hall.started(ana, ben, stages=(Stage(rounds=1),), schedule=by_hand())
    for command in (ProposeRound, PublishRound, StartRound):
        hall.do(id, command(hall.organiser))
    hall.do(id, RecordResult(hall.organiser, 1, 0, Result((1, 2))))
    settle(hall)
    assert strengths(hall, [ana, ben]) == {ana: [], ben: []}


def test_a_substitute_is_rated_for_the_games_that_they_play(hall):
    ana, ben, eve = hall.people(3)
    id = hall.started(ana, ben, stages=(Stage(rounds=1),), schedule=by_hand())
    for command in (ProposeRound, PublishRound, StartRound):
        hall.do(id, command(hall.organiser))
    hall.attend()
    hall.do(id, Substitute(hall.organiser, "ana is ill", ana, eve))
    hall.do(id, AcceptSeat(eve))
    hall.attend()
    hall.come(id)
    hall.do(id, Adjudicate(hall.organiser, "as seen", 1, 0, Result((1, 2))))
    settle(hall)
    assert [bool(hall.ratings.current(account, [FAMILY])) for account in (ana, ben, eve)] == [False, True, True]


def test_a_registration_takes_the_rating_of_the_account(hall):
    ana, ben, new = hall.people(3)
    event(hall, ana, ben, rounds=2)
    players = hall.look(hall.open(ana, ben, new, "bot:random:1")).participants
    assert players[ana].rating == hall.ratings.strength(ana, FAMILY)
    assert {players[ana].rating, players[ben].rating} != {strength(NEW)}
    assert (players[new].rating, players["bot:random:1"].rating) == (0, 0), "no games, no rating"


def test_a_worker_that_is_killed_or_overtaken_is_followed_by_another(hall, monkeypatch):
    """Each chunk is written at once, and only if no table has changed since it was read."""
    people = hall.people(4)
    monkeypatch.setattr(rating_worker, "TABLES_AT_ONCE", 1)
    id = event(hall, *people, rounds=3)
    expected = strengths(hall, people)
    other = Result(tuple(reversed(hall.look(id).rounds[0].round.tables[0].result.places)))
    [*_, made] = hall.do(id, Adjudicate(hall.organiser, "wrong", 1, 0, other)).rulings
    hall.feed.attend(ALL)
    stale = hall.ratings.next_chunk(FAMILY, 1)
    assert stale
    after = [after_game(table.game, stale.before) for table in stale.tables]
    hall.do(id, ReverseRuling(hall.organiser, made, "right"))
    hall.feed.attend(ALL)
    assert not hall.ratings.save(FAMILY, stale, after)
    again = RatingWorker(RatingLedger(hall.store), hall.tournaments, hall.games)
    monkeypatch.setattr(rating_worker, "SECONDS_AT_A_TIME", 0.0)
    while not hall.ratings.is_settled(FAMILY):
        monkeypatch.setattr(rating_worker, "SECONDS_AT_A_TIME", 0.001)
        again.attend()
    assert strengths(hall, people) == expected


def test_a_commit_that_is_followed_twice_or_late_is_noted_once(hall):
    people = hall.people(2)
    id = event(hall, *people)
    before = strengths(hall, people)
    tournament = hall.look(id)
    for commit in hall.tournaments.commits(id):
        hall.rating_worker.follow(tournament, commit)
    assert hall.ratings.is_settled(FAMILY)
    hall.store.commands.hdel("hidalgo:{ratings}:read", id)
    hall.rating_worker.follow(tournament, hall.tournaments.commits(id)[-1])
    settle(hall)
    assert strengths(hall, people) == before


def test_the_history_comes_in_pages_newest_first(hall):
    people = hall.people(2)
    event(hall, *people, rounds=3)
    steps = hall.ratings.history(people[0], FAMILY, 10**9, 2)
    assert [step.number for step in steps] == [3, 2]
    assert [step.number for step in hall.ratings.history(people[0], FAMILY, 2, 2)] == [1]
    assert hall.ratings.history(people[0], FAMILY, 1, 2) == []


def test_a_change_at_the_end_is_cheap_and_a_change_at_the_beginning_bounded(running_stores):
    """Of two thousand tables: one more is computed alone, and a correction of the first in short runs."""
    with running_stores.opened("embedded") as store:
        hall, chance = Hall(store), Random(7)
        players = [f"a_{number:016}" for number in range(200)]
        for number in range(2000):
            seated = tuple(chance.sample(players, 4))
            put(hall.ratings, RatedTable("t", number // 500, number % 500, 1, 1000 + number, seated, (1, 2, 3, 4)))
        settle(hall)
        put(hall.ratings, RatedTable("t", 9, 0, 1, 999_999, tuple(players[:4]), (1, 2, 3, 4)))
        assert hall.rating_worker.attend() == 1
        first = hall.ratings.table(FAMILY, "t/0/0")
        assert first
        changed = RatedTable("t", 0, 0, 2, first.at, first.players, (4, 3, 2, 1))
        assert hall.ratings.put(FAMILY, changed, first)
        rated = 0
        while not hall.ratings.is_settled(FAMILY):
            rated += hall.rating_worker.attend()
            assert rated <= 2001, "every table is rated once more"
        assert rated == 2001


def put(ledger: RatingLedger, table: RatedTable) -> None:
    assert ledger.put(FAMILY, table, None)


@pytest.mark.parametrize("players", [(), ("a_1",)], ids=["none", "one"])
def test_a_table_with_fewer_than_two_rated_players_has_no_place(players):
    assert RatedTable("t", 1, 0, 1, 5, players, (1,) * len(players)).place == ""
