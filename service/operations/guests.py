"""Guests that came once, never sat down and did not come back are forgotten after a while."""

from __future__ import annotations

from itertools import islice

from events.games import Games
from service.accounts import Accounts
from service.games.game_index import GameIndex, ensure_complete, seated_key

MOST_AT_ONCE = 10_000


def clean_guests(accounts: Accounts, games: Games, index: GameIndex, most: int = MOST_AT_ONCE) -> int:
    """Forget guests that sit at no table and were not seen for thirty days; how many were. Can be repeated."""
    ensure_complete(games, index)
    idle = ((account, seen) for account, seen in accounts.idle_guests() if not index.count(seated_key(account)))
    return sum(accounts.forget_guest(account, seen) for account, seen in islice(idle, most))
