"""Inboxes and webhooks in a backup."""

import msgspec
import pytest

from events.audit.backup import Refusal
from events.store import Store
from service.accounts import Accounts
from service.accounts.backup_section import AccountSection
from service.accounts.records import key
from service.notifications.backup_section import MailboxSection
from service.notifications.inbox import Inboxes, numbered, put
from service.notifications.mailboxes import Mailboxes
from service.notifications.notices import Notice
from service.notifications.receiver_addresses import AddressPolicy
from service.notifications.sender import Sender
from service.notifications.webhooks import Webhooks

pytestmark = pytest.mark.parametrize("store", ["embedded", "cluster"], indirect=True)

HOOK = "https://bot.example/hook"


def webhooks(store: Store) -> Webhooks:
    return Webhooks(store, Sender(AddressPolicy(())))


def filled(store: Store) -> str:
    """An account with notices, a webhook whose secret was replaced, and one that was deleted."""
    account = Accounts(store).make_guest().id
    notify(store, account, 3)
    hooks = webhooks(store)
    kept, gone = (hooks.create(account, HOOK, ["your_turn"], request).id for request in ("one", "two"))
    hooks.rotate(account, kept, "again")
    hooks.delete(account, gone)
    return account


def notify(store: Store, account: str, count: int) -> None:
    def decide(mailbox):
        return put(mailbox, numbered(mailbox, [Notice("your_turn", 1_700_000_000_000)] * count)), None

    Mailboxes(store).change(account, decide)


def copied(store: Store) -> list[tuple[str, dict[str, str]]]:
    return [(row, dict(fields)) for row, fields in MailboxSection(store).rows()]


def emptied(store: Store) -> None:
    """Another store, in which the accounts are back."""
    accounts = list(AccountSection(store).rows())
    for primary in store.primaries().values():
        primary.flushall()
    for row in accounts:
        AccountSection(store).put_back(*row)


def test_notices_and_webhooks_come_back_with_their_secrets(store: Store):
    account = filled(store)
    notices, hooks, rows = Inboxes(store).read(account, 0), webhooks(store).all(account), copied(store)
    emptied(store)
    section = MailboxSection(store)
    assert [section.put_back(*row) for row in rows] == [True]
    assert (Inboxes(store).read(account, 0), webhooks(store).all(account)) == (notices, hooks)
    assert [section.put_back(*row) for row in rows] == [False]
    assert copied(store) == rows
    notify(store, account, 1)
    assert Inboxes(store).newest(account) == 4


def test_a_request_that_made_a_deleted_webhook_makes_none_after_a_restore(store: Store):
    account = filled(store)
    rows = copied(store)
    emptied(store)
    for row in rows:
        MailboxSection(store).put_back(*row)
    [kept] = webhooks(store).all(account)
    assert Mailboxes(store).read(account).deleted_hooks
    assert kept.id not in Mailboxes(store).read(account).deleted_hooks


def test_a_webhook_that_was_deleted_since_stays_deleted_and_newer_notices_stay(store: Store):
    account = filled(store)
    rows = copied(store)
    [hook] = webhooks(store).all(account)
    webhooks(store).delete(account, hook.id)
    notify(store, account, 2)
    assert [MailboxSection(store).put_back(*row) for row in rows] == [False]
    assert (webhooks(store).all(account), Inboxes(store).newest(account)) == ([], 5)


def test_the_mailbox_of_a_deleted_account_stays_away(store: Store):
    account = filled(store)
    rows = copied(store)
    Accounts(store).delete(account)
    assert [MailboxSection(store).put_back(*row) for row in rows] == [False]
    assert not any(store.commands.exists(key(account, name)) for name in ("book", "inbox"))


def test_what_cannot_be_a_mailbox_is_refused(store: Store):
    account, section = filled(store), MailboxSection(store)
    for row, fields in [
        ("friday", {"notices": "1"}),
        ("a_0123456789abcdef", {"notices": "1"}),
        (account, {"hook:w_1": "no JSON"}),
        (account, {"notice:1": msgspec.json.encode({"kind": 1}).decode()}),
        (account, {"notices": "many"}),
        (account, {"deleted": "{}"}),
    ]:
        with pytest.raises(Refusal):
            section.put_back(row, fields)
    assert webhooks(store).all(account)


def test_waiting_deliveries_and_places_in_the_feed_are_not_in_it(store: Store):
    account = filled(store)
    store.commands.hset(key(account, "book"), "told:7", "5-0")
    [(_, fields)] = copied(store)
    assert {name.partition(":")[0] for name in fields} <= {"notices", "deleted", "hook", "sent", "notice"}
