"""Studies are kept as games are, in the same store, and neither are found among the other."""

import pytest

from events.buckets import USUAL
from events.errors import NoSuchGame
from events.games import Games
from events.log import ANYTHING, FINISHED, STUDIES, Appended, Due, GameLog, Hint, StoredGame
from events.log.keys import Keys, channel
from events.log.redis import RedisLog
from events.log.service_secret import ServiceSecret
from replay.studies import Studies
from tests.events.servers import eventually

ID = "g1"  # in bucket 37


def test_the_stored_keys_of_games_never_change():
    assert Keys(USUAL).of_scripts(ID) == (
        "hidalgo:{37}:log:g1",
        "hidalgo:{37}:ids:g1",
        "hidalgo:{37}:deadlines",
        "hidalgo:{37}:feed",
        "hidalgo:{37}:games",
        "hidalgo:{37}:secret:g1",
        "hidalgo:{37}:finished",
        "hidalgo:{37}:archived",
        "hidalgo:{37}:lease",
    )
    assert (Keys(USUAL).of_bucket(7, "seen"), channel()) == ("hidalgo:{07}:seen", "hidalgo:commits")


def test_the_keys_of_another_name_space_are_in_the_same_bucket_and_others():
    keys = Keys(USUAL, STUDIES)
    assert keys.of_game(ID, "log") == "hidalgo:{37}:studies:log:g1"
    assert channel(STUDIES) == "hidalgo:studies:commits"
    assert not set(keys.of_scripts(ID)) & set(Keys(USUAL).of_scripts(ID))


def filled(log: GameLog, text: str) -> None:
    log.append(ID, 0, text.encode(), command=text, secret=text.encode(), deadline=500)


def test_the_same_id_in_two_name_spaces_names_two_things(log: GameLog):
    other = log.space("others")
    filled(log, "one")
    assert other.version(ID) == 0
    filled(other, "other")
    assert other.append(ID, 1, b"two", command="one", deadline=FINISHED) == Appended(2)
    assert log.stored(ID) == StoredGame([b"one"], ["one"], b"one", 500)
    assert other.stored(ID) == StoredGame([b"other", b"two"], ["other", "one"], b"other", 0)
    log.remove(ID)
    assert (log.version(ID), other.version(ID)) == (0, 2)


def test_lists_deadlines_feeds_and_leases_of_a_name_space_are_its_own(log: GameLog):
    bucket, other = log.buckets.of(ID), log.space("others")
    filled(other, "other")
    other.append(ID, 1, b"two", command="two", deadline=FINISHED)
    assert (list(log.games(bucket)), list(other.games(bucket))) == ([], [ID])
    assert (log.due(log.buckets.all, 9999), log.feed(bucket), log.finished([bucket], 10**15)) == ([], [], [])
    filled(log, "one")
    assert (log.due([bucket], 9999), other.due([bucket], 9999)) == ([Due(ID, 500)], [])
    assert [line.version for line in other.feed(bucket)] == [1, 2]
    assert log.lease([bucket], "ana", 60_000) == other.lease([bucket], "ben", 60_000) == {bucket: 1}


def test_a_listener_hears_of_its_own_name_space_alone(log: GameLog):
    other, hints = log.space("others"), log.hints()
    try:
        eventually(lambda: hints.next(1) == ANYTHING)
        filled(other, "other")
        filled(log, "one")
        log.append(ID, 1, b"two", command="two")
        assert [hints.next(20), hints.next(20)] == [Hint(ID, 1), Hint(ID, 2)]
    finally:
        hints.close()


def test_the_same_name_space_is_opened_twice(log: GameLog):
    filled(log.space("others"), "other")
    assert log.space("others").read(ID) == [b"other"]


def test_a_study_is_no_game_and_a_game_no_study(store):
    log, secret = RedisLog(store), ServiceSecret(store)
    games = Games(log, naming=secret.command_name)
    studies = Studies(log.space(STUDIES), naming=secret.study_command_name)
    study, game = studies.create("ana", "Vetoes").id, games.create("el_grande", players=2, owner="ana").id
    with pytest.raises(NoSuchGame, match=f"^there is no game {study}$"):
        games.load(study)
    with pytest.raises(NoSuchGame, match=f"^there is no study {game}$"):
        studies.load(game)
    with pytest.raises(NoSuchGame, match=f"^there is no version 7 of study {study}$"):
        studies.load(study, 7)
    assert [[*games.log.games(log.buckets.of(game))], [*studies.log.games(log.buckets.of(study))]] == [[game], [study]]
