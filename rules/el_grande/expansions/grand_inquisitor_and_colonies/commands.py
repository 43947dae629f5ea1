"""What players can say beside the commands of the base game."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from rules.el_grande.commands import SpaceCounts, Special
from rules.kernel import Command


class Sail(Command, frozen=True, tag="sail"):
    """A caballero travels freely; `black/…` names one of the black ones."""

    piece: str
    to: str


class OpenDone(Command, frozen=True, tag="open_done"):
    """No more caballeros leave the ship."""


class Claim(Command, frozen=True, tag="claim"):
    """A caballero takes a token."""

    piece: str


class AskInquisitor(Command, frozen=True, tag="character"):
    """Use the Grand Inquisitor: a caballero comes to court, or goes from court to the board."""

    who: str
    do: str
    to: str | UnsetType = UNSET


class UseHeld(Special, frozen=True, tag="use_held"):
    """Use a card that was held: with everything that the special action of the target needs."""

    target: str | UnsetType = UNSET


class Fill(Command, frozen=True, tag="fill"):
    """Which caballeros take the free spaces of the limit board, by owner and key."""

    pieces: SpaceCounts


class React(Special, frozen=True, tag="react"):
    """Perform a special action that an opponent has just performed, or let it pass."""

    answer: str | UnsetType = UNSET


class UseStack(Command, frozen=True, tag="use_stack"):
    """Use the own card in this round, or one that lies face up."""

    choice: str


COMMANDS = (Sail, OpenDone, Claim, AskInquisitor, UseHeld, Fill, React)


def special_of(command: Special, *without: str) -> Special:
    """What the special action itself is told."""
    choices: dict[str, Any] = {name: value for name, value in command.choices().items() if name not in without}
    return Special(**choices)
