"""A game of every format that was ever released can still be read, folded and verified.

When `SCHEMA` grows, the newest game is written once with `python -m tests.events.test_stored_formats`, and the older
ones stay as they are.
"""

import json
from pathlib import Path

import pytest
from msgspec import to_builtins

from events.audit.export import export
from events.audit.verify import verify
from events.history import fold
from events.log import codec
from events.log.codec import SCHEMA
from events.table import stored as stored_games
from events.table.clock_ledger import ledger
from events.table.decider import GAME
from rules.codec import encode
from rules.kernel import SPECTATOR
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


if __name__ == "__main__":
    write()
