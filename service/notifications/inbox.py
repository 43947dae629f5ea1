"""The inbox of an account: its last notices, numbered from 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from events.log import Hints
from events.log.redis_hints import RedisHints
from events.store import Store, store_errors
from service.accounts.records import key
from service.notifications.mailboxes import Mailbox, StoreCommand, save_comings, save_last_notice
from service.notifications.notices import Notice

MOST_NOTICES = 1000
"""An account has so many notices at most; older ones go."""

MOST_COMINGS = 10
"""So many of them tell who else comes and goes at one open table: however often that happens, other notices stay."""
MOST_TABLES = 100
"""At so many tables at once."""
COMINGS = ("seat_taken", "seat_left", "player_removed")

CHANNEL = "hidalgo:notices"
"""The channel on which every new notice is hinted, as `<account> <number>`."""


class Inboxes:
    """The inboxes of all accounts; a source for a hub that hands out notices (see `events.workers.hub.Source`)."""

    def __init__(self, store: Store) -> None:
        self._redis: Any = store.commands
        self._blocking = store.blocking

    def hints(self) -> Hints:
        return RedisHints(self._blocking, CHANNEL)

    def read(self, topic: str, after: int, limit: int | None = None) -> list[Notice]:
        """The notices of an account after a number."""
        with store_errors():
            found = self._redis.xrange(key(topic, "inbox"), f"{after + 1}-0", "+", count=limit)
        return [msgspec.json.decode(fields[b"n"], type=Notice) for _, fields in found]

    def number(self, item: Notice) -> int:
        return item.id

    def newest(self, account: str) -> int:
        """The number of the last notice."""
        with store_errors():
            found = self._redis.xrevrange(key(account, "inbox"), count=1)
        return int(found[0][0].partition(b"-")[0]) if found else 0


def numbered(mailbox: Mailbox, notices: Sequence[Notice]) -> list[Notice]:
    """Notices with the numbers that come next in the mailbox."""
    return [replace(notice, id=number) for number, notice in enumerate(notices, start=mailbox.last_notice + 1)]


def put(mailbox: Mailbox, notices: Sequence[Notice]) -> list[StoreCommand]:
    """The commands that write numbered notices into the inbox."""
    if not notices:
        return []
    inbox, last = key(mailbox.account, "inbox"), notices[-1].id
    return [
        *(("XADD", inbox, f"{notice.id}-0", "n", msgspec.json.encode(notice)) for notice in notices),
        *_without_old_comings(mailbox, notices),
        ("XTRIM", inbox, "MAXLEN", MOST_NOTICES),
        save_last_notice(mailbox.account, last),
        ("PUBLISH", CHANNEL, f"{mailbox.account} {last}"),
    ]


def _without_old_comings(mailbox: Mailbox, notices: Sequence[Notice]) -> list[StoreCommand]:
    """The commands that remove what was told of others at the same table before."""
    comings = mailbox.comings
    for notice in notices:
        if notice.kind in COMINGS and not notice.values["yours"]:
            game = notice.game or ""
            comings[game] = [*comings.pop(game, ()), notice.id]
    if comings == mailbox.comings:
        return []
    old = [number for numbers in comings.values() for number in numbers[:-MOST_COMINGS]]
    kept = {game: numbers[-MOST_COMINGS:] for game, numbers in [*comings.items()][-MOST_TABLES:]}
    removal: list[StoreCommand] = [("XDEL", key(mailbox.account, "inbox"), *(f"{number}-0" for number in old))]
    return [*(removal if old else []), save_comings(mailbox.account, kept)]
