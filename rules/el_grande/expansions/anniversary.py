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
from typing import Any

from rules.el_grande.board import (
    COLOURS,
    Board,
    Fact,
    State,
    Step,
    clockwise_from,
    is_region,
    marked_in,
    marks_of,
    slot_of,
    space_of,
)
from rules.el_grande.extension import Arrival, Rules, extend
from rules.el_grande.names import marked
from rules.errors import RuleBroken
from rules.guide import Guide, Lesson
from rules.kernel import Choice, Command, Form, Outcome, Player, Words, expect
from rules.picture import Control
from rules.texts import Text, one_by_one, say

FLAG = "+flag"


class FlagPassed(Fact, frozen=True, tag="flag_passed"):
    """A caballero at this key now carries the player's flag."""

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
        return Outcome((FlagPassed(player, bearer_in(state.board, player, command.to)),))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        regions = Choice(regions_of(state.board, player), of="bearer")
        words = Words(button=say("Hand the flag on in {to}", to="{to}"))
        return (Form("pass_flag", say("hand the flag to a caballero in"), {"to": regions}, words=words),)

    def default(self, state: State, player: Player) -> Command:
        return HandOverFlag(regions_of(state.board, player)[0])

    def forced(self, state: State, player: Player) -> Command | None:
        regions = regions_of(state.board, player)
        return HandOverFlag(regions[0]) if len(regions) == 1 else None


def regions_of(board: Board, player: Player) -> tuple[str, ...]:
    """Where the player has caballeros on the map that can carry the flag, the king's region included."""
    return tuple(region for region in board.rules.regions if bearer_in(board, player, region))


def bearer_in(board: Board, player: Player, region: str) -> str:
    """The plainest caballero of the player there that carries nothing else; empty if there is none."""
    if board.cubes[region].get(player, 0):
        return region
    carried = board.rules.carried
    free = (key for key in marked_in(board, region, player) if not set(marks_of(key)) & set(carried))
    return next(free, "")


def raise_flags(board: Board) -> tuple[Fact, ...]:
    """One caballero at home takes up the flag."""
    return tuple(FlagPassed(player, board.grandes[player]) for player in board.players)


def carries_flag(board: Board, space: str, player: Player) -> int:
    """1 if the player's bearer stands in this space, and counts there."""
    bearing = (key for key in marked_in(board, space, player) if key.endswith(FLAG))
    return int(any(slot_of(key) not in board.rules.uncounted for key in bearing))


def flag_arrives(former: Arrival) -> Arrival:
    """The flag goes along from region to region and nowhere else."""

    def arrival(board: Board, key: str, target: str) -> str:
        arrived = former(board, key.removesuffix(FLAG), target)
        return arrived + FLAG if key.endswith(FLAG) and is_region(board, space_of(target)) else arrived

    return arrival


def lost_flags(state: State) -> tuple[Step, ...]:
    """A player whose bearer has left hands the flag on at once: the active player first, then clockwise."""
    board: Board = state.board
    bearers = {piece.owner for piece in board.marked if piece.at.endswith(FLAG)}
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
    flags = [piece for piece in after.marked if piece.at.endswith(FLAG)]
    bearers = Counter(piece.owner for piece in flags)
    if any(number > 1 for number in bearers.values()):
        return f"a player has two flags: {after.marked}"
    if any(not is_region(after, space_of(piece.at)) for piece in flags):
        return f"a flag is not on the map: {after.marked}"
    return None


def _flag_passed(fact: Any) -> Text:
    return say("{player}'s flag is carried by a caballero in {region}", player=fact.player, region=fact.region)


def pennon(seat: Player) -> str:
    """The flag, drawn on the shoulder of its bearer's pile."""
    return (
        f'<g class="flag {seat}" transform="scale(.8)"><path class="pole" d="M0 12V-26"/>'
        '<path d="M1-26Q9-30 15-26Q20-23 26-26L21-19L26-12Q20-10 15-13Q9-16 1-12Z"/></g>'
    )


GUIDE: Guide = {
    "pass_flag": Lesson(
        say("{player} passes the flag on", player="{player}"),
        say("The flag needs a bearer"),
        say("The bearer breaks ties for you in the region where it stands."),
    ),
}


def anniversary(rules: Rules) -> Rules:
    """The flag bearer breaks ties for its owner."""
    places = (key for key in rules.names if space_of(key) in rules.regions and not marks_of(key))
    bearers = {key + FLAG: marked(rules.names[key], "flag") for key in places}
    return extend(
        rules,
        "anniversary",
        setup=(raise_flags,),
        strength=(carries_flag,),
        arrival=flag_arrives,
        consequences=(lost_flags,),
        decisions={PassFlag.kind: (HandOverFlag,)},
        interruptions=(PassFlag.kind,),
        facts=(FlagPassed,),
        steps=(PassFlag,),
        commands=(HandOverFlag,),
        sentences={"flag_passed": _flag_passed},
        names={**bearers, "flag": say("flag"), "anniversary": say("Anniversary")},
        signs={FLAG: "⚑"},
        controls={"bearer": Control("piece", "{value}/{seat}")},
        symbols={f"flag-{seat}": pennon(seat) for seat in COLOURS},
        invariants=(one_flag_each,),
    )
