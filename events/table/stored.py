"""Stored commits of games: their first commit names the rules, and so the kinds of facts that they hold."""

from __future__ import annotations

from functools import cache

from events.errors import Damaged
from events.log.codec import Commit, Reader
from events.table.facts import TABLE_FACTS, GameCreated
from rules.catalogue import rules_named
from rules.codec import KERNEL_FACTS, codec_for
from rules.kernel import Fact, Shape, Upcaster

UPCASTERS: dict[Shape, Upcaster] = {}
"""For the facts of the table and of the kernel; the rules of a game bring their own."""


def read(entry: bytes, rules: str) -> Commit:
    """A stored commit of a game with these rules."""
    return reader(rules).read(entry)


def read_creation(entry: bytes) -> Commit:
    """The first commit of a game, which says by which rules the others are read."""
    commit = creation_reader().read(entry)
    if [type(fact) for fact in commit.facts] != [GameCreated]:
        raise Damaged("the first commit of a game does not create it")
    return commit


@cache
def reader(rules: str) -> Reader:
    named = rules_named(rules)
    facts: tuple[type[Fact], ...] = (*TABLE_FACTS, *KERNEL_FACTS, *named.facts)
    return Reader(facts, {**UPCASTERS, **named.upcasters}, codec_for(named.name).read_registered)


@cache
def creation_reader() -> Reader:
    return Reader(TABLE_FACTS, UPCASTERS)
