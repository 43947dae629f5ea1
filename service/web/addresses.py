"""Addresses of pages that many other pages lead to."""

from __future__ import annotations


def table_address(game: str) -> str:
    """The table itself: before the start its seats, then the board.

    >>> table_address("x7Yb-31k")
    '/games/x7Yb-31k'
    """
    return f"/games/{game}"
