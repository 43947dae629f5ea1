"""First station: bytes into links. Every byte has one way to be right. Knows no game.

A link is a commit as far as the file shows it: its header, what binds each of its facts, and its hash. It comes from an
exported file or from stored entries.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from events.audit.verify.report import NotGenuine
from events.log import chain
from events.log.codec import Header
from rules.codec import encode

LARGEST_NUMBER = 1 << 53
"""The largest integer that every JSON reader can hold."""


class Leaf(Struct, frozen=True):
    """A fact, as far as the file shows it, and what binds it. Empty: not shown, or nothing to mask."""

    fact: bytes
    masked: bytes
    salt: bytes
    digest: str

    @property
    def bound(self) -> str:
        return chain.masked(self.digest, self.masked) if self.masked else self.digest


class Link(Struct, frozen=True):
    header: Header
    leaves: list[Leaf]
    hash: str


Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
Salt = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]


class ExportedFact(Struct, frozen=True, forbid_unknown_fields=True):
    fact: Raw = Raw()
    masked: Raw = Raw()
    salt: Salt = ""
    digest: Hash = ""


class ExportedCommit(Struct, frozen=True, forbid_unknown_fields=True):
    header: Raw
    facts: list[ExportedFact]
    hash: Hash


class File(Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["hidalgo-game"]
    schema: Literal[1]
    viewer: str
    commits: list[ExportedCommit]


class StoredCommit(Struct, frozen=True, forbid_unknown_fields=True):
    header: Raw
    facts: list[Raw]
    hash: Hash
    masks: dict[str, Raw] = {}


def _refuse_float(text: str) -> None:
    raise ValueError(f"{text} is not an integer")


_FILE = msgspec.json.Decoder(File)
_COMMIT = msgspec.json.Decoder(ExportedCommit)
_STORED = msgspec.json.Decoder(StoredCommit)
_HEADER = msgspec.json.Decoder(Header)
_PLAIN = msgspec.json.Decoder(float_hook=_refuse_float)


# An exported file


def read_file(data: bytes) -> tuple[str, list[Link]]:
    """The viewer of an exported file, and its links."""
    try:
        file = _FILE.decode(data)
        if _is_canonical(data):
            return file.viewer, [_exported_link(number, commit) for number, commit in enumerate(file.commits, start=1)]
        problem = "it is not written in the one canonical way"
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        problem = f"it cannot be read: {error}"
    number, reason = _first_bad_commit(data)
    raise NotGenuine(number, reason or f"the file is not an exported game: {problem}")


def _is_canonical(text: bytes) -> bool:
    return encode(_PLAIN.decode(text)) == text


def _first_bad_commit(data: bytes) -> tuple[int, str]:
    """Which commit of a bad file is the first that is bad in itself; 0 if none is."""
    start = b'{"commits":['
    if not data.startswith(start):
        return 0, ""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        text = data[: error.start].decode()
    return _scan(text, len(start))


def _scan(text: str, at: int) -> tuple[int, str]:
    number, decoder = 0, json.JSONDecoder()
    while text[at : at + 1] not in ("]", ""):
        number += 1
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return number, "it is not JSON"
        if reason := _wrong_with_commit(text[at:end].encode()):
            return number, reason
        if text[end : end + 1] not in (",", "]"):
            return number, "something follows it that does not belong there"
        at = end + (text[end] == ",")
    return (number, "the file breaks off after it") if at >= len(text) else (0, "")


def _wrong_with_commit(text: bytes) -> str:
    try:
        _COMMIT.decode(text)
        return "" if _is_canonical(text) else "it is not written in the one canonical way"
    except (msgspec.MsgspecError, RecursionError) as problem:
        return f"it cannot be read: {problem}"


def _exported_link(number: int, commit: ExportedCommit) -> Link:
    leaves = [_exported_leaf(number, fact) for fact in commit.facts]
    return Link(_header(number, commit.header), leaves, commit.hash)


def _exported_leaf(number: int, fact: ExportedFact) -> Leaf:
    plain, masked, salt = bytes(fact.fact), bytes(fact.masked), bytes.fromhex(fact.salt)
    if plain and salt and not fact.digest:
        return Leaf(plain, masked, salt, chain.digest(salt, plain))
    if masked and fact.digest and not plain and not salt:
        return Leaf(b"", masked, b"", fact.digest)
    raise NotGenuine(number, "a fact comes with its salt, or masked with its digest")


# Stored entries


def read_entries(game: str, entries: Sequence[bytes], secret: bytes) -> list[Link]:
    """The links of what a store keeps of this game."""
    links = [_stored_link(number, entry, secret) for number, entry in enumerate(entries, start=1)]
    if links and links[0].header.game != game:
        raise NotGenuine(1, f"it belongs to game {links[0].header.game}, not {game}")
    return links


def _stored_link(number: int, entry: bytes, secret: bytes) -> Link:
    try:
        stored = _STORED.decode(entry)
        canonical = _is_canonical(entry)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
        raise NotGenuine(number, f"it cannot be read: {problem}") from None
    if not canonical or set(stored.masks) - {str(index) for index in range(len(stored.facts))}:
        raise NotGenuine(number, "it is not written in the one canonical way")
    leaves = []
    for index, fact in enumerate(stored.facts):
        salt = chain.salt(secret, number, index)
        leaves.append(Leaf(bytes(fact), bytes(stored.masks.get(str(index), b"")), salt, chain.digest(salt, fact)))
    return Link(_header(number, stored.header), leaves, stored.hash)


def _header(number: int, text: Raw) -> Header:
    try:
        header = _HEADER.decode(text)
    except msgspec.MsgspecError as problem:
        raise NotGenuine(number, f"its header cannot be read: {problem}") from None
    if encode(header) != bytes(text):
        raise NotGenuine(number, "its header has fields that do not belong there")
    if not 0 <= header.at < LARGEST_NUMBER:
        raise NotGenuine(number, f"its time is {header.at}")
    return header
