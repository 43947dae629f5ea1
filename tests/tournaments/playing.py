"""Simulated events: players of some skill play drawn rounds, and what comes of it."""

import random
from collections.abc import Callable

from msgspec.structs import replace

from tournaments.certificate import Certificate
from tournaments.history import History, Player
from tournaments.pairing.draw import Drawn, Request, draw
from tournaments.results import Result, Round, Table
from tournaments.tally import tally, tally_after
from tournaments.wishes import Wishes


class Event:
    """An event under way. Everything follows from its seed."""

    def __init__(self, players: int, size: int, seed: int = 1, allowed: tuple[int, ...] = (), **options) -> None:
        self.chance = random.Random(seed)
        self.size, self.allowed, self.seed = size, allowed, seed
        self.wishes: Wishes = options.pop("wishes", Wishes())
        self.method: str = options.pop("method", "tables")
        names = [f"p{number:04}" for number in range(1, players + 1)]
        self.skill = {name: self.chance.gauss(0, 1) for name in names}
        strongest = sorted(names, key=lambda name: -self.skill[name])
        entered = tuple(Player(n, strongest.index(n) + 1, int(1500 + 200 * self.skill[n])) for n in names)
        self.history = History(entered, **options)
        self.present = list(names)
        self.tally = tally(self.history)
        self.certificates: list[Certificate] = []

    def draw(self, **changes) -> Drawn:
        round = len(self.history.rounds) + 1
        request = Request(
            self.history,
            tuple(changes.pop("present", self.present)),
            self.size,
            f"{self.seed}.{round}".encode(),
            self.allowed,
            changes.pop("wishes", self.wishes),
            method=self.method,
            tally=self.tally,
            **changes,
        )
        return draw(request)

    def play(self, rounds: int = 1, ending: Callable[[Table], Result] | None = None, **changes) -> "Event":
        """Draw rounds and play them: performance is skill and as much luck."""
        for _ in range(rounds):
            drawn = self.draw(**changes)
            self.certificates.append(drawn.certificate)
            self.keep(played(drawn.round, ending or self.result))
        return self

    def keep(self, round: Round) -> None:
        self.history = replace(self.history, rounds=(*self.history.rounds, round))
        self.tally = tally_after(self.tally, self.history, round)

    def result(self, table: Table) -> Result:
        performance = {player: self.skill[player] + self.chance.gauss(0, 1) for player in table.players}
        places = [1 + sum(other > mine for other in performance.values()) for mine in performance.values()]
        return Result(tuple(places), tuple(int(100 + 20 * mine) for mine in performance.values()))

    @property
    def repeats(self) -> int:
        return sum(certificate.repeats for certificate in self.certificates)


def played(round: Round, ending: Callable[[Table], Result]) -> Round:
    return replace(round, tables=tuple(replace(table, result=ending(table)) for table in round.tables))
