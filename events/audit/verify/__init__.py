"""Is this game what was played? Checked offline, from nothing but bytes: no store, no clock, no server.

`verify` takes an exported file (`events.audit.export`), `verify_entries` what a store keeps of a game. Each goes
through the stations in order: `format` (every byte has one way to be right), `links` (the chain), `history` (the table
comes about in order; with the secret, every salt, shuffle, fact and clock is checked), `report`. What this proves and
`docs/verify.md` lists what it cannot prove.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from events.audit.verify.format import Link, read_entries, read_file
from events.audit.verify.history import History, check_commitment, check_game, check_viewer, read_history
from events.audit.verify.links import check_links
from events.audit.verify.report import CHAIN, OLDER, RULES, SECRET, SHUFFLES, TIME, NotGenuine, Verified
from events.errors import NoSuchGame
from events.games import Games
from events.log import chain, codec
from events.table.game import Game
from rules.kernel import EVERYTHING, Viewer
from rules.texts import say

__all__ = [
    "CHAIN",
    "OLDER",
    "RULES",
    "SECRET",
    "SHUFFLES",
    "TIME",
    "NotGenuine",
    "Verified",
    "verify",
    "verify_chain",
    "verify_commits",
    "verify_entries",
    "verify_stored",
]


def verify(data: bytes) -> Verified:
    """Check an exported game, or raise `NotGenuine` with the first bad commit."""
    viewer, links = read_file(data)
    check_links(links)
    history = read_history(links)
    check_viewer(viewer, history)
    verified = _with_chain(links, history, viewer)
    if history.revealed is None:
        return verified
    return _with_game(verified, history, check_game(history, history.revealed))


def verify_stored(games: Games, game: str) -> Verified:
    """Check what the store keeps of a game. The operator knows the secret, also of a game that still goes on."""
    entries = games.log.read(game)
    if not entries:
        raise NoSuchGame(say("there is no game {game}", game=game))
    verified = verify_entries(game, entries, games.log.secret(game))
    for version, entry in enumerate(entries, start=1):
        command = codec.read_stored(entry).header.name
        if games.log.command_version(game, command) != version:
            raise NotGenuine(version, f"the store does not know that command {command} made it")
    return verified


def verify_entries(game: str, entries: Sequence[bytes], secret: bytes) -> Verified:
    """Check the stored commits of this game and its secret."""
    links, history = _stored_history(game, entries, secret)
    return _with_game(_with_chain(links, history, EVERYTHING), history, check_game(history, secret))


def verify_chain(game: str, entries: Sequence[bytes], secret: bytes) -> Verified:
    """Check the chain of this game's stored commits and its secret, but not the moves: several times as fast."""
    links, history = _stored_history(game, entries, secret)
    check_commitment(history, secret)
    return _with_chain(links, history, EVERYTHING)


def verify_commits(id: str, entries: Sequence[bytes], secret: bytes) -> None:
    """Check the chain of something that is kept as games are, such as a study, and that its secret is the one that its
    first commit has fixed; or raise `NotGenuine`."""
    links = read_entries(id, entries, secret)
    check_links(links)
    first = msgspec.json.decode(links[0].leaves[0].fact, type=_Created) if links[0].leaves else _Created("")
    if chain.commitment(secret) != first.commitment:
        raise NotGenuine(1, "the secret is not the one that was fixed when it was created")


class _Created(Struct, frozen=True):
    """The part of a first fact that all kinds have."""

    commitment: str = ""


def _stored_history(game: str, entries: Sequence[bytes], secret: bytes) -> tuple[list[Link], History]:
    links = read_entries(game, entries, secret)
    check_links(links)
    return links, read_history(links)


def _with_chain(links: Sequence[Link], history: History, viewer: Viewer) -> Verified:
    """The report when the chain is right."""
    return Verified(
        game=history.created.game,
        rules=history.created.rules,
        viewer=viewer,
        commits=len(links),
        facts=sum(len(link.leaves) for link in links),
        hidden=sum(not leaf.fact for link in links for leaf in link.leaves),
        head=links[-1].hash,
        finished=history.revealed is not None,
        nonces=history.own_nonces,
        checked=(CHAIN,),
    )


def _with_game(verified: Verified, history: History, last: Game) -> Verified:
    """The report when the game is right as well."""
    checked: tuple[str, ...] = (CHAIN, SECRET)
    if history.started:
        checked = (*checked, SHUFFLES, OLDER if history.is_older else RULES)
    if last.clock and not history.is_older:
        checked = (*checked, TIME)
    return replace(verified, checked=checked, scores=last.state.board.scores, places=last.places)
