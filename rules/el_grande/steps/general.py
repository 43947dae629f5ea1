"""General scoring: disks, castillo, release, regions."""

from __future__ import annotations

from typing import Any

from rules.el_grande.board import SecretStep, State, Step, count, free_regions, is_taboo
from rules.el_grande.commands import SetDisk
from rules.el_grande.facts import CaballerosReleased
from rules.el_grande.regions import CASTILLO, COURT
from rules.el_grande.scoring import score
from rules.el_grande.steps.disks import check_disk, disk_form, sealed_disks
from rules.kernel import AnswersOpened, Command, Form, Outcome, Player
from rules.texts import say


class SetScoringDisks(SecretStep, frozen=True, tag="set_scoring_disks"):
    """Every player sets a disk: there the caballeros in the castillo will go."""

    kind = "disk_general"
    prompt = say("Where do your caballeros in the castillo go?")

    def asked(self, state: State) -> tuple[Player, ...]:
        """Everybody, with or without caballeros inside: asking only some would tell who has none."""
        return state.board.players

    def check(self, state: State, player: Player, command: Any) -> None:
        check_disk(state.board, command, state.board.rules.region_order)

    def sealed_by_all(self, state: State) -> Outcome:
        """The disks stay closed until the castillo is scored."""
        return Outcome()

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return disk_form(say("send your caballeros from the castillo to"), state.board.rules.region_order)

    def default(self, state: State, player: Player) -> Command:
        home = state.board.grandes[player]
        return SetDisk(free_regions(state.board)[0] if is_taboo(state.board, home) else home)


class ScoreCastillo(Step, frozen=True, tag="score_castillo"):
    """The castillo is opened and scored."""

    def run(self, state: State) -> Outcome:
        return Outcome((score(state.board, CASTILLO),))


class ReleaseCastillo(Step, frozen=True, tag="release_castillo"):
    """All disks are shown; each player's caballeros leave the castillo for the region chosen, or for court."""

    def run(self, state: State) -> Outcome:
        board = state.board
        disks = sealed_disks(state, board.players)
        released = tuple(
            CaballerosReleased(player, COURT if is_taboo(board, disk.region) else disk.region, number)
            for player, disk in disks.items()
            if (number := count(board, CASTILLO, player))
        )
        return Outcome((AnswersOpened(disks), *released))


class ScoreRegions(Step, frozen=True, tag="score_regions"):
    """All regions are scored, each once."""

    def run(self, state: State) -> Outcome:
        return Outcome(tuple(score(state.board, region) for region in state.board.rules.regions))
