"""Keys and entries of the index of games: `service.games.game_index` tells their meaning."""

from __future__ import annotations

import re
from binascii import crc32
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from events.table.game import ABORTED, OPEN, OVER, PUBLIC, RUNNING
from rules.catalogue import GAMES, rules
from service.games.game_summary import GameSummary

STATUSES = (OPEN, RUNNING, OVER, ABORTED)
ANY = "*"
WITH, WITHOUT = "with", "without"
"""Clocks."""
CLOCKS = {WITH: "t", WITHOUT: "-"}

ENTRY = re.compile(r"\d{13}/.+")
NO_EXPANSION = "-"

Keys = tuple[str, ...]
"""The sorted sets that are a list together."""


def public_keys(status: str = ANY, rules: str = ANY) -> Keys:
    """Public games. Those of each status are on a part of the store of their own."""
    return tuple(f"hidalgo:{{games:{each}}}:public:{rules}" for each in _statuses(status))


def ended_keys() -> Keys:
    """Public games that are over, by their end."""
    return ("hidalgo:{games:ended}:public",)


def player_keys(account: str, status: str = ANY) -> Keys:
    """Public games of a player."""
    return tuple(f"hidalgo:{{{account}}}:games:{each}" for each in _statuses(status))


def seated_keys(account: str, status: str = ANY) -> Keys:
    """All games of a player, private ones as well."""
    private = tuple(f"hidalgo:{{{account}}}:private:{each}" for each in _statuses(status))
    return player_keys(account, status) + private


def _statuses(status: str) -> tuple[str, ...]:
    return STATUSES if status == ANY else (status,)


FORMER_KEYS = "hidalgo:{games}:*"
"""Those of indexes of other shapes, and whether this one is complete."""


def keys_of(game: GameSummary, status: str, accounts: Iterable[str]) -> Iterator[str]:
    """The keys under which a game of this status with these players is found.

    A tournament's table that is not set yet waits for no player who looks for one: it is found nowhere.
    """
    if game.tournament and status == OPEN:
        return
    if game.visibility == PUBLIC:
        yield from (*public_keys(status, game.rules), *public_keys(status))
    yield from keys_of_players(game, status, accounts)


def keys_of_players(game: GameSummary, status: str, accounts: Iterable[str]) -> Iterator[str]:
    kind = "games" if game.visibility == PUBLIC else "private"
    return (f"hidalgo:{{{account}}}:{kind}:{status}" for account in accounts)


# Entries


class Traits(NamedTuple):
    """By what games are filtered; what is empty matches all of them."""

    game: str = ""
    expansion: str = ""
    """`-` is none."""
    players: str = ""
    clock: str = ""

    @property
    def rules(self) -> Collection[str]:
        """The codes of all rules that match; empty if all do."""
        return _matching(self.game, self.expansion) if self.game or self.expansion else ()


def entry(game: GameSummary, at: int | None = None) -> str:
    """The entry of a game in lists by its creation, or by another moment."""
    traits = f"{code_of(game.rules)}{len(game.players)}{CLOCKS[WITH if game.time else WITHOUT]}"
    return f"{game.created_at if at is None else at:013}/{game.id}/{traits}"


def game_of(entry: str) -> str:
    """The game of an entry."""
    return entry.partition("/")[2].rpartition("/")[0]


@cache
def code_of(rules: str) -> str:
    """Rules in four digits."""
    return f"{crc32(rules.encode()) & 0xFFFF:04x}"


@cache
def _matching(game: str, expansion: str) -> tuple[str, ...]:
    names = (name for name in GAMES if game in ("", name))
    found = {code_of(rules(name, chosen).name) for name in names for chosen in _chosen(name, expansion)}
    return tuple(sorted(found)) or ("none",)


def _chosen(game: str, expansion: str) -> Iterator[tuple[str, ...]]:
    for chosen in GAMES[game].combinations(tuple(GAMES[game].expansions)):
        if not expansion or expansion in chosen or (expansion == NO_EXPANSION and not chosen):
            yield chosen
