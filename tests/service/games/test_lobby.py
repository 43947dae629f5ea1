"""Lists of games: what a page costs, and what it leaves alone."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import msgspec
import pytest

from events import repository
from events.buckets import USUAL
from events.games import Games
from events.log import BY_THE_NOTE, Note
from events.log.redis import RedisLog
from events.store import Store
from events.table.commands import Abort, AnswerOverdue, Join, Play, Resign, Start
from events.table.game import Game
from events.table.time_control import TimeControl
from rules.codec import encode
from rules.simulation import random_answer, random_decision
from service.accounts import Profile
from service.bench.notices import round_trips
from service.games import game_index
from service.games.broadcast import Broadcast
from service.games.game_index import GameIndex
from service.games.game_index_keys import public_keys
from service.games.game_lists import GameFilter, ended_list, public_list
from service.games.game_summary import summary
from service.games.index_rebuild import index_rebuild, summaries
from service.games.lobby import ALL_WHOLE, Lobby
from service.games.representations import Moment, game_resource, game_resources
from service.games.summary_notes import read, written


@pytest.fixture(params=["embedded", "cluster"])
def store(request, running_stores) -> Iterator[Store]:
    with running_stores.opened(request.param) as store:
        yield store


def lobby(store: Store) -> Lobby:
    """As of a process that has just started."""
    games = Games(RedisLog(store))
    return Lobby(games, GameIndex(store), Broadcast(games))


def begun(games: Games, **about) -> Game:
    game = games.create("el_grande", 2, {"game_length": "short"}, owner="ana", **about).id
    for account in ("ana", "ben"):
        games.submit(game, Join(account, nonce="n" if account == "ana" else "", invited=True))
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
    index.put_all(map(summary, games))
    index.complete.set()
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
    assert trips.total() <= 2 * servers, "on a cluster, each of its servers is asked"


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
    assert trips.total() <= 7, "games that have ended since are read whole, and indexed where they belong"
    with round_trips() as trips:
        fresh.public_games(GameFilter())
    assert trips.total() == 2


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
    assert len(fresh.whole_games("", None, GameFilter()).games) == 10
    fresh.index.complete.forget()
    assert index_rebuild(fresh.games, fresh.index, store).attend(seconds=60)
    assert set(fresh.games._cache._states) == {first, second}
    assert len(fresh.games._listed._states) == 5
    fresh.whole_games("", None, GameFilter())
    fresh.games.load(third)
    assert set(fresh.games._cache._states) == {second, third}, "the one that was played last stays"


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_a_game_that_goes_on_after_its_summary_was_stored_is_read_and_indexed_again(store: Store):
    games = Games(RedisLog(store))
    game = finished(games)
    indexed(store, game)
    earlier = msgspec.structs.replace(summary(game), version=game.version - 3, status="aborted")
    forget_note(store, game.id)
    games.log.note({game.id: Note(earlier.version, "aborted", written(earlier))})
    for _ in range(2):
        assert lobby(store).public_games(GameFilter()).games == [summary(game)]
    note = games.log.noted({game.id: BY_THE_NOTE})[game.id].note
    assert note
    assert (note.version, note.word, read(note.about)) == (game.version, "over", summary(game))


def forget_note(store: Store, game: str) -> None:
    store.commands.hdel(f"hidalgo:{{{USUAL.of(game):02}}}:notes", game)


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
@pytest.mark.parametrize("stored", [None, b"0another form", b"1damaged"], ids=["missing", "another form", "damaged"])
def test_a_summary_that_is_missing_is_stored_by_looking(store: Store, stored: bytes | None):
    games = Games(RedisLog(store))
    game = finished(games)
    indexed(store, game)
    forget_note(store, game.id)
    if stored:
        games.log.note({game.id: Note(game.version, "over", stored)})
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
    decoded = read(written(about))
    assert decoded == about

    def profiles(accounts):
        return {account: Profile(account, "somebody") for account in accounts}

    [shown] = game_resources([decoded], "ana", profiles, Moment(1_800_000_100_000))
    assert encode(shown) == encode(game_resource(game, "ana", profiles, Moment(1_800_000_100_000)))


# Filters


def in_order(store: Store) -> Games:
    """Games of which no two begin or end at the same moment."""
    clock = itertools.count(1_000_000)
    return Games(RedisLog(store), now=lambda: next(clock))


def table(games: Games, *, rules="el_grande", players=2, time: TimeControl | None = None) -> Game:
    return games.create(rules, players, owner="ana", time=time)


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        ({}, {0, 1, 2, 3}),
        ({"players": 4}, {1, 3}),
        ({"clock": "with"}, {2}),
        ({"clock": "without", "players": 2}, {0}),
        ({"expansion": "anniversary"}, {3}),
        ({"expansion": "-"}, {0, 1, 2}),
        ({"game": "el_grande", "expansion": "anniversary", "players": 4}, {3}),
        ({"expansion": "ann"}, set()),
        ({"game": "el"}, set()),
    ],
    ids=str,
)
@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_games_are_filtered_by_seats_clocks_and_expansions(store: Store, wanted, numbers):
    games = Games(RedisLog(store))
    made = [
        table(games),
        table(games, players=4),
        table(games, time=TimeControl(bank_ms=60_000)),
        table(games, rules="el_grande+anniversary", players=4),
    ]
    indexed(store, *made)
    found = lobby(store).public_games(GameFilter(**wanted)).games
    assert {game.id for game in found} == {made[number].id for number in numbers}


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_a_filter_looks_past_the_games_that_it_leaves_out_and_no_further_than_it_may(store: Store, monkeypatch):
    games = in_order(store)
    rare = [table(games, players=4) for _ in range(3)]
    common = [table(games) for _ in range(12)]
    indexed(store, *rare, *common)
    pages = list(every_page(lobby(store), GameFilter(players=4, limit=2)))
    assert [len(page) for page in pages] == [2, 1], "a page is full as long as there are games for it"
    monkeypatch.setattr(game_index, "LOOKED_AT", 5)
    pages = list(every_page(lobby(store), GameFilter(players=4, limit=2)))
    assert [game for page in pages for game in page] == [game.id for game in reversed(rare)]
    assert [] in pages, "too many were left out"


def every_page(lobby: Lobby, game_filter: GameFilter) -> Iterator[list[str]]:
    page = lobby.public_games(game_filter)
    yield [game.id for game in page.games]
    if page.next:
        yield from every_page(lobby, replace(game_filter, cursor=page.next))


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_games_that_are_over_are_listed_by_their_end(store: Store):
    games = in_order(store)
    slow, quick, private = begun(games), begun(games), begun(games, visibility="private")
    ended = [games.submit(game.id, Resign("ben")).after for game in (quick, private, slow)]
    indexed(store, *ended, aborted(games), begun(games))
    [page] = lobby(store).pages([ended_list(GameFilter())])
    assert [game.id for game in page.games] == [slow.id, quick.id]
    [ago] = [game for game in page.games if game.id == quick.id]
    assert ago.created_at < ago.ended_at == ended[0].at


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_some_lists_and_lengths_cost_as_much_as_one(store: Store):
    games = Games(RedisLog(store))
    indexed(store, *(begun(games) for _ in range(3)), finished(games))
    fresh = lobby(store)
    fresh.public_games(GameFilter(limit=1))
    lists = [public_list(GameFilter(status="running")), ended_list(GameFilter())]
    with round_trips() as trips:
        pages, lengths = fresh.pages_and_lengths(lists, [public_keys("running"), public_keys("open")], ALL_WHOLE)
    assert trips.total() == 2
    assert [len(page.games) for page in pages] == [3, 1]
    assert [len(page.whole) for page in pages] == [3, 1]
    assert lengths == [3, 0]


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_a_game_is_known_to_be_verified_as_long_as_it_is_as_it_was(store: Store):
    games = Games(RedisLog(store))
    game = finished(games)
    indexed(store, game)
    index = GameIndex(store)
    assert not lobby(store).public_games(GameFilter()).verified
    index.mark_verified(game.id, "another head")
    assert not lobby(store).public_games(GameFilter()).verified
    index.mark_verified(game.id, game.head)
    assert lobby(store).public_games(GameFilter()).verified == {game.id}


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_an_index_of_an_older_shape_is_made_anew(store: Store):
    games = Games(RedisLog(store))
    game = finished(games)
    store.commands.zadd("hidalgo:{games}:public:*:*", {f"{game.created_at:013}/{game.id}": 0})
    store.commands.set("hidalgo:{games}:complete", 2)
    fresh = lobby(store)
    assert not fresh.public_games(GameFilter()).is_complete
    assert rebuilt(fresh, store)
    [page] = fresh.pages([ended_list(GameFilter(players=2))])
    assert ([each.id for each in page.games], page.is_complete) == ([game.id], True)
    assert not store.commands.exists("hidalgo:{games}:public:*:*")


def rebuilt(fresh: Lobby, store: Store) -> bool:
    return index_rebuild(fresh.games, fresh.index, store).attend(seconds=60)


# The index is made anew


def test_the_index_is_made_anew_from_where_another_process_has_left_it(store: Store):
    games = Games(RedisLog(store))
    made = {begun(games).id if number % 2 else aborted(games).id for number in range(30)}
    turns, seen = 0, 0
    while not index_rebuild(games, (fresh := lobby(store)).index, store).attend(seconds=0):
        turns, before = turns + 1, seen
        seen = len(fresh.public_games(GameFilter(limit=100)).games)
        assert before <= seen
    assert turns > 20, "each of them was another process"
    page = lobby(store).public_games(GameFilter(limit=100))
    assert ({game.id for game in page.games}, page.is_complete) == (made, True)


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_an_index_that_is_lost_while_it_is_made_anew_is_begun_again(store: Store):
    games = Games(RedisLog(store))
    index = GameIndex(store)
    first = begun(games)
    rebuilding = index_rebuild(games, index, store)
    at = index.complete.position()
    index.complete.forget()
    assert not index.complete.finish(at), "games may have come since into buckets that were done"
    index.complete.remember(at)
    assert index.complete.position().bucket == 0
    assert rebuilding.attend(seconds=60)
    assert [game.id for game in lobby(store).public_games(GameFilter()).games] == [first.id]


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_games_whose_notes_are_up_to_date_are_not_read_again(store: Store):
    games = Games(RedisLog(store))
    made = indexed(store, *(begun(games) for _ in range(20)))
    for key in store.commands.scan_iter("hidalgo:{games:*"):
        store.commands.delete(key)
    fresh = lobby(store)
    fresh.index.complete.forget()
    assert rebuilt(fresh, store)
    assert not fresh.games._listed._states
    assert [game.id for game in fresh.public_games(GameFilter()).games] == made


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_games_that_have_gone_on_since_they_were_noted_are_summed_up_in_two_round_trips(store: Store):
    games = Games(RedisLog(store))
    made = [begun(games) for _ in range(20)]
    indexed(store, *made[5:])
    after = {game.id: games.submit(game.id, Resign("ana")).after for game in made[10:]}
    with round_trips() as trips:
        found = summaries(games.log, [*(game.id for game in made), "gone"])
    assert trips.total() == 2
    assert {about.id: about for about in found} == {game.id: summary(after.get(game.id, game)) for game in made}


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_a_game_that_cannot_be_read_holds_no_other_back_and_is_named(store: Store, caplog):
    games = Games(RedisLog(store))
    good = [begun(games) for _ in range(10)]
    damaged = begun(games)
    store.commands.xadd(f"hidalgo:{{{USUAL.of(damaged.id):02}}}:log:{damaged.id}", {"c": b"nonsense"}, "99-0")
    fresh = lobby(store)
    assert rebuilt(fresh, store)
    listed = {game.id for game in fresh.public_games(GameFilter()).games}
    assert listed == {game.id for game in good}
    assert f"game {damaged.id} cannot be read; it is not listed" in caplog.text


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_a_process_that_is_late_leaves_a_game_where_it_belongs(store: Store, monkeypatch):
    games, index = Games(RedisLog(store)), GameIndex(store)
    early = games.create("el_grande", 2, owner="ana")
    for account in ("ana", "ben"):
        games.submit(early.id, Join(account, invited=True))
    entering = index._enter

    def be_overtaken(*what) -> None:
        entering(*what)
        monkeypatch.undo()
        GameIndex(store).put(games.submit(early.id, Start("ana")).after)

    monkeypatch.setattr(index, "_enter", be_overtaken)
    index.put(early)
    found = {status: lobby(store).index.count(public_keys(status)) for status in ("open", "running")}
    assert found == {"open": 0, "running": 1}
