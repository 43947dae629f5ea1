"""Commits as bytes: what is written is read back, and older shapes are brought up to today's."""

import json

import pytest

from events.errors import Damaged
from events.log import codec
from events.log.codec import SCHEMA, Header
from events.table import stored as stored_games
from rules.el_grande.commands import SetDisk
from rules.el_grande.expansions.anniversary import HandOverFlag, PassFlag, anniversary
from rules.el_grande.facts import KingMoved
from rules.el_grande.steps.rounds import Bid
from rules.kernel import COMMAND, FACT, STEP, AnswerSealed, Shape, StepTaken
from tests.events.played import finished
from tests.rules.expanding import expanded

HEADER = Header("g", 5, 1_700_000_000_000, "red", "c", "4-red", SCHEMA, 1, "0" * 64)


def test_a_commit_is_read_as_it_was_written():
    entry, commit = codec.write(HEADER, [KingMoved("granada"), StepTaken(1, ())], b"secret")
    assert stored_games.read(entry, "el_grande") == commit


def test_every_commit_of_a_whole_game_survives_the_way_to_bytes_and_back():
    games, game = finished(players=4, rules="el_grande+anniversary", length="full")
    secret = games.log.secret(game)
    for entry in games.log.read(game)[1:]:
        commit = stored_games.read(entry, "el_grande+anniversary")
        assert codec.write(commit.header, commit.facts, secret) == (entry, commit)


@pytest.mark.parametrize(
    "entry",
    [b"", b"{}", b"[]", b"\xff", b'{"header":{},"facts":[],"hash":""}', b'{"facts":[{"fact":"no_such_fact"}]}'],
    ids=["nothing", "empty", "a list", "no text", "no header", "unknown fact"],
)
def test_bytes_that_are_no_commit_are_damage(entry):
    with pytest.raises(Damaged):
        stored_games.read(entry, "el_grande")


def test_an_older_shape_is_brought_up_to_todays(monkeypatch):
    """A fact, a step and a command once had other names for their fields; stored games do not mind."""
    rules = reshaped(
        monkeypatch,
        {
            Shape(FACT, SCHEMA, "king_moved"): lambda old: {"fact": "king_moved", "region": old["place"]},
            Shape(STEP, SCHEMA, "bid"): lambda old: {"step": "bid", "by": old["who"]},
            Shape(COMMAND, SCHEMA, "set_disk"): lambda old: {"kind": "set_disk", "region": old["place"]},
        },
    )
    read = stored_games.read(
        older(
            {"fact": "king_moved", "place": "granada"},
            {"fact": "step_taken", "keep": 1, "then": [{"step": "bid", "who": "red"}]},
            {"fact": "answer_sealed", "player": "red", "answer": {"kind": "set_disk", "place": "aragon"}},
        ),
        rules,
    )
    assert read.facts == (
        KingMoved("granada"),
        StepTaken(1, (Bid("red"),)),
        AnswerSealed("red", SetDisk("aragon")),
    )


def test_an_older_shape_of_one_game_is_none_of_anothers(monkeypatch):
    """Two games, or two expansions, may store different things under one name."""
    turned = {Shape(FACT, SCHEMA, "king_moved"): lambda old: {"fact": "king_moved", "region": old["place"]}}
    rules = reshaped(monkeypatch, turned)
    entry = older({"fact": "king_moved", "place": "granada"})
    assert stored_games.read(entry, rules).facts == (KingMoved("granada"),)
    with pytest.raises(Damaged):
        stored_games.read(entry, "el_grande")


def test_a_step_and_a_command_of_one_name_stay_apart(monkeypatch):
    """`pass_flag` is both."""
    rules = reshaped(monkeypatch, {Shape(STEP, SCHEMA, "pass_flag"): lambda old: {"step": "pass_flag", "by": "blue"}})
    payload = {"kind": "pass_flag", "to": "granada"}
    read = stored_games.read(
        older(
            {"fact": "step_taken", "keep": 1, "then": [{"step": "pass_flag"}]},
            {"fact": "answer_sealed", "player": "red", "answer": payload},
        ),
        rules,
    )
    assert read.facts == (StepTaken(1, (PassFlag("blue"),)), AnswerSealed("red", HandOverFlag("granada")))


def reshaped(monkeypatch, upcasters):
    """From now on there is a newer schema, and rules that know these older shapes. Gives their name."""
    monkeypatch.setattr(codec, "SCHEMA", SCHEMA + 1)
    return expanded(monkeypatch, anniversary, upcasters=upcasters).name


def older(*facts):
    """A commit with these facts, as today's schema writes it."""
    entry, _ = codec.write(HEADER, [KingMoved("granada")], b"secret")
    return json.dumps({**json.loads(entry), "facts": facts}).encode()


def test_a_shape_without_an_upcaster_is_damage():
    entry, _ = codec.write(HEADER, [KingMoved("granada")], b"secret")
    with pytest.raises(Damaged):
        stored_games.read(entry.replace(b'"region"', b'"place"'), "el_grande")
