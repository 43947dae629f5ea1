"""Commits as bytes: registered names, one number for the shape of stored data, and how older shapes are read.

`SCHEMA` grows by one whenever the shape of any stored fact, step or command changes; the change adds an upcaster that
turns the shape before into the shape after, next to that kind of thing (`Reader`). Stored bytes are never
rewritten: their hashes stay what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Union

import msgspec
from msgspec import Raw, Struct

from events.errors import Damaged
from events.log.chain import commit_hash, digests
from rules.codec import encode
from rules.kernel import COMMAND, FACT, SPECTATOR, STEP, Fact, Shape, Upcaster

SCHEMA = 3

FINGERPRINT = " #"
"""Stands between a command's name and the fingerprint of its request. Names hold no such thing."""

NAMED_BY = {"fact": FACT, "step": STEP, "kind": COMMAND}
"""The field that holds the stored name, and of what."""


class Header(Struct, frozen=True):
    """Everything about a commit but its facts."""

    game: str
    version: int
    at: int
    """Milliseconds since 1970, by the clock of the store."""
    by: str
    """The author: a player, an account, the table or the clock."""
    command: str
    """Its name; after that, if it has one, the fingerprint of the request: `name #fingerprint`."""
    decision: str
    schema: int
    """The shape of its facts."""
    rules: int
    """The version of the game's rules that decided it."""
    previous: str

    @property
    def name(self) -> str:
        """By which the command is recognised when it comes again."""
        return self.command.partition(FINGERPRINT)[0]

    @property
    def fingerprint(self) -> str:
        """Of the request that was the command; empty if it has none."""
        return self.command.partition(FINGERPRINT)[2]


class Commit(Struct, frozen=True):
    """One accepted command: what follows from it, bound to everything before."""

    header: Header
    facts: tuple[Fact, ...]
    hash: str


class Stored(Struct, frozen=True, omit_defaults=True):
    """A commit as it is stored; facts are not read yet."""

    header: Header
    facts: list[Raw]
    hash: str
    masks: dict[str, Raw] = {}
    """The index of a fact that hides something to the form in which others see it."""


def write(header: Header, facts: Sequence[Fact], secret: bytes) -> tuple[bytes, Commit]:
    """The bytes of a new commit."""
    texts = [encode(fact) for fact in facts]
    masks = {index: encode(mask) for index, fact in enumerate(facts) if (mask := fact.seen_by(SPECTATOR)) != fact}
    hash_ = commit_hash(msgspec.to_builtins(header), digests(secret, header.version, texts, masks))
    stored = Stored(
        header, [Raw(text) for text in texts], hash_, {str(index): Raw(mask) for index, mask in masks.items()}
    )
    return encode(stored), Commit(header, tuple(facts), hash_)


def own_hash(hash_: str) -> bytes:
    """The part of a stored commit by which one with this hash is recognised, without reading it."""
    return f'"hash":"{hash_}"'.encode()


def follows(entry: bytes, hash_: str) -> bool:
    """Whether a stored commit was made on top of the one with this hash."""
    return f'"previous":"{hash_}"'.encode() in entry


def read_stored(entry: bytes) -> Stored:
    """A stored commit whose facts are left as they were written."""
    try:
        return msgspec.json.decode(entry, type=Stored)
    except msgspec.MsgspecError as problem:
        raise Damaged(f"a commit cannot be read: {problem}") from None


def read_raw(entry: bytes) -> dict[str, Any]:
    """A stored commit as plain data, as it was written."""
    raw: dict[str, Any] = msgspec.json.decode(entry)
    return raw


class Reader:
    """Reads commits whose facts are of these kinds, and were of these older shapes."""

    def __init__(
        self,
        facts: Iterable[type[Fact]],
        upcasters: Mapping[Shape, Upcaster],
        read_registered: Callable[[Any, Any], Any] | None = None,
    ) -> None:
        kinds: Any = Union[(*facts,)]
        self._facts: Any = tuple[kinds, ...]
        shape = msgspec.defstruct("Commit", [("header", Header), ("facts", self._facts), ("hash", str)])
        self._upcasters, self._hook = upcasters, read_registered
        self._decoder = msgspec.json.Decoder(shape, dec_hook=read_registered)
        self._facts_decoder = msgspec.json.Decoder(self._facts, dec_hook=read_registered)

    def read(self, entry: bytes) -> Commit:
        try:
            commit: Any = self._decoder.decode(entry)
        except msgspec.ValidationError:
            return self._read_older(entry)
        except msgspec.DecodeError as problem:
            raise Damaged(f"a commit cannot be read: {problem}") from None
        if commit.header.schema != SCHEMA:
            return self._read_older(entry)
        return Commit(commit.header, commit.facts, commit.hash)

    def read_facts(self, texts: Iterable[bytes], schema: int) -> tuple[Fact, ...]:
        """Facts that were stored in the shape of this schema."""
        text = b"[" + b",".join(texts) + b"]"
        try:
            if schema == SCHEMA:
                return self._facts_decoder.decode(text)
            raw = [upcast(fact, schema, self._upcasters) for fact in msgspec.json.decode(text)]
            return msgspec.convert(raw, self._facts, dec_hook=self._hook)
        except msgspec.MsgspecError as problem:
            raise Damaged(f"a commit cannot be read: {problem}") from None

    def _read_older(self, entry: bytes) -> Commit:
        """A commit in an older shape, brought up to today's."""
        stored = read_stored(entry)
        return Commit(stored.header, self.read_facts(stored.facts, stored.header.schema), stored.hash)


def upcast(value: Any, schema: int, upcasters: Mapping[Shape, Upcaster]) -> Any:
    """Stored data in today's shape: every fact, step and command inside it, step by step through the schemas."""
    if isinstance(value, list):
        return [upcast(item, schema, upcasters) for item in value]
    if not isinstance(value, Mapping):
        return value
    shaped = {name: upcast(item, schema, upcasters) for name, item in value.items()}
    for older in range(schema, SCHEMA):
        if change := upcasters.get(_shape(shaped, older)):
            shaped = change(shaped)
    return shaped


def _shape(value: Mapping[str, Any], schema: int) -> Shape:
    field = next((field for field in NAMED_BY if field in value), "")
    return Shape(NAMED_BY.get(field, ""), schema, str(value.get(field)))
