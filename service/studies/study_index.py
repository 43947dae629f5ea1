"""The index of studies: their lists, what is shown of each there, and the words by which they are found.

It lies beside the log and is written after every edit; an edit whose process died before is found in the feed
(`service.studies.index_worker`), which also makes the index anew if it is lost. A study is listed by the time at which
it was made: an order by the last edit would tell of edits that a reader may not know of.

| key | content |
|---|---|
| `hidalgo:{studies}:public` | sorted set: public studies |
| `hidalgo:{studies}:public:<account>`, `…:game:<game>` | those of an owner, or of a game |
| `hidalgo:{studies}:owner:<account>`, `…:member:<account>` | all of an owner, and those that an account has joined |
| `hidalgo:{studies}:about:<study>` | hash: `head` (version and moment), `study`, and each chapter by its id |
| `hidalgo:{studies}:words:<study>` | hash: the words of each chapter, by its id |
| `hidalgo:{studies}:word:<word>` | sorted set: `<entry>/<chapter>` of every chapter that has the word |
| `hidalgo:{studies}:removing` | set: studies whose removal has begun |
| `hidalgo:{studies}:leaving` | sorted set: accounts that are being deleted, by the moment |
| `hidalgo:{studies}:complete`, `…:rebuilding` | whether it is complete, and how far it has come |

All members of a sorted set have the same score, so they are in the order of their texts, which begin with the time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from events.log.script import Script
from events.repository import now_ms
from events.store import Store, store_errors
from events.store.direct import direct
from events.workers.rebuilding import Completeness
from replay.study.study import Study
from service.studies.indexed_study import (
    AboutChapter,
    AboutStudy,
    Indexed,
    digests,
    index_key,
    indexed,
    word_key,
    words_of,
)

ATTEMPTS = 5
KEYS_AT_ONCE = 4000
"""So many keys a script takes; more words than that are written before it."""
LEAVING_AT_ONCE = 100

# Only on top of the version that the changes were made for, and nothing of a study that is being removed.
WRITE = """
local about, words, removing = KEYS[1], KEYS[2], KEYS[3]
local head = redis.call('HGET', about, 'head')
if (head or '') ~= ARGV[1] then return 0 end
if redis.call('SISMEMBER', removing, ARGV[2]) == 1 then return 1 end
local next, key = 3, 4
local function take() next = next + 1; return ARGV[next - 1] end
for _ = 1, tonumber(take()) do redis.call('ZADD', KEYS[key], 0, take()); key = key + 1 end
for _ = 1, tonumber(take()) do redis.call('ZREM', KEYS[key], take()); key = key + 1 end
for _, hash in ipairs({about, words}) do
  for _ = 1, tonumber(take()) do redis.call('HSET', hash, take(), take()) end
  for _ = 1, tonumber(take()) do redis.call('HDEL', hash, take()) end
end
return 1
"""


class _Changes(Struct):
    """What a script writes."""

    add: list[tuple[str, str]]
    """Keys of sorted sets, and the member of each."""
    drop: list[tuple[str, str]]
    about: dict[str, bytes]
    gone: list[str]
    words: dict[str, str] = {}
    wordless: list[str] = []


class StudyIndex:
    def __init__(self, store: Store) -> None:
        self._redis: Any = store.commands
        self._write = Script(direct(store.commands), WRITE)
        self.complete = Completeness(store, "studies")

    # Writing

    def put(self, study: Study, guarded: Collection[str]) -> None:
        """Index a study as it is now, unless a newer one is there. `guarded`: those of its games that not everybody
        may know of."""
        wanted, texts = indexed(study, guarded), words_of(study)
        for _ in range(ATTEMPTS):
            with store_errors():
                fields = self._redis.hgetall(index_key("about", study.id))
            found = _read(study.id, fields)
            if found and found.version >= study.version:
                return
            if self._written(wanted, fields.get(b"head", b""), self._changes(wanted, found, texts)):
                return

    def _changes(self, wanted: Indexed, found: Indexed | None, texts: Mapping[str, list[str]]) -> _Changes:
        before, after = (found.lists() if found else set()), wanted.lists()
        fields, known = wanted.fields(), found.fields() if found else {}
        changes = _Changes(
            add=[(key, wanted.entry) for key in sorted(after - before)],
            drop=[(key, wanted.entry) for key in sorted(before - after)],
            about={name: text for name, text in fields.items() if known.get(name) != text},
            gone=[name for name in known if name not in fields],
        )
        self._add_words(changes, wanted, found, texts)
        return changes

    def _add_words(
        self, changes: _Changes, wanted: Indexed, found: Indexed | None, texts: Mapping[str, list[str]]
    ) -> None:
        """The words of chapters that have others than before."""
        old, new = digests(found), digests(wanted)
        changed = [id for id in {**old, **new} if old.get(id) != new.get(id)]
        for id, before in self._words(wanted.id, [id for id in changed if id in old]).items():
            changes.drop += _members(wanted.entry, id, before - {*texts.get(id, ())})
        for id in changed:
            if id in new:
                changes.add += _members(wanted.entry, id, texts[id])
                changes.words[id] = " ".join(texts[id])
            else:
                changes.wordless.append(id)

    def _words(self, study: str, chapters: Sequence[str]) -> dict[str, set[str]]:
        if not chapters:
            return {}
        with store_errors():
            found = self._redis.hmget(index_key("words", study), chapters)
        return {id: {*(text or b"").decode().split()} for id, text in zip(chapters, found, strict=True)}

    def _written(self, wanted: Indexed, head: bytes, changes: _Changes) -> bool:
        """Whether no other was faster than these changes of what had this head."""
        self._write_many(changes)
        keys = [index_key("about", wanted.id), index_key("words", wanted.id), index_key("removing")]
        keys += [key for key, _ in (*changes.add, *changes.drop)]
        arguments: list[str | int | bytes] = [head, wanted.id]
        for members in (changes.add, changes.drop):
            arguments += [len(members), *(member for _, member in members)]
        for sets, gone in ((changes.about, changes.gone), (changes.words, changes.wordless)):
            arguments += [len(sets), *(part for pair in sets.items() for part in pair), len(gone), *gone]
        with store_errors():
            return bool(self._write(keys, *arguments))

    def _write_many(self, changes: _Changes) -> None:
        """What is more than a script takes, such as a large file. A word too much does no harm until the next time."""
        with store_errors(), self._redis.pipeline(transaction=False) as pipe:
            for key, member in changes.add[KEYS_AT_ONCE:]:
                pipe.zadd(key, {member: 0})
            for key, member in changes.drop[KEYS_AT_ONCE:]:
                pipe.zrem(key, member)
            pipe.execute()
        del changes.add[KEYS_AT_ONCE:], changes.drop[KEYS_AT_ONCE:]

    def begin_removing(self, study: str) -> None:
        """From now on it is not indexed any more; it is still there."""
        with store_errors():
            self._redis.sadd(index_key("removing"), study)

    def removing(self) -> list[str]:
        with store_errors():
            return sorted(study.decode() for study in self._redis.smembers(index_key("removing")))

    def remove(self, study: str) -> None:
        """Nothing is left of it here. Can be repeated."""
        if found := self.about([study]).get(study):
            texts = self._words(study, list(digests(found)))
            members = [member for id, text in texts.items() for member in _members(found.entry, id, text)]
            with store_errors(), self._redis.pipeline(transaction=False) as pipe:
                for key, member in (*((key, found.entry) for key in found.lists()), *members):
                    pipe.zrem(key, member)
                pipe.execute()
        with store_errors():
            self._redis.delete(index_key("about", study), index_key("words", study))
            self._redis.srem(index_key("removing"), study)

    def note_leaving(self, account: str) -> None:
        """An account is about to be deleted: a worker looks after its studies."""
        with store_errors():
            self._redis.zadd(index_key("leaving"), {account: now_ms()})

    def leaving(self) -> dict[str, int]:
        with store_errors():
            found = self._redis.zrange(index_key("leaving"), 0, LEAVING_AT_ONCE - 1, withscores=True)
        return {account.decode(): int(at) for account, at in found}

    def has_left(self, account: str) -> None:
        with store_errors():
            self._redis.zrem(index_key("leaving"), account)

    # Reading

    def studies_of(self, key: str) -> list[str]:
        """All studies of one list."""
        with store_errors():
            return [entry.decode().partition("/")[2] for entry in self._redis.zrange(key, 0, -1)]

    def about(self, studies: Iterable[str]) -> dict[str, Indexed]:
        """What the index has of each of these studies, in one round trip."""
        studies = list(studies)
        with store_errors(), self._redis.pipeline(transaction=False) as asking:
            for study in studies:
                asking.hgetall(index_key("about", study))
            found = asking.execute()
        read = ((study, _read(study, fields)) for study, fields in zip(studies, found, strict=True))
        return {study: about for study, about in read if about}

    def versions(self, studies: Iterable[str]) -> dict[str, int]:
        """How far the index has come with each of these studies; 0: it is not there."""
        studies = list(studies)
        with store_errors(), self._redis.pipeline(transaction=False) as asking:
            for study in studies:
                asking.hget(index_key("about", study), "head")
            heads = asking.execute()
        return {study: int((head or b"0").split()[0]) for study, head in zip(studies, heads, strict=True)}

    def page(self, key: str, after: str, limit: int) -> list[str]:
        """Entries of one list, `after` the last one of the page before."""
        with store_errors():
            found = self._redis.zrange(
                key, f"({after}" if after else "+", "-", desc=True, bylex=True, offset=0, num=limit
            )
        return [entry.decode() for entry in found]

    def common(self, one: str, other: str) -> int:
        """How many studies are in both lists, which may lie on different nodes."""
        with store_errors():
            return len({*self._redis.zrange(one, 0, -1)} & {*self._redis.zrange(other, 0, -1)})

    def count(self, key: str) -> int:
        with store_errors():
            return int(self._redis.zcard(key))


def _members(entry: str, chapter: str, texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    return ((word_key(word), f"{entry}/{chapter}") for word in sorted(texts))


def _read(study: str, fields: Mapping[bytes, bytes]) -> Indexed | None:
    """None if it is of another shape: then it is written anew."""
    try:
        version, at = fields[b"head"].split()
        about = msgspec.json.decode(fields[b"study"], type=AboutStudy)
        chapters = (msgspec.json.decode(fields[id.encode()], type=AboutChapter) for id in about.order)
        return Indexed(study, int(version), int(at), about, tuple(chapters))
    except (KeyError, ValueError, msgspec.MsgspecError):
        return None
