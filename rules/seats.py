"""What all games with seats around a table share: colours, the order around it, the places at the end."""

from __future__ import annotations

from collections.abc import Mapping

from rules.texts import say

SEATS = {
    "red": say("red"),
    "blue": say("blue"),
    "yellow": say("yellow"),
    "green": say("green"),
    "brown": say("brown"),
}
"""What the seats are called, clockwise."""


def clockwise_from(players: tuple[str, ...], player: str) -> tuple[str, ...]:
    """All players, beginning with this one.

    >>> clockwise_from(("red", "blue", "green"), "blue")
    ('blue', 'green', 'red')
    """
    seat = players.index(player)
    return players[seat:] + players[:seat]


def final_places(scores: Mapping[str, int]) -> dict[str, int]:
    """The highest score wins; equal scores share a place.

    >>> final_places({"red": 90, "blue": 101, "green": 101})
    {'red': 3, 'blue': 1, 'green': 1}
    """
    return {player: 1 + sum(other > score for other in scores.values()) for player, score in scores.items()}
