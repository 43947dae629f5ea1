"""A card inside a card: double turn, and executing another card's action."""

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from rules.el_grande.base import BASE
from rules.el_grande.board import Board, Veto
from rules.el_grande.commands import Special, TakeStep, VetoResponse
from rules.el_grande.deck import design
from rules.el_grande.facts import SpecialActionVetoed
from rules.el_grande.steps import special as el_grande
from rules.kernel import Choice, Command, Fact, Form, Outcome, Player, State, Step
from rules.texts import say
from tests.rules.kernel.toys import (
    CARDS,
    CardStep,
    CardTaken,
    EndTurn,
    Game,
    Menu,
    Move,
    NextTurn,
    Perform,
    Place,
    PointsScored,
    React,
    Score,
    Stop,
    Table,
    Take,
    performed_by,
    table,
    untaken,
)


class Execute(CardStep, frozen=True, tag="toy_execute"):
    """Which other card's special action do you carry out?"""

    kind = "execute"
    prompt = say("Which other card's special action do you carry out?")
    vetoable: ClassVar[bool] = False

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        return Outcome((CardTaken(player, command.card),), performed_by(state.board, player, command.card))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return (Form("take", say("carry out a card"), {"card": Choice(untaken(state.board))}),)

    def default(self, state: State, player: Player) -> Command:
        return Take(untaken(state.board)[0])


class SecondCardChosen(Fact, frozen=True, tag="second_card_chosen"):
    card: str

    def apply(self, board: Any) -> Any:
        return replace(board, second=self.card)


class ChooseSecond(Execute, frozen=True, tag="toy_choose_second"):
    """Which second card do you take?"""

    vetoable: ClassVar[bool] = True

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        return Outcome((CardTaken(player, command.card), SecondCardChosen(command.card)))


class UseSecondCard(Step, frozen=True, tag="toy_use_second"):
    """A second card that was chosen is used as a whole, before the turn goes on."""

    by: Player

    def run(self, state: State) -> Outcome:
        card = state.board.second
        return Outcome((SecondCardChosen(""),), (Menu(self.by, card),)) if card else Outcome()


class DoubleTurnTable(Table, frozen=True):
    second: str = ""

    def cards(self) -> Mapping[str, tuple[CardStep, ...]]:
        return {**CARDS, "double_turn": (ChooseSecond(),), "execute_and_score": (Execute(), Score(points=3))}

    def after_part(self, by: Player) -> tuple[Step, ...]:
        return (UseSecondCard(by),)


def new_game(**held: Player) -> Game:
    board = table("granada: red 2, blue 2", DoubleTurnTable, queue=("red", "blue"), held=held)
    return Game(board, NextTurn())


def test_an_executed_card_is_carried_out_before_the_rest_of_the_outer_card():
    game = new_game().says("red", Take("execute_and_score"), Perform(), Take("score_five"))
    assert [fact.points for fact in game.facts_of(PointsScored)] == [5, 3]


def test_a_veto_stops_the_executed_action_and_with_it_the_outer_one():
    game = new_game(veto="blue").says("red", Take("execute_and_score"), Perform(), Take("one_and_one"))
    game.says("blue", React("allow")).says("red", Move("red", "granada", "sevilla")).says("blue", React("veto"))
    assert game.position == "granada: red 1, blue 2; sevilla: red 1"
    assert game.facts_of(PointsScored) == []


def test_the_turn_goes_on_after_a_veto():
    game = new_game(veto="blue").says("red", Take("execute_and_score"), Perform(), Take("one_and_one"))
    game.says("blue", React("veto"))
    assert game.offered("red") == ["place", "end_turn"]
    assert game.says("red", EndTurn()).waiting == ("blue",)


def test_the_wrapper_opens_no_window_of_its_own():
    game = new_game(veto="blue").says("red", Take("execute_and_score"), Perform())
    assert (game.waiting, game.decision("red").kind) == (("red",), "execute")


def test_the_second_card_of_a_double_turn_is_used_as_a_whole():
    game = new_game().says("red", Take("double_turn"), Perform(), Take("one_and_one"))
    game.says("red", Place("granada"), Perform(), Stop())
    assert game.state.agenda[0] == Menu("red", "double_turn", ("perform",))
    game.says("red", Place("valencia"))
    assert game.position == "granada: red 3, blue 2; valencia: red 1"
    assert game.waiting == ("blue",)


def test_a_veto_of_the_second_cards_action_leaves_its_placement():
    game = new_game(veto="blue").says("red", Take("double_turn"), Perform()).says("blue", React("allow"))
    game.says("red", Take("score_five"), Perform()).says("blue", React("veto"))
    assert game.facts_of(PointsScored) == []
    assert game.offered("red") == ["place", "end_turn"]
    assert game.state.agenda[0] == Menu("red", "score_five", ("perform",))


def test_a_vetoed_double_turn_gives_no_second_card():
    game = new_game(veto="blue").says("red", Take("double_turn"), Perform()).says("blue", React("veto"))
    assert game.state.agenda[0] == Menu("red", "double_turn", ("perform",))


class ExecuteCard(el_grande.CardStep, frozen=True, tag="toy_execute_card"):
    """Carry out the special action of another card, with the veto windows of that card."""

    card: str = ""

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        special = design(board, self.card).special
        assert special
        return replace(special, by=self.by).begun(board, command)


def test_the_veto_of_el_grande_reaches_an_executed_card():
    cubes = {region: {"red": 3} if region == "granada" else {} for region in BASE.regions}
    board = Board("el_grande", ("red", "blue"), king="aragon", cubes=cubes, vetoes=(Veto("blue", "s2_veto", 1),))
    outcome = el_grande.begin_special(State(board), "red", "outer", ExecuteCard(card="s1_move_four_own"), Special())
    game = Game(board, *outcome.then, Menu("red", "score_five"))
    game.says("red", TakeStep("red", "granada", "sevilla")).says("blue", VetoResponse("allow"))
    game.says("red", TakeStep("red", "granada", "valencia")).says("blue", VetoResponse("veto"))
    assert (game.board.cubes["granada"], game.board.cubes["sevilla"]) == ({"red": 2}, {"red": 1})
    assert game.facts_of(SpecialActionVetoed) == [SpecialActionVetoed("blue", "red", "outer", "s2_veto")]
    assert game.waiting == ("red",)
    assert isinstance(game.state.agenda[0], Menu)
