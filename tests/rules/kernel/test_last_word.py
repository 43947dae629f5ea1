"""A turn whose second half comes after all other turns of the round: a rule edits the queue of turns."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rules.kernel import Fact, Outcome, Player, State, Step
from tests.rules.kernel.toys import (
    CARDS,
    CaballeroPlaced,
    CardStep,
    CardTaken,
    EndTurn,
    Game,
    NextTurn,
    Perform,
    Place,
    React,
    Table,
    Take,
    TurnEnded,
    table,
)


class TurnPostponed(Fact, frozen=True, tag="turn_postponed"):
    player: Player

    def apply(self, board: Any) -> Any:
        return replace(board, queue=(*board.queue, self.player), halved=self.player)


class Postpone(CardStep, frozen=True, tag="toy_postpone"):
    """The rest of the turn follows after all others."""

    def run(self, state: State) -> Outcome:
        return Outcome((TurnPostponed(self.by),))


class LastWordTable(Table, frozen=True):
    halved: Player = ""

    def cards(self) -> Mapping[str, tuple[CardStep, ...]]:
        return {**CARDS, "last_word": (Postpone(),)}

    def turn_of(self, player: Player) -> tuple[Step, ...]:
        """The second half is not a new turn: it has been waiting on the agenda."""
        return () if player == self.halved else super().turn_of(player)

    def consequences(self, state: State) -> tuple[Step, ...]:
        """A player in the queue who is at turn waits for the turns of the others."""
        return (NextTurn(),) if self.turn in self.queue else ()


def new_game(*queue: Player, **held: Player) -> Game:
    board = table(kind=LastWordTable, queue=queue or ("red", "blue", "green"), held=held)
    return Game(board, NextTurn())


def test_the_rest_of_the_turn_follows_after_all_other_turns():
    game = new_game().says("red", Take("last_word"), Perform())
    assert game.waiting == ("blue",)
    game.says("blue", Take("score_five"), Place("granada"), EndTurn())
    game.says("green", Take("one_and_one"), Place("granada"), EndTurn())
    assert game.offered("red") == ["place", "end_turn"]
    game.says("red", Place("granada"))
    assert [fact.owner for fact in game.facts_of(CaballeroPlaced)] == ["blue", "green", "red"]
    assert game.state.is_over


def test_the_halves_are_one_turn():
    game = new_game().says("red", Take("last_word"), Place("sevilla"), Perform())
    game.says("blue", Take("score_five"), EndTurn()).says("green", Take("one_and_one"), EndTurn())
    assert game.state.is_over, "what was done before the break is done, so nothing is left to ask"
    assert [fact.player for fact in game.facts_of(TurnEnded)] == ["blue", "green", "red"]
    assert len(game.facts_of(CardTaken)) == 3


def test_the_player_with_the_last_word_counts_as_last_of_the_round():
    game = new_game().says("red", Take("last_word"), Perform())
    game.says("blue", Take("score_five"), EndTurn()).says("green", Take("one_and_one"), EndTurn())
    assert game.board.turn == "red"


def test_the_turn_goes_on_at_once_if_postponing_is_vetoed():
    game = new_game(veto="blue").says("red", Take("last_word"), Perform()).says("blue", React("veto"))
    assert game.offered("red") == ["place", "end_turn"]


def test_the_turn_of_the_last_player_simply_goes_on():
    game = new_game("red").says("red", Take("last_word"), Perform())
    assert game.offered("red") == ["place", "end_turn"]
    assert game.says("red", EndTurn()).state.is_over
