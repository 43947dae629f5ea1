"""Bringing Caballeros to court."""

from __future__ import annotations

from rules.el_caballero.board import Board, Fact, room
from rules.el_caballero.commands import TakeSupply
from rules.el_caballero.facts import SupplyTaken
from rules.el_caballero.steps.actions import Action
from rules.errors import RuleBroken
from rules.kernel import Form, Number, Player, Words
from rules.texts import say, say_many


class Supply(Action, frozen=True):
    """Once in a turn the player adds Caballeros to the court: as many as the power card has heads, or fewer."""

    kind = "take_supply"
    counter = "supply"

    def forms(self, board: Board, by: Player) -> tuple[Form, ...]:
        most = allowance(board, by)
        if most < 1:
            return ()
        text = say_many("bring up to {count} Caballero to court", "bring up to {count} Caballeros to court", most)
        words = Words(
            say("Take supply"), say("Take {amount}", amount="{amount}"), say("court of {count}", count=board.courts[by])
        )
        return (Form(self.kind, text, {"amount": Number(1, most, of="supply")}, words=words),)

    def facts(self, board: Board, by: Player, command: TakeSupply) -> tuple[Fact, ...]:
        heads, space = heads_of(board, by), room(board, by)
        if command.amount < 1:
            raise RuleBroken(say("take at least one Caballero, or leave it out"), "supply")
        if command.amount > heads:
            raise RuleBroken(
                say_many(
                    "your power card brings at most {count} Caballero",
                    "your power card brings at most {count} Caballeros",
                    heads,
                ),
                "supply",
            )
        if command.amount > space:
            raise RuleBroken(
                say_many(
                    "your cards have room for {count} more Caballero",
                    "your cards have room for {count} more Caballeros",
                    space,
                ),
                "reserve",
            )
        return (SupplyTaken(by, command.amount),)


def heads_of(board: Board, by: Player) -> int:
    return board.rules.power_cards[board.power[by]].heads


def allowance(board: Board, by: Player) -> int:
    """How many Caballeros may come to court now."""
    return min(heads_of(board, by), room(board, by))
