"""A player who is asked in the middle of somebody else's action."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rules.errors import NotYourDecision
from rules.kernel import Answer, AnsweredForPlayer, Choice, Command, Fact, Form, Outcome, Player, State, Step
from rules.texts import say
from tests.rules.kernel.toys import CaballeroMoved, Game, Move, MoveCaballeros, Say, Stop, Table, free_regions, table

# Consent to be escorted


class Send(Say, frozen=True, tag="send"):
    """Send a black caballero somewhere, together with somebody's caballero."""

    source: str
    target: str
    escort: Player


class Consent(Say, frozen=True, tag="consent"):
    agree: bool


class SendMercenaries(Step, frozen=True, tag="toy_send"):
    """Where do you send a mercenary, and whom does it take along?"""

    by: Player
    left: int = 2
    kind = "send"
    prompt = say("Where do you send a mercenary, and whom does it take along?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,) if self.left else ()

    def run(self, state: State) -> Outcome:
        return Outcome()

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if isinstance(command, Stop):
            return Outcome()
        journey = (command.source, command.target)
        goes_on = replace(self, left=self.left - 1)
        return Outcome((CaballeroMoved("black", *journey),), (Escort(self.by, command.escort, *journey), goes_on))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        regions = state.board.regions
        sources = [region for region in free_regions(state.board) if regions[region].get("black")]
        return *(
            Form(
                "send",
                say("send a mercenary"),
                {"source": Choice((source,)), "target": targets, "escort": Choice(owners)},
            )
            for source in sources
            for targets in [Choice(free_regions(state.board))]
            if (owners := tuple(owner for owner in state.board.players if regions[source].get(owner)))
        ), Form("stop", say("stop here"))

    def default(self, state: State, player: Player) -> Command:
        return Stop()


class Escort(Step, frozen=True, tag="toy_escort"):
    """Does your caballero go along?"""

    by: Player
    owner: Player
    source: str
    target: str
    kind = "consent"
    prompt = say("Does your caballero go along?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return () if self.owner == self.by else (self.owner,)

    def run(self, state: State) -> Outcome:
        return Outcome((CaballeroMoved(self.owner, self.source, self.target),))

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        return self.run(state) if command.agree else Outcome()

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return (Form("consent", say("let it go along"), {"agree": Choice((True, False))}),)

    def default(self, state: State, player: Player) -> Command:
        return Consent(False)


def escorting() -> Game:
    return Game(table("granada: black 1, red 1, blue 1; sevilla: black 1"), SendMercenaries("red"))


def test_the_owner_is_asked_before_an_opposing_caballero_goes_along():
    game = escorting().says("red", Send("granada", "valencia", "blue"))
    assert game.waiting == ("blue",)
    game.says("blue", Consent(True))
    assert game.position == "granada: red 1; sevilla: black 1; valencia: black 1, blue 1"
    assert game.waiting == ("red",), "the action goes on"


def test_the_mercenary_goes_alone_if_the_owner_refuses():
    game = escorting().says("red", Send("granada", "valencia", "blue")).says("blue", Consent(False))
    assert game.position == "granada: red 1, blue 1; sevilla: black 1; valencia: black 1"


def test_silence_is_a_refusal():
    game = escorting().says("red", Send("granada", "valencia", "blue")).time_up("blue")
    assert game.position == "granada: red 1, blue 1; sevilla: black 1; valencia: black 1"
    assert game.waiting == ("red",)


def test_own_caballeros_go_along_without_asking():
    game = escorting().says("red", Send("granada", "valencia", "red"))
    assert game.position == "granada: blue 1; sevilla: black 1; valencia: black 1, red 1"


def test_the_game_waits_for_the_owner_and_for_nobody_else():
    game = escorting()
    earlier = game.decision("red").id
    game.says("red", Send("granada", "valencia", "blue"))
    refusal = game.refusal(Answer("red", earlier, Stop()))
    assert isinstance(refusal, NotYourDecision)
    assert refusal.sentence == "it is not red's turn to answer: waiting for blue"


# The flag is handed over at once


class HandOver(Say, frozen=True, tag="hand_over"):
    region: str


class FlagPassed(Fact, frozen=True, tag="flag_passed"):
    player: Player
    region: str

    def apply(self, board: Any) -> Any:
        return replace(board, flags={**board.flags, self.player: self.region})


class PassFlag(Step, frozen=True, tag="toy_pass_flag"):
    """Which of your caballeros carries the flag now?"""

    by: Player
    kind = "pass_flag"
    prompt = say("Which of your caballeros carries the flag now?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        return Outcome((FlagPassed(player, command.region),))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return (Form("hand_over", say("hand the flag over"), {"region": Choice(regions_of(state.board, player))}),)

    def default(self, state: State, player: Player) -> Command:
        return HandOver(regions_of(state.board, player)[0])

    def forced(self, state: State, player: Player) -> Command | None:
        regions = regions_of(state.board, player)
        return HandOver(regions[0]) if len(regions) == 1 else None


class FlagTable(Table, frozen=True):
    flags: Mapping[Player, str] = {}

    def consequences(self, state: State) -> tuple[Step, ...]:
        """Whoever has no caballero left beside the own flag hands it over."""
        lost = [owner for owner, region in self.flags.items() if not self.regions[region].get(owner)]
        return tuple(PassFlag(owner) for owner in lost[:1])


def regions_of(board: Table, owner: Player) -> tuple[str, ...]:
    return tuple(region for region, there in board.regions.items() if there.get(owner))


def with_flags(position: str, **flags: str) -> Game:
    return Game(table(position, FlagTable, flags=flags), MoveCaballeros("red", others=2))


def test_a_player_whose_bearer_was_moved_hands_the_flag_over_in_the_middle_of_the_action():
    game = with_flags("granada: blue 1; sevilla: blue 1", blue="granada")
    game.says("red", Move("blue", "granada", "valencia"))
    assert game.waiting == ("blue",)
    game.says("blue", HandOver("sevilla"))
    assert game.waiting == ("red",)
    game.says("red", Move("blue", "valencia", "granada"))
    assert game.state.is_over
    assert game.board.flags == {"blue": "sevilla"}


def test_the_last_step_of_an_action_raises_the_question_too():
    game = with_flags("granada: blue 2, green 1; sevilla: green 1", green="granada")
    game.says("red", Move("blue", "granada", "valencia"), Move("green", "granada", "valencia"))
    assert game.waiting == ("green",)


def test_a_flag_with_one_place_to_go_is_handed_over_without_asking():
    game = with_flags("granada: blue 1", blue="granada").says("red", Move("blue", "granada", "valencia"))
    assert game.told(AnsweredForPlayer) == [AnsweredForPlayer("blue", "pass_flag", "only_option")]
    assert game.board.flags == {"blue": "valencia"}
    assert game.waiting == ("red",)
