"""Guests that came once, never sat down and did not come back are forgotten after a while."""

from __future__ import annotations

from itertools import islice

from events.games import Games
from service.accounts import Accounts
from service.games.game_index import Listing, of_oneself, reindex

MOST_AT_ONCE = 10_000


def clean_guests(accounts: Accounts, games: Games, listing: Listing, most: int = MOST_AT_ONCE) -> int:
    """Forget guests that sit at no table and were not seen for thirty days; how many were. Can be repeated."""
    if not listing.is_complete:
        reindex(games, listing)
    idle = ((account, seen) for account, seen in accounts.idle_guests() if not listing.count(of_oneself(account)))
    return sum(accounts.forget_guest(account, seen) for account, seen in islice(idle, most))
