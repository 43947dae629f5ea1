"""Every kind of stream counts for the account that holds it, whatever addresses it comes from."""

from collections.abc import Callable
from contextlib import ExitStack

import pytest

from service.live.streams import EventStream, Seen, Stream
from service.live.threads import NoRoom
from service.services import Services, services
from service.settings import Settings
from tournaments.options import Options

ACCOUNT = "a_holder_of_streams"
THREADS = 24
"""Eight of them may be streams, and an account has half of those that the others leave."""


@pytest.fixture
def wired(running_stores):
    with running_stores.opened("embedded") as store:
        wired = services(store, Settings(threads=THREADS))
        yield wired
        wired.close()


def of_game(wired: Services) -> Callable[[str], Stream]:
    game = wired.games.create("el_grande", 2)
    return lambda network: wired.streams.of_game(Seen(game, "spectator", ACCOUNT), 0, EventStream(), network)


def of_inbox(wired: Services) -> Callable[[str], Stream]:
    return lambda network: wired.streams.of_inbox(ACCOUNT, 0, EventStream(), network)


def of_chat(wired: Services) -> Callable[[str], Stream]:
    room = wired.chat.room(wired.games.create("el_grande", 2).id, ACCOUNT)
    return lambda network: wired.chat_streams.of_room(room, 0, EventStream(), network)


def of_study(wired: Services) -> Callable[[str], Stream]:
    study = wired.studies.create("a_1", "Vetoes", "public").id
    access = wired.study_service.look(study, ACCOUNT)
    return lambda network: wired.study_streams.of_study(access, "", 0, EventStream(), network)


def of_tournament(wired: Services) -> Callable[[str], Stream]:
    event = wired.tournaments.create("a_1", Options("Club evening", "el_grande"))
    return lambda network: wired.tournament_streams.of_tournament(event, ACCOUNT, 0, EventStream(), network)


@pytest.mark.parametrize("kind", [of_game, of_inbox, of_chat, of_study, of_tournament])
def test_an_account_has_half_of_the_streams_from_all_its_addresses_together(wired, kind):
    opened = kind(wired)
    with ExitStack() as held:
        for number in range(4):
            held.callback(opened(f"10.0.0.{number}").close)
        with pytest.raises(NoRoom):
            opened("10.0.0.99")
