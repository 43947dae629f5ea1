"""Mailboxes in a backup: inboxes and webhooks.

Not in it are letters and deliveries that wait, which a restored copy of the service would send a second time, and how
far the feed was read, which is another feed after a restore. Notices that are put back need no letter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from events.audit.backup import Refusal
from events.store import Store, store_errors
from service.accounts.credentials import ACCOUNT
from service.accounts.records import Records, key
from service.notifications.mailboxes import Webhook
from service.notifications.notices import Notice
from service.notifications.webhooks import MOST_HOOKS

NOTICE, HOOK, SENT = "notice:", "hook:", "sent:"
KEPT = ("notices", "deleted")
OF_HOOKS = (HOOK, SENT)

# Webhooks that were not deleted since, as long as there is room for them; and all notices, if there is none at all.
PUT_BACK = """
local account, book, inbox = unpack(KEYS)
local most, notices, deleted, last = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
if redis.call('HEXISTS', account, 'role') == 0 then return -1 end
local gone, hooks, new = {}, 0, 0
for _, hook in ipairs(cjson.decode(redis.call('HGET', book, 'deleted') or '[]')) do gone[hook] = true end
for _, name in ipairs(redis.call('HKEYS', book)) do
  if string.sub(name, 1, 5) == 'hook:' then hooks = hooks + 1 end
end
if redis.call('EXISTS', inbox) == 0 and not redis.call('HGET', book, 'notices') then
  for i = 5, 4 + 2 * notices, 2 do redis.call('XADD', inbox, ARGV[i] .. '-0', 'n', ARGV[i + 1]) end
  if last ~= '' then redis.call('HSET', book, 'notices', last, 'mailed', last) end
  new = new + notices
end
for i = 5 + 2 * notices, #ARGV, 3 do
  local hook, text, sent = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if not gone[hook] and hooks < most and redis.call('HSETNX', book, 'hook:' .. hook, text) == 1 then
    if sent ~= '' then redis.call('HSET', book, 'sent:' .. hook, sent) end
    hooks, new = hooks + 1, new + 1
  end
end
if deleted ~= '' then redis.call('HSETNX', book, 'deleted', deleted) end
if new > 0 then redis.call('HINCRBY', book, 'revision', 1) end
return new
"""


class MailboxSection:
    """See `events.audit.backup.Section`. Webhooks come with their secrets, which sign deliveries."""

    name = "mailboxes"

    def __init__(self, store: Store) -> None:
        self._records = Records(store)
        self._redis: Any = store.commands

    def rows(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        for account in sorted(set(self._records.all())):
            if fields := self._book(account) | self._notices(account):
                yield account, fields

    def _book(self, account: str) -> dict[str, str]:
        with store_errors():
            found = self._redis.hgetall(key(account, "book"))
        fields = {name.decode(): text.decode() for name, text in found.items()}
        return {name: text for name, text in fields.items() if name in KEPT or name.startswith(OF_HOOKS)}

    def _notices(self, account: str) -> dict[str, str]:
        with store_errors():
            found = self._redis.xrange(key(account, "inbox"))
        return {f"{NOTICE}{id.partition(b'-')[0].decode()}": fields[b"n"].decode() for id, fields in found}

    def put_back(self, row: str, fields: Mapping[str, str]) -> bool:
        if not ACCOUNT.fullmatch(row):
            raise Refusal("it is not the mailbox of an account")
        arguments = put_back_arguments(fields)
        keys = [key(row, name) for name in ("account", "book", "inbox")]
        with store_errors():
            new = int(self._redis.eval(PUT_BACK, len(keys), *keys, *arguments))
        if new < 0 and not self._records.read(row):
            raise Refusal("its account is not there")
        return new > 0


def put_back_arguments(fields: Mapping[str, str]) -> list[str | int]:
    """For the script; a `Refusal` if something is not what it should be."""
    try:
        notices = [msgspec.json.decode(text, type=Notice) for name, text in fields.items() if name.startswith(NOTICE)]
        hooks = [msgspec.json.decode(text, type=Webhook) for name, text in fields.items() if name.startswith(HOOK)]
        deleted = fields.get("deleted", "")
        msgspec.json.decode(deleted or "[]", type=list[str])
        last = str(int(fields.get("notices", "0") or 0) or "")
    except (msgspec.MsgspecError, ValueError):
        raise Refusal("it cannot be read") from None
    notices = sorted(notices, key=lambda notice: notice.id)
    arguments: list[str | int] = [MOST_HOOKS, len(notices), deleted, last]
    for notice in notices:
        arguments += [notice.id, fields[f"{NOTICE}{notice.id}"]]
    for hook in hooks:
        arguments += [hook.id, fields[f"{HOOK}{hook.id}"], fields.get(f"{SENT}{hook.id}", "")]
    return arguments
