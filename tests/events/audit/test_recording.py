"""A game that no service has seen is a file like any other."""

from functools import cache

import msgspec
import pytest

from events.audit.recording import record
from events.audit.verify import RULES, verify
from events.log import chain
from rules.catalogue import game_named, rules_named
from rules.fairness import Chance
from rules.kernel import SPECTATOR
from rules.simulation import moves
from tests.events.forging import undetected

SECRET = bytes(range(32))


def played(players=2, variant="el_grande", secret=SECRET, **options):
    """The moves of a whole game."""
    _, state = game_named(variant).start(rules_named(variant), players, chain.seed(secret, {}), **options)
    return list(moves(state, Chance(b"players").below))


def recorded(players=2, variant="el_grande", secret=SECRET, **options):
    answers = [move.answer for move in played(players, variant, secret, **options)]
    return record(variant, players, options, secret, answers)


@cache
def short():
    return recorded(game_length="short")


@pytest.mark.parametrize("length", ["short", "full"])
@pytest.mark.parametrize("variant", ["el_grande", "el_grande+anniversary"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_recorded_game_is_genuine(players, variant, length):
    verified = verify(recorded(players, variant, game_length=length))
    last = played(players, variant, game_length=length)[-1].after
    assert (verified.finished, verified.hidden) == (True, 0)
    assert RULES in verified.checked
    assert (verified.rules, verified.scores, verified.places) == (variant, last.board.scores, last.board.places)


def test_the_secret_is_the_one_that_was_given():
    [*_, revealed] = facts_of(short())
    assert revealed == {"fact": "secret_revealed", "secret": SECRET.hex()}


def test_the_same_secret_and_answers_make_the_same_bytes():
    assert recorded(game_length="short") == short()
    assert recorded(secret=bytes(32), game_length="short") != short()


def test_no_byte_of_a_recorded_game_can_be_changed():
    assert undetected(short(), range(0, len(short()), 53)) == []


def test_answers_that_stop_early_make_a_game_that_goes_on():
    answers = [move.answer for move in played(game_length="short")[:10]]
    file = record("el_grande", 2, {"game_length": "short"}, SECRET, answers)
    verified = verify(file)
    assert (verified.finished, verified.viewer, verified.commits) == (False, SPECTATOR, 12)
    assert SECRET.hex().encode() not in file


def facts_of(data):
    return [fact["fact"] for commit in msgspec.json.decode(data)["commits"] for fact in commit["facts"]]
