"""Deliveries are claimed, tried and settled here: by the retry policy, and one change of a mailbox at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NotNow
from rules.texts import say
from service.notifications import inbox
from service.notifications.deliveries import DELIVERED, PARKED, WAITING, Claim, Claims, Delivery, Outcome, Queue
from service.notifications.delivery_records import DeliveryRecords, due_at, moved, not_due, saved
from service.notifications.mailboxes import Decision, Mailbox, Mailboxes, StoreCommand, Webhook, save_hook
from service.notifications.notices import FAILING, webhook_disabled
from service.notifications.retry_policy import RetryPolicy
from service.notifications.slots import Room, Try

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

    def claim(self, accounts: Sequence[str], now: int, room: Room, claimed_for: int = CLAIMED_FOR) -> dict[str, Claims]:
        """The deliveries of these accounts that are due and have a slot; without accounts that are gone."""
        return self._mailboxes.change_all(accounts, lambda mailboxes: self._claim(mailboxes, now, room, claimed_for))

    def _claim(self, mailboxes: Sequence[Mailbox], now: int, room: Room, claimed_for: int) -> list[Decision[Claims]]:
        due = self.records.due_queues([mailbox.account for mailbox in mailboxes], now, QUEUES_AT_ONCE)
        offers = [_offers(mailbox, queues, room) for mailbox, queues in zip(mailboxes, due, strict=True)]
        first = iter(self.records.first_waiting([(each.account, queue) for each in offers for queue, _ in each.slots]))
        return [_claims(each, first, now + claimed_for) for each in offers]

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


class Offers(Struct, frozen=True):
    """The slots for the queues of an account that are due."""

    account: str
    hooks: Mapping[str, Webhook]
    slots: Sequence[tuple[Queue, Try]]
    refused: Set[str]
    prompt: Set[str]
    new: Set[str]
    orphaned: Sequence[Queue]
    """Queues of webhooks that are disabled or gone."""


def _offers(mailbox: Mailbox, due: Sequence[Queue], room: Room) -> Offers:
    """Each queue has one delivery at a time under way; those to prompt receivers come first."""
    hooks = {hook.id: hook for hook in mailbox.hooks if not hook.disabled}
    prompt = {hook for hook in hooks if room.is_prompt(hook)}
    queues = sorted((queue for queue in due if queue.hook in hooks), key=lambda queue: queue.hook not in prompt)
    offered = list(zip(queues, room.offer(mailbox.account, [hooks[queue.hook] for queue in queues]), strict=True))
    return Offers(
        mailbox.account,
        hooks,
        slots=[(queue, slot) for queue, slot in offered if slot],
        refused={queue.hook for queue, slot in offered if not slot},
        prompt=prompt,
        new={hook for hook in hooks if room.is_new(hook)},
        orphaned=[queue for queue in due if queue.hook not in hooks],
    )


def _claims(offers: Offers, first_waiting: Iterator[Delivery | None], until: int) -> Decision[Claims]:
    """The claims on the first delivery of each queue that has a slot."""
    account = offers.account
    commands: list[StoreCommand] = [not_due(account, queue) for queue in offers.orphaned]
    claims: list[Claim] = []
    for queue, slot in offers.slots:
        if first := next(first_waiting):
            commands.append(due_at(account, queue, until))
            claims.append(Claim(account, offers.hooks[queue.hook], first, slot))
        else:
            commands.append(not_due(account, queue))
    return commands, Claims(claims, offers.refused, offers.prompt, offers.new)
