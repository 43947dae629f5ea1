"""A process that serves, and whose own clock is wrong: `python -m tests.events.beating URL SILENCE`.

Beats twenty times in the time of a silence, and obeys its standard input: `time` prints the time,
`outages` how many it knows, `move GAME` moves and tells what was given back.
"""

import sys
import time

from events.games import Games
from events.log.redis import RedisLog
from events.store import connect
from events.table.commands import Move
from events.table.facts import ClockCredited
from events.workers.heartbeat import Heartbeat
from rules.kernel import options


def main(url: str, silence: str) -> None:
    time.time = lambda: 86_400.0  # The machine believes that it is the second day of 1970.
    store = connect(url)
    heartbeat = Heartbeat(store, serving=True, silence=float(silence), every=float(silence) / 20)
    games = Games(RedisLog(store), now=heartbeat.now, outages=heartbeat.outages)
    heartbeat.start()
    for line in sys.stdin:
        match line.split():
            case ["time"]:
                print(heartbeat.now(), flush=True)
            case ["outages"]:
                print(len(heartbeat.outages()), flush=True)
            case ["move", game]:
                print(*move(games, game), flush=True)
    heartbeat.stop()


def move(games: Games, game: str) -> list[str]:
    """Answer the first question, and tell the outages that were given back with it."""
    game_now = games.load(game)
    seat = next(iter(game_now.asked))
    [decision] = options(game_now.state, seat)
    commit = games.submit(game, Move(game_now.seats[seat], decision.example())).commit
    return ["given", *(f"{fact.since}-{fact.until}" for fact in commit.facts if isinstance(fact, ClockCredited))]


if __name__ == "__main__":
    main(*sys.argv[1:])
