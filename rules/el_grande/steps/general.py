"""General scoring: disks, castillo, release, regions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.el_grande.board import Board, SecretStep, State, Step, count, free_disk_regions, held_by, is_taboo
from rules.el_grande.facts import CaballerosReleased, GrandeMoved
from rules.el_grande.movement import Going, carried_out
from rules.el_grande.regions import CASTILLO, COURT
from rules.el_grande.scoring import score, score_unit
from rules.el_grande.steps.disks import back_to_court, check_disk, disk_form, home_or_first, sealed_disks
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
        board = state.board
        return disk_form(
            say("send your caballeros from the castillo to"), board.rules.region_order, back_to_court(board)
        )

    def default(self, state: State, player: Player) -> Command:
        return home_or_first(state.board, player, free_disk_regions(state.board))


class ScoreCastillo(Step, frozen=True, tag="score_castillo"):
    """The castillo is opened and scored."""

    def run(self, state: State) -> Outcome:
        return Outcome((score(state.board, CASTILLO),))


class ReleaseCastillo(Step, frozen=True, tag="release_castillo"):
    """All disks are shown; each player's caballeros leave the castillo for the region chosen, or for court.

    A Grande inside goes along, but not into the king's region.
    """

    def run(self, state: State) -> Outcome:
        board = state.board
        disks = sealed_disks(state, board.players)
        going = (going for player, disk in disks.items() for going in self._leaving(board, player, disk.region))
        released = carried_out(board, going, lambda gone: CaballerosReleased(gone.owner, gone.target, gone.count))
        grandes = (
            GrandeMoved(player, disk.region)
            for player, disk in disks.items()
            if board.grandes.get(player) == CASTILLO and not is_taboo(board, disk.region)
        )
        return Outcome((AnswersOpened(disks), *released, *grandes))

    def _leaving(self, board: Board, player: Player, region: str) -> Iterator[Going]:
        """Those that are nobody's go along, but never to a court."""
        for owner in held_by(board, player):
            if (number := count(board, CASTILLO, owner)) and not (owner != player and is_taboo(board, region)):
                yield Going(owner, CASTILLO, COURT if is_taboo(board, region) else region, number)


class ScoreRegions(Step, frozen=True, tag="score_regions"):
    """All regions are scored, each once."""

    def run(self, state: State) -> Outcome:
        board = state.board
        return Outcome(tuple(score_unit(board, unit) for unit in board.rules.units(board)))
