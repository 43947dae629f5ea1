"""Reminders: a player whose time runs out soon gets a notice, once for each decision.

A reminder is no fact of the game. The notifier writes into an index when the next one of a game is due, and a job of
the scheduler looks there; the game itself then tells whether a player is still asked. A reminder that is due while no
scheduler runs comes late, unless the answer comes first; two schedulers give one notice, because the mailbox remembers
the decision.

| key | what |
|---|---|
| `hidalgo:{07}:reminders` | sorted set; games of the bucket by the time of the next reminder |
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from events.buckets import bucket_key
from events.errors import NoSuchGame, StoreError
from events.games import Games
from events.store import Store, store_errors
from events.table import clock
from events.table.game import Game
from rules.kernel import Player
from service.notifications.notices import reminder
from service.notifications.postings import Postings

logger = logging.getLogger(__name__)

REMINDERS = "reminders"
GAMES_AT_ONCE = 100
PUT_OFF = 60_000
"""Milliseconds until a game that cannot be read is looked at again."""

# Only if no commit has changed the entry meanwhile.
MOVE = """
if redis.call('ZSCORE', KEYS[1], ARGV[1]) ~= ARGV[2] then return end
if ARGV[3] == '0' then redis.call('ZREM', KEYS[1], ARGV[1]) else redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
"""


class DueReminder(Struct, frozen=True):
    game: str
    at: int


class ReminderIndex:
    """Safe between threads and processes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._redis: Any = store.commands

    def put(self, times: Mapping[str, int]) -> None:
        """When the next reminder of each game is due, 0 for none; in one round trip."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for game, at in times.items():
                pipe.zadd(self._key(game), {game: at}) if at else pipe.zrem(self._key(game), game)
            pipe.execute()

    def due(self, buckets: Collection[int], now: int, limit: int) -> list[DueReminder]:
        """The longest due first, so many of each bucket; in one round trip."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for bucket in buckets:
                pipe.zrange(
                    bucket_key(bucket, REMINDERS), "-inf", now, byscore=True, offset=0, num=limit, withscores=True
                )
            found = [DueReminder(game.decode(), int(at)) for some in pipe.execute() for game, at in some]
        return sorted(found, key=lambda each: each.at)

    def move(self, due: DueReminder, at: int) -> None:
        """The next reminder of the game is due then, 0 for never; ignored if it has moved meanwhile."""
        with store_errors():
            self._redis.eval(MOVE, 1, self._key(due.game), due.game, due.at, at)

    def _key(self, game: str) -> str:
        return self._store.buckets.key_of(game, REMINDERS)


class Reminders:
    """For one thread."""

    def __init__(self, games: Games, store: Store, postings: Postings, shortest_ms: int) -> None:
        """`shortest_ms`: nobody is reminded of a decision for which there is less time."""
        self._games, self._postings, self._shortest_ms = games, postings, shortest_ms
        self._index = ReminderIndex(store)

    def attend(self, buckets: Collection[int]) -> int:
        """Post the reminders that are due in these buckets; gives how many."""
        due = self._index.due(buckets, self._games.now(), GAMES_AT_ONCE) if buckets else []
        return sum(self._attend(each) for each in due[:GAMES_AT_ONCE])

    def _attend(self, due: DueReminder) -> int:
        try:
            return self._remind(due)
        except NoSuchGame:
            self._index.move(due, 0)
        except StoreError:
            raise
        except Exception:
            logger.exception("the players of game %s cannot be reminded", due.game)
            self._index.move(due, self._games.now() + PUT_OFF)
        return 0

    def _remind(self, due: DueReminder) -> int:
        game, now = self._games.load(due.game), self._games.now()
        clocks = game.clock and clock.with_credits(game.clock, self._games.outages(), now)
        times = reminder_times(game, clocks, self._shortest_ms)
        posted = 0
        for player, at in times.items():
            if clocks and at <= now < clocks.hands[player].deadline:
                notice = reminder(game, player, clock.remaining(clocks, player, now), now)
                posted += self._postings.post(game.seats[player], notice, f"{game.id} {game.asked[player]}")
        self._index.move(due, min((at for at in times.values() if at > now), default=0))
        return posted


def reminder_times(game: Game, clocks: clock.Clock | None, shortest_ms: int) -> dict[Player, int]:
    """When each player who is asked is to be reminded."""
    if not clocks or not game.is_running:
        return {}
    asked = [player for player in game.asked if player in game.seats and player not in game.unattended]
    times = {player: clock.reminder_at(clocks, player, shortest_ms) for player in asked}
    return {player: at for player, at in times.items() if at}


def next_reminder(game: Game, shortest_ms: int) -> int:
    """When the first player of a game is to be reminded, 0 for never."""
    return min(reminder_times(game, game.clock, shortest_ms).values(), default=0)
