"""Certificates: true ones are believed, and no claim can be changed without being caught."""

import pytest
from msgspec.structs import fields, replace

from tests.tournaments.playing import Event
from tournaments.certificate import Certificate
from tournaments.reasons import reasons
from tournaments.verification import verify
from tournaments.wishes import LEVEL_FIRST, Wishes

EVENTS = {
    "small": (12, 4, (), Wishes()),
    "mixed": (23, 4, (3, 5), Wishes(forbidden=(("p0001", "p0002"),))),
    "level": (20, 4, (), Wishes(rematch=LEVEL_FIRST)),
    "leaders": (21, 3, (4,), Wishes(leaders_together=True)),
    "byes": (13, 5, (), Wishes(seeding="rating", odd_tables_first=True)),
}


@pytest.mark.parametrize("name", EVENTS)
def test_the_certificate_of_every_round_is_true(name):
    players, size, allowed, wishes = EVENTS[name]
    event = Event(players, size, 1, allowed, wishes=wishes).play(3)
    assert [verify(certificate, event.history) for certificate in event.certificates] == [()] * 3


@pytest.mark.long
def test_the_certificate_of_every_round_of_a_large_event_is_true():
    event = Event(4096, 4).play(7)
    assert [verify(certificate, event.history) for certificate in event.certificates] == [()] * 7


NUMBERS = [field.name for field in fields(Certificate) if field.type is int and field.name not in ("round", "window")]


@pytest.fixture(scope="module")
def event():
    return Event(12, 4).play(2)


@pytest.mark.parametrize("name", NUMBERS)
def test_a_changed_number_is_caught(event, name):
    forged = replace(event.certificates[1], **{name: getattr(event.certificates[1], name) + 1})
    assert verify(forged, event.history)


def test_a_round_that_an_exchange_would_better_is_caught():
    event = Event(16, 4).play(2)
    round = event.history.rounds[1]
    one, other = round.tables[:2]
    tables = (
        replace(one, players=(other.players[0], *one.players[1:])),
        replace(other, players=(one.players[0], *other.players[1:])),
        *round.tables[2:],
    )
    exchanged = replace(event.history, rounds=(event.history.rounds[0], replace(round, tables=tables)))
    problems = [str(problem) for problem in verify(event.certificates[1], exchanged)]
    assert any("could change places" in problem for problem in problems)
    assert problems[-1] == "the digest of the certificate is another"


def test_a_round_with_a_player_in_two_places_is_caught():
    event = Event(8, 4).play(1)
    round = event.history.rounds[0]
    first, second = round.tables
    doubled = replace(round, tables=(first, replace(second, players=(first.players[0], *second.players[1:]))))
    problems = verify(event.certificates[0], replace(event.history, rounds=(doubled,)))
    assert str(problems[0]) == f"{first.players[0]} is in two places"


def test_a_round_with_a_stranger_is_caught():
    event = Event(8, 4).play(1)
    round = event.history.rounds[0]
    strange = replace(round, tables=(round.tables[0], replace(round.tables[1], players=("x", "y", "z", "a"))))
    problems = verify(event.certificates[0], replace(event.history, rounds=(strange,)))
    assert "x is no player of this tournament" in [str(problem) for problem in problems]


def test_another_result_before_the_round_is_caught():
    event = Event(8, 4).play(2)
    first = event.history.rounds[0]
    table = first.tables[0]
    assert table.result
    turned = replace(table, result=replace(table.result, places=table.result.places[::-1]))
    changed = replace(
        event.history, rounds=(replace(first, tables=(turned, *first.tables[1:])), event.history.rounds[1])
    )
    problems = [str(problem) for problem in verify(event.certificates[1], changed)]
    assert "the certificate was made for another history" in problems


def test_results_of_the_round_itself_change_nothing():
    event = Event(8, 4).play(1)
    drawn = Event(8, 4).draw()
    assert event.certificates[0] == drawn.certificate
    assert verify(drawn.certificate, event.history) == ()


def test_a_certificate_of_a_round_that_is_not_there_is_caught():
    event = Event(8, 4).play(1)
    assert [str(text) for text in verify(replace(event.certificates[0], round=2), event.history)] == [
        "there is no round 2"
    ]


def test_every_table_has_its_reasons():
    event = Event(16, 4).play(2)
    drawn = event.draw()
    told = [
        str(text)
        for table in range(4)
        for text in reasons(drawn.certificate, drawn.round, event.history, event.tally, table)
    ]
    assert any("would meet" in sentence for sentence in told)
    assert sum("points" in sentence for sentence in told) == 4


def test_the_tables_of_the_first_round_are_those_of_the_standings():
    event = Event(8, 4)
    drawn = event.draw()
    told = reasons(drawn.certificate, drawn.round, event.history, event.tally, 0)
    assert [str(text) for text in told] == ["all have 0 points", "the standings alone put them together"]
