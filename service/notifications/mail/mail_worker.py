"""Sends the letters that are due: a few at a time, in threads of its own.

Neither webhooks nor deadlines wait for a mail server. A process that is killed after the server has taken a letter, and
before that was recorded, leaves a letter that is sent again, under the same `Message-ID`: at least once, never lost.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Collection, Mapping, Set
from threading import Lock, Thread, current_thread
from time import monotonic

from events.errors import Busy, StoreError
from events.log.service_secret import ServiceSecret
from events.store import Store
from service.accounts.errors import NoSuchAccount
from service.notifications.due import LETTERS, DueAccount, DueAccounts
from service.notifications.mail.addresses import domain_of
from service.notifications.mail.letters import Letter, message
from service.notifications.mail.mail_queue import Claimed, MailQueue
from service.notifications.mail.preferences import CHOICES, MailPreferences
from service.notifications.mail.smtp import Sends
from service.operations import metrics

logger = logging.getLogger(__name__)

AT_ONCE = 4
"""So many letters are under way in a process."""
ACCOUNTS_AT_ONCE = 200
"""So many of each bucket are looked for."""
PUT_OFF = 60_000
"""Milliseconds until an account is looked at again with which something is wrong."""
SECONDS_TO_STOP = 2.0
ID_BYTES = 15

MAILED = frozenset(kind for kinds in CHOICES.values() for kind in kinds)


class MailWorker:
    """`attend` is for one thread."""

    def __init__(
        self,
        store: Store,
        queue: MailQueue,
        preferences: MailPreferences,
        sender: Sends,
        from_address: str,
        now: Callable[[], int],
    ) -> None:
        self._queue, self._preferences, self._sender, self._from, self._now = (
            queue,
            preferences,
            sender,
            from_address,
            now,
        )
        self._due_accounts = DueAccounts(store, LETTERS)
        self._secret = ServiceSecret(store)
        self._lock = Lock()
        self._waiting: deque[DueAccount] = deque()
        self._busy: set[str] = set()
        self._threads: set[Thread] = set()

    def note(self, written: Mapping[str, Set[str]]) -> None:
        """These accounts have notices of these kinds: those that want letters about them are looked at."""
        about = {account: kinds & MAILED for account, kinds in written.items()}
        some = [account for account, kinds in about.items() if kinds]
        wanted = self._preferences.read_all(some) if some else {}
        if accounts := [account for account, found in wanted.items() if found.kinds & about[account]]:
            self._due_accounts.schedule(accounts, self._now())

    def wake(self, account: str) -> None:
        """Something may be due for this account."""
        self._due_accounts.schedule([account], self._now())

    def attend(self, buckets: Collection[int]) -> None:
        """Send the letters that are due in these buckets, as far as there is room; nobody waits for that."""
        due = self._due_accounts.due(buckets, self._now(), ACCOUNTS_AT_ONCE) if buckets else []
        with self._lock:
            self._waiting = deque(each for each in due if each.account not in self._busy)
            room = min(AT_ONCE - len(self._threads), len(self._waiting))
            # They end with the process: a server that does not answer must not keep it from stopping.
            begun = [Thread(target=self._work, name="mail", daemon=True) for _ in range(room)]
            self._threads.update(begun)
        for thread in begun:
            thread.start()

    def close(self) -> None:
        """Wait a moment for tries that are under way; what has not ended is tried again by the next worker."""
        end = monotonic() + SECONDS_TO_STOP
        with self._lock:
            self._waiting.clear()
            threads = list(self._threads)
        for thread in threads:
            thread.join(timeout=max(0.0, end - monotonic()))

    # In a few threads

    def _work(self) -> None:
        try:
            while due := self._next():
                self._serve(due)
        finally:
            with self._lock:
                self._threads.discard(current_thread())

    def _next(self) -> DueAccount | None:
        with self._lock:
            if not self._waiting:
                return None
            due = self._waiting.popleft()
            self._busy.add(due.account)
            return due

    def _serve(self, due: DueAccount) -> None:
        try:
            self._due_accounts.reschedule({due: self._attend(due.account)})
        except (StoreError, Busy) as error:
            logger.warning("mail_worker", extra={"fields": {"account": due.account, "sentence": str(error)}})
        except NoSuchAccount:
            self._due_accounts.reschedule({due: None})
        except Exception as error:
            logger.error("mail_worker", extra={"fields": {"account": due.account}}, exc_info=error)
            self._due_accounts.reschedule({due: self._now() + PUT_OFF})
        finally:
            with self._lock:
                self._busy.discard(due.account)

    def _attend(self, account: str) -> int | None:
        """Send the letters of an account that are due; gives the time of the next one, if any."""
        while isinstance(claim := self._queue.claim(account, self._now()), Claimed):
            self._try(account, claim)
        return claim

    def _try(self, account: str, claim: Claimed) -> None:
        letter = claim.letter
        outcome = self._sender.send(message(letter, self._from, claim.to, self._message_id(account, letter)))
        if outcome.reason:  # counted first: whoever reads of this try in the store finds it in the figures, too
            metrics.MAIL_FAILURES.labels(outcome.reason).inc()
        result = self._queue.settle(account, letter, outcome, self._now())
        metrics.MAILS.labels(result).inc()
        about = {"account": account, "letter": letter.number, "about": letter.name, "attempt": letter.attempts + 1}
        failed = {"reason": outcome.reason, "why": str(outcome.why)} if outcome.why else {}
        more = {"outcome": result, "status": outcome.status, "ms": outcome.milliseconds, **failed}
        level = logging.INFO if outcome.has_arrived else logging.WARNING
        logger.log(level, "mail", extra={"fields": {**about, **more}})

    def _message_id(self, account: str, letter: Letter) -> str:
        """The same at every try; it tells nothing about the account."""
        name = self._secret.id("letter", f"{account}\0{letter.number}\0{letter.created_at}", ID_BYTES)
        return f"<{name}@{domain_of(self._from)}>"
