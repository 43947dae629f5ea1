"""Anniversary: every player has a flag bearer, who breaks ties where he stands.

| rule | here |
|---|---|
| at the start one of the two caballeros at home carries the flag | `raise_flags` |
| a tie is broken for the player whose counted bearer stands in the region | `carries_flag` |
| the flag goes along when the bearer moves from region to region | `flag_arrives` |
| a bearer who leaves the map hands the flag on at once; nobody else there: it waits for the next | `PassFlag` |
| whoever moves a caballero may choose the bearer: `granada+flag` | piece keys, `board.py` |
| without a choice the bearer goes last | piece keys, `board.py` |

Flags are always visible. No state is added: the bearer is a marked piece, and a flag without one is waiting.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from rules.el_grande.board import Board, Fact, State, Step, clockwise_from, count, is_region, space_of
from rules.el_grande.extension import Rules
from rules.el_grande.names import place
from rules.el_grande.steps.turns import expect
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player
from rules.texts import Text, one_by_one, say

FLAG = "+flag"


class FlagPassed(Fact, frozen=True, tag="flag_passed"):
    """A caballero in this region now carries the player's flag."""

    player: Player
    region: str

    def apply(self, board: Board) -> Board:
        return board.shift(self.player, self.region, self.region + FLAG, 1)


class HandOverFlag(Command, frozen=True, tag="pass_flag"):
    to: str


class PassFlag(Step, frozen=True, tag="pass_flag"):
    """A player whose bearer has left the map hands the flag to another caballero."""

    by: Player
    kind = "pass_flag"
    prompt = say("Which of your caballeros carries the flag now?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        expect(command, HandOverFlag)
        if command.to not in (regions := regions_of(state.board, player)):
            raise RuleBroken(
                say(
                    "you have no caballero in {region}: choose {regions}",
                    region=command.to,
                    regions=one_by_one(regions),
                ),
                "pass_flag",
            )
        return Outcome((FlagPassed(player, command.to),))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        regions = Choice(regions_of(state.board, player))
        return (Form("pass_flag", say("hand the flag to a caballero in"), {"to": regions}),)

    def default(self, state: State, player: Player) -> Command:
        return HandOverFlag(regions_of(state.board, player)[0])

    def forced(self, state: State, player: Player) -> Command | None:
        regions = regions_of(state.board, player)
        return HandOverFlag(regions[0]) if len(regions) == 1 else None


def regions_of(board: Board, player: Player) -> tuple[str, ...]:
    """Where the player has caballeros on the map, the king's region included."""
    return tuple(region for region in board.rules.regions if count(board, region, player))


def raise_flags(board: Board) -> tuple[Fact, ...]:
    """One caballero at home takes up the flag."""
    return tuple(FlagPassed(player, board.grandes[player]) for player in board.players)


def carries_flag(board: Board, space: str, player: Player) -> int:
    """1 if the player's bearer stands in this space."""
    return int(any(piece.owner == player and piece.at == space + FLAG for piece in board.marked))


def flag_arrives(board: Board, key: str, target: str) -> str:
    """The flag goes along from region to region and nowhere else."""
    return target + FLAG if key.endswith(FLAG) and is_region(board, target) else target


def lost_flags(state: State) -> tuple[Step, ...]:
    """A player whose bearer has left hands the flag on at once: the active player first, then clockwise."""
    board: Board = state.board
    bearers = {piece.owner for piece in board.marked}
    if len(bearers) == len(board.players) or not board.round:
        return ()
    for player in clockwise_from(board, _first_to_pass(state)):
        if player not in bearers and regions_of(board, player):
            return (PassFlag(player),)
    return ()


def _first_to_pass(state: State) -> Player:
    """In a general scoring (nobody's turn) the first seat begins."""
    board: Board = state.board
    return board.turn if board.face_up else board.players[0]


def one_flag_each(before: Board, fact: Fact, after: Board) -> str | None:
    """A player has at most one bearer, on the map."""
    bearers = Counter(piece.owner for piece in after.marked)
    if any(number > 1 for number in bearers.values()):
        return f"a player has two flags: {after.marked}"
    if any(not is_region(after, space_of(piece.at)) for piece in after.marked):
        return f"a flag is not on the map: {after.marked}"
    return None


def _flag_passed(fact: Any) -> Text:
    return say("{player}'s flag is carried by a caballero in {region}", player=fact.player, region=fact.region)


def anniversary(rules: Rules) -> Rules:
    """The flag bearer breaks ties for its owner."""
    bearers = {key: place(key) for key in (region + FLAG for region in rules.regions)}
    return replace(
        rules,
        name=f"{rules.name}+anniversary",
        setup=(*rules.setup, raise_flags),
        strength=(*rules.strength, carries_flag),
        arrival=flag_arrives,
        consequences=(*rules.consequences, lost_flags),
        decisions=(*rules.decisions, PassFlag.kind),
        interruptions=(*rules.interruptions, PassFlag.kind),
        facts=(*rules.facts, FlagPassed),
        steps=(*rules.steps, PassFlag),
        commands=(*rules.commands, HandOverFlag),
        sentences={**rules.sentences, "flag_passed": _flag_passed},
        names={**rules.names, **bearers, "flag": say("flag"), "anniversary": say("Anniversary")},
        signs={**rules.signs, FLAG: "⚑"},
        invariants=(*rules.invariants, one_flag_each),
    )
