"""A program that plays at random and says what was acknowledged: `python -m tests.faults.writer URL SEED GAME...`.

Every line it prints is a promise of the service: this commit is on disk. It never gives up a command it has begun:
while the store is away it tries again with the same identity.
"""

import random
import sys
import time
from itertools import count

from events.errors import Busy, StoreError
from events.games import Games
from events.log.redis import RedisLog
from events.repository import Accepted
from events.store import connect
from events.submission import Submission
from events.table.commands import Play
from rules.errors import Refused
from rules.simulation import random_answer, random_decision


def main(url: str, seed: str, *names: str) -> None:
    games, chance = Games(RedisLog(patiently(lambda: connect(url)))), random.Random(seed)
    for number in count():
        name = chance.choice(names)
        accepted = move(games, name, chance, f"{seed}/{number}")
        if accepted is not None:
            header = accepted.commit.header
            print(name, header.version, header.command, accepted.commit.hash, flush=True)


def move(games: Games, name: str, chance: random.Random, command: str) -> Accepted | None:
    """One command, tried until it is accepted or refused for good. A game that is over stays as it is."""
    state = patiently(lambda: games.load(name)).state
    if state.is_over:
        return None
    answer = random_answer(state, random_decision(state, chance.randrange), chance.randrange)
    try:
        return patiently(lambda: games.submit(name, Play(answer), Submission(key=command)))
    except Refused:
        return None  # Another writer was faster, and this decision is taken.


def patiently(work):
    """Do it until the store is there to do it."""
    for _ in range(2000):
        try:
            return work()
        except (StoreError, Busy):
            time.sleep(0.01)
    raise SystemExit("the store never came back")


if __name__ == "__main__":
    main(*sys.argv[1:])
