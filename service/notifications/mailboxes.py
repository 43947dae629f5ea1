"""The mailbox of an account: its inbox, its webhooks, and their deliveries.

| key | what |
|---|---|
| `hidalgo:{a_…}:inbox` | stream; the entry with id `<number>-0` is that notice |
| `hidalgo:{a_…}:book` | hash; the fields of a `Mailbox` |
| `hidalgo:{a_…}:deliveries` | hash; `<hook> <number>` to the delivery |
| `hidalgo:{a_…}:order` | sorted set, all of score 0; `<hook> waiting <game> <number>`, `<hook> parked <number>`… |
| `hidalgo:{a_…}:due` | sorted set; `<hook> <game>` by when the first delivery that waits there is to be tried |

They share the account's hash tag. A change reads the mailbox, decides, and writes by one script: all or nothing, only
while the account exists, and only if the mailbox has not changed since. If it has, the change is decided again. Changes
of many mailboxes are read and written together, in a round trip each.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from events.errors import Busy
from events.store import Store, store_error, store_errors
from rules.texts import say
from service.accounts.credentials import ACCOUNT
from service.accounts.errors import NoSuchAccount
from service.accounts.records import BELONGINGS, key
from service.notifications.backlog import order

logger = logging.getLogger(__name__)

WRITE = """
if redis.call('HEXISTS', KEYS[1], 'role') == 0 then return 'gone' end
if (redis.call('HGET', KEYS[2], 'revision') or '0') ~= ARGV[1] then return 'changed' end
redis.call('HINCRBY', KEYS[2], 'revision', 1)
local at = 2
while at <= #ARGV do
  local last = at + tonumber(ARGV[at])
  redis.call(unpack(ARGV, at + 1, last))
  at = last + 1
end
return 'written'
"""

ATTEMPTS = 100
"""How often a change is decided again because another one was faster."""
TOO_BUSY = say("too much happens to this account at once")

StoreCommand = tuple[str | int | bytes, ...]
"""A command of the store and its arguments, as it is sent: `("HSET", key, field, value)`."""

Result = TypeVar("Result")

Decision = tuple[Sequence[StoreCommand], Result]
"""The commands that change a mailbox, and the result for the caller."""


class Webhook(Struct, frozen=True):
    """A URL of the account's owner, the events that are delivered there, and the secret that signs them."""

    id: str
    url: str
    events: tuple[str, ...]
    secret: str
    """Stored in plain text: it signs every delivery."""
    created_at: int
    disabled: str = ""
    """The reason for which it is disabled; empty if it is enabled."""
    failing_since: int = 0
    former_secret: str = ""
    former_until: int = 0
    """The time until which the former secret signs, too."""
    rotated_by: str = ""
    """The name of the request that made the secret; of a webhook with its first secret, the webhook's own id."""
    former_requests: tuple[str, ...] = ()
    """The names of the last requests that made secrets which were replaced since."""

    def __repr__(self) -> str:
        return f"Webhook({self.id})"


class Mailbox(Struct, frozen=True):
    """`revision`, `notices` (the number of the last one), `told:<bucket>` (the position up to which the notifier has
    read the bucket's feed), `ahead:<bucket>:<game>` (the same of one game, while earlier entries of the bucket wait),
    `hook:<hook>` and `sent:<hook>` (the number of its last delivery), `deleted` (the ids of the webhooks that were
    deleted last), `posted` (the names of the notices that were last posted once), `comings` (for each table at which
    others come and go, the numbers of the notices about that)."""

    account: str
    fields: Mapping[str, str]

    @property
    def revision(self) -> str:
        return self.fields.get("revision", "0")

    @property
    def last_notice(self) -> int:
        """The number of the last notice."""
        return int(self.fields.get("notices", "0"))

    def last_delivery(self, hook: str) -> int:
        """The number of the webhook's last delivery."""
        return int(self.fields.get(f"sent:{hook}", "0"))

    def position(self, bucket: int) -> str:
        """The position up to which the bucket's feed was read for this account."""
        return self.fields.get(f"told:{bucket}", "0-0")

    def has_read(self, bucket: int, game: str, position: str) -> bool:
        """Whether this entry of the bucket's feed was read for this account."""
        ahead = self.fields.get(_ahead(bucket, game), "0-0")
        return order(position) <= max(order(self.position(bucket)), order(ahead))

    def hook(self, hook: str) -> Webhook | None:
        found = self.fields.get(f"hook:{hook}")
        return msgspec.json.decode(found, type=Webhook) if found else None

    @property
    def hooks(self) -> list[Webhook]:
        """Oldest first."""
        found = [text for name, text in self.fields.items() if name.startswith("hook:")]
        return sorted(
            (msgspec.json.decode(text, type=Webhook) for text in found), key=lambda hook: (hook.created_at, hook.id)
        )

    @property
    def posted(self) -> list[str]:
        """What was posted only once, oldest first: the names of the last ones."""
        return msgspec.json.decode(self.fields.get("posted", "[]"), type=list[str])

    @property
    def comings(self) -> dict[str, list[int]]:
        """The notices of the last ones who have come and gone, by table; the table with the newest notice last."""
        return msgspec.json.decode(self.fields.get("comings", "{}"), type=dict[str, list[int]])

    @property
    def deleted_hooks(self) -> list[str]:
        """Oldest first."""
        return msgspec.json.decode(self.fields.get("deleted", "[]"), type=list[str])


class Mailboxes:
    """The mailboxes of all accounts. Safe between threads."""

    def __init__(self, store: Store) -> None:
        self.redis: Any = store.commands
        self._write = self.redis.register_script(WRITE)

    def read(self, account: str) -> Mailbox:
        with store_errors():
            return _mailbox(account, self.redis.hgetall(key(account, "book")))

    def read_all(self, accounts: Iterable[str]) -> list[Mailbox]:
        """The mailboxes of several accounts, in one round trip; people without an account have none."""
        ids = [account for account in accounts if ACCOUNT.fullmatch(account)]
        with store_errors(), self.redis.pipeline(transaction=False) as pipe:
            for account in ids:
                pipe.hgetall(key(account, "book"))
            return [_mailbox(account, found) for account, found in zip(ids, pipe.execute(), strict=True)]

    def write(self, mailbox: Mailbox, commands: Sequence[StoreCommand]) -> bool:
        """Whether it was written; not if the mailbox has changed since. Raises `NoSuchAccount`."""
        arguments = [part for command in commands for part in (len(command), *command)]
        keys = [key(mailbox.account, name) for name in ("account", *BELONGINGS)]
        with store_errors():
            reply = self._write(keys=keys, args=[mailbox.revision, *arguments])
        if reply == b"gone":
            raise NoSuchAccount(say("there is no such account"))
        return bool(reply == b"written")

    def write_all(self, changes: Sequence[tuple[Mailbox, Sequence[StoreCommand]]]) -> dict[str, bytes]:
        """The reply of the script for each account, `failed` if something else is stored there; in one round trip."""
        with store_errors(), self.redis.pipeline(transaction=False) as pipe:
            for mailbox, commands in changes:
                keys = [key(mailbox.account, name) for name in ("account", *BELONGINGS)]
                arguments = [part for command in commands for part in (len(command), *command)]
                pipe.execute_command("EVAL", WRITE, len(keys), *keys, mailbox.revision, *arguments)
            replies = pipe.execute(raise_on_error=False)
        return {mailbox.account: _reply(mailbox, reply) for (mailbox, _), reply in zip(changes, replies, strict=True)}

    def change_all(
        self, accounts: Iterable[str], decide: Callable[[Sequence[Mailbox]], Sequence[Decision[Result]]]
    ) -> dict[str, Result]:
        """Decide and write the changes of several mailboxes; those again in which another change was faster.

        Gives the results of the decisions, without those for accounts that are gone.
        """
        results: dict[str, Result] = {}
        for _ in range(ATTEMPTS):
            mailboxes = self.read_all(accounts)
            decisions = list(zip(mailboxes, decide(mailboxes), strict=True))
            replies = self.write_all([(mailbox, commands) for mailbox, (commands, _) in decisions if commands])
            for mailbox, (_, result) in decisions:
                if replies.get(mailbox.account, b"written") == b"written":
                    results[mailbox.account] = result
            accounts = [account for account, reply in replies.items() if reply == b"changed"]
            if not accounts:
                return results
        raise Busy(TOO_BUSY)

    def change(
        self, account: str, decide: Callable[[Mailbox], Decision[Result]], mailbox: Mailbox | None = None
    ) -> Result:
        """Decide, write, and decide again if another change was faster; gives the result of the decision."""
        for _ in range(ATTEMPTS):
            mailbox = mailbox or self.read(account)
            commands, result = decide(mailbox)
            if not commands or self.write(mailbox, commands):
                return result
            mailbox = None
        raise Busy(TOO_BUSY)


def _mailbox(account: str, found: Mapping[bytes, bytes]) -> Mailbox:
    return Mailbox(account, {name.decode(): value.decode() for name, value in found.items()})


def _reply(mailbox: Mailbox, reply: Any) -> bytes:
    if not isinstance(reply, Exception):
        return bytes(reply)
    if problem := store_error(reply):
        raise problem from reply
    logger.error("a mailbox cannot be written", extra={"fields": {"account": mailbox.account}}, exc_info=reply)
    return b"failed"


# Commands


def save_hook(account: str, hook: Webhook) -> StoreCommand:
    return "HSET", key(account, "book"), f"hook:{hook.id}", msgspec.json.encode(hook)


def forget_hook(account: str, hook: str) -> StoreCommand:
    return "HDEL", key(account, "book"), f"hook:{hook}", f"sent:{hook}"


def save_deleted_hooks(account: str, hooks: Sequence[str]) -> StoreCommand:
    return "HSET", key(account, "book"), "deleted", msgspec.json.encode(hooks)


def save_posted(account: str, names: Sequence[str]) -> StoreCommand:
    return "HSET", key(account, "book"), "posted", msgspec.json.encode(names)


def save_comings(account: str, comings: Mapping[str, Sequence[int]]) -> StoreCommand:
    return "HSET", key(account, "book"), "comings", msgspec.json.encode(comings)


def save_last_notice(account: str, number: int) -> StoreCommand:
    return "HSET", key(account, "book"), "notices", number


def save_last_delivery(account: str, hook: str, number: int) -> StoreCommand:
    return "HSET", key(account, "book"), f"sent:{hook}", number


def save_position(account: str, bucket: int, position: str) -> StoreCommand:
    return "HSET", key(account, "book"), f"told:{bucket}", position


def save_position_ahead(account: str, bucket: int, game: str, position: str) -> StoreCommand:
    return "HSET", key(account, "book"), _ahead(bucket, game), position


def forget_positions_ahead(mailbox: Mailbox, positions: Mapping[int, str]) -> list[StoreCommand]:
    """Positions of single games that these positions of whole buckets have caught up with."""
    overtaken = [
        name
        for bucket, position in positions.items()
        for name, ahead in mailbox.fields.items()
        if name.startswith(_ahead(bucket, "")) and order(ahead) <= order(position)
    ]
    return [("HDEL", key(mailbox.account, "book"), *overtaken)] if overtaken else []


def _ahead(bucket: int, game: str) -> str:
    return f"ahead:{bucket}:{game}"
