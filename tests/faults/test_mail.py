"""Two schedulers, a real mail server that refuses, dies and comes back: every player who is asked gets one letter."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from events.games import Games
from events.store import Store
from events.table.commands import Join, Start
from service.accounts import Accounts
from service.notifications.mail.preferences import MailPreferences
from tests.events.servers import embedded_server, eventually
from tests.faults.scheduling import Keeper, keepers
from tests.faults.test_self_playing_tables import served
from tests.service.notifications.mail_server import DIES_BEFORE, RunningMailServer, mail_server


@pytest.fixture
def server(monkeypatch):
    with mail_server() as running:
        monkeypatch.setenv("HIDALGO_MAIL_SERVER", f"smtp://127.0.0.1:{running.port}")
        monkeypatch.setenv("HIDALGO_MAIL_FROM", "us@mail.example")
        monkeypatch.setenv("HIDALGO_PUBLIC_URL", "https://hidalgo.example")
        monkeypatch.setenv("HIDALGO_MAIL_WINDOW", "0.1")
        yield running


def person(store: Store, games: Games, number: int) -> tuple[str, str]:
    """An account that wants letters about its turns, and its address."""
    account, address = Accounts(store).make_guest().id, f"player{number}@people.example"
    preferences = MailPreferences(store, games.now)
    preferences.choose(account, ["turn"], "soon", "en")
    preferences.confirm(account, preferences.code(account, preferences.propose(account, address)))
    return account, address


def asked_addresses(store: Store, games: Games, tables: int) -> list[str]:
    """Begins so many games, and tells where the players are who are asked."""
    asked = []
    for number in range(tables):
        people = dict([person(store, games, 2 * number), person(store, games, 2 * number + 1)])
        game = games.create("el_grande", 2, owner=next(iter(people))).id
        for account in people:
            games.submit(game, Join(account))
        begun = games.submit(game, Start(next(iter(people)))).after
        asked += [people[begun.seats[seat]] for seat in begun.asked]
    return asked


def drilled(server: RunningMailServer, tables: int, trouble: Callable[[list[Keeper]], None]) -> None:
    with embedded_server() as store_server, served(store_server.url) as (store, games):
        asked = asked_addresses(store, games, tables)
        server.behave("450 later")
        with keepers(store_server.url, (0, 0)) as working:
            trouble(working)
            server.behave("accept")
            eventually(lambda: {letter["To"] for letter in server.taken} == set(asked), seconds=240)
            time.sleep(2)
    ids = {(letter["To"], letter["Message-ID"]) for letter in server.taken}
    assert sorted(address for address, _ in ids) == sorted(asked)
    print(f"{len(asked)} players were asked: {len(server.taken)} letters, {len(ids)} different ones")


def dying(server: RunningMailServer) -> None:
    server.behave(DIES_BEFORE)
    server.wait_until_it_has_died()
    time.sleep(1)
    server.behave("450 later")
    server.start()


def test_no_letter_is_lost_and_none_comes_twice_when_the_mail_server_dies(server):
    drilled(server, 4, lambda working: dying(server))
    assert len(server.taken) == 4


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_no_letter_is_lost_when_schedulers_are_killed_while_they_send(server):
    """One that was killed while it sent may have sent its letter: it comes again, and is the same."""

    def trouble(working: list[Keeper]) -> None:
        for _ in range(8):
            time.sleep(1)
            working[0].kill()
            server.behave("accept")
            time.sleep(0.3)
            working[1].kill()
            server.behave("450 later")

    drilled(server, 40, trouble)
