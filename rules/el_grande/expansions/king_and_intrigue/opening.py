"""Before the first round: a caballero for every player, and the choice of the cards to play with."""

from __future__ import annotations

from typing import Any

from rules.el_grande.board import Board, SecretStep, State, free_disk_regions
from rules.el_grande.commands import SecretCommand, SetDisk
from rules.el_grande.expansions.king_and_intrigue.facts import CardsKept
from rules.el_grande.facts import CaballerosPlaced
from rules.el_grande.movement import Going, carried_out
from rules.el_grande.regions import COURT
from rules.el_grande.steps.disks import check_disk, disk_form, sealed_disks
from rules.errors import RuleBroken
from rules.kernel import AnswersOpened, Command, Form, Outcome, Player, SealDropped, Some, Words, expect
from rules.texts import Text, Value, one_by_one, say

KEPT = 13
"""So many cards a player keeps."""

SENT = 1
"""So many caballeros go from court to the region chosen before the first round."""


class SetFirstDisks(SecretStep, frozen=True, tag="set_first_disks"):
    """Every player secretly chooses a region, not the king's, and puts a caballero from court there."""

    kind = "disk_first"
    prompt = say("Where does a caballero from your court go before the first round?")

    def asked(self, state: State) -> tuple[Player, ...]:
        return state.board.players

    def check(self, state: State, player: Player, command: Any) -> None:
        check_disk(state.board, command, free_disk_regions(state.board))

    def sealed_by_all(self, state: State) -> Outcome:
        disks = sealed_disks(state, state.board.players)
        going = (Going(player, COURT, disk.region, SENT) for player, disk in disks.items())
        placed = carried_out(state.board, going, lambda gone: CaballerosPlaced(gone.owner, gone.target, gone.count))
        return Outcome((AnswersOpened(disks), *placed))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return disk_form(say("put a caballero into"), free_disk_regions(state.board))

    def default(self, state: State, player: Player) -> Command:
        return SetDisk(state.board.grandes[player])


class KeptCards(SecretCommand, frozen=True, tag="keep_cards"):
    values: tuple[int, ...]

    def in_words(self) -> Value:
        return one_by_one(self.values)


class KeepCards(SecretStep, frozen=True, tag="keep_cards"):
    """Every player secretly keeps some of the cards; the others leave the game unseen."""

    kind = "keep_cards"
    prompt = say("Which 13 of your 18 action cards do you keep?")

    def asked(self, state: State) -> tuple[Player, ...]:
        return state.board.players

    def check(self, state: State, player: Player, command: Any) -> None:
        expect(command, KeptCards)
        hand, chosen = state.board.hands[player], set(command.values)
        if len(chosen) < len(command.values):
            raise RuleBroken(say("name every card once"), "keep_cards")
        if unknown := chosen - set(hand):
            raise RuleBroken(say("{value} is not among your cards", value=min(unknown)), "keep_cards")
        if len(chosen) != KEPT:
            raise RuleBroken(
                say("keep exactly {number} cards, not {chosen}", number=KEPT, chosen=len(chosen)), "keep_cards"
            )

    def sealed_by_all(self, state: State) -> Outcome:
        """Nothing is opened: the choice stays secret until the end of the game."""
        chosen = {player: state.sealed[player] for player in state.board.players}
        dropped = (SealDropped(player) for player in chosen)
        return Outcome((*dropped, *(_kept(player, command) for player, command in chosen.items())))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        hand = state.board.hands[player]
        cards = Some(hand, KEPT, KEPT, tuple(label(state.board, value) for value in hand), of="kept_card")
        words = Words(button=say("Keep {count}", count="{count}"), note=say("only you will know which"))
        return (Form("keep_cards", say("keep 13 cards"), {"values": cards}, words=words),)

    def default(self, state: State, player: Player) -> Command:
        return KeptCards(state.board.hands[player][:KEPT])


def _kept(player: Player, command: Any) -> CardsKept:
    assert isinstance(command, KeptCards), f"not a choice of cards: {command}"
    return CardsKept(player, tuple(sorted(command.values)), len(command.values))


def label(board: Board, value: int) -> Text:
    """A card of a hand as players are offered it."""
    rules = board.rules
    return say(
        "brings {count}; {card}", count=rules.power_cards[value], card=rules.cards[rules.hand_cards[value]].label
    )
