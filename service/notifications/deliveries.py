"""Deliveries: messages to webhooks, each with its state, and the outcomes of tries.

Of each webhook and game only the first waiting delivery is tried, so that a failing one holds back those behind it and
no others. One that has failed too often is parked: listed, and out of the way.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from msgspec import Struct
from msgspec.structs import replace

from rules.texts import Text
from service.notifications.mailboxes import Webhook
from service.notifications.slots import Try

WAITING, PARKED, DELIVERED = "waiting", "parked", "delivered"
STATES = (WAITING, PARKED, DELIVERED)


class Queue(Struct, frozen=True):
    """The deliveries of one webhook about one game: they are sent one after the other."""

    hook: str
    game: str


class Delivery(Struct, frozen=True, omit_defaults=True):
    """One message to one webhook."""

    hook: str
    number: int
    """Counts the deliveries of the webhook."""
    kind: str
    game: str
    version: int
    created_at: int
    body: str = ""
    """The body of the request; dropped when it has arrived."""
    state: str = WAITING
    attempts: int = 0
    tried_at: int | None = None
    next_at: int | None = None
    """The time of the next try."""
    status: int | None = None
    """The last status that the receiver answered."""
    why: Text | str = ""
    """The reason for which it has not arrived: a text, put into words when it is read; English in old records."""

    @property
    def id(self) -> str:
        """The same at every try."""
        return delivery_id(self.hook, self.number)

    @property
    def queue(self) -> Queue:
        return Queue(self.hook, self.game)

    def tried(self, outcome: Outcome, now: int) -> Delivery:
        """The delivery after one more try."""
        attempts = self.attempts + 1
        return replace(
            self, attempts=attempts, tried_at=now, next_at=None, status=outcome.status, why=outcome.why or ""
        )


class Outcome(Struct, frozen=True):
    """The outcome of one try."""

    status: int | None = None
    why: Text | None = None
    """The reason for which it has not arrived."""
    milliseconds: int = 0

    @property
    def has_arrived(self) -> bool:
        return self.why is None


class Claim(Struct, frozen=True):
    """The right to try a delivery, for a while."""

    account: str
    hook: Webhook
    delivery: Delivery
    slot: Try


class Claims(Struct, frozen=True):
    """The claims on the deliveries of an account that are due."""

    claims: Sequence[Claim] = ()
    refused: Set[str] = frozenset()
    """Webhooks for which there was no slot."""
    prompt: Set[str] = frozenset()
    """Webhooks of the account whose receivers are prompt."""
    new: Set[str] = frozenset()
    """Those that were not tried yet."""


def delivery_id(hook: str, number: int) -> str:
    return f"{hook}.{number}"
