"""A tournament's table is run by the service: it seats the players, and no account changes that."""

from functools import cache

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from events.audit.export import export
from events.audit.verify import NotGenuine, verify, verify_stored
from events.errors import NoSuchGame, NotNow, NotPermitted
from events.games import Games
from events.log.memory import MemoryLog
from events.submission import Submission
from events.table.commands import Abort, AnswerOverdue, Join, Leave, RemovePlayer, SeatAll, SeatBot, Start
from events.table.facts import BotSeated, GameCreated, GameStarted, TournamentTable
from rules.codec import encode
from rules.errors import Unreadable
from rules.kernel import SPECTATOR
from tests.events.forging import rewritten

PLACE = TournamentTable("spring", round=2, table=7)
SEATS = {"red": "ana", "blue": "bot:greedy", "yellow": "cleo"}


def table(visibility="public", tournament=PLACE, **create):
    games = Games(MemoryLog())
    created = games.create("el_grande", 3, visibility=visibility, tournament=tournament, **create)
    return games, created.id


def seated(**command):
    games, game = table()
    games.submit(game, SeatAll(SEATS, **command), Submission(key="seat all"))
    return games, game


def test_a_table_belongs_to_a_tournament():
    games, game = table()
    assert games.load(game).tournament == Games(games.log).load(game).tournament == PLACE
    assert not games.load(game).owner


def test_an_ordinary_table_is_stored_as_before():
    games, game = table(tournament=None)
    [commit] = games.commits(game)
    assert games.load(game).tournament is None
    assert b"tournament" not in encode(commit.facts[0])


def test_a_tournaments_table_has_no_owner():
    with pytest.raises(AssertionError):
        table(owner="ana")


def test_all_are_seated_and_the_game_begins_in_one_commit():
    games, game = seated(nonces={"red": "a word"}, programs=("yellow",), pace_ms=500)
    after = games.load(game)
    assert (after.status, after.version, after.seats) == ("running", 2, SEATS)
    assert (after.own_nonces, after.declared_bots, after.pace("blue")) == (("red",), ("yellow",), 500)
    verify_stored(games, game)


def test_creating_and_seating_again_changes_nothing():
    games, game = table()
    for _ in range(2):
        created = games.create("el_grande", 3, tournament=PLACE, game=game)
        accepted = games.submit(game, SeatAll(SEATS), Submission(key="seat all"))
    assert (created.version, created.tournament, accepted.repeated, games.load(game).version) == (1, PLACE, True, 2)


@pytest.mark.parametrize(
    "command",
    [
        Join("dora"),
        Join("dora", invited=True),
        SeatBot("dora", "greedy"),
        RemovePlayer("dora", "ana"),
        Abort("dora"),
        Start("dora"),
    ],
    ids=lambda command: type(command).__name__,
)
@pytest.mark.parametrize("is_seated", [False, True], ids=["open", "running"])
def test_no_account_changes_the_table(command, is_seated):
    games, game = seated() if is_seated else table()
    with pytest.raises(NotPermitted, match="tournament"):
        games.submit(game, command)


def test_a_player_cannot_leave_the_table():
    games, game = seated()
    with pytest.raises(NotPermitted):
        games.submit(game, Leave("ana"))


@pytest.mark.parametrize("command", [Join("dora"), Abort("dora"), Start("dora"), SeatBot("dora", "greedy")])
def test_a_private_table_does_not_exist_for_strangers(command):
    games, game = table(visibility="private")
    with pytest.raises(NoSuchGame):
        games.submit(game, command)


def test_the_service_starts_a_table_when_all_seats_are_taken():
    games, game = table()
    with pytest.raises(NotNow, match="3 of 3 seats are still free"):
        games.submit(game, Start())
    for _ in range(3):
        games.submit(game, SeatBot(bot="greedy"))
    games.submit(game, Start())
    assert verify_stored(games, game).commits == 5


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_the_service_clears_a_table(visibility):
    games, game = table(visibility)
    assert games.submit(game, Abort()).after.status == "aborted"
    verify_stored(games, game)


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        (SeatAll({"red": "ana", "blue": "ben"}), "the seats of this table are"),
        (SeatAll({**SEATS, "green": "dora"}), "the seats of this table are"),
        (SeatAll({**SEATS, "yellow": "ana"}), "another account"),
        (SeatAll({**SEATS, "yellow": ""}), "another account"),
        (SeatAll({**SEATS, "blue": "bot:nobody"}), "there is no bot"),
        (SeatAll(SEATS, nonces={"blue": "a word"}), "seat of an account"),
        (SeatAll(SEATS, programs=("blue",)), "seat of an account"),
    ],
)
def test_seats_that_cannot_be_are_refused(command, wrong):
    games, game = table()
    with pytest.raises(Unreadable, match=wrong):
        games.submit(game, command)


def test_players_are_seated_once():
    games, game = seated()
    with pytest.raises(NotNow):
        games.submit(game, SeatAll(SEATS))
    games, game = table()
    games.submit(game, SeatBot(bot="greedy"))
    with pytest.raises(NotNow, match="taken"):
        games.submit(game, SeatAll(SEATS))


def test_only_a_tournament_seats_players():
    games, game = table(tournament=None)
    with pytest.raises(NotPermitted):
        games.submit(game, SeatAll(SEATS))


@cache
def played():
    """A game of bots to its end."""
    games, game = table(options={"game_length": "short"})
    games.submit(game, SeatAll(dict.fromkeys(SEATS, "bot:greedy")))
    while games.load(game).is_running:
        games.submit(game, AnswerOverdue())
    return games, game


def test_a_tournaments_game_is_verified_to_its_end():
    games, game = played()
    assert verify(export(games, game, SPECTATOR)).finished


def with_owner(facts):
    return [replace(fact, owner="ana") if isinstance(fact, GameCreated) else fact for fact in facts]


def without_one_seat(facts):
    return [fact for fact in facts if not isinstance(fact, BotSeated) or fact.player != "red"]


def without_tournament(facts):
    return [replace(fact, tournament=UNSET) if isinstance(fact, GameCreated) else fact for fact in facts]


def with_another_order(facts):
    return [*facts[1::-1], *facts[2:]] if any(isinstance(fact, GameStarted) for fact in facts) else facts


@pytest.mark.parametrize("forged", [with_owner, without_one_seat, without_tournament, with_another_order])
def test_a_table_that_came_about_otherwise_is_found_out(forged):
    games, game = played()
    data = rewritten(games, game, lambda pages: [(header, forged(facts)) for header, facts in pages])
    with pytest.raises(NotGenuine):
        verify(data)
