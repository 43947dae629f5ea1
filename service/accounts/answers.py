"""Answers that are kept for a day, so that a request that comes again under its key is answered byte by byte alike.

One hash for each account, `hidalgo:{a_…}:answers`: what follows from the token or session of the request, its key, its
method and its path, to the answer. Nobody can find an answer without that token or session, nor guess by it what the
request was: fingerprints are made with it, and it is not kept.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct

from events.errors import Busy, Declined
from events.store import Store, store_errors
from rules.texts import say
from service.accounts.credentials import credential_of
from service.accounts.records import key

DAY = 24 * 60 * 60 * 1000
MOST = 100
"""Answers of an account; the oldest go first."""
LONGEST = 60_000
"""Milliseconds after which a request without an answer counts as given up: its process has died."""

# A value is the time in 13 digits, and then the answer; nothing while the request is under way.
CLAIM = """
local found = redis.call('HGET', KEYS[1], ARGV[1])
if found and (#found > 13 or tonumber(found) > tonumber(ARGV[2]) - tonumber(ARGV[3])) then return found end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return ''
"""

KEEP = """
local found = redis.call('HGET', KEYS[1], ARGV[1])
if found and #found > 13 then return found end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
while redis.call('HLEN', KEYS[1]) > tonumber(ARGV[4]) do
  local all, oldest, name = redis.call('HGETALL', KEYS[1]), '9', ''
  for i = 1, #all, 2 do
    local at = string.sub(all[i + 1], 1, 13)
    if at < oldest then oldest, name = at, all[i] end
  end
  redis.call('HDEL', KEYS[1], name)
end
return ARGV[2]
"""


class KeyReused(Declined):
    """One Idempotency-Key for two requests."""

    code = "key_reused"


class Request(Struct, frozen=True):
    """A request with a key, as its answer is kept under."""

    account: str
    name: str
    fingerprint: str


class Answer(Struct, frozen=True):
    fingerprint: str
    status: int
    headers: list[tuple[str, str]]
    body: str


def keyed_request(secret: str, given_key: str, asked: bytes, sent: bytes) -> Request | None:
    """`secret` is the token or session; `asked` the method and path, `sent` all the rest. None without an account."""
    credential = credential_of(secret)
    if not credential:
        return None
    name = sha256(b"\0".join((secret.encode(), given_key.encode(), asked))).hexdigest()[:32]
    return Request(credential.account, name, hmac.digest(secret.encode(), sent, "sha256").hex())


class Answers:
    def __init__(self, store: Store, clock: Callable[[], float] = time.time) -> None:
        self._redis: Any = store.commands
        self._clock = clock

    def claim(self, request: Request) -> Answer | None:
        """The answer that is kept; none if there is none yet: then others wait until it is kept or released."""
        with store_errors():
            found = self._redis.eval(CLAIM, 1, _key(request), request.name, self._now(), LONGEST, DAY)
        if not found:
            return None
        if len(found) == 13:
            raise Busy(say("a request with this Idempotency-Key is under way"))
        return _checked(found, request)

    def find(self, request: Request) -> Answer | None:
        """The answer that is kept, if there is one."""
        with store_errors():
            found = self._redis.hget(_key(request), request.name)
        return _checked(found, request) if found and len(found) > 13 else None

    def keep(self, request: Request, answer: Answer) -> Answer:
        """Keeps an answer, unless there is one: that is the answer then."""
        value = self._now().encode() + msgspec.json.encode(answer)
        with store_errors():
            found = self._redis.eval(KEEP, 1, _key(request), request.name, value, DAY, MOST)
        return _checked(found, request)

    def release(self, request: Request) -> None:
        """After a refusal: the next request of this name is a new one."""
        with store_errors():
            self._redis.hdel(_key(request), request.name)

    def _now(self) -> str:
        return f"{int(self._clock() * 1000):013d}"


def _key(request: Request) -> str:
    return key(request.account, "answers")


def _checked(found: bytes, request: Request) -> Answer:
    answer = msgspec.json.decode(found[13:], type=Answer)
    if answer.fingerprint != request.fingerprint:
        raise KeyReused(say("this Idempotency-Key was used for another request before"))
    return answer
