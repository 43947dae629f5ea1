"""A turn of El Caballero: actions in any order, some limited, one compulsory."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rules.errors import NotYourDecision, RuleBroken
from rules.forms import Field
from rules.kernel import Answer, AnsweredForPlayer, Choice, Command, Fact, Form, Number, Outcome, Player, State, Step
from rules.texts import Text, say
from tests.rules.kernel.toys import EndTurn, Game, Say

COUNTED = {
    "take_supply": "supply",
    "place_tile": "tiles",
    "place_caballero": "caballeros",
    "increase_caballero": "caballeros",
}
"""An action to the counter it uses up. Returning a caballero uses up none."""


class Map(Struct, frozen=True):
    court: int = 3
    cells: tuple[int, ...] = (1, 2, 3)
    """Where a sector tile fits."""
    cards: Mapping[int, int] = {}
    """The player's caballero cards on the map: the place to the number shown."""

    def consequences(self, state: State) -> tuple[Step, ...]:
        return ()


class TakeSupply(Say, frozen=True, tag="take_supply"):
    amount: int


class PlaceTile(Say, frozen=True, tag="place_tile"):
    cell: int


class PlaceCaballero(Say, frozen=True, tag="place_caballero"):
    cell: int


class IncreaseCaballero(Say, frozen=True, tag="increase_caballero"):
    cell: int


class ReturnCaballero(Say, frozen=True, tag="return_caballero"):
    cell: int


class CourtChanged(Fact, frozen=True, tag="court_changed"):
    by: int

    def apply(self, board: Map) -> Map:
        return replace(board, court=board.court + self.by)


class TilePlaced(Fact, frozen=True, tag="tile_placed"):
    cell: int

    def apply(self, board: Map) -> Map:
        return replace(board, cells=tuple(cell for cell in board.cells if cell != self.cell))


class CardShows(Fact, frozen=True, tag="card_shows"):
    """The caballero card at this place shows so many; none: it is taken away."""

    cell: int
    number: int

    def apply(self, board: Map) -> Map:
        cards = {**board.cards, self.cell: self.number}
        return replace(board, cards={cell: number for cell, number in cards.items() if number})


class TakeTurn(Step, frozen=True, tag="toy_take_turn"):
    """Which action do you take?"""

    by: Player
    left: Mapping[str, int]
    kind = "action"
    prompt = say("Which action do you take?")

    @classmethod
    def with_power_card(cls, by: Player, value: int) -> "TakeTurn":
        return cls(by, {"supply": 1, "tiles": 2 if value == 9 else 1, "caballeros": 2})

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if isinstance(command, EndTurn):
            if self._owes_tile(state.board):
                raise RuleBroken(say("place a sector tile before you end your turn"), "tile")
            return Outcome()
        counter = COUNTED.get(str(type(command).__struct_config__.tag))
        facts = effect(state.board, command)
        if counter is None:
            return Outcome(facts, (self,))
        if not self.left[counter]:
            raise RuleBroken(say("no more {counter} in this turn", counter=counter), "limit")
        return Outcome(facts, (replace(self, left={**self.left, counter: self.left[counter] - 1}),))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        forms = [form for form in actions(state.board) if self.left.get(COUNTED.get(form.kind, ""), 1)]
        return *forms, *(() if self._owes_tile(state.board) else (Form("end_turn", say("end your turn")),))

    def default(self, state: State, player: Player) -> Command:
        return PlaceTile(state.board.cells[0]) if self._owes_tile(state.board) else EndTurn()

    def forced(self, state: State, player: Player) -> Command | None:
        return EndTurn() if [form.kind for form in self.forms(state, player)] == ["end_turn"] else None

    def _owes_tile(self, board: Map) -> bool:
        return bool(self.left["tiles"] and board.cells)


def effect(board: Map, command: Any) -> tuple[Fact, ...]:
    """What an action does, whatever was done before in the turn."""
    match command:
        case TakeSupply(amount):
            return (CourtChanged(amount),)
        case PlaceTile(cell):
            return (TilePlaced(cell),)
        case ReturnCaballero(cell):
            return (CardShows(cell, 0),)
    if not board.court:
        raise RuleBroken(say("your court is empty"), "cost")
    return CourtChanged(-1), CardShows(command.cell, board.cards.get(command.cell, 0) + 1)


def actions(board: Map) -> tuple[Form, ...]:
    """All actions that are possible on this map."""
    cards, tiles = Choice(tuple(board.cards)), Choice(board.cells)
    sites = Choice(tuple(cell for cell in (11, 12, 13) if cell not in board.cards and board.court))
    fields: dict[str, dict[str, Field]] = {
        "take_supply": {"amount": Number(1, 4)},
        "place_tile": {"cell": tiles},
        "place_caballero": {"cell": sites},
        "increase_caballero": {"cell": cards if board.court else Choice(())},
        "return_caballero": {"cell": cards},
    }
    return tuple(
        Form(kind, Text(kind.replace("_", " ")), field)
        for kind, field in fields.items()
        if Choice(()) not in field.values()
    )


def new_game(power_card: int = 5, **board: Any) -> Game:
    return Game(Map(**board), TakeTurn.with_power_card("red", power_card))


def test_actions_come_in_any_order():
    game = new_game().says("red", PlaceCaballero(11), PlaceTile(2), TakeSupply(4), IncreaseCaballero(11))
    assert game.board == Map(court=5, cells=(1, 3), cards={11: 2})
    game = new_game().says("red", TakeSupply(4), PlaceTile(2), PlaceCaballero(11), IncreaseCaballero(11))
    assert game.board == Map(court=5, cells=(1, 3), cards={11: 2})


def test_caballeros_are_placed_or_increased_twice_together():
    game = new_game().says("red", PlaceCaballero(11), IncreaseCaballero(11))
    assert game.refused("red", PlaceCaballero(12)) == "limit"
    assert game.refused("red", IncreaseCaballero(11)) == "limit"
    assert game.offered("red") == ["take_supply", "place_tile", "return_caballero"]


def test_the_supply_is_taken_once():
    game = new_game().says("red", TakeSupply(2))
    assert game.refused("red", TakeSupply(1)) == "limit"


def test_returning_a_caballero_does_not_give_its_action_back():
    game = new_game().says("red", PlaceCaballero(11), PlaceCaballero(12), ReturnCaballero(11))
    assert game.refused("red", PlaceCaballero(11)) == "limit"


def test_caballeros_are_returned_as_often_as_one_likes():
    game = new_game(cards={11: 1, 12: 1, 13: 1}).says("red", *map(ReturnCaballero, (11, 12, 13)))
    assert game.board.cards == {}


def test_an_action_that_leaves_the_turn_as_it_was_is_a_decision_of_its_own():
    game = new_game(cards={11: 1, 12: 1})
    first = Answer("red", game.decision("red").id, ReturnCaballero(11))
    game.says("red", first.command)
    assert isinstance(game.refusal(first), NotYourDecision)


def test_a_tile_must_be_placed_before_the_turn_ends():
    game = new_game()
    assert game.refused("red", EndTurn()) == "tile"
    assert "end_turn" not in game.offered("red")
    assert game.says("red", PlaceTile(1), EndTurn()).state.is_over


def test_a_power_card_of_nine_brings_two_tiles():
    game = new_game(power_card=9).says("red", PlaceTile(1))
    assert game.refused("red", EndTurn()) == "tile"
    assert game.says("red", PlaceTile(2), EndTurn()).state.is_over


def test_the_turn_may_end_when_no_tile_fits():
    assert new_game(cells=()).says("red", EndTurn()).state.is_over
    assert new_game(power_card=9, cells=(1,)).says("red", PlaceTile(1), EndTurn()).state.is_over


def test_the_turn_ends_by_itself_when_nothing_else_is_left():
    game = new_game(court=0).says("red", TakeSupply(1), PlaceTile(1), PlaceCaballero(11), ReturnCaballero(11))
    assert game.state.is_over
    assert game.facts_of(AnsweredForPlayer) == [AnsweredForPlayer("red", "action", "only_option")]


def test_the_compulsory_tile_is_placed_when_time_runs_out():
    assert new_game().time_up("red").board.cells == (2, 3)
