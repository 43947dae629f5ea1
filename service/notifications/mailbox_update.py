"""All that a batch of commits changes in one mailbox: decided commit by commit, and written at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from service.games.representations import event
from service.notifications import inbox
from service.notifications.deliveries import Delivery, delivery_id
from service.notifications.delivery_records import added
from service.notifications.mailboxes import (
    Mailbox,
    StoreCommand,
    Webhook,
    forget_positions_ahead,
    save_hook,
    save_position,
    save_position_ahead,
)
from service.notifications.notices import (
    NO_NAMES,
    TOO_MANY,
    Notice,
    may_have_notices,
    notices,
    representation,
    viewer_of,
    webhook_disabled,
)
from service.notifications.tournament_texts import Names
from service.notifications.transitions import Transition
from service.notifications.webhooks import COMMIT, body

MOST_WAITING = 1000
"""A webhook for which more deliveries would wait is disabled: its receiver is too slow, or gone."""


class Reported(Struct, frozen=True):
    """A commit, and the place in the feed that reports it."""

    bucket: int
    position: str
    is_ahead: bool
    """Whether an earlier entry of the bucket is not dealt with yet."""
    transition: Transition

    @property
    def game(self) -> str:
        return self.transition.commit.header.game


class MailboxUpdate:
    """Takes the commits of each bucket in order. A commit that was written into the mailbox before changes nothing."""

    def __init__(
        self, mailbox: Mailbox, waiting: Mapping[tuple[str, str], int], now: int, names: Names = NO_NAMES
    ) -> None:
        """`waiting`: the number of deliveries that wait for each webhook of each account."""
        self.notices: list[Notice] = []
        self._names = names
        self._mailbox, self._now = mailbox, now
        self._hooks = [hook for hook in mailbox.hooks if not hook.disabled]
        self._waiting = Counter({hook.id: waiting[mailbox.account, hook.id] for hook in self._hooks})
        self._deliveries: list[Delivery] = []
        self._numbers: dict[str, int] = {}
        self._disabled: list[Webhook] = []
        self._positions: dict[int, str] = {}
        self._positions_ahead: dict[tuple[int, str], str] = {}
        self._has_repeated = False
        self._repeated: list[Notice] = []

    @property
    def has_deliveries(self) -> bool:
        """Whether deliveries may wait for an account that is not scheduled.

        The process that has written a commit before may have ended before it scheduled the account.
        """
        return bool(self._deliveries) or (self._has_repeated and bool(self._hooks))

    @property
    def kinds(self) -> frozenset[str]:
        """Of all notices that these commits make, also of those that were written before.

        The process that has written them may have ended before it told of them.
        """
        return frozenset(notice.kind for notice in (*self.notices, *self._repeated))

    def add(self, reported: Reported) -> None:
        """The notices and deliveries of one more commit."""
        if not self._hooks and not may_have_notices(reported.transition, self._mailbox.account):
            return
        if self._mailbox.has_read(reported.bucket, reported.game, reported.position):
            self._has_repeated = True
            self._repeated += notices(reported.transition, self._mailbox.account)
            return
        header = reported.transition.commit.header
        found = notices(reported.transition, self._mailbox.account)
        self._take_all(found, header.game, header.version, reported.transition)
        self._remember(reported)

    def post(self, notice: Notice) -> None:
        """A notice that no commit has made, and its deliveries."""
        self._take_all([notice], notice.game or notice.tournament or "", notice.version or 0)

    def _take_all(self, found: Sequence[Notice], game: str, version: int, transition: Transition | None = None) -> None:
        """Notices, and the commit that they tell of, if there is one: as a whole or not at all."""
        if not found and not self._hooks:
            return
        numbered = self._numbered(found)
        subscribed = [hook for hook in self._hooks if is_subscribed(hook, found, transition is not None)]
        full = [hook for hook in subscribed if self._waiting[hook.id] >= MOST_WAITING]
        numbered += self._numbered([webhook_disabled(hook.id, TOO_MANY, self._now) for hook in full], len(numbered))
        deliveries = [
            delivery
            for hook in subscribed
            if hook not in full
            for delivery in self._new_deliveries(hook, game, version, self._contents(hook, numbered, transition))
        ]
        # Nothing can fail from here on.
        self.notices += numbered
        self._take(deliveries)
        self._disable(full)

    def commands(self) -> list[StoreCommand]:
        """The commands that write it; none if nothing has changed."""
        if not self.notices and not self._deliveries:
            return []
        mailbox, account = self._mailbox, self._mailbox.account
        ahead = self._positions_ahead
        return [
            *(save_position(account, bucket, position) for bucket, position in self._positions.items()),
            *(save_position_ahead(account, *where, position) for where, position in ahead.items()),
            *forget_positions_ahead(mailbox, self._positions),
            *inbox.put(mailbox, self.notices),
            *added(account, self._deliveries, self._now),
            *(save_hook(account, hook) for hook in self._disabled),
        ]

    def _numbered(self, found: Sequence[Notice], more: int = 0) -> list[Notice]:
        first = self._mailbox.last_notice + len(self.notices) + more + 1
        return [replace(notice, id=number) for number, notice in enumerate(found, start=first)]

    def _contents(
        self, hook: Webhook, numbered: Sequence[Notice], transition: Transition | None
    ) -> list[tuple[str, dict[str, Any]]]:
        """For a webhook: the commit itself, as its owner may know it, then the notices."""
        contents: list[tuple[str, dict[str, Any]]] = []
        if transition and COMMIT in hook.events:
            seen = event(transition.after.rules, transition.commit, viewer_of(transition, self._mailbox.account))
            contents.append((COMMIT, {"game": transition.commit.header.game, "event": seen}))
        return contents + [
            (each.kind, {"notice": representation(each, self._names)}) for each in numbered if each.kind in hook.events
        ]

    def _new_deliveries(
        self, hook: Webhook, game: str, version: int, contents: Sequence[tuple[str, dict[str, Any]]]
    ) -> Iterator[Delivery]:
        last = self._numbers.get(hook.id) or self._mailbox.last_delivery(hook.id)
        for number, (kind, content) in enumerate(contents, start=last + 1):
            text = body(delivery_id(hook.id, number), kind, **content)
            yield Delivery(hook.id, number, kind, game, version, self._now, text)

    def _take(self, deliveries: Sequence[Delivery]) -> None:
        for delivery in deliveries:
            self._deliveries.append(delivery)
            self._numbers[delivery.hook] = delivery.number
            self._waiting[delivery.hook] += 1

    def _disable(self, full: Sequence[Webhook]) -> None:
        self._hooks = [hook for hook in self._hooks if hook not in full]
        self._disabled += [replace(hook, disabled=str(TOO_MANY)) for hook in full]

    def _remember(self, reported: Reported) -> None:
        if reported.is_ahead:
            self._positions_ahead[reported.bucket, reported.game] = reported.position
        else:
            self._positions[reported.bucket] = reported.position


def is_subscribed(hook: Webhook, found: Sequence[Notice], is_commit: bool) -> bool:
    return (is_commit and COMMIT in hook.events) or any(notice.kind in hook.events for notice in found)
