"""How many tables and events have news for the visitor since the browser has shown the inbox.

Fifty turns in one game are one thing to look at.

The browser remembers the last number that was looked at: nothing is stored for it.
"""

from __future__ import annotations

from flask import request

from events.errors import StoreError
from service.accounts import Identity
from service.http.context import services

COOKIE = "hidalgo_seen"
MOST_READ = 50


def unread(visitor: Identity | None) -> int:
    """For the bell. Without a store a page has a bell without a number."""
    if not visitor:
        return 0
    try:
        fresh = services().inboxes.read(visitor.account, seen_by(visitor.account), MOST_READ)
    except StoreError:
        return 0
    return len({notice.game or notice.tournament or notice.id for notice in fresh})


def seen_by(account: str) -> int:
    """The last number that this browser has shown to the account."""
    owner, _, number = request.cookies.get(COOKIE, "").rpartition(".")
    return int(number) if owner == account and number.isascii() and number.isdigit() and len(number) < 12 else 0
