"""What people are told about a kind of decision: in few words while another player decides, in full the first time."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from rules.texts import Text, say


class Lesson(Struct, frozen=True):
    """Of one kind of decision. `{player}` is filled in by whoever shows it."""

    others: Text
    """What another player is doing."""
    title: Text
    text: Text
    """What it is about, and what it is good to think of: for players who meet it for the first time."""


Guide = Mapping[str, Lesson]
"""Kinds of decisions to their lessons."""

ANYTHING = Lesson(
    others=say("{player} decides", player="{player}"),
    title=say("Your decision"),
    text=say(
        "Whatever glows on the map or lies in the drawer can be chosen. Nothing is sent until you press the button."
    ),
)
"""For a kind that has no lesson of its own."""
