"""Real games, copied under other ids and with other players: each has a chain of its own, as if it had been played."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct

from events.games import Games
from events.log import StoredGame, packing
from events.log.chain import NO_HASH, commit_hash, digests
from events.log.codec import Stored, read_stored
from events.log.memory import MemoryLog
from events.submission import Submission, new_id
from events.table.commands import Join, Play, Resign, Start
from events.table.game import OVER, RUNNING, Game
from rules.catalogue import DEFAULT
from rules.codec import encode
from rules.simulation import random_answer, random_decision

SEATS = (2, 3, 4, 5)
ENDED_AFTER, RUNNING_AFTER, RUNNING_FULL = 6, 12, 50
"""So many moves most games have: what lists and the archive do with a game hardly depends on its length."""
ONE_IN = 50
"""One of so many is a full game."""

QUICKLY = [{"id": packing.COMPRESSION[0]["id"], "preset": 1, "dict_size": 1 << 20, "pb": 0}]


class Template(Struct, frozen=True):
    """A game that was played, with the names in it that copies have other ones for."""

    game: str
    accounts: Sequence[str]
    commits: Sequence[Stored]
    commands: Sequence[str]
    secret: bytes


def templates(is_over: bool, *, full: bool) -> list[Template]:
    return [template(seats, is_over, full=full) for seats in SEATS]


def template(seats: int, is_over: bool, *, full: bool) -> Template:
    games, pick = Games(MemoryLog()), random.Random(seats).randrange
    accounts = [f"a_{new_id()}" for _ in range(seats)]
    game = games.create(DEFAULT, seats, {"game_length": "short"}, owner=accounts[0]).id
    for account in accounts:
        games.submit(game, Join(account), by(account))
    after = games.submit(game, Start(accounts[0]), by(accounts[0])).after
    most = 100_000 if full else ENDED_AFTER if is_over else RUNNING_AFTER
    after = played(games, after, most if is_over or not full else RUNNING_FULL, pick)
    for account in accounts[1:] if is_over else ():
        if after.status == RUNNING:
            after = games.submit(game, Resign(account), by(account)).after
    assert (after.status == OVER) == is_over
    stored = games.log.stored(game)
    return Template(game, accounts, [read_stored(each) for each in stored.entries], stored.commands, stored.secret)


def played(games: Games, game: Game, most: int, pick: Callable[..., int]) -> Game:
    for _ in range(most):
        if game.state.is_over:
            break
        answer = random_answer(game.state, random_decision(game.state, pick), pick)
        game = games.submit(game.id, Play(answer), by(game.seats[answer.player])).after
    return game


def by(account: str) -> Submission:
    return Submission(account, new_id(), fingerprint=new_id().encode())


def copy(of: Template, game: str, accounts: Sequence[str], begun_at: int) -> StoredGame:
    """The same game with another id, other players and another beginning; its chain is made anew."""
    other = [(of.game.encode(), game.encode())]
    other += [(old.encode(), new.encode()) for old, new in zip(of.accounts, accounts, strict=True)]
    moved, previous, entries = begun_at - of.commits[0].header.at, NO_HASH, list[bytes]()
    for commit in of.commits:
        found = commit.header
        header = msgspec.structs.replace(
            found, game=game, at=found.at + moved, by=renamed(found.by.encode(), other).decode(), previous=previous
        )
        texts = [renamed(bytes(fact), other) for fact in commit.facts]
        masks = {int(number): renamed(bytes(mask), other) for number, mask in commit.masks.items()}
        previous = commit_hash(msgspec.to_builtins(header), digests(of.secret, header.version, texts, masks))
        raw = {str(number): Raw(mask) for number, mask in masks.items()}
        entries.append(encode(Stored(header, [Raw(text) for text in texts], previous, raw)))
    return StoredGame(entries, list(of.commands), of.secret)


def renamed(text: bytes, other: Sequence[tuple[bytes, bytes]]) -> bytes:
    for old, new in other:
        text = text.replace(old, new)
    return text


def many(count: int, accounts: Sequence[str], first_at: int, apart_ms: int) -> Iterator[tuple[str, StoredGame, bool]]:
    """So many games, the first of which began at a moment; every second is over."""
    chance = random.Random(count)
    short = {over: templates(over, full=False) for over in (False, True)}
    full = {over: templates(over, full=True) for over in (False, True)}
    for number in range(count):
        over = number % 2 == 0
        kinds: Any = full if number % ONE_IN < 2 else short
        chosen: Template = kinds[over][number // 2 % len(SEATS)]
        players = chance.sample(accounts, len(chosen.accounts))
        name = f"{number:08}{new_id()[:8]}"
        yield name, copy(chosen, name, players, first_at + number * apart_ms), over
