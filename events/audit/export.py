"""A game as one file that any reader can verify offline, as one viewer may see it.

The file is canonical JSON, and every byte of it is bound by the chain or fixed by the format: `docs/verify.md` has all
of it. Facts go out exactly as they are stored. During the game a viewer gets the masked form of what others hide, with
its digest; after the end everything is open to all viewers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Raw

from events.errors import NotNow
from events.games import Games
from events.log import chain, codec
from events.log.codec import Reader, Stored
from events.table import stored as stored_games
from events.table.game import OVER, Game
from rules.codec import encode
from rules.errors import Unreadable
from rules.kernel import EVERYTHING, SPECTATOR, Viewer
from rules.texts import say

FORMAT = "hidalgo-game"
FORMAT_SCHEMA = 1


ENTRIES_AT_ONCE = 500
"""So many commits are in memory at once; most games have fewer."""


def export(games: Games, game_id: str, viewer: Viewer) -> bytes:
    """The game up to now, as this viewer may know it; all of it once it is over."""
    return b"".join(export_pieces(games, games.load(game_id), viewer))


def export_pieces(games: Games, game: Game, viewer: Viewer) -> Iterator[bytes]:
    """The same piece by piece, however long the game is."""
    if game.status == OVER:
        viewer = EVERYTHING
    elif viewer == EVERYTHING:
        raise NotNow(say("the game is not over: not everything can be shown"))
    elif viewer not in (*game.players, SPECTATOR):
        raise Unreadable(say("there is no viewer at this table called {viewer}", viewer=viewer))
    reader, secret = stored_games.reader(game.rules), games.log.secret(game.id)
    pages = (
        games.log.read(game.id, after, min(after + ENTRIES_AT_ONCE, game.version))
        for after in range(0, game.version, ENTRIES_AT_ONCE)
    )
    return file_pieces(([export_commit(entry, reader, secret, viewer) for entry in page] for page in pages), viewer)


def file_of(commits: list[dict[str, Any]], viewer: Viewer) -> bytes:
    """The bytes of an export."""
    return b"".join(file_pieces([commits], viewer))


def file_pieces(pages: Iterable[Sequence[dict[str, Any]]], viewer: Viewer) -> Iterator[bytes]:
    """The commits page by page, and then, as canonical JSON wants it, the rest."""
    before = b'{"commits":['
    for page in pages:
        yield before + b",".join(map(encode, page))
        before = b","
    yield b"]," + encode({"format": FORMAT, "schema": FORMAT_SCHEMA, "viewer": viewer})[1:]


def export_commit(entry: bytes, reader: Reader, secret: bytes, viewer: Viewer) -> dict[str, Any]:
    """One stored commit with what this viewer needs to check it."""
    stored = codec.read_stored(entry)
    version = stored.header.version
    facts = [
        _export_fact(stored, index, chain.salt(secret, version, index), _is_open(stored, index, reader, viewer))
        for index in range(len(stored.facts))
    ]
    return {"header": stored.header, "facts": facts, "hash": stored.hash}


def _is_open(stored: Stored, index: int, reader: Reader, viewer: Viewer) -> bool:
    """Whether the viewer may know the whole fact. One that is seen in part goes out as all see it."""
    if str(index) not in stored.masks or viewer == EVERYTHING:
        return True
    [fact] = reader.read_facts([stored.facts[index]], stored.header.schema)
    return fact.seen_by(viewer) == fact


def _export_fact(stored: Stored, index: int, salt: bytes, is_open: bool) -> dict[str, Raw | str]:
    fact, mask = stored.facts[index], stored.masks.get(str(index))
    masked: dict[str, Raw | str] = {} if mask is None else {"masked": mask}
    if is_open:
        return {**masked, "fact": fact, "salt": salt.hex()}
    return {**masked, "digest": chain.digest(salt, bytes(fact))}
