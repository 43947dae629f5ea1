"""What an account can do with its mail: look, choose, confirm, unsubscribe, try again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from events.errors import NotNow
from rules.texts import say
from service.accounts.credentials import ACCOUNT
from service.language import current, rendered
from service.notifications.mail.addresses import check_address, mailbox_of
from service.notifications.mail.letters import Letter
from service.notifications.mail.mail_queue import MailQueue
from service.notifications.mail.mail_worker import MailWorker
from service.notifications.mail.preferences import MailPreferences, Preferences


@dataclass(frozen=True)
class MailService:
    preferences: MailPreferences
    queue: MailQueue
    worker: MailWorker | None
    """None if the operator has named no mail server."""
    now: Callable[[], int]

    def look(self, account: str) -> dict[str, Any]:
        """For the account itself, and for nobody else."""
        found = self.preferences.read(account)
        waiting, parked = self.queue.state(account)
        return {
            "available": self.worker is not None,
            "address": found.address or None,
            "pending": found.pending or None,
            "choices": found.choices,
            "digest": found.digest,
            "language": found.language,
            "waiting": [_representation(letter) for letter in waiting],
            "parked": [_representation(letter) for letter in parked],
        }

    def change(self, account: str, handle: str, request: Mapping[str, Any], limit: Callable[[str], None]) -> None:
        """New choices; with a new address, too, a letter goes there. `limit` counts the letters to an address."""
        self._check_available()
        before, address = self.preferences.read(account), request["address"]
        is_new = bool(address) and address != before.address
        if is_new:
            check_address(address)
            limit(mailbox_of(address))
        self.preferences.choose(account, request["choices"], request["digest"], current().tag)
        if is_new:
            self._ask(account, handle, self.preferences.propose(account, address))
            return
        if address:
            self.preferences.withdraw(account)
        if before.address and before.kinds == frozenset():
            self.queue.begin(account)  # Nothing of the time without mail is told.

    def confirm(self, account: str, code: str) -> None:
        self.preferences.confirm(account, code)
        self.queue.begin(account)

    def confirm_by_link(self, token: str) -> None:
        account, _, code = token.rpartition(".")
        if not ACCOUNT.fullmatch(account):
            raise NotNow(say("this link is not valid, or not any more"))
        self.confirm(account, code)

    def unsubscribe(self, token: str) -> None:
        self.queue.forget(self.preferences.unsubscribe(token))

    def forget(self, account: str) -> None:
        self.preferences.forget(account)
        self.queue.forget(account)

    def retry(self, account: str) -> int:
        self._check_available()
        count = self.queue.retry_parked(account, self.now())
        self._wake(account)
        return count

    def _ask(self, account: str, handle: str, preferences: Preferences) -> None:
        self.queue.ask(account, handle, preferences, self.now())
        self._wake(account)

    def _wake(self, account: str) -> None:
        if self.worker:
            self.worker.wake(account)

    def _check_available(self) -> None:
        if not self.worker:
            raise NotNow(say("this service sends no mail"))


def _representation(letter: Letter) -> dict[str, Any]:
    return {
        "number": letter.number,
        "about": letter.name,
        "notices": [notice.id for notice in letter.notices],
        "created_at": letter.created_at,
        "attempts": letter.attempts,
        "next_at": letter.next_at or None,
        "status": letter.status,
        "error": rendered(letter.why) if letter.why else None,
    }
