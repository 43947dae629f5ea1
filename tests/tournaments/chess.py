"""Random events of two players, with everything that happens in them: byes, forfeits, withdrawals, late entries."""

import random

from msgspec.structs import replace

from events.errors import NotNow
from tournaments.history import History, Player
from tournaments.pairing.draw import Request, draw
from tournaments.points import PointScheme
from tournaments.results import Result, Table
from tournaments.wishes import Wishes


def random_event(seed: int, players: int, rounds: int, method: str) -> History:
    """All rounds of an event, drawn and played, as long as a pairing is possible."""
    chance = random.Random(seed)
    names = [f"p{number:03}" for number in range(1, players + 1)]
    ratings = sorted((chance.randint(1000, 2600) for _ in names), reverse=True)
    entered = tuple(
        Player(name, n, rating) for n, (name, rating) in enumerate(zip(names, ratings, strict=True), start=1)
    )
    history, gone = History(entered, points=PointScheme("chess")), set[str]()
    late = {name: chance.randint(2, 3) for name in names if chance.random() < 0.05}
    for number in range(1, rounds + 1):
        gone |= {name for name in names if chance.random() < 0.01}
        unpaired = {name: "absent" for name in names if name in gone or late.get(name, 0) > number}
        unpaired |= {n: "half_bye" for n in names if n not in unpaired and chance.random() < 0.03 and number < rounds}
        present = tuple(name for name in names if name not in unpaired)
        seeds = Wishes(seeding="number")
        request = Request(history, present, 2, f"{seed}.{number}".encode(), (), seeds, unpaired, (), method, rounds)
        try:
            round = draw(request).round
        except NotNow:  # After many rounds of few players no pairing may be left.
            break
        tables = tuple(replace(table, result=result(chance, table, ratings)) for table in round.tables)
        history = replace(history, rounds=(*history.rounds, replace(round, tables=tables)))
    return history


def result(chance: random.Random, table: Table, ratings: list[int]) -> Result:
    roll, white, black = chance.random(), *(ratings[int(player[1:]) - 1] for player in table.players)
    if roll < 0.02:
        return Result((1, 2), absent=(1,))
    if roll < 0.04:
        return Result((2, 1), absent=(0,))
    if roll < 0.045:
        return Result((1, 1), absent=(0, 1))
    if roll < 0.3:
        return Result((1, 1))
    wins = chance.random() < 1 / (1 + 10 ** ((black - white) / 400))
    return Result((1, 2) if wins else (2, 1))
