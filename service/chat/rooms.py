"""What people write to each other at a table, in two rooms: the players in one, spectators in the other.

While a game goes on no player reads the room of the spectators, who may see more than a player does; nor do they read
the players' room, which may be ahead of what they are shown. After the end all of it is open.

| key | what |
|---|---|
| `hidalgo:{<bucket>}:chat:<game>:<room>` | hash: `last`, the last number; each number, a message as JSON |
| `hidalgo:{<account>}:chats` | set: the rooms in which the account has written, so that its messages go with it |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.audit.backup import Refusal
from events.errors import Declined, NotPermitted
from events.log import Hints
from events.log.redis_hints import RedisHints
from events.store import Store, store_errors
from rules.texts import say
from service.accounts.credentials import ACCOUNT
from service.accounts.records import Records, key

PLAYERS, SPECTATORS = "players", "spectators"
ROOMS = (PLAYERS, SPECTATORS)

MOST_MESSAGES = 500
"""A room keeps so many; older ones go."""
LONGEST_MESSAGE = 300
CHANNEL = "hidalgo:chat"
"""The channel on which every new message is hinted, as `<game>/<room> <number>`."""

# Counts the message, writes it, and drops the one that is too old.
APPEND = """
local number = redis.call('HINCRBY', KEYS[1], 'last', 1)
redis.call('HSET', KEYS[1], number, ARGV[1])
redis.call('HDEL', KEYS[1], number - tonumber(ARGV[2]))
redis.call('PUBLISH', ARGV[3], ARGV[4] .. ' ' .. number)
return number
"""

# Only if nobody has changed it in between.
REPLACE = """
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
"""

PUT_BACK = """
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
"""


class NoSuchMessage(Declined):
    code = "not_found"


class Message(Struct, frozen=True, omit_defaults=True):
    """Something that was written, or the removal of it."""

    by: str
    at: int
    """Milliseconds since 1970."""
    text: str = ""
    removed: bool = False
    """Whether its text was taken away."""
    removes: int = 0
    """The message that this one tells the removal of; 0: it tells of none."""
    id: int = 0
    """Counts the messages of a room. It is not stored with them."""


class Chat:
    """The rooms of all tables; a source for a hub (`events.workers.hub.Source`) whose topics are `<game>/<room>`."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        self._store = store
        self._redis: Any = store.commands
        self._blocking = store.blocking
        self._now = now

    # Reading

    def hints(self) -> Hints:
        return RedisHints(self._blocking, CHANNEL)

    def read(self, topic: str, after: int, limit: int | None = None) -> list[Message]:
        """The messages of a room after a number, oldest first."""
        room = self._key(topic)
        with store_errors():
            last = int(self._redis.hget(room, "last") or 0)
            first = max(after, last - MOST_MESSAGES) + 1
            numbers = range(first, min(last, first + limit - 1 if limit else last) + 1)
            found = self._redis.hmget(room, list(numbers)) if numbers else []
        return [numbered(text, number) for number, text in zip(numbers, found, strict=True) if text]

    def number(self, item: Message) -> int:
        return item.id

    def newest(self, topic: str) -> int:
        """The number of the last message."""
        with store_errors():
            return int(self._redis.hget(self._key(topic), "last") or 0)

    def message(self, topic: str, number: int) -> Message:
        """One that can be read, and tells of no other."""
        with store_errors():
            found = self._redis.hget(self._key(topic), number)
        if not found or (message := numbered(found, number)).removes:
            raise NoSuchMessage(say("there is no such message"))
        return message

    # Writing

    def write(self, topic: str, account: str, text: str) -> Message:
        # The note first: a message that nobody could find again would outlive its account.
        with store_errors():
            self._redis.sadd(key(account, "chats"), topic)
        return self._append(topic, Message(account, self._now(), text))

    def remove(self, topic: str, number: int, by: str) -> None:
        """Takes the text away. Open pages are told by another message."""
        while not (message := self.message(topic, number)).removed:
            if self._replaced(topic, number, message, replace(message, text="", removed=True)):
                self._append(topic, Message(by, self._now(), removes=number))

    def _append(self, topic: str, message: Message) -> Message:
        with store_errors():
            number = self._redis.eval(APPEND, 1, self._key(topic), stored(message), MOST_MESSAGES, CHANNEL, topic)
        return replace(message, id=int(number))

    def _replaced(self, topic: str, number: int, before: Message, after: Message) -> bool:
        with store_errors():
            return bool(self._redis.eval(REPLACE, 1, self._key(topic), number, stored(before), stored(after)))

    def forget(self, account: str) -> None:
        """Takes away all that an account has written, before the account goes."""
        with store_errors():
            topics = [topic.decode() for topic in self._redis.smembers(key(account, "chats"))]
        for topic in topics:
            for message in self.read(topic, 0):
                if message.by == account and message.text:
                    self.remove(topic, message.id, account)
        with store_errors():
            self._redis.delete(key(account, "chats"))

    def _key(self, topic: str) -> str:
        return room_key(self._store, topic)


def topic_of(game: str, room: str) -> str:
    return f"{game}/{room}"


def room_key(store: Store, topic: str) -> str:
    game, _, room = topic.rpartition("/")
    return store.buckets.key_of(game, f"chat:{game}:{room}")


def stored(message: Message) -> bytes:
    return msgspec.json.encode(replace(message, id=0))


def numbered(text: bytes | str, number: int) -> Message:
    return replace(msgspec.json.decode(text, type=Message), id=number)


class ChatSection:
    """Chats in a backup (`events.audit.backup.Section`). What an account wrote that was deleted since stays away."""

    name = "chats"

    def __init__(self, store: Store) -> None:
        self._store = store
        self._redis: Any = store.commands
        self._records = Records(store)

    def rows(self) -> Iterator[tuple[str, Mapping[str, str]]]:
        primary: Any
        for primary in self._store.primaries().values():
            with store_errors():
                for found in set(primary.scan_iter("hidalgo:{*}:chat:*", count=1000)):
                    game, _, room = found.decode().split(":", 3)[3].rpartition(":")
                    fields = primary.hgetall(found)
                    yield topic_of(game, room), {name.decode(): text.decode() for name, text in fields.items()}

    def put_back(self, row: str, fields: Mapping[str, str]) -> bool:
        last, messages = restored(row, fields)
        gone = {account for account in {each.by for each in messages} if not self._is_there(account)}
        kept = [replace(each, text="", removed=True) if each.by in gone else each for each in messages]
        pairs: list[Any] = ["last", last]
        for message in kept:
            pairs += [message.id, stored(message)]
        with store_errors():
            if not self._redis.eval(PUT_BACK, 1, room_key(self._store, row), *pairs):
                return False
            for account in {each.by for each in kept if each.text}:
                self._redis.sadd(key(account, "chats"), row)
        return True

    def _is_there(self, account: str) -> bool:
        return bool(ACCOUNT.fullmatch(account) and self._records.fields(account, "role")[0])


def restored(row: str, fields: Mapping[str, str]) -> tuple[int, Sequence[Message]]:
    """The number of the last message, and the messages of a row of a backup."""
    try:
        if row.rpartition("/")[2] not in ROOMS:
            raise ValueError(row)
        numbers = sorted(int(name) for name in fields if name != "last")
        return int(fields["last"]), [numbered(fields[str(number)], number) for number in numbers]
    except (KeyError, ValueError, msgspec.MsgspecError):
        raise Refusal("it is no room of a chat") from None


class Silenced(NotPermitted):
    """An administrator has taken the right to write from the account."""


class ChatOff(NotPermitted):
    """Nobody writes at this table, or nobody of this kind."""
