"""A broadcast: spectators see a tournament's game some time after its players, through every door."""

import json
from functools import partial

import pytest

from events.errors import NoSuchGame, NotNow
from events.log.service_secret import ServiceSecret
from events.table.commands import Play
from events.table.game import OVER, RUNNING
from events.workers.hub import Commits, Hub
from rules.codec import codec_for
from rules.kernel import options
from service.games.broadcast import Broadcast
from service.games.game_index import GameIndex
from service.games.game_lists import GameFilter
from service.games.game_service import GameService
from service.games.invitations import Invitations
from service.games.lobby import Lobby
from service.live.delayed_listener import DelayedListener
from tournaments.options import Stage

MINUTE = 60_000
STEPS = 6


@pytest.fixture
def game(hall):
    """A game in which something has happened every second, the last thing just now."""
    id = hall.started("ana", "ben", stages=(Stage(rounds=1),), spectators_delay_ms=MINUTE)
    hall.attend()
    [game] = hall.games_of(id).values()
    hall.wait(MINUTE)
    for _ in range(STEPS):
        hall.wait(1000)
        game = moved(hall, game)
    return game


def moved(hall, game):
    """Somebody who is asked gives the first answer that comes to mind."""
    seat = next(iter(game.asked))
    example = options(game.state, seat)[0].example()
    return hall.games.submit(game.id, Play(codec_for(game.rules).answer(seat, example))).after


@pytest.fixture
def service(hall):
    index, secret = GameIndex(hall.store), ServiceSecret(hall.store)
    return GameService(hall.games, index, Invitations(hall.store), secret, Broadcast(hall.games))


def test_players_see_the_game_at_once_and_all_others_later(hall, game, service):
    before = game.version - STEPS
    assert service.look(game.id, "ana").version == game.version
    for spectator in ("eve", hall.organiser, None):
        assert service.look(game.id, spectator).version == before
    hall.wait(MINUTE - 2000)
    assert service.look(game.id, "eve").version == game.version - 2
    hall.wait(2000)
    assert service.look(game.id, "eve") == hall.games.load(game.id)


def test_a_table_is_known_before_anything_that_happened_at_it(hall, service):
    id = hall.started("ana", "ben", spectators_delay_ms=MINUTE)
    hall.attend()
    [game] = hall.games_of(id).values()
    assert game.version > 1
    assert service.look(game.id, "eve").version == 1


def test_no_later_version_can_be_asked_for(game, service):
    with pytest.raises(NoSuchGame) as unseen:
        service.look_back(game.id, "eve", game.version, None)
    with pytest.raises(NoSuchGame) as missing:
        service.look_back(game.id, "eve", 9999, None)
    assert str(unseen.value).replace(f"version {game.version} ", "") == str(missing.value).replace("version 9999 ", "")
    assert service.look_back(game.id, "ana", game.version, None)[0].version == game.version


def test_a_game_that_is_over_goes_on_for_spectators(hall, game, service):
    while game.status == RUNNING:
        game = moved(hall, game)
    assert service.look(game.id, "eve").status == RUNNING
    with pytest.raises(NotNow):
        service.look_back(game.id, "eve", None, "everything")
    exported = json.loads(b"".join(service.exported(game.id, "eve", None)))
    assert (exported["viewer"], len(exported["commits"])) == ("spectator", service.look(game.id, "eve").version)
    hall.wait(MINUTE)
    assert service.look(game.id, "eve").status == OVER


def test_commits_and_clocks_end_where_the_broadcast_is(game, service):
    shown = service.look(game.id, "eve")
    assert [commit.header.version for commit in service.commits(shown, shown.version - 1, 100)] == [shown.version]


def test_lists_show_what_the_broadcast_shows(hall, game):
    lobby = Lobby(hall.games, GameIndex(hall.store), Broadcast(hall.games))
    [listed] = lobby.public_games(GameFilter()).games
    before = game.version - STEPS
    assert listed.version == before
    [own] = lobby.games_of("ana", "ana", GameFilter()).games
    assert own.version == game.version
    [seen] = lobby.games_of("ana", "eve", GameFilter()).games
    assert seen.version == before
    assert [each.version for each in lobby.games_named([game.id], "eve").games] == [before]
    assert [each.version for each in lobby.whole_games("", "eve", GameFilter()).games] == [before]


def test_a_stream_hears_commits_when_they_are_old_enough(hall, game):
    hub = Hub(Commits(hall.games), lambda *_: None)
    before = game.version - STEPS
    with hub.listening(game.id, before) as listener:
        delayed = DelayedListener(listener, MINUTE, hall.now)
        versions = partial(heard, delayed)
        assert versions() == []
        hall.wait(MINUTE - 2000)
        assert versions() == list(range(before + 1, game.version - 1))
        assert delayed.number == game.version - 2
        assert versions() == []
        hall.wait(2000)
        assert versions() == [game.version - 1, game.version]
    hub.close()


def heard(listener):
    return [commit.header.version for commit in listener.next(0.05)]


def test_without_a_delay_everybody_sees_the_same(hall, service):
    id = hall.started("ana", "ben")
    hall.attend()
    [game] = hall.games_of(id).values()
    assert service.look(game.id, "eve") == service.look(game.id, "ana")
