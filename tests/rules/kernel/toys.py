"""A small table with small cards, to try what the kernel can carry.

Positions are text, as in `granada: red 2, blue 1; sevilla: green 1`. A card is a row of `CARDS`; an expansion of the
toy is a `Table` with more cards that answers `after_part`, `after_turn`, `turn_of` or `consequences` in its own way.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from msgspec import Struct, convert
from msgspec.structs import replace

from rules.errors import Refused, RuleBroken
from rules.kernel import (
    Answer,
    AnyStep,
    Choice,
    Command,
    Decision,
    Fact,
    Form,
    Outcome,
    Player,
    State,
    Step,
    StepTaken,
    TimeUp,
    begin,
    fold,
    options,
    play,
    waiting,
)
from rules.texts import Text, say

REGIONS = ("aragon", "granada", "sevilla", "valencia")


# The table


class Table(Struct, frozen=True):
    players: tuple[Player, ...] = ("red", "blue", "green")
    king: str = "aragon"
    regions: Mapping[str, Mapping[Player, int]] = {}
    scores: Mapping[Player, int] = {}
    held: Mapping[str, Player] = {}
    """Cards in front of players: the card to its holder."""
    turn: Player = ""
    queue: tuple[Player, ...] = ()
    performed: str = ""
    """The card whose special action was performed in this turn."""

    def shift(self, owner: Player, source: str, target: str) -> "Table":
        regions = {region: dict(there) for region, there in self.regions.items()}
        if source:
            regions[source][owner] -= 1
        regions[target][owner] = regions[target].get(owner, 0) + 1
        return replace(self, regions=regions)

    def cards(self) -> Mapping[str, tuple["CardStep", ...]]:
        """Every card of the game and the steps of its special action."""
        return CARDS

    def turn_of(self, player: Player) -> tuple[Step, ...]:
        """The steps of a player's turn."""
        return (TakeCard(player),)

    def after_part(self, by: Player) -> tuple[Step, ...]:
        """What may happen when a part of this player's turn is finished."""
        return ()

    def after_turn(self, by: Player) -> tuple[Step, ...]:
        """What may happen when this player's turn is over."""
        return ()

    def consequences(self, state: State) -> tuple[Step, ...]:
        """What must be decided at once, before the game goes on."""
        return ()


def table(position: str = "", kind: type[Table] = Table, **fields: Any) -> Any:
    """A table with the caballeros of a position."""
    regions: dict[str, dict[Player, int]] = {region: {} for region in REGIONS}
    for part in filter(None, position.split("; ")):
        region, counts = part.split(": ")
        regions[region] = {owner: int(number) for owner, number in map(str.split, counts.split(", "))}
    return kind(regions=regions, **fields)


def position(board: Table) -> str:
    """The caballeros on the table, as text."""
    lines = {
        region: ", ".join(f"{owner} {number}" for owner, number in there.items() if number)
        for region, there in board.regions.items()
    }
    return "; ".join(f"{region}: {line}" for region, line in lines.items() if line)


# What is said and what happens


class Say(Command, frozen=True):
    """Any command of the toy games."""


class Move(Say, frozen=True, tag="move"):
    owner: Player
    source: str
    target: str


class Stop(Say, frozen=True, tag="stop"):
    pass


class Take(Say, frozen=True, tag="take"):
    card: str


class Place(Say, frozen=True, tag="place"):
    region: str


class Perform(Say, frozen=True, tag="perform"):
    pass


class EndTurn(Say, frozen=True, tag="end_turn"):
    pass


class React(Say, frozen=True, tag="react"):
    answer: str


class CaballeroMoved(Fact, frozen=True, tag="caballero_moved"):
    owner: Player
    source: str
    target: str

    def apply(self, board: Table) -> Table:
        return board.shift(self.owner, self.source, self.target)


class CaballeroPlaced(Fact, frozen=True, tag="caballero_placed"):
    owner: Player
    region: str

    def apply(self, board: Table) -> Table:
        return board.shift(self.owner, "", self.region)


class PointsScored(Fact, frozen=True, tag="points_scored"):
    player: Player
    points: int

    def apply(self, board: Table) -> Table:
        return replace(board, scores={**board.scores, self.player: board.scores.get(self.player, 0) + self.points})


class CardTaken(Fact, frozen=True, tag="card_taken"):
    player: Player
    card: str

    def apply(self, board: Table) -> Table:
        return replace(board, held={**board.held, self.card: self.player})


class CardSpent(Fact, frozen=True, tag="card_spent"):
    card: str

    def apply(self, board: Table) -> Table:
        return replace(board, held={card: player for card, player in board.held.items() if card != self.card})


class TurnBegan(Fact, frozen=True, tag="turn_began"):
    player: Player

    def apply(self, board: Table) -> Table:
        queue = tuple(player for player in board.queue if player != self.player)
        return replace(board, turn=self.player, queue=queue, performed="")


class TurnEnded(Fact, frozen=True, tag="turn_ended"):
    player: Player

    def apply(self, board: Table) -> Table:
        return board


class ActionPerformed(Fact, frozen=True, tag="action_performed"):
    """At least one step of this card's special action was carried out."""

    card: str

    def apply(self, board: Table) -> Table:
        return replace(board, performed=self.card)


# The turn


class NextTurn(Step, frozen=True, tag="toy_next_turn"):
    """The next player in the queue has a turn."""

    def run(self, state: State) -> Outcome:
        if not state.board.queue:
            return Outcome()
        player = state.board.queue[0]
        return Outcome((TurnBegan(player),), (*state.board.turn_of(player), self))


class TakeCard(Step, frozen=True, tag="toy_take_card"):
    """Which card do you take?"""

    by: Player
    kind = "take"
    prompt = say("Which card do you take?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if command.card not in untaken(state.board):
            raise RuleBroken(say("{card} does not lie on the table", card=command.card), "take")
        then = (Menu(player, command.card), *state.board.after_turn(player))
        return Outcome((CardTaken(player, command.card),), then)

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return (Form("take", say("take a card"), {"card": Choice(untaken(state.board))}),)

    def default(self, state: State, player: Player) -> Command:
        return Take(untaken(state.board)[0])


class Menu(Step, frozen=True, tag="toy_menu"):
    """Place a caballero, perform the special action, or end your turn?"""

    by: Player
    card: str
    done: tuple[str, ...] = ()
    kind = "menu"
    prompt = say("Place a caballero, perform the special action, or end your turn?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,)

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if isinstance(command, EndTurn):
            return Outcome((CardSpent(self.card), TurnEnded(player)))
        kind = str(type(command).__struct_config__.tag)
        if kind in self.done:
            raise RuleBroken(say("{part} was done already in this turn", part=kind), "never_split")
        goes_on = (*state.board.after_part(player), replace(self, done=(*self.done, kind)))
        if isinstance(command, Perform):
            return Outcome(
                (), (SpecialAction(player, self.card, performed_by(state.board, player, self.card)), *goes_on)
            )
        if command.region == state.board.king:
            raise RuleBroken(say("{region} is the king's region: nothing enters it", region=command.region), "taboo")
        return Outcome((CaballeroPlaced(player, command.region),), goes_on)

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        parts = (
            Form("place", say("place a caballero"), {"region": Choice(free_regions(state.board))}),
            Form("perform", say("perform the special action")),
        )
        return (*(form for form in parts if form.kind not in self.done), Form("end_turn", say("end your turn")))

    def default(self, state: State, player: Player) -> Command:
        return EndTurn()

    def forced(self, state: State, player: Player) -> Command | None:
        return EndTurn() if len(self.done) == 2 else None


def untaken(board: Table) -> tuple[str, ...]:
    return tuple(card for card in board.cards() if card not in board.held)


def free_regions(board: Table) -> tuple[str, ...]:
    return tuple(region for region in REGIONS if region != board.king)


# Special actions


class CardStep(Step, frozen=True):
    """A step of a card. In the table of cards nobody performs it yet."""

    by: Player = ""
    vetoable: ClassVar[bool] = True


class SpecialAction(Step, frozen=True, tag="toy_special_action"):
    """A special action under way: another holder of the veto is asked before each of its steps."""

    by: Player
    card: str
    body: tuple[AnyStep, ...]
    allowed: bool = False

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return self._asking(state) or self.body[0].waits_for(state)

    def run(self, state: State) -> Outcome:
        return self._advance(self.body[0].run(state))

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if not self._asking(state):
            return self._advance(self.body[0].answer(state, player, command))
        return (
            Outcome((CardSpent("veto"),)) if command.answer == "veto" else Outcome((), (replace(self, allowed=True),))
        )

    def asks(self, state: State) -> str:
        return "veto" if self._asking(state) else self.body[0].asks(state)

    def question(self, state: State, player: Player) -> Text:
        return say("do you stop it?") if self._asking(state) else self.body[0].question(state, player)

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        if self._asking(state):
            return (Form("react", say("let it pass, or stop it"), {"answer": Choice(("allow", "veto"))}),)
        return self.body[0].forms(state, player)

    def default(self, state: State, player: Player) -> Command:
        return React("allow") if self._asking(state) else self.body[0].default(state, player)

    def _asking(self, state: State) -> tuple[Player, ...]:
        holder = state.board.held.get("veto")
        first = self.body[0]
        closed = self.allowed or not (isinstance(first, CardStep) and first.vetoable)
        return () if closed or holder in (None, self.by) else (holder,)

    def _advance(self, outcome: Outcome) -> Outcome:
        body = outcome.then + self.body[1:]
        facts = (*outcome.facts, ActionPerformed(self.card))
        return Outcome(facts, (SpecialAction(self.by, self.card, body),) if body else ())


class MoveCaballeros(CardStep, frozen=True, tag="toy_move_caballeros"):
    """Which caballero do you move, and where to?"""

    own: int = 0
    others: int = 0
    kind = "move"
    prompt = say("Which caballero do you move, and where to?")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,) if any(self._movable(state.board)) else ()

    def run(self, state: State) -> Outcome:
        return Outcome()

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if isinstance(command, Stop):
            return Outcome()
        if (command.owner, command.source) not in self._movable(state.board):
            no_such = say(
                "no caballero of {owner} in {source} may be moved", owner=command.owner, source=command.source
            )
            raise RuleBroken(no_such, "move")
        own = command.owner == self.by
        left = replace(self, own=self.own - own, others=self.others - (not own))
        return Outcome((CaballeroMoved(command.owner, command.source, command.target),), (left,))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        targets = Choice(free_regions(state.board))
        return *(
            Form(
                "move",
                say("move a caballero"),
                {"owner": Choice((owner,)), "source": Choice((source,)), "target": targets},
            )
            for owner, source in self._movable(state.board)
        ), Form("stop", say("stop here"))

    def default(self, state: State, player: Player) -> Command:
        return Stop()

    def _movable(self, board: Table) -> Iterator[tuple[Player, str]]:
        for region in free_regions(board):
            for owner, number in board.regions[region].items():
                if number and (self.own if owner == self.by else self.others):
                    yield owner, region


class Score(CardStep, frozen=True, tag="toy_score"):
    """The actor scores so many points."""

    points: int = 0

    def run(self, state: State) -> Outcome:
        return Outcome((PointsScored(self.by, self.points),))


CARDS: Mapping[str, tuple[CardStep, ...]] = {
    "one_and_one": (MoveCaballeros(own=1, others=1),),
    "move_two_own": (MoveCaballeros(own=2),),
    "score_five": (Score(points=5),),
}


def performed_by(board: Table, player: Player, card: str) -> tuple[CardStep, ...]:
    return tuple(replace(step, by=player) for step in board.cards()[card])


# Playing


class Game:
    """A game under test. Whatever is played, the fold of its facts is the live state."""

    def __init__(self, board: Any, *agenda: Step) -> None:
        self.empty = State(board)
        self.facts, self.state = begin(board, *agenda)
        self._check_fold()

    def says(self, player: Player, *commands: Command) -> "Game":
        for command in commands:
            self._play(Answer(player, self.decision(player).id, command))
        return self

    def time_up(self, player: Player) -> "Game":
        self._play(TimeUp(player, self.decision(player).id))
        return self

    def refusal(self, answer: Answer | TimeUp) -> Refused:
        """Why this answer is refused; nothing has changed then."""
        before = self.state
        try:
            play(self.state, answer)
        except Refused as refused:
            assert self.state is before
            assert fold(self.empty, self.facts) == before
            return refused
        raise AssertionError(f"{answer} was accepted")

    def refused(self, player: Player, command: Command) -> str:
        """The rule that forbids this answer."""
        refusal = self.refusal(Answer(player, self.decision(player).id, command))
        assert isinstance(refusal, RuleBroken)
        return refusal.rule

    def decision(self, player: Player) -> Decision:
        [decision] = options(self.state, player)
        return decision

    def offered(self, player: Player) -> list[str]:
        """The kinds of command this player may give now."""
        return list(dict.fromkeys(form.kind for form in self.decision(player).forms))

    @property
    def waiting(self) -> tuple[Player, ...]:
        return waiting(self.state)

    @property
    def board(self) -> Any:
        return self.state.board

    @property
    def position(self) -> str:
        return position(self.state.board)

    def facts_of(self, kind: type[Fact]) -> list[Any]:
        """All facts of this kind so far, in order."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def seen_by(self, viewer: str) -> list[Fact]:
        return [fact.seen_by(viewer) for fact in self.facts]

    def _play(self, answer: Answer | TimeUp) -> None:
        before = self.state
        facts, self.state = play(before, answer)
        self.facts += facts
        assert fold(before, facts) == self.state
        assert (self.state.agenda == before.agenda) or any(isinstance(fact, StepTaken) for fact in facts)
        self._check_fold()

    def _check_fold(self) -> None:
        assert fold(self.empty, self.facts) == self.state


def wander(game: Game, pick: Callable[[int], int], limit: int = 60) -> Game:
    """Play on with random answers out of the forms, as a client does that knows no rules."""
    for _ in range(limit):
        if game.state.is_over:
            break
        player = game.waiting[pick(len(game.waiting))]
        forms = game.decision(player).forms
        game.says(player, read(forms[pick(len(forms))].sample(pick)))
    return game


def read(said: dict[str, Any]) -> Command:
    """A toy command from plain data."""
    [kind] = [kind for kind in Say.__subclasses__() if kind.__struct_config__.tag == said["kind"]]
    return convert(said, kind)
