"""Lists of games: what a page costs, and what it leaves alone."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from events import repository
from events.games import Games
from events.log.redis import RedisLog
from events.store import Store
from events.table.commands import Abort, AnswerOverdue, Join, Play, Resign, Start
from events.table.game import Game
from events.table.time_control import TimeControl
from rules.codec import encode
from rules.simulation import random_answer, random_decision
from service.bench.notices import round_trips
from service.games.game_index import GameIndex, reindex
from service.games.game_summary import GameSummary, summary
from service.games.lobby import GameFilter, Lobby
from service.games.representations import game_resource, game_resources


@pytest.fixture(params=["embedded", "cluster"])
def store(request, running_stores) -> Iterator[Store]:
    with running_stores.opened(request.param) as store:
        yield store


def lobby(store: Store) -> Lobby:
    """As of a process that has just started."""
    return Lobby(Games(RedisLog(store)), GameIndex(store))


def begun(games: Games, **about) -> Game:
    game = games.create("el_grande", 2, {"game_length": "short"}, owner="ana", **about).id
    for account in ("ana", "ben"):
        games.submit(game, Join(account, nonce="n" if account == "ana" else ""))
    return games.submit(game, Start("ana")).after


def finished(games: Games, **about) -> Game:
    game, pick = begun(games, **about), Random(1).randrange
    while not game.state.is_over:
        game = games.submit(game.id, Play(random_answer(game.state, random_decision(game.state, pick), pick))).after
    return game


def aborted(games: Games) -> Game:
    return games.submit(games.create("el_grande", 2, owner="ana").id, Abort("ana")).after


def indexed(store: Store, *games: Game) -> list[str]:
    """Their names, newest first."""
    index = GameIndex(store)
    index.put_all(games)
    index.mark_complete()
    return [game.id for game in sorted(games, key=lambda game: (game.created_at, game.id), reverse=True)]


def test_a_page_of_games_that_a_process_has_never_seen_costs_two_round_trips(store: Store):
    games = Games(RedisLog(store))
    made = [begun(games) if number % 2 else aborted(games) for number in range(60)]
    listed, fresh = indexed(store, *made), lobby(store)
    fresh.public_games(GameFilter(limit=1))
    with round_trips() as trips:
        page = fresh.public_games(GameFilter(limit=100))
    assert [game.id for game in page.games] == listed
    assert page.games == [summary(games.load(game)) for game in listed]
    servers = len(store.primaries())
    assert trips.total() <= 1 + servers, "on a cluster, the log is asked on each of its servers"


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_a_page_after_moves_costs_as_much(store: Store):
    games = Games(RedisLog(store))
    made = [begun(games) for _ in range(10)]
    indexed(store, *made)
    fresh = lobby(store)
    fresh.public_games(GameFilter())
    for game in made:
        games.submit(game.id, Resign("ana"))
    with round_trips() as trips:
        page = fresh.public_games(GameFilter())
    assert {game.version for game in page.games} == {made[0].version + 1}
    assert trips.total() <= 3, "games that have ended since are indexed, too"


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_games_that_have_ended_are_listed_from_their_summaries(store: Store):
    games = Games(RedisLog(store))
    made = [finished(games), aborted(games)]
    listed, fresh = indexed(store, *made), lobby(store)
    page = fresh.public_games(GameFilter())
    assert [game.id for game in page.games] == listed
    assert not fresh.games._listed._states, "none was folded"
    assert not fresh.games._cache._states
    assert page.games == [summary(games.load(game)) for game in listed]


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_long_lists_push_no_game_out_that_is_played(store: Store, monkeypatch):
    monkeypatch.setattr(repository, "CACHED", 2)
    monkeypatch.setattr(repository, "KEPT_ASIDE", 5)
    writing = Games(RedisLog(store))
    made = [begun(writing) for _ in range(10)]
    indexed(store, *made)
    fresh = lobby(store)
    first, second, third = (game.id for game in made[:3])
    fresh.games.load(first)
    fresh.games.load(second)
    assert len(fresh.public_games(GameFilter()).games) == 10
    assert reindex(fresh.games, fresh.index) == 10
    assert set(fresh.games._cache._states) == {first, second}
    assert len(fresh.games._listed._states) == 5
    fresh.public_games(GameFilter())
    fresh.games.load(third)
    assert set(fresh.games._cache._states) == {second, third}, "the one that was played last stays"


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_a_game_that_goes_on_after_its_summary_was_stored_is_read_and_indexed_again(store: Store):
    games = Games(RedisLog(store))
    game = finished(games)
    indexed(store, game)
    earlier = msgspec.structs.replace(summary(game), version=game.version - 3, status="aborted")
    store.commands.hset("hidalgo:{games}:summaries", game.id, msgspec.json.encode(earlier))
    for _ in range(2):
        assert lobby(store).public_games(GameFilter()).games == [summary(game)]
    stored: bytes = store.commands.hget("hidalgo:{games}:summaries", game.id)  # type: ignore[assignment]
    assert msgspec.json.decode(stored, type=GameSummary) == summary(game)


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
@pytest.mark.parametrize("stored", [None, b'{"id": "of another shape"}'], ids=["missing", "of another shape"])
def test_a_summary_that_is_missing_is_stored_by_looking(store: Store, stored: bytes | None):
    games = Games(RedisLog(store))
    game = finished(games)
    indexed(store, game)
    store.commands.hdel("hidalgo:{games}:summaries", game.id)
    if stored:
        store.commands.hset("hidalgo:{games}:summaries", game.id, stored)
    assert lobby(store).public_games(GameFilter()).games == [summary(game)]
    mended = lobby(store)
    assert mended.public_games(GameFilter()).games == [summary(game)]
    assert not mended.games._listed._states


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_games_that_are_gone_are_not_listed_whatever_is_remembered_of_them(store: Store):
    games = Games(RedisLog(store))
    over, running = finished(games), begun(games)
    indexed(store, over, running)
    open_lobby = lobby(store)
    assert len(open_lobby.public_games(GameFilter()).games) == 2
    for game in (over, running):
        games.log.remove(game.id)
    assert open_lobby.public_games(GameFilter()).games == []


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
@pytest.mark.parametrize("kind", ["plain", "timed", "forfeited", "aborted"])
def test_a_stored_summary_is_shown_as_the_game_itself(store: Store, kind: str):
    games = Games(RedisLog(store), now=iter(range(1_800_000_000_000, 1_900_000_000_000, 10_000)).__next__)
    match kind:
        case "plain":
            game = finished(games)
        case "timed":
            game = finished(games, time=TimeControl(bank_ms=600_000_000, increment_ms=5_000))
        case "forfeited":
            timed = begun(games, time=TimeControl(limit_ms=1000, strikes=1, policy="forfeit"))
            game = games.submit(timed.id, AnswerOverdue()).after
            assert game.forfeited
        case _:
            game = aborted(games)
    about = summary(game)
    assert about.has_ended
    decoded = msgspec.json.decode(msgspec.json.encode(about), type=GameSummary)
    assert decoded == about

    def handles(accounts):
        return dict.fromkeys(accounts, "somebody")

    [shown] = game_resources([decoded], "ana", handles, 1_800_000_100_000)
    assert encode(shown) == encode(game_resource(game, "ana", handles, 1_800_000_100_000))
