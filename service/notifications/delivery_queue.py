"""Deliveries are claimed, tried and settled here: by the retry policy, and one change of a mailbox at a time."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from events.errors import NotNow
from rules.texts import say
from service.notifications import inbox
from service.notifications.deliveries import DELIVERED, PARKED, WAITING, Claim, Claims, Delivery, Outcome
from service.notifications.delivery_records import DeliveryRecords, due_at, moved, not_due, saved
from service.notifications.mailboxes import Decision, Mailbox, Mailboxes, StoreCommand, Webhook, save_hook
from service.notifications.notices import FAILING, webhook_disabled
from service.notifications.retry_policy import RetryPolicy
from service.notifications.slots import Slots

CLAIMED_FOR = 30_000
"""Milliseconds for which a claim keeps other workers from trying the delivery; longer than any try takes."""

QUEUES_AT_ONCE = 200
"""So many queues of an account are looked at for one that has a slot."""


class DeliveryQueue:
    """The deliveries of all accounts. Safe between threads and processes."""

    def __init__(self, mailboxes: Mailboxes, retry_policy: RetryPolicy | None = None) -> None:
        self.records = DeliveryRecords(mailboxes.redis)
        self._mailboxes = mailboxes
        self._retry_policy = retry_policy or RetryPolicy()

    def claim(self, account: str, now: int, slots: Slots, claimed_for: int = CLAIMED_FOR) -> Claims:
        """The deliveries that are due and have a slot, each the first of its queue; to prompt receivers first."""

        def decide(mailbox: Mailbox) -> Decision[Claims]:
            hooks = {hook.id: hook for hook in mailbox.hooks if not hook.disabled}
            due = self.records.due_queues(account, now, QUEUES_AT_ONCE)
            queues = [queue for queue in due if queue.hook in hooks]
            queues.sort(key=lambda queue: not slots.is_prompt(queue.hook))
            offers = slots.offer(account, [hooks[queue.hook] for queue in queues])
            commands: list[StoreCommand] = [not_due(account, queue) for queue in due if queue.hook not in hooks]
            claims: list[Claim] = []
            for queue, slot in zip(queues, offers, strict=True):
                if slot is None:
                    continue
                if first := self.records.first_waiting(account, queue):
                    commands.append(due_at(account, queue, now + claimed_for))
                    claims.append(Claim(account, hooks[queue.hook], first, slot))
                else:
                    commands.append(not_due(account, queue))
            refused = [queue for queue, slot in zip(queues, offers, strict=True) if slot is None]
            return commands, Claims(claims, any(slots.is_prompt(queue.hook) for queue in refused), bool(refused))

        return self._mailboxes.change(account, decide)

    def settle(self, claim: Claim, outcome: Outcome, now: int) -> Delivery | None:
        """Record the outcome of a try; gives the delivery as it is now, or none if another worker was faster."""
        return self._mailboxes.change(claim.account, partial(self._settle, claim.delivery, outcome, now))

    def _settle(self, tried: Delivery, outcome: Outcome, now: int, mailbox: Mailbox) -> Decision[Delivery | None]:
        hook, record = mailbox.hook(tried.hook), self.records.read(mailbox.account, tried.hook, tried.number)
        if hook is None or record is None or record.state != WAITING:
            return [], None
        delivery = record.tried(outcome, now)
        if outcome.has_arrived:
            return self._deliver(mailbox.account, hook, delivery, now)
        failing = replace(hook, failing_since=hook.failing_since or now)
        if delivery.attempts < self._retry_policy.attempts:
            return self._postpone(mailbox.account, failing, delivery, now)
        return self._park(mailbox, failing, delivery, now)

    def _deliver(self, account: str, hook: Webhook, delivery: Delivery, now: int) -> Decision[Delivery]:
        delivered = replace(delivery, state=DELIVERED, body="")
        healthy = [save_hook(account, replace(hook, failing_since=0))] if hook.failing_since else []
        return [*self.records.settled(account, delivered, now), *healthy], delivered

    def _postpone(self, account: str, failing: Webhook, delivery: Delivery, now: int) -> Decision[Delivery]:
        next_at = now + self._retry_policy.pause(delivery.attempts)
        postponed = replace(delivery, next_at=next_at)
        queue = due_at(account, delivery.queue, next_at)
        return [saved(account, postponed), queue, save_hook(account, failing)], postponed

    def _park(self, mailbox: Mailbox, failing: Webhook, delivery: Delivery, now: int) -> Decision[Delivery]:
        parked = replace(delivery, state=PARKED)
        settled = self.records.settled(mailbox.account, parked, now)
        return [*settled, *self._blame(mailbox, failing, now)], parked

    def _blame(self, mailbox: Mailbox, failing: Webhook, now: int) -> list[StoreCommand]:
        """A webhook that has failed for too long is disabled, and its owner gets a notice."""
        if now - failing.failing_since < self._retry_policy.disable_after:
            return [save_hook(mailbox.account, failing)]
        notices = inbox.numbered(mailbox, [webhook_disabled(failing.id, FAILING, now)])
        return [save_hook(mailbox.account, replace(failing, disabled=str(FAILING))), *inbox.put(mailbox, notices)]

    def retry(self, account: str, hook: str, number: int, now: int) -> Delivery | None:
        """A parked delivery waits again, before all later ones of its queue; none if there is no such delivery."""

        def decide(_: Mailbox) -> Decision[Delivery | None]:
            record = self.records.read(account, hook, number)
            if record is None or record.state == WAITING:
                return [], record
            if record.state != PARKED:
                raise NotNow(say("this delivery has arrived"))
            waiting = replace(record, state=WAITING, attempts=0, next_at=now)
            return [*moved(account, record, waiting), due_at(account, waiting.queue, now)], waiting

        return self._mailboxes.change(account, decide)
