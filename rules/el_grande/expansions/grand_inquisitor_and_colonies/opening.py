"""Set-up: black caballeros, the limit board, the first tokens, and two caballeros of every player."""

from __future__ import annotations

from typing import Any

from rules.el_grande.board import Board, Fact, SecretStep, State, free_disk_regions
from rules.el_grande.expansions.grand_inquisitor_and_colonies.facts import FurtherRegionsDrawn, TokensLaidOut
from rules.el_grande.facts import CaballerosMoved
from rules.el_grande.movement import Going, carried_out
from rules.el_grande.regions import PROVINCE
from rules.el_grande.steps.disks import check_disk, disk_form, home_or_first, sealed_disks
from rules.kernel import AnswersOpened, Command, Form, Outcome, Player
from rules.texts import say

SENT = 2
"""So many caballeros go from the province to the region chosen before the first round."""

REGIONS_WITH_BLACK = 2
SET_APART = REGIONS_WITH_BLACK + 1
"""Region cards between the king's and the homes: for the black caballeros, then for the limit board."""


def drawn(regions: tuple[str, ...]) -> tuple[Fact, ...]:
    """Two regions have two black caballeros each, the third the limit board."""
    *black, limit = regions[-SET_APART:]
    return (FurtherRegionsDrawn(tuple(black), limit),)


def first_tokens(board: Board) -> tuple[Fact, ...]:
    """Two goods in Africa, one gold in America."""
    return (TokensLaidOut(gold=1, goods=2),)


class SetColonistsDisks(SecretStep, frozen=True, tag="set_colonists_disks"):
    """Every player secretly chooses a region, not the king's, and puts two caballeros from the province there."""

    kind = "disk_two_first"
    prompt = say("Where do two caballeros from your province go before the first round?")

    def asked(self, state: State) -> tuple[Player, ...]:
        return state.board.players

    def check(self, state: State, player: Player, command: Any) -> None:
        check_disk(state.board, command, free_disk_regions(state.board))

    def sealed_by_all(self, state: State) -> Outcome:
        disks = sealed_disks(state, state.board.players)
        going = (Going(player, PROVINCE, disk.region, SENT) for player, disk in disks.items())
        sent = carried_out(
            state.board,
            going,
            lambda gone: CaballerosMoved(gone.owner, gone.source, gone.target, gone.count, gone.owner),
        )
        return Outcome((AnswersOpened(disks), *sent))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return disk_form(say("put two caballeros into"), free_disk_regions(state.board))

    def default(self, state: State, player: Player) -> Command:
        return home_or_first(state.board, player, free_disk_regions(state.board))
