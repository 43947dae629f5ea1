"""Secret disks: a hidden choice among regions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from rules.el_grande.board import Board, State, check_region, king_region, name_of
from rules.el_grande.commands import SetDisk
from rules.errors import RuleBroken
from rules.kernel import Choice, Form, Player, Words, expect
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


def home_or_first(board: Board, player: Player, legal: Sequence[str]) -> SetDisk:
    """The region of the player's Grande, if that may be chosen; else the first that may."""
    home = board.grandes[player]
    return SetDisk(home if home in legal else legal[0])


SEAL = Words(button=say("Seal"))
Warnings = tuple[tuple[str, Text], ...]


def disk_form(text: Text, legal: Sequence[str], confirm: Warnings = ()) -> tuple[Form, ...]:
    return (Form("set_disk", text, {"region": Choice(tuple(legal), of="disk", confirm=confirm)}, words=SEAL),)


def back_to_court(board: Board) -> Warnings:
    """Nothing enters the king's region: whoever chooses it should mean it."""
    king = king_region(board)
    text = say("The King is in {region}: your caballeros would go back to court.", region=name_of(board, king))
    return ((king, text),)
