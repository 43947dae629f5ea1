"""Facts about a game that no rulebook knows: it was created, players added to its chance, its secret was revealed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.kernel import Fact, Player


class TableFact(Fact, frozen=True):
    """A fact about the table, not the board: the rules do not apply it."""

    def apply(self, board: Any) -> Any:
        return board


class GameCreated(TableFact, frozen=True, tag="game_created"):
    """A table stands ready: which rules, how many players, what was agreed; the secret is fixed but not told."""

    game: str
    rules: str
    players: int
    options: Mapping[str, str]
    commitment: str


class NonceAdded(TableFact, frozen=True, tag="nonce_added"):
    """A player adds to the chance of the game, so that nobody else can have chosen it."""

    player: Player
    nonce: str


class GameStarted(TableFact, frozen=True, tag="game_started"):
    """No more nonces: the seed is fixed, and the table is set."""


class SecretRevealed(TableFact, frozen=True, tag="secret_revealed"):
    """The game is over: with its secret everybody can check every shuffle and every hidden fact."""

    secret: str


TABLE_FACTS = (GameCreated, NonceAdded, GameStarted, SecretRevealed)
