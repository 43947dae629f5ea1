"""A result of round 2 turns out wrong when an event of 64 is over: everything that follows from it follows again."""

import time
from random import Random

import pytest
from msgspec.structs import replace

from events.log import chain
from tests.service.tournaments.hall import Hall, by_hand
from tests.service.tournaments.test_ratings import fresh, settle, strengths
from tournaments.audit import verify_entries
from tournaments.commands import (
    Adjudicate,
    AdjustPoints,
    CloseRound,
    FinishTournament,
    ProposeRound,
    PublishRound,
    RecordResult,
    ReverseRuling,
    StartRound,
)
from tournaments.decider import tournament_facts
from tournaments.facts import PointsAdjusted, ResultChanged, RulingMade, RulingReversed
from tournaments.options import Stage
from tournaments.results import Result
from tournaments.standings import drawn_lots, standings
from tournaments.tournament import FINISHED

PLAYERS, SIZE, ROUNDS = 64, 4, 7
RATED = (2, 7)
"""Rounds with games; the others have results alone, which rate nobody."""
SECONDS = 60
"""A guard against hanging; what it takes is printed."""


class Finished:
    """An event that is over. People came to the games of two rounds, and the hall gives results: every ruling is one of
    the test's."""

    def __init__(self, hall: Hall) -> None:
        self.hall, self.people, chance = hall, hall.people(PLAYERS), Random(12)
        self.id = hall.started(*self.people, size=SIZE, stages=(Stage(rounds=ROUNDS),), schedule=by_hand())
        for number in range(1, ROUNDS + 1):
            self._round(number, chance)
        hall.do(self.id, FinishTournament(hall.organiser))
        settle(hall)

    def _round(self, number: int, chance: Random) -> None:
        hall, id = self.hall, self.id
        for command in (ProposeRound, PublishRound, StartRound):
            hall.do(id, command(hall.organiser))
        if number in RATED:
            hall.attend()
            hall.come(id)
        games = self.now.rounds[-1].games
        for table, seated in enumerate(self.now.rounds[-1].round.tables):
            hall.wait(1000)
            places = tuple(chance.sample(range(1, SIZE + 1), SIZE))
            scored = tuple(120 - 7 * place - chance.randrange(5) for place in places)
            assert len(seated.players) == SIZE
            hall.do(id, RecordResult(hall.organiser, number, table, Result(places, scored), games.get(table, "")))
        hall.do(id, CloseRound(hall.organiser))

    @property
    def now(self):
        return self.hall.look(self.id)

    def places(self):
        return [(row.place, row.player, row.values) for row in self.now.standings()]

    def computed_anew(self):
        """The standings from the results alone."""
        lots = drawn_lots(self.now.participants, bytes.fromhex(self.now.lots))
        rows = standings(self.now.history(0), self.now.options.standings_list, lots)
        return [(row.place, row.player, row.values) for row in rows]

    def turned(self, round: int, table: int) -> Result:
        result = self.now.round(round).round.tables[table].result
        assert result
        return replace(result, places=tuple(SIZE + 1 - place for place in result.places))


@pytest.fixture
def over(hall) -> Finished:
    return Finished(hall)


def changes_of_standings(over: Finished):
    """By commit: what it changes of results and points, and the ruling that says why."""
    for commit in over.hall.tournaments.commits(over.id, 0, over.now.version):
        facts = tournament_facts(commit)
        if any(isinstance(fact, ResultChanged | PointsAdjusted) for fact in facts):
            yield facts[0], facts[1:]


def test_a_reversed_result_of_round_2_changes_standings_and_ratings_as_a_fresh_computation_would(over):
    hall, standings_before, ratings_before = over.hall, over.places(), strengths(over.hall, over.people)
    turned, began = over.turned(2, 5), time.monotonic()
    [made] = hall.do(over.id, Adjudicate(hall.organiser, "The table was read upside down", 2, 5, turned)).rulings
    corrected = over.places()
    settle(hall)
    lasted = time.monotonic() - began
    print(f"standings and ratings of {PLAYERS} after a correction in round 2 of {ROUNDS}: {lasted:.2f} s")
    assert lasted < SECONDS
    assert over.now.status == FINISHED
    assert corrected != standings_before
    assert corrected == over.computed_anew()
    after = strengths(hall, over.people)
    assert after != ratings_before
    assert after == fresh(hall, over.people)
    hall.do(over.id, ReverseRuling(hall.organiser, made, "It was not"))
    settle(hall)
    assert over.places() == standings_before == over.computed_anew()
    assert strengths(hall, over.people) == ratings_before


def test_every_change_of_standings_can_be_traced_to_a_ruling(over):
    hall = over.hall
    hall.do(over.id, Adjudicate(hall.organiser, "A wrong count", 2, 5, over.turned(2, 5)))
    [*_, adjusted] = hall.do(over.id, AdjustPoints(hall.organiser, "Fair play", over.people[9], 60)).rulings
    hall.do(over.id, ReverseRuling(hall.organiser, adjusted, "Not in the rules"))
    found = list(changes_of_standings(over))
    assert [type(why) for why, _ in found] == [RulingMade, RulingMade, RulingReversed]
    assert [why.reason for why, _ in found] == ["A wrong count", "Fair play", "Not in the rules"]
    assert {why.by for why, _ in found} == {hall.organiser}
    assert set(over.now.rulings) == {why.ruling for why, _ in found}
    for number, (why, _) in enumerate(found):
        before, after = (hall.service.tournaments.load(over.id, version) for version in around(over, number))
        assert before.standings() != after.standings(), why
    log = hall.tournaments.log
    secret = log.secret(over.id)
    assert chain.commitment(secret) == over.now.commitment
    verify_entries(over.id, log.read(over.id), secret)


def around(over: Finished, number: int) -> tuple[int, int]:
    """The versions before and after the n-th of the rulings that end the log."""
    last = over.now.version - 3 + number
    return last, last + 1
