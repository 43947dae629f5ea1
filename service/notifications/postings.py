"""Notices that no commit of a game makes, such as a reminder: posted once, however often a worker posts them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set

from msgspec import Struct

from events.store import Store
from service.accounts.credentials import ACCOUNT
from service.notifications.delivery_records import DeliveryRecords
from service.notifications.due import DueAccounts
from service.notifications.mailbox_update import MailboxUpdate
from service.notifications.mailboxes import Decision, Mailbox, Mailboxes, save_posted
from service.notifications.notice_names import NamesOf, no_names
from service.notifications.notices import Notice
from service.operations import metrics

MOST_NAMES = 300
"""So many names of notices are remembered for an account."""

Told = Callable[[Mapping[str, Set[str]]], None]
"""Called with the kinds of notices that accounts have got, perhaps not for the first time."""


class Posting(Struct, frozen=True):
    notice: Notice
    once: str
    """Its name: the account gets one notice under it."""


class Postings:
    """Safe between threads and processes."""

    def __init__(
        self,
        store: Store,
        *,
        wake: Callable[[str], None] = lambda account: None,
        told: Told = lambda kinds: None,
        names_of: NamesOf = no_names,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`wake` is called with every account that has new deliveries; `names_of` gives the names of people that
        notices are about."""
        self._mailboxes = Mailboxes(store)
        self._deliveries = DeliveryRecords(self._mailboxes.redis)
        self._due_accounts = DueAccounts(store)
        self._wake, self._told, self._names_of, self._clock = wake, told, names_of, clock

    def post(self, account: str, notice: Notice, once: str) -> bool:
        """Write a notice and its deliveries; not if one was posted under this name, or there is no such account."""
        return bool(self.post_all({account: Posting(notice, once)}))

    def post_all(self, postings: Mapping[str, Posting]) -> int:
        """One notice for each account, and its deliveries; says how many were new. In a few round trips."""
        accounts = [account for account in postings if ACCOUNT.fullmatch(account)]
        updates = self._mailboxes.change_all(accounts, lambda mailboxes: self._decide(mailboxes, postings))
        self._told({account: frozenset({postings[account].notice.kind}) for account in updates})
        new = {account: update for account, update in updates.items() if update}
        for kind, count in Counter(postings[account].notice.kind for account in new).items():
            metrics.NOTICES.labels(kind).inc(count)
        if waiting := [account for account, update in new.items() if update.has_deliveries]:
            self._due_accounts.schedule(waiting, self._now())
            for account in waiting:
                self._wake(account)
        return len(new)

    def _decide(
        self, mailboxes: Sequence[Mailbox], postings: Mapping[str, Posting]
    ) -> list[Decision[MailboxUpdate | None]]:
        hooks = [(mailbox.account, hook.id) for mailbox in mailboxes for hook in mailbox.hooks if not hook.disabled]
        waiting = self._deliveries.count_waiting(hooks)
        told = {account for account, _ in hooks}
        names = self._names_of([posting.notice for account, posting in postings.items() if account in told])
        decisions: list[Decision[MailboxUpdate | None]] = []
        for mailbox in mailboxes:
            posting = postings[mailbox.account]
            if posting.once in mailbox.posted:
                decisions.append(([], None))
                continue
            update = MailboxUpdate(mailbox, waiting, self._now(), names)
            update.post(posting.notice)
            posted = [*mailbox.posted, posting.once][-MOST_NAMES:]
            decisions.append(([*update.commands(), save_posted(mailbox.account, posted)], update))
        return decisions

    def _now(self) -> int:
        return int(self._clock() * 1000)
