"""The record of an account, in one hash: `hidalgo:{a_…}:account`.

| field | meaning |
|---|---|
| `handle`, `role`, `created_at` | the account |
| `password` | its argon2id hash; guests have none |
| `salt` | goes into the tokens that are made by a request with a name |
| `token:<SHA-256>` | a token's id, name and scopes; of an app's, also the app and its end |
| `revoked:<SHA-256>` | when a token was revoked; see `service.accounts.revocations` |
| `session:<SHA-256>` | when the session ends |
| `keyed:<SHA-256>` | the session was made by a request with a key, which could make it again |
| `bot` | `1` if the account has declared that a program plays for it |
| `app:<id>` | an app that it has registered; see `service.accounts.apps` |
| `grant:<app>`, `code:<SHA-256>`, `family:<id>` | what it allows apps; see `service.accounts.authorizations` |
| `muted:<account>` | an account whose messages it does not want to read; see `service.accounts.mutes` |
| `silenced` | until when it writes in no chat; see `service.accounts.silences` |
| `notices` | its choices about notices in the browser; see `service.accounts.notice_choices` |
| `seen` | the last day on which it asked for something |
| `once` | until when a password of the operator's can be used to sign in; `0` when it was |
| `deleted` | the only field of a deleted account |

One hash means that one command sees all of it at one moment, and that everything dies together. Other rooms keep the
belongings of an account beside it under the same hash tag; they are listed here, so that they die with the account.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from events.errors import Revoked
from events.store import Store, store_errors
from rules.texts import say
from service.accounts.credentials import ACCOUNT, Credential
from service.accounts.errors import NoSuchAccount
from service.accounts.identities import Account, account_from

DAY = 24 * 60 * 60 * 1000

# Only while the field is there, and has this value if one is given: nothing comes back after it was removed.
CHANGE = """
local found = redis.call('HGET', KEYS[1], ARGV[1])
if not found or (ARGV[2] ~= '' and found ~= ARGV[2]) then return 0 end
local last = 3 + 2 * tonumber(ARGV[3])
for i = 4, last, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
for i = last + 1, #ARGV do redis.call('HDEL', KEYS[1], ARGV[i]) end
return 1
"""

# A token that was revoked is not written again; one that is there stays as it is.
ADD_TOKEN = """
local token, mark = 'token:' .. ARGV[1], 'revoked:' .. ARGV[1]
if redis.call('HEXISTS', KEYS[1], 'role') == 0 then return 'gone' end
if redis.call('HEXISTS', KEYS[1], mark) == 1 then return 'revoked' end
redis.call('HSETNX', KEYS[1], token, ARGV[2])
return redis.call('HGET', KEYS[1], token)
"""

REMOVE = """
redis.call('DEL', unpack(KEYS))
redis.call('HSET', KEYS[1], 'deleted', ARGV[1])
"""

BELONGINGS = ("book", "inbox", "deliveries", "order", "due", "answers", "chats")
"""The keys of the account's mailbox (see `service.notifications.mailboxes`), and the rooms in which it has written
(see `service.chat.rooms`)."""

PUT_BACK = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
"""

FORGET = """
if redis.call('HGET', KEYS[1], 'role') ~= 'guest' or redis.call('HGET', KEYS[1], 'seen') ~= ARGV[1] then return 0 end
return redis.call('DEL', unpack(KEYS))
"""


class Records:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._redis: Any = store.commands

    def create(self, account: str, fields: Mapping[str, str]) -> None:
        with store_errors():
            self._redis.hset(_key(account), mapping=dict(fields))

    def read(self, account: str) -> dict[str, str]:
        with store_errors():
            record = self._redis.hgetall(_key(account))
        return {name.decode(): value.decode() for name, value in record.items()}

    def fields(self, account: str, *names: str) -> list[str]:
        """Some of them, in one look; empty if it is not there."""
        with store_errors():
            return [(value or b"").decode() for value in self._redis.hmget(_key(account), names)]

    def account(self, account: str) -> Account | None:
        if not ACCOUNT.fullmatch(account):
            return None
        return account_from(account, self.fields(account, "handle", "role", "created_at", "bot"))

    def living(self, account: str) -> Account:
        if found := self.account(account):
            return found
        raise NoSuchAccount(say("there is no such account"))

    def see(self, account: str, seen: str, now: int) -> None:
        """The account asks for something, and was `seen` before. Once a day is often enough."""
        if not seen or int(seen) < now - DAY:
            self.change(account, {"seen": str(now)})

    def profiles(self, accounts: Iterable[str]) -> list[tuple[str, str]]:
        """The handle of each account and its declaration to be a bot, in one round trip; empty if not there."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for account in accounts:
                pipe.hmget(_key(account), "handle", "bot")
            return [((handle or b"").decode(), (bot or b"").decode()) for handle, bot in pipe.execute()]

    def credentials(self, wanted: Iterable[Credential]) -> list[tuple[str, str]]:
        """The role of the account and the field of each token or session, in one round trip; empty if not there."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for credential in wanted:
                pipe.hmget(_key(credential.account), "role", credential.field)
            return [((role or b"").decode(), (text or b"").decode()) for role, text in pipe.execute()]

    def change(
        self,
        account: str,
        fields: Mapping[str, str],
        *,
        without: Collection[str] = (),
        while_there: str = "role",
        being: str = "",
    ) -> bool:
        changes = [text for pair in fields.items() for text in pair]
        with store_errors():
            is_changed = self._redis.eval(CHANGE, 1, _key(account), while_there, being, len(fields), *changes, *without)
        return bool(is_changed)

    def add_token(self, account: str, digest: str, token: str) -> str:
        """The token that is kept under the digest: this one, unless there is one already."""
        with store_errors():
            kept = self._redis.eval(ADD_TOKEN, 1, _key(account), digest, token).decode()
        if kept == "gone":
            raise NoSuchAccount(say("there is no such account"))
        if kept == "revoked":
            raise Revoked(say("the token that this request made was revoked"))
        return str(kept)

    def all(self) -> Iterator[str]:
        """Every account, also deleted ones, in no order; some twice if others come or go meanwhile."""
        for primary in self._store.primaries().values():
            with store_errors():
                for key in primary.scan_iter(_key("a_*"), count=1000):
                    yield key.decode().partition("{")[2].partition("}")[0]

    def put_back(self, account: str, fields: Mapping[str, str]) -> bool:
        """Only if there is nothing yet."""
        with store_errors():
            texts = [text for pair in fields.items() for text in pair]
            return bool(self._redis.eval(PUT_BACK, 1, _key(account), *texts))

    def forget_guest(self, account: str, seen: str) -> bool:
        """Forgets a guest altogether, unless they were seen again."""
        with store_errors():
            keys = _keys(account)
            return bool(self._redis.eval(FORGET, len(keys), *keys, seen))

    def remove(self, account: str, now: int) -> None:
        """Forgets everything but that there was such an account."""
        with store_errors():
            keys = _keys(account)
            self._redis.eval(REMOVE, len(keys), *keys, now)


def key(account: str, what: str) -> str:
    return f"hidalgo:{{{account}}}:{what}"


def _key(account: str) -> str:
    return key(account, "account")


def _keys(account: str) -> list[str]:
    """Of the account and all that belongs to it."""
    return [_key(account), *(key(account, what) for what in BELONGINGS)]
