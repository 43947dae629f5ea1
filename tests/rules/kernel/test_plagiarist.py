"""A special action repeated by another player after the turn."""

from typing import Any

from rules.kernel import Choice, Command, Form, Outcome, Player, State, Step
from rules.texts import say
from tests.rules.kernel.toys import (
    CardSpent,
    EndTurn,
    Game,
    Move,
    NextTurn,
    Perform,
    React,
    SpecialAction,
    Stop,
    Table,
    Take,
    performed_by,
    table,
)


class Plagiarise(Step, frozen=True, tag="toy_plagiarise"):
    """Do you repeat the special action that was just performed?"""

    after: Player
    kind = "plagiarise"
    prompt = say("Do you repeat the special action that was just performed?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        holder = state.board.held.get("plagiarist")
        return () if holder in (None, self.after) or not state.board.performed else (holder,)

    def run(self, state: State) -> Outcome:
        return Outcome()

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if command.answer == "pass":
            return Outcome()
        card = state.board.performed
        return Outcome(
            (CardSpent("plagiarist"),), (SpecialAction(player, card, performed_by(state.board, player, card)),)
        )

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return (Form("react", say("repeat it, or pass"), {"answer": Choice(("use", "pass"))}),)

    def default(self, state: State, player: Player) -> Command:
        return React("pass")


class PlagiaristTable(Table, frozen=True):
    def after_turn(self, by: Player) -> tuple[Step, ...]:
        return (Plagiarise(by),)


def new_game(**held: Player) -> Game:
    """Red, then blue, have a turn; green holds the plagiarist."""
    position = "granada: red 2, blue 2, green 2"
    board = table(position, PlagiaristTable, queue=("red", "blue"), held={"plagiarist": "green", **held})
    return Game(board, NextTurn())


def red_performs(game: Game, *commands: Command) -> Game:
    return game.says("red", Take("one_and_one"), Perform(), *commands, EndTurn())


def test_the_plagiarist_repeats_the_special_action_after_the_turn():
    game = red_performs(new_game(), Move("red", "granada", "sevilla"), Move("blue", "granada", "sevilla"))
    assert game.waiting == ("green",)
    game.says("green", React("use"), Move("green", "granada", "valencia"), Move("red", "granada", "valencia"))
    assert game.position == "granada: blue 1, green 1; sevilla: red 1, blue 1; valencia: green 1, red 1"
    assert game.waiting == ("blue",)


def test_own_and_opposing_are_those_of_the_player_who_repeats_it():
    game = red_performs(new_game(), Stop()).says("green", React("use"), Move("red", "granada", "sevilla"))
    assert game.refused("green", Move("blue", "granada", "sevilla")) == "move"
    assert {form.fields["owner"] for form in game.decision("green").forms[:-1]} == {Choice(("green",))}


def test_the_full_limits_apply_even_if_the_original_was_cut_short():
    game = red_performs(new_game(), Stop()).says("green", React("use"))
    game.says("green", Move("green", "granada", "sevilla"), Move("blue", "granada", "sevilla"))
    assert game.position == "granada: red 2, blue 1, green 1; sevilla: green 1, blue 1"


def test_the_player_whose_turn_ended_may_veto_the_repetition():
    game = red_performs(new_game(veto="red"), Move("red", "granada", "sevilla"), Stop())
    game.says("green", React("use"))
    assert game.waiting == ("red",)
    game.says("red", React("veto"))
    assert game.position == "granada: red 1, blue 2, green 2; sevilla: red 1"
    assert game.board.held == {}
    assert game.waiting == ("blue",)


def test_a_skipped_special_action_cannot_be_repeated():
    game = new_game().says("red", Take("one_and_one"), EndTurn())
    assert game.waiting == ("blue",)


def test_a_special_action_vetoed_before_its_first_step_cannot_be_repeated():
    game = new_game(veto="blue").says("red", Take("one_and_one"), Perform()).says("blue", React("veto"))
    assert game.says("red", EndTurn()).waiting == ("blue",)


def test_the_plagiarist_lapses_when_time_runs_out_but_is_kept():
    game = red_performs(new_game(), Stop()).time_up("green")
    assert game.waiting == ("blue",)
    assert game.board.held == {"plagiarist": "green"}
