"""A player who is asked in the middle of somebody else's action: consent to be escorted."""

from typing import Any

from msgspec.structs import replace

from rules.errors import NotYourDecision
from rules.kernel import Answer, Choice, Command, Form, Outcome, Player, State, Step
from rules.texts import say
from tests.rules.kernel.toys import CaballeroMoved, Game, Say, Stop, free_regions, table


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


def test_the_game_waits_for_the_owner_and_for_no_other_player():
    game = escorting()
    earlier = game.decision("red").id
    game.says("red", Send("granada", "valencia", "blue"))
    refusal = game.refusal(Answer("red", earlier, Stop()))
    assert isinstance(refusal, NotYourDecision)
    assert refusal.sentence == "it is not red's turn to answer: waiting for blue"
