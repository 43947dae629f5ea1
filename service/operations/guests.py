"""Guests that came once, never sat down and did not come back are forgotten after a while."""

from __future__ import annotations

from itertools import islice

from service.accounts import Accounts
from service.games.game_index import GameIndex
from service.games.game_index_keys import seated_keys

MOST_AT_ONCE = 10_000


def clean_guests(accounts: Accounts, index: GameIndex, most: int = MOST_AT_ONCE) -> int:
    """Forget guests that sit at no table and were not seen for thirty days; how many were. Can be repeated.

    None is forgotten while the index of games is not complete: it is not known who sits where.
    """
    if not index.complete:
        return 0
    idle = ((account, seen) for account, seen in accounts.idle_guests() if not index.count(seated_keys(account)))
    return sum(accounts.forget_guest(account, seen) for account, seen in islice(idle, most))
