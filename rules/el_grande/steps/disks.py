"""Secret disks: a hidden choice among regions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from rules.el_grande.board import Board, State, check_region
from rules.el_grande.commands import SetDisk
from rules.el_grande.steps.turns import expect
from rules.errors import RuleBroken
from rules.kernel import Choice, Form, Player
from rules.texts import Text, one_by_one, say


def check_disk(board: Board, command: Any, legal: Sequence[str]) -> None:
    expect(command, SetDisk)
    check_region(board, command.region)
    if command.region not in legal:
        raise RuleBroken(
            say(
                "{region} may not be chosen here: choose {regions}",
                region=command.region,
                regions=one_by_one(legal),
            ),
            "disk",
        )


def sealed_disks(state: State, players: Iterable[Player]) -> dict[Player, SetDisk]:
    """The disks these players have set, still closed."""
    disks = {player: state.sealed[player] for player in players}
    assert all(isinstance(disk, SetDisk) for disk in disks.values()), f"not disks: {disks}"
    return cast("dict[Player, SetDisk]", disks)


def disk_form(text: Text, legal: Sequence[str]) -> tuple[Form, ...]:
    return (Form("set_disk", text, {"region": Choice(tuple(legal))}),)
