"""Stepwise special actions: one caballero at a time, and every single one can be vetoed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec import UNSET, convert
from msgspec.structs import replace

from rules.el_grande.board import (
    Board,
    Fact,
    State,
    Step,
    belongs_to,
    check_enter,
    check_region,
    check_source,
    count,
    free_regions,
    is_taboo,
    name_of,
    nothing_leaves,
    opponents,
    owners,
    pieces,
    source_keys,
    space_of,
)
from rules.el_grande.commands import Special, Stop, TakeStep
from rules.el_grande.facts import CaballerosMoved, CaballerosPlaced, CaballerosReturned
from rules.el_grande.movement import Going, carried_out
from rules.el_grande.regions import COURT
from rules.el_grande.steps.special import AFTER, CardStep, given
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player, Words, expect
from rules.texts import Text, all_of, any_of, say, say_many

NO_LIMIT = 99
NO_OWNER = say("this needs an owner")
STOP = Form("stop", say("stop here"), words=Words(button=say("Done")))
MOVE = Words(button=say("Move {count}", count="{count}"))
PLACE = Words(button=say("Place {count}", count="{count}"))
SEND_BACK = Words(button=say("Send back {count}", count="{count}"))


class Stepwise(CardStep, frozen=True):
    """Step after step, until the actor stops, the limit is reached, or no step is possible."""

    kind = "step"

    def window(self, board: Board) -> str:
        return AFTER

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return self.step_deed(board, announced) if isinstance(announced, TakeStep) else self.what_is_left(board)

    def step_deed(self, board: Board, step: TakeStep) -> Text:
        """What one step is going to do."""
        raise AssertionError(f"{type(self).__name__} does not say what a step does")

    def what_is_left(self, board: Board) -> Text:
        """What the steps to come may do."""
        raise AssertionError(f"{type(self).__name__} does not say what is left to do")

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.by,) if self.has_step(state.board) else ()

    def run(self, state: State) -> Outcome:
        return Outcome()

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if isinstance(command, Stop):
            return Outcome()
        expect(command, TakeStep)
        facts, following = self.take(state.board, command)
        return Outcome(facts, (following,))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return (*self.step_forms(state.board), STOP)

    def default(self, state: State, player: Player) -> Command:
        return Stop()

    def executable(self, board: Board) -> bool:
        return self.has_step(board)

    def has_step(self, board: Board) -> bool:
        raise AssertionError(f"{type(self).__name__} does not say when it can go on")

    def take(self, board: Board, command: TakeStep) -> tuple[tuple[Fact, ...], Step]:
        raise AssertionError(f"{type(self).__name__} does not say what a step does")

    def step_forms(self, board: Board) -> tuple[Form, ...]:
        raise AssertionError(f"{type(self).__name__} does not say what a step may be")


class MoveCaballeros(Stepwise, frozen=True, tag="move_caballeros"):
    """Caballeros move to other free regions or into the castillo, one at a time."""

    prompt = say("Which caballero do you move, and where to?")

    total: int = NO_LIMIT
    own: int = NO_LIMIT
    foreign: int = NO_LIMIT
    one_region: bool = False
    source: str = ""

    takes: ClassVar[tuple[str, ...]] = ("source",)

    def step_deed(self, board: Board, step: TakeStep) -> Text:
        source, target = name_of(board, str(step.source)), name_of(board, str(step.target))
        if step.owner == self.by:
            return say(
                "{player} moves a caballero from {source} to {target}", player=self.by, source=source, target=target
            )
        return say(
            "{player} moves a caballero of {owner} from {source} to {target}",
            player=self.by,
            owner=str(step.owner),
            source=source,
            target=target,
        )

    def what_is_left(self, board: Board) -> Text:
        left, region = min(self.total, self.own + self.foreign), name_of(board, self.source)
        if not self.source:
            return say_many(
                "{player} moves up to {count} caballero",
                "{player} moves up to {count} caballeros",
                left,
                player=self.by,
            )
        if self.total == NO_LIMIT:
            return say("{player} moves own caballeros out of {region}", player=self.by, region=region)
        return say_many(
            "{player} moves up to {count} caballero out of {region}",
            "{player} moves up to {count} caballeros out of {region}",
            left,
            player=self.by,
            region=region,
        )

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        if not self.one_region:
            return (
                Form(
                    "special", say("move caballeros"), words=Words(name=(move := say("Move caballeros")), button=move)
                ),
            )
        regions = tuple(region for region in free_regions(board) if any(self._owners(board, region)))
        words = Words(say("Move out of one"), say("Move out of {source}", source="{source}"))
        source = Choice(regions, of="space")
        return (Form("special", say("move caballeros out of one region"), {"source": source}, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        if not self.one_region:
            if command.source is not UNSET:
                raise RuleBroken(say("this card moves caballeros out of any regions: name no source"), "fields")
            return (self,)
        source = given(command.source, say("this needs a source region"))
        check_region(board, source)
        if is_taboo(board, source):
            raise RuleBroken(nothing_leaves(source), "taboo")
        if not any(self._owners(board, source)):
            raise RuleBroken(
                say("there is no caballero in {region} that you may move", region=source), "as_many_as_there_are"
            )
        return (replace(self, source=source),)

    def has_step(self, board: Board) -> bool:
        return any(True for region in self._regions(board) for _ in self._owners(board, region))

    def at_once(self, state: State, player: Player) -> int:
        return min(self.total, self.own + self.foreign)

    def take(self, board: Board, command: TakeStep) -> tuple[tuple[Fact, ...], Step]:
        owner = given(command.owner, NO_OWNER)
        source = given(command.source, say("this needs a place to move from"))
        target = given(command.target, say("this needs a place to move to"))
        self._check_owner(board, owner)
        check_source(board, owner, source)
        if self.source and space_of(source) != self.source:
            raise RuleBroken(
                say("this card moves caballeros out of {region}, not {source}", region=self.source, source=source),
                "one_region",
            )
        [(piece, _)] = pieces(board, owner, source, 1)
        self.check_target(board, piece, target)
        moved = carried_out(board, (Going(owner, piece, target),), self._told)
        return moved, self._after_moving(board, owner)

    def check_target(self, board: Board, piece: str, target: str) -> None:
        if target in board.rules.destinations(board, piece):
            return
        check_enter(board, target)
        if target == space_of(piece):
            raise RuleBroken(say("from {place} to {place} is not a move", place=target), "move")
        raise RuleBroken(say("no caballero goes from {source} to {target}", source=piece, target=target), "move")

    def _told(self, gone: Going) -> Fact:
        return CaballerosMoved(gone.owner, gone.source, gone.target, gone.count, self.by)

    def step_forms(self, board: Board) -> tuple[Form, ...]:
        return tuple(self._forms(board))

    def _forms(self, board: Board) -> Iterator[Form]:
        """One form a source: whoever may be moved from there, to where such a piece may go."""
        for region in self._regions(board):
            for (key, targets), whose in self._keys(board, region).items():
                fields = {
                    "owner": Choice(whose, of="piece"),
                    "from": Choice((key,), of="piece"),
                    "to": Choice(targets, of="destination"),
                }
                yield Form("step", say("move a caballero from {place}", place=key), fields, words=MOVE)

    def _keys(self, board: Board, region: str) -> Mapping[tuple[str, tuple[str, ...]], tuple[Player, ...]]:
        """Sources with their destinations, and the owners whose caballeros can go that way."""
        ways: dict[tuple[str, tuple[str, ...]], tuple[Player, ...]] = {}
        targets: dict[str, tuple[str, ...]] = {}
        for owner in self._owners(board, region):
            for key in source_keys(board, owner, region):
                [(piece, _)] = pieces(board, owner, key, 1)
                if piece not in targets:
                    targets[piece] = board.rules.destinations(board, piece)
                if targets[piece]:
                    way = key, targets[piece]
                    ways[way] = (*ways.get(way, ()), owner)
        return ways

    def _regions(self, board: Board) -> tuple[str, ...]:
        if self.source:
            return () if is_taboo(board, self.source) else (self.source,)
        return free_regions(board)

    def _owners(self, board: Board, region: str) -> Iterator[Player]:
        """Whose caballeros in this region may still be moved."""
        if self.total < 1:
            return
        for owner in owners(board):
            if (self.own if belongs_to(board, owner, self.by) else self.foreign) > 0 and count(board, region, owner):
                yield owner

    def _check_owner(self, board: Board, owner: str) -> None:
        if owner not in owners(board):
            raise RuleBroken(say("there is no player at this table called {name}", name=owner), "players")
        if self.total < 1:
            raise RuleBroken(say("all moves of this card are used up"), "limit")
        is_own = belongs_to(board, owner, self.by)
        if is_own and self.own < 1:
            raise RuleBroken(say("you may not move (more of) your own caballeros with this card"), "limit")
        if not is_own and self.foreign < 1:
            raise RuleBroken(say("you may not move (more) caballeros of others with this card"), "limit")

    def _after_moving(self, board: Board, owner: Player) -> Step:
        if belongs_to(board, owner, self.by):
            return replace(self, total=self.total - 1, own=self.own - 1)
        return replace(self, total=self.total - 1, foreign=self.foreign - 1)


class PlaceExtra(Stepwise, frozen=True, tag="place_extra"):
    """More caballeros go from court to free regions or into the castillo, one at a time."""

    left: int = 2
    prompt = say("Where do you place another caballero from your court?")

    def step_deed(self, board: Board, step: TakeStep) -> Text:
        space = name_of(board, str(step.target))
        return say("{player} places a caballero in {space}", player=self.by, space=space)

    def what_is_left(self, board: Board) -> Text:
        return say_many(
            "{player} places up to {count} more caballero from court",
            "{player} places up to {count} more caballeros from court",
            self.left,
            player=self.by,
        )

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        text = say_many(
            "place up to {count} more caballero anywhere", "place up to {count} more caballeros anywhere", self.left
        )
        return (Form("special", text, words=Words(name=(place := say("Place more")), button=place)),)

    def has_step(self, board: Board) -> bool:
        return self.left > 0 and count(board, COURT, self.by) > 0

    def at_once(self, state: State, player: Player) -> int:
        return min(self.left, count(state.board, COURT, self.by))

    def take(self, board: Board, command: TakeStep) -> tuple[tuple[Fact, ...], Step]:
        if command.owner is not UNSET or command.source is not UNSET:
            raise RuleBroken(say("only the place to go to is asked for"), "fields")
        if not self.has_step(board):
            raise RuleBroken(say("no more caballeros may be placed with this card"), "limit")
        target = given(command.target, say("this needs a place to go to"))
        if target not in board.rules.free_placement(board, self.by):
            check_enter(board, target)
            raise RuleBroken(say("no caballero can be placed in {space}", space=target), "place")
        placed = carried_out(board, (Going(self.by, COURT, target),), self._told)
        return placed, replace(self, left=self.left - 1)

    def _told(self, gone: Going) -> Fact:
        return CaballerosPlaced(gone.owner, gone.target, gone.count)

    def step_forms(self, board: Board) -> tuple[Form, ...]:
        spaces = board.rules.free_placement(board, self.by)
        return (Form("step", say("place a caballero"), {"to": Choice(spaces, of="placement")}, words=PLACE),)


class SendHomeOneEach(Stepwise, frozen=True, tag="send_home_one_each"):
    """One caballero of each opponent goes from a free region back to the province."""

    sent: tuple[Player, ...] = ()
    prompt = say("Whose caballero do you send back to the province?")

    def step_deed(self, board: Board, step: TakeStep) -> Text:
        place = name_of(board, str(step.source))
        return say("a caballero of {owner} goes from {place} to the province", owner=str(step.owner), place=place)

    def what_is_left(self, board: Board) -> Text:
        owners = all_of(player for player in opponents(board, self.by) if player not in self.sent)
        return say("{player} sends back one caballero each of {owners}", player=self.by, owners=owners)

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        words = Words(name=(send := say("Send back one of each")), button=send)
        return (Form("special", say("send back one caballero of each opponent"), words=words),)

    def has_step(self, board: Board) -> bool:
        return any(True for _ in self._candidates(board))

    def at_once(self, state: State, player: Player) -> int:
        return len({owner for owner, _ in self._candidates(state.board)})

    def take(self, board: Board, command: TakeStep) -> tuple[tuple[Fact, ...], Step]:
        if command.target is not UNSET:
            raise RuleBroken(say("a caballero sent back goes to its province: name no place to go to"), "fields")
        owner = given(command.owner, NO_OWNER)
        source = given(command.source, say("this needs a place to take it from"))
        if owner not in opponents(board, self.by):
            raise RuleBroken(say("{name} is not an opponent", name=owner), "players")
        if owner in self.sent:
            raise RuleBroken(say("{owner} has already lost a caballero", owner=owner), "limit")
        check_source(board, owner, source)
        [(piece, _)] = pieces(board, owner, source, 1)
        return (CaballerosReturned(owner, piece, 1),), replace(self, sent=(*self.sent, owner))

    def step_forms(self, board: Board) -> tuple[Form, ...]:
        sources: dict[Player, list[str]] = {}
        for owner, key in self._candidates(board):
            sources.setdefault(owner, []).append(key)
        return tuple(
            Form(
                "step",
                say("send back a caballero of {owner}", owner=owner),
                {"owner": Choice((owner,), of="piece"), "from": Choice(tuple(keys), of="piece")},
                words=SEND_BACK,
            )
            for owner, keys in sources.items()
        )

    def _candidates(self, board: Board) -> Iterator[tuple[Player, str]]:
        for owner in opponents(board, self.by):
            if owner not in self.sent:
                for region in free_regions(board):
                    for key in source_keys(board, owner, region):
                        yield owner, key


class Modes(CardStep, frozen=True):
    """Exactly one of several special actions; the choice is made when it begins."""

    takes: ClassVar[tuple[str, ...]] = ("mode", "source")

    def modes(self) -> dict[str, Stepwise]:
        """The special actions by name."""
        raise AssertionError(f"{type(self).__name__} does not say what can be chosen")

    def executable(self, board: Board) -> bool:
        return any(mode.executable(board) for mode in self.modes().values())

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        return tuple(
            replace(form, fields={"mode": Choice((name,)), **form.fields})
            for name, mode in self.modes().items()
            if mode.executable(board)
            for form in mode.special_forms(board)
        )

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        name = given(command.mode, say("this needs a mode"))
        mode = self.modes().get(name)
        if mode is None:
            raise RuleBroken(
                say("{mode} is not a mode: choose {modes}", mode=name, modes=any_of(self.modes())), "fields"
            )
        if not mode.executable(board):
            raise RuleBroken(say("{mode} cannot be carried out now", mode=name), "executable")
        if command.source is not UNSET and "source" not in mode.takes:
            raise RuleBroken(say("{mode} takes no source", mode=name), "fields")
        return mode.begun(board, command)


class Either(Modes, frozen=True, tag="either"):
    """Two more from court, or all own out of one region."""

    place_two: PlaceExtra = PlaceExtra(left=2)
    move_all_own: MoveCaballeros = MoveCaballeros(foreign=0, one_region=True)

    def modes(self) -> dict[str, Stepwise]:
        return {
            "place_two": replace(self.place_two, by=self.by),
            "move_all_own": replace(self.move_all_own, by=self.by),
        }


class WithoutStop(Stepwise, frozen=True):
    """A stepwise special action that goes on to its end."""

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        if isinstance(command, Stop):
            raise RuleBroken(say("this special action goes on to its end"), "compulsory")
        return super().answer(state, player, command)

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return self.step_forms(state.board)

    def default(self, state: State, player: Player) -> Command:
        return convert(self.step_forms(state.board)[0].example(), TakeStep)

    def forced(self, state: State, player: Player) -> Command | None:
        """The only step that is possible is taken; whoever holds a veto is asked before."""
        forms = self.step_forms(state.board)
        return self.default(state, player) if sum(form.size() for form in forms) == 1 else None
