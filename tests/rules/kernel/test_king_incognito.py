"""A reaction at the boundary between two parts of an opponent's turn."""

from typing import Any

from msgspec.structs import replace

from rules.kernel import EVERYTHING, SPECTATOR, Choice, Command, Fact, Form, Outcome, Player, State, Step, Viewer
from rules.texts import say
from tests.rules.kernel import toys
from tests.rules.kernel.toys import CardSpent, EndTurn, Game, NextTurn, Perform, Place, Stop, Table, Take, table


class KingMoved(Fact, frozen=True, tag="king_moved"):
    region: str

    def apply(self, board: Table) -> Table:
        return replace(board, king=self.region)


class RegionHidden(Fact, frozen=True, tag="region_hidden"):
    """The holder has laid a region card face down."""

    player: Player
    region: str | None

    def apply(self, board: Any) -> Any:
        return replace(board, hidden=self.region)

    def seen_by(self, viewer: Viewer) -> Fact:
        return self if viewer in (self.player, EVERYTHING) else RegionHidden(self.player, None)


class TurnPassed(Fact, frozen=True, tag="turn_passed"):
    """The holder does not want to be asked again in this turn."""

    during: Player

    def apply(self, board: Any) -> Any:
        return replace(board, passed=self.during)


class Hide(Step, frozen=True, tag="toy_hide"):
    """A region card is laid face down."""

    by: Player
    region: str

    def run(self, state: State) -> Outcome:
        return Outcome((RegionHidden(self.by, self.region),))


class UseIncognito(Step, frozen=True, tag="toy_incognito"):
    """Does the king go to the hidden region now?"""

    during: Player
    kind = "incognito"
    prompt = say("Does the king go to the hidden region now?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        holder = state.board.held.get("incognito")
        return () if holder in (None, self.during) or state.board.passed == self.during else (holder,)

    def run(self, state: State) -> Outcome:
        return Outcome()

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        match command.answer:
            case "use":
                return Outcome((CardSpent("incognito"), KingMoved(state.board.hidden)))
            case "pass_turn":
                return Outcome((TurnPassed(self.during),))
        return Outcome()

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return (Form("react", say("use it, or pass"), {"answer": Choice(("use", "pass", "pass_turn"))}),)

    def default(self, state: State, player: Player) -> Command:
        return toys.React("pass_turn")


class IncognitoTable(Table, frozen=True):
    hidden: str | None = None
    passed: Player = ""

    def turn_of(self, player: Player) -> tuple[Step, ...]:
        return (UseIncognito(player), *super().turn_of(player))

    def after_part(self, by: Player) -> tuple[Step, ...]:
        return (UseIncognito(by),)


def new_game(*queue: Player) -> Game:
    """Blue holds King incognito and has hidden granada; the king stands in aragon."""
    board = table("sevilla: red 2", IncognitoTable, queue=queue or ("red", "green"), held={"incognito": "blue"})
    return Game(board, Hide("blue", "granada"), NextTurn())


def test_the_holder_is_asked_before_the_turn_and_after_each_finished_part():
    game = new_game()
    assert game.waiting == ("blue",)
    game.says("blue", toys.React("pass")).says("red", Take("one_and_one"), Place("valencia"))
    assert game.waiting == ("blue",)
    game.says("blue", toys.React("pass")).says("red", Perform(), Stop())
    assert game.waiting == ("blue",)


def test_a_part_that_has_begun_is_finished_before_the_holder_is_asked():
    game = new_game().says("blue", toys.React("pass")).says("red", Take("one_and_one"), Perform())
    assert game.waiting == ("red",)


def test_parts_already_done_stand_and_later_ones_follow_the_new_position():
    game = new_game().says("blue", toys.React("pass")).says("red", Take("one_and_one"), Perform(), Stop())
    game.says("blue", toys.React("use"))
    assert game.refused("red", Place("granada")) == "taboo"
    assert game.says("red", Place("aragon")).position == "aragon: red 1; sevilla: red 2"


def test_a_placement_stands_when_the_king_comes_afterwards():
    game = new_game().says("blue", toys.React("pass")).says("red", Take("one_and_one"), Place("granada"))
    game.says("blue", toys.React("use"))
    assert (game.board.king, game.position) == ("granada", "granada: red 1; sevilla: red 2")


def test_a_holder_who_passed_the_turn_is_not_asked_again_in_it():
    game = new_game().says("blue", toys.React("pass_turn")).says("red", Take("one_and_one"), Place("valencia"))
    assert game.waiting == ("red",)
    game.says("red", EndTurn())
    assert game.waiting == ("blue",), "green's turn is another one"


def test_the_holder_is_not_asked_in_the_own_turn():
    assert new_game("blue").waiting == ("blue",)
    assert new_game("blue").decision("blue").kind == "take"


def test_the_holder_passes_the_turn_when_time_runs_out():
    assert new_game().time_up("blue").board.passed == "red"


def test_the_hidden_region_is_known_to_its_holder_only():
    game = new_game()
    assert game.seen_by("blue")[0] == RegionHidden("blue", "granada")
    assert game.seen_by("red")[0] == game.seen_by(SPECTATOR)[0] == RegionHidden("blue", None)
