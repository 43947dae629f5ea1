"""The webhooks of an account: created, listed, changed, tested and deleted by their owner."""

from __future__ import annotations

import re
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from threading import BoundedSemaphore
from typing import Any

from msgspec.structs import replace

from events.errors import Busy, Declined, NotNow, Revoked
from events.log.service_secret import ServiceSecret
from events.store import Store
from rules.codec import encode
from rules.texts import say
from service.notifications.deliveries import Delivery, Outcome, delivery_id
from service.notifications.delivery_queue import DeliveryQueue
from service.notifications.due import DueAccounts
from service.notifications.mailboxes import Decision, Mailbox, Mailboxes, Webhook, save_deleted_hooks, save_hook
from service.notifications.notices import ABOUT_GAMES, BY_OWNER
from service.notifications.sender import Sender
from service.notifications.signing import new_secret
from service.notifications.tournament_texts import ABOUT_TOURNAMENTS

COMMIT, TEST = "commit", "test"
EVENTS = (*ABOUT_GAMES, *ABOUT_TOURNAMENTS, COMMIT)
"""The events that a webhook can subscribe to."""

MOST_HOOKS = 10
TESTS_AT_ONCE = 8
"""In a process: a test of a slow receiver holds a thread that other requests need."""
FORMER_SECRET_LASTS = 24 * 3_600_000
MOST_FORMER_REQUESTS = 20
MOST_DELETED = 100
"""So many are remembered, and refused. An older request makes something new: no secret ever comes back."""
ID_BYTES = 9
NUMBER = re.compile("[0-9]{1,10}")


class NoSuchWebhook(Declined):
    code = "not_found"


class AnotherWebhook(Declined):
    """One Idempotency-Key was used for two webhooks."""

    code = "key_reused"


class TooManyWebhooks(Declined):
    code = "too_many_webhooks"


class Webhooks:
    def __init__(self, store: Store, sender: Sender, clock: Callable[[], float] = time.time) -> None:
        self.sender = sender
        self._mailboxes = Mailboxes(store)
        self._queue = DeliveryQueue(self._mailboxes)
        self._due_accounts = DueAccounts(store)
        self._service_secret = ServiceSecret(store)
        self._clock = clock
        self._tests = BoundedSemaphore(TESTS_AT_ONCE)

    def create(self, account: str, url: str, events: Sequence[str], request: str) -> Webhook:
        """A new webhook; a repeated request gives the same one."""
        self.sender.address_policy.endpoint(url)
        subscribed = tuple(sorted(set(events)))
        name, former_name = f"w_{self._named('webhook', account, request)}", guessable_hook_id(account, request)

        def decide(mailbox: Mailbox) -> Decision[Webhook]:
            if {name, former_name}.intersection(mailbox.deleted_hooks):
                raise Revoked(say("the webhook that this request made was deleted"))
            if webhook := mailbox.hook(name) or mailbox.hook(former_name):
                if (webhook.url, webhook.events) != (url, subscribed):
                    raise AnotherWebhook(say("another webhook was made with this Idempotency-Key"))
                if webhook.rotated_by not in (webhook.id, request):
                    raise Revoked(say("the secret that this request made was replaced"))
                return [], webhook
            if len(mailbox.hooks) >= MOST_HOOKS:
                raise TooManyWebhooks(say("an account has at most {most} webhooks; delete one first", most=MOST_HOOKS))
            hook = Webhook(name, url, subscribed, new_secret(), self._now(), rotated_by=name)
            return [save_hook(account, hook)], hook

        return self._mailboxes.change(account, decide)

    def all(self, account: str) -> list[Webhook]:
        return self._mailboxes.read(account).hooks

    def look(self, account: str, hook: str) -> Webhook:
        return _found(self._mailboxes.read(account), hook)

    def change(self, account: str, hook: str, fields: Mapping[str, Any]) -> Webhook:
        """Change `url`, `events` or `enabled`. While it is enabled, its waiting deliveries are tried at once."""
        if "url" in fields:
            self.sender.address_policy.endpoint(fields["url"])

        def decide(mailbox: Mailbox) -> Decision[Webhook]:
            webhook = _found(mailbox, hook)
            events = tuple(sorted(set(fields.get("events", webhook.events))))
            changed = replace(webhook, url=fields.get("url", webhook.url), events=events)
            match fields.get("enabled"):
                case True:
                    changed = replace(changed, disabled="", failing_since=0)
                case False:
                    changed = replace(changed, disabled=webhook.disabled or str(BY_OWNER))
            due = [] if changed.disabled else self._queue.records.all_due(account, hook, self._now())
            return [save_hook(account, changed), *due], changed

        changed = self._mailboxes.change(account, decide)
        self._due_accounts.schedule([account], self._now())
        return changed

    def rotate(self, account: str, hook: str, request: str) -> Webhook:
        """A new secret; a repeated request gives the same one. For a day the former one signs every delivery, too."""
        name = self._named("webhook secret", account, hook, request)

        def decide(mailbox: Mailbox) -> Decision[Webhook]:
            webhook = _found(mailbox, hook)
            if webhook.rotated_by in (name, request):
                return [], webhook
            if name in webhook.former_requests or request in webhook.former_requests:
                raise Revoked(say("the secret that this request made was replaced"))
            rotated = replace(
                webhook,
                secret=new_secret(),
                former_secret=webhook.secret,
                former_until=self._now() + FORMER_SECRET_LASTS,
                rotated_by=name,
                former_requests=(*webhook.former_requests, webhook.rotated_by)[-MOST_FORMER_REQUESTS:],
            )
            return [save_hook(account, rotated)], rotated

        return self._mailboxes.change(account, decide)

    def delete(self, account: str, hook: str) -> None:
        """Delete a webhook and its deliveries."""

        def decide(mailbox: Mailbox) -> Decision[None]:
            _found(mailbox, hook)
            deleted = [*mailbox.deleted_hooks, hook][-MOST_DELETED:]
            return [*self._queue.records.deleted(account, hook), save_deleted_hooks(account, deleted)], None

        self._mailboxes.change(account, decide)

    def test(self, account: str, hook: str) -> Outcome:
        """Send a delivery of its own at once, before all that wait."""
        webhook, delivery = self.look(account, hook), delivery_id(hook, 0)
        if not self._tests.acquire(blocking=False):
            raise Busy(say("too many tests are under way"))
        try:
            return self.sender.send(webhook, delivery, body(delivery, TEST, webhook=hook, at=self._now()))
        finally:
            self._tests.release()

    def deliveries(self, account: str, hook: str, state: str, before: int, limit: int) -> list[Delivery]:
        self.look(account, hook)
        return self._queue.records.page(account, hook, state, before, limit)

    def retry(self, account: str, hook: str, number: str) -> Delivery:
        if self.look(account, hook).disabled:
            raise NotNow(say("this webhook is disabled: enable it first"))
        is_number = NUMBER.fullmatch(number)
        waiting = self._queue.retry(account, hook, int(number), self._now()) if is_number else None
        if waiting is None:
            raise NoSuchWebhook(say("there is no such delivery, or not any more"))
        self._due_accounts.schedule([account], self._now())
        return waiting

    def _named(self, purpose: str, *parts: str) -> str:
        """The same name for the same request."""
        return self._service_secret.id(purpose, "\0".join(parts), ID_BYTES)

    def _now(self) -> int:
        return int(self._clock() * 1000)


def body(delivery: str, kind: str, **content: Any) -> str:
    """The body of a delivery."""
    return encode({"delivery": delivery, "kind": kind, **content}).decode()


def guessable_hook_id(account: str, request: str) -> str:
    """The id of a webhook that was made before ids were made with the secret of the service."""
    digest = sha256(f"hidalgo webhook\0{account}\0{request}".encode()).digest()
    return f"w_{urlsafe_b64encode(digest[:9]).decode()}"


def _found(mailbox: Mailbox, hook: str) -> Webhook:
    if webhook := mailbox.hook(hook):
        return webhook
    raise NoSuchWebhook(say("there is no webhook {webhook}", webhook=hook))
