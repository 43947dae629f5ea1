"""A game as one file."""

import tracemalloc
from math import ceil

import msgspec
import pytest

from events.audit.export import export, export_pieces
from events.errors import NoSuchGame, NotNow
from events.table.commands import Join, Leave
from events.table.game import redact
from rules.codec import encode
from rules.errors import Unreadable
from rules.kernel import EVERYTHING, SPECTATOR, AnswerSealed
from tests.events.played import finished, play, running, tables


def commits_of(data):
    return msgspec.json.decode(data)["commits"]


def facts_of(data):
    return [fact for commit in commits_of(data) for fact in commit["facts"]]


def test_a_file_is_canonical_json_and_says_what_it_is():
    data = export(*running(), "red")
    file = msgspec.json.decode(data)
    assert encode(file) == data
    assert {name: file[name] for name in file if name != "commits"} == {
        "format": "hidalgo-game",
        "schema": 1,
        "viewer": "red",
    }


@pytest.mark.parametrize("at_once", [1, 7, 10_000])
def test_a_file_has_the_same_bytes_however_many_commits_are_read_at_once(monkeypatch, at_once):
    games, game = finished()
    whole = export(games, game, EVERYTHING)
    monkeypatch.setattr("events.audit.export.ENTRIES_AT_ONCE", at_once)
    pieces = list(export_pieces(games, games.load(game), EVERYTHING))
    assert b"".join(pieces) == whole == encode(msgspec.json.decode(whole))
    assert len(pieces) == 1 + ceil(games.load(game).version / at_once)


def test_a_long_game_is_never_in_memory_as_a_whole(monkeypatch):
    monkeypatch.setattr("events.audit.export.ENTRIES_AT_ONCE", 20)
    games, long_id = tables(), "a_" + "x" * 10_000
    game = games.create("el_grande", 2).id
    for _ in range(150):
        games.submit(game, Join(long_id))
        games.submit(game, Leave(long_id))
    games.load(game)
    tracemalloc.start()
    size = sum(len(piece) for piece in export_pieces(games, games.load(game), SPECTATOR))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size > 300 * 10_000
    assert peak < size / 2


def test_what_cannot_be_exported_is_refused_before_the_first_piece():
    games, game = running()
    with pytest.raises(NotNow):
        export_pieces(games, games.load(game), EVERYTHING)


def test_facts_go_out_exactly_as_they_are_stored():
    games, game = finished()
    stored = [msgspec.json.decode(entry) for entry in games.log.read(game)]
    exported = commits_of(export(games, game, SPECTATOR))
    assert [[fact["fact"] for fact in commit["facts"]] for commit in exported] == [one["facts"] for one in stored]
    assert [(one["header"], one["hash"]) for one in exported] == [(one["header"], one["hash"]) for one in stored]


@pytest.mark.parametrize("viewer", ["red", "blue", SPECTATOR])
def test_an_export_shows_what_the_rules_show_to_its_viewer(viewer):
    games, game = running()
    exported = [fact.get("fact", fact.get("masked")) for fact in facts_of(export(games, game, viewer))]
    redacted = [fact for commit in games.commits(game) for fact in redact(commit, viewer)]
    assert exported == msgspec.json.decode(encode(redacted))


def test_a_hidden_fact_comes_with_a_digest_and_nothing_else():
    hidden = [fact for fact in facts_of(export(*running(), SPECTATOR)) if "fact" not in fact]
    assert hidden
    assert all(set(fact) == {"masked", "digest"} for fact in hidden)


def test_players_see_their_own_sealed_answers_but_not_those_of_others():
    games, game = running(players=3)
    sealed = {fact.player for commit in games.commits(game) for fact in commit.facts if isinstance(fact, AnswerSealed)}
    assert sealed
    for viewer in sealed:
        for fact in facts_of(export(games, game, viewer)):
            if fact.get("masked", {}).get("fact") == "answer_sealed":
                assert ("salt" in fact) == (fact["masked"]["player"] == viewer)


def test_after_the_end_everything_is_open_to_all_viewers():
    games, game = finished()
    data = export(games, game, SPECTATOR)
    assert all("salt" in fact for fact in facts_of(data))
    assert data == export(games, game, "red") == export(games, game, EVERYTHING)


def test_a_secret_changes_no_byte_of_the_file_of_others_but_its_digest():
    games, game = running()
    for fact in facts_of(export(games, game, SPECTATOR)):
        if "digest" in fact:
            assert fact["masked"] in ({"fact": "stacks_shuffled", "stacks": []}, *without_secrets(fact["masked"]))


def without_secrets(mask):
    return [{**mask, name: None} for name in ("answer", "value") if name in mask]


def test_no_viewer_sees_everything_before_the_end():
    with pytest.raises(NotNow, match="not over"):
        export(*running(), EVERYTHING)


def test_a_seat_of_another_table_sees_nothing():
    with pytest.raises(Unreadable, match="there is no viewer at this table called brown"):
        export(*running(), "brown")


def test_a_game_that_is_not_there_cannot_be_exported():
    with pytest.raises(NoSuchGame):
        export(tables(), "nowhere", SPECTATOR)


def test_a_game_that_has_not_begun_can_be_exported():
    games = tables()
    game = games.create("el_grande", 3).id
    [commit] = commits_of(export(games, game, SPECTATOR))
    assert commit["facts"][0]["fact"]["fact"] == "game_created"


def test_the_secret_is_in_no_file_before_the_end():
    games = tables()
    game = play(games, 3, moves=10)
    secret = games.log.secret(game).hex().encode()
    assert not any(secret in export(games, game, viewer) for viewer in ("red", "blue", "yellow", SPECTATOR))
