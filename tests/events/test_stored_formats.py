"""A game of every format that was ever released can still be read, folded and verified.

When `SCHEMA` grows, the newest game is written once with `python -m tests.events.test_stored_formats`, and the older
ones stay as they are. In `schema_3_opaque` the names of commands are opaque, in the others they are plain; a player was
removed from its table.
"""

import hmac
import json
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest
from msgspec import to_builtins

from events.audit.export import export
from events.audit.verify import verify, verify_stored
from events.games import Games
from events.history import fold
from events.log import StoredGame, codec
from events.log.codec import SCHEMA
from events.log.memory import MemoryLog
from events.log.service_secret import ServiceSecret
from events.submission import Submission
from events.table import stored as stored_games
from events.table.clock_ledger import ledger
from events.table.commands import Leave
from events.table.decider import GAME
from rules.codec import encode
from rules.kernel import SPECTATOR
from tests.events.played import tables, with_a_removed_player
from tests.events.timed import eventful

STORED = Path(__file__).parent / "stored"
GAMES = sorted(STORED.glob("schema_*.json"))


@pytest.mark.parametrize("path", GAMES, ids=[path.stem for path in GAMES])
def test_a_game_of_an_older_format_is_still_the_same_game(path):
    stored = json.loads(path.read_text())
    verified = verify(encode(stored["exported"]))
    assert (verified.finished, verified.scores, verified.head) == (True, stored["scores"], stored["head"])
    game = fold(GAME, [entry.encode() for entry in stored["entries"]])
    assert game is not None
    assert (game.status, game.head, game.state.board.scores) == ("over", stored["head"], stored["scores"])
    assert verified.places == game.places == stored.get("places", game.places)


def test_the_ledger_of_an_older_game_is_still_the_same():
    """An answer in a dispute must stay the same."""
    stored = json.loads((STORED / "schema_2.json").read_text())
    commits = [stored_games.read(entry.encode(), "el_grande+anniversary") for entry in stored["entries"]]
    assert to_builtins(ledger(commits)) == stored["ledger"]


@pytest.mark.parametrize(
    ("stored", "submission"),
    [
        ("schema_1", Submission(key="start")),
        ("schema_2", Submission(key="command 1")),
        ("schema_3", Submission(key="command 1")),
        ("schema_3_opaque", Submission(key="start")),
        ("schema_3_opaque", Submission("ana", "sit 2", b"a request")),
    ],
)
def test_a_command_of_an_older_game_is_still_recognised(stored, submission):
    """Whether the name under which it was kept is plain or opaque."""
    game, log = restored(stored)
    verify_stored(Games(log), game)
    again = Games(log, naming=opaque_name).submit(game, Leave("ana"), submission)
    assert again.repeated
    assert again.commit.header.name in (submission.id, opaque_name(game, submission.id))


def restored(name: str) -> tuple[str, MemoryLog]:
    """A stored game in a log, with everything that belongs to it."""
    entries = [entry.encode() for entry in json.loads((STORED / f"{name}.json").read_text())["entries"]]
    headers, last = [codec.read_stored(entry).header for entry in entries], codec.read_raw(entries[-1])["facts"][-1]
    log = MemoryLog()
    stored = StoredGame(entries, [header.name for header in headers], bytes.fromhex(last["secret"]))
    log.restore(headers[0].game, stored)
    return headers[0].game, log


def opaque_name(game: str, id: str) -> str:
    """As `ServiceSecret.command_name` does, with a secret that is none."""
    digest = hmac.digest(b"no secret", f"hidalgo command\0{game}\0{id}".encode(), "sha256")
    return urlsafe_b64encode(digest[:15]).decode()


def test_names_are_made_as_they_were_for_stored_games(store):
    """Another way to make them would not recognise the commands that are stored."""
    secret = ServiceSecret(store)
    store.commands.set("hidalgo:secret", b"no secret")
    assert secret.command_name("g", "ana/once") == opaque_name("g", "ana/once")
    kept = [codec.read_stored(entry).header.name for entry in restored("schema_3_opaque")[1].read("game 1")]
    assert secret.command_name("game 1", "start") in kept
    assert "start" not in kept


def test_todays_format_is_among_the_stored_games():
    assert f"schema_{SCHEMA}" in [path.stem for path in GAMES]


def write() -> None:
    """Keep a finished game in today's format, in which as much as possible happens."""
    table = eventful()
    games, game = table.games, table.id
    entries = games.log.read(game)
    last = games.load(game)
    stored = {
        "exported": codec.read_raw(export(games, game, SPECTATOR)),
        "entries": [entry.decode() for entry in entries],
        "scores": last.state.board.scores,
        "places": last.places,
        "ledger": ledger(games.commits(game)),
        "head": last.head,
    }
    (STORED / f"schema_{SCHEMA}.json").write_bytes(encode(stored))


def write_opaque() -> None:
    """Keep a finished game whose commands have opaque names, and from whose table a player was removed."""
    games = tables(seed=1, naming=opaque_name)
    game = with_a_removed_player(games)
    last = games.load(game)
    stored = {
        "exported": codec.read_raw(export(games, game, SPECTATOR)),
        "entries": [entry.decode() for entry in games.log.read(game)],
        "scores": last.state.board.scores,
        "places": last.places,
        "head": last.head,
    }
    (STORED / f"schema_{SCHEMA}_opaque.json").write_bytes(encode(stored))


if __name__ == "__main__":
    write()
    write_opaque()
