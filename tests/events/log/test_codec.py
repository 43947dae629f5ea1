"""Commits as bytes: what is written is read back, and older shapes are brought up to today's."""

import json

import pytest

from events.errors import Damaged
from events.log import codec
from events.log.codec import SCHEMA, Header
from events.table import stored as stored_games
from rules.el_grande.facts import KingMoved
from rules.el_grande.steps.rounds import Bid
from rules.kernel import StepTaken
from tests.events.played import finished

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
    """A fact and a step once had other names for their fields; stored games do not mind."""
    entry, commit = codec.write(HEADER, [KingMoved("granada"), StepTaken(1, ())], b"secret")
    older = json.loads(entry)
    older["facts"][0] = {"fact": "king_moved", "place": "granada"}
    older["facts"][1]["then"] = [{"step": "bid", "who": "red"}]
    monkeypatch.setattr(codec, "SCHEMA", SCHEMA + 1)
    monkeypatch.setitem(
        codec.UPCASTERS, (SCHEMA, "king_moved"), lambda old: {"fact": "king_moved", "region": old["place"]}
    )
    monkeypatch.setitem(codec.UPCASTERS, (SCHEMA, "bid"), lambda old: {"step": "bid", "by": old["who"]})
    read = stored_games.read(json.dumps(older).encode(), "el_grande")
    assert read.facts[0] == commit.facts[0]
    assert read.facts[1] == StepTaken(1, (Bid("red"),))


def test_a_shape_nobody_knows_any_more_is_damage():
    entry, _ = codec.write(HEADER, [KingMoved("granada")], b"secret")
    with pytest.raises(Damaged):
        stored_games.read(entry.replace(b'"region"', b'"place"'), "el_grande")
