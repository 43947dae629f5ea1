"""Facts about a game that no rulebook knows: who sits at the table, what they added to its chance, when it began.

People are named by identities that mean nothing by themselves: whose they are is known elsewhere and can be forgotten.
"""

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
    owner: str = ""
    """Who may start or abort it."""
    visibility: str = "public"


class SeatTaken(TableFact, frozen=True, tag="seat_taken"):
    """Somebody sits down."""

    player: Player
    who: str


class SeatLeft(TableFact, frozen=True, tag="seat_left"):
    """Somebody stands up again, before the game begins."""

    player: Player
    who: str


class NonceAdded(TableFact, frozen=True, tag="nonce_added"):
    """A player adds to the chance of the game, so that nobody else can have chosen it."""

    player: Player
    nonce: str


class GameStarted(TableFact, frozen=True, tag="game_started"):
    """No more nonces: the seed is fixed, and the table is set."""


class GameAborted(TableFact, frozen=True, tag="game_aborted"):
    """The table is cleared before the game began."""


class SecretRevealed(TableFact, frozen=True, tag="secret_revealed"):
    """The game is over: with its secret everybody can check every shuffle and every hidden fact."""

    secret: str


TABLE_FACTS = (GameCreated, SeatTaken, SeatLeft, NonceAdded, GameStarted, GameAborted, SecretRevealed)
