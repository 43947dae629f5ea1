"""Finished games as they are stored: the facts, one a line, and what they must come to.

    python -m tests.rules.stored_games three_players el_grande 3 17 game_length=full

writes the random game of seed 17 for three players; the rules name the expansions, options follow the seed.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import json

from rules.catalogue import game_named, rules_named
from rules.codec import codec_for, encode
from rules.kernel import State, fold
from tests.rules.random_games import random_game

GAMES = Path(__file__).parents[1] / "games"


def read(path: Path) -> dict[str, Any]:
    stored: dict[str, Any] = json.decode(path.read_bytes())
    return stored


def folded(stored: dict[str, Any]) -> State:
    """The final state of a stored game."""
    followed = rules_named(stored["rules"])
    table = State(game_named(followed.name).empty_table(followed, stored["players"], **stored["agreed"]))
    return fold(table, codec_for(followed.name).facts(encode(stored["facts"])))


def fingerprint(state: State) -> str:
    return sha256(encode(state)).hexdigest()


def write(name: str, rules: str, players: int, seed: int, **agreed: str) -> None:
    family, *expansions = rules.split("+")
    game = random_game(players, seed, tuple(expansions), family, **agreed)
    board = game.state.board
    about = {"rules": board.variant, "players": players, "agreed": agreed, "scores": board.scores}
    head = "".join(f'"{key}": {encode(value).decode()},\n' for key, value in about.items())
    facts = ",\n".join(encode(fact).decode() for fact in game.facts)
    text = f'{{\n{head}"fingerprint": "{fingerprint(game.state)}",\n"facts": [\n{facts}\n]\n}}\n'
    (GAMES / f"{name}.json").write_text(text)


if __name__ == "__main__":
    name, rules, players, seed, *agreed = sys.argv[1:]
    write(name, rules, int(players), int(seed), **dict(one.split("=") for one in agreed))
