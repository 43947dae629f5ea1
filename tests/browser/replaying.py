"""Games in the store of a running service, to look back at."""

import random
from contextlib import contextmanager

from events.store import connect
from events.submission import Submission
from events.table.commands import Join, Play, Resign, Start
from rules.simulation import random_answer, random_decision
from service.services import Services, services
from service.settings import Settings
from tests.events.played import play_on
from tests.running import Service

WIRED: dict[str, Services] = {}
"""Beside each running service, by its address: to wire one takes longer than most of what it is wanted for."""


@contextmanager
def behind(service: Service):
    """The services of the same store, beside the running one."""
    if service.url not in WIRED:
        [socket] = (service.folder / "data").rglob("*.sock")
        WIRED[service.url] = services(connect(f"unix://{socket}"), Settings())
    yield WIRED[service.url]


def let_go(service: Service) -> None:
    """Before it ends."""
    if wired := WIRED.pop(service.url, None):
        wired.close()


def played(service: Service, players=3, moves=None, rules="el_grande") -> str:
    """A random game of so many moves, or to its end."""
    with behind(service) as wired:
        game = str(wired.games.create(rules, players, {"game_length": "short"}, owner="a_1").id)
        for number in range(1, players + 1):
            wired.games.submit(game, Join(f"a_{number}"))
        wired.games.submit(game, Start("a_1"))
        play_on(wired.games, game, random.Random(7).randrange, moves)
        wired.index.put(wired.games.load(game))
    return game


def play_one(service: Service, game: str) -> None:
    pick = random.Random(8).randrange
    with behind(service) as wired:
        state = wired.games.load(game).state
        wired.games.submit(game, Play(random_answer(state, random_decision(state, pick), pick)))


def end(service: Service, game: str) -> None:
    """All but one resign."""
    with behind(service) as wired:
        for account in list(wired.games.load(game).seats.values())[1:]:
            wired.game_service.submit(game, Resign(account), Submission())
