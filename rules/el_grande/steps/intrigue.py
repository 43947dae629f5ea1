"""Stepwise special actions: one caballero at a time, and every single one can be vetoed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from rules.el_grande.board import (
    Board,
    Fact,
    State,
    Step,
    check_enter,
    check_region,
    check_source,
    count,
    enterable,
    free_regions,
    is_taboo,
    name_of,
    nothing_leaves,
    opponents,
    pieces,
    source_keys,
    space_of,
)
from rules.el_grande.commands import Special, Stop, TakeStep
from rules.el_grande.facts import CaballerosMoved, CaballerosPlaced, CaballerosReturned
from rules.el_grande.regions import COURT
from rules.el_grande.steps.special import AFTER, CardStep, given
from rules.el_grande.steps.turns import expect
from rules.errors import RuleBroken
from rules.kernel import Choice, Command, Form, Outcome, Player
from rules.texts import Text, all_of, any_of, say, say_many

NO_LIMIT = 99
NO_OWNER = say("this needs an owner")
STOP = Form("stop", say("stop here"))


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
            return (Form("special", say("move caballeros")),)
        regions = tuple(region for region in free_regions(board) if any(self._owners(board, region)))
        return (Form("special", say("move caballeros out of one region"), {"source": Choice(regions)}),)

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
        check_enter(board, target)
        if target == space_of(source):
            raise RuleBroken(say("from {place} to {place} is not a move", place=target), "move")
        [(piece, _)] = pieces(board, owner, source, 1)
        arrived = board.rules.arrival(board, piece, target)
        return (CaballerosMoved(owner, piece, arrived, 1, self.by),), self._after_moving(owner)

    def step_forms(self, board: Board) -> tuple[Form, ...]:
        return tuple(self._forms(board))

    def _forms(self, board: Board) -> Iterator[Form]:
        """One form a source: whoever may be moved from there, to anywhere else."""
        for region in self._regions(board):
            targets = Choice(tuple(space for space in enterable(board) if space != region))
            for key, owners in self._keys(board, region).items():
                fields = {"owner": Choice(owners), "from": Choice((key,)), "to": targets}
                yield Form("step", say("move a caballero from {place}", place=key), fields)

    def _keys(self, board: Board, region: str) -> Mapping[str, tuple[Player, ...]]:
        keys: dict[str, tuple[Player, ...]] = {}
        for owner in self._owners(board, region):
            for key in source_keys(board, owner, region):
                keys[key] = (*keys.get(key, ()), owner)
        return keys

    def _regions(self, board: Board) -> tuple[str, ...]:
        if self.source:
            return () if is_taboo(board, self.source) else (self.source,)
        return free_regions(board)

    def _owners(self, board: Board, region: str) -> Iterator[Player]:
        """Whose caballeros in this region may still be moved."""
        if self.total < 1:
            return
        for owner in board.players:
            if (self.own if owner == self.by else self.foreign) > 0 and count(board, region, owner):
                yield owner

    def _check_owner(self, board: Board, owner: str) -> None:
        if owner not in board.players:
            raise RuleBroken(say("there is no player at this table called {name}", name=owner), "players")
        if self.total < 1:
            raise RuleBroken(say("all moves of this card are used up"), "limit")
        if owner == self.by and self.own < 1:
            raise RuleBroken(say("you may not move (more of) your own caballeros with this card"), "limit")
        if owner != self.by and self.foreign < 1:
            raise RuleBroken(say("you may not move (more) caballeros of others with this card"), "limit")

    def _after_moving(self, owner: Player) -> Step:
        if owner == self.by:
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
        return (Form("special", text),)

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
        check_enter(board, target)
        return (CaballerosPlaced(self.by, target, 1),), replace(self, left=self.left - 1)

    def step_forms(self, board: Board) -> tuple[Form, ...]:
        return (Form("step", say("place a caballero"), {"to": Choice(enterable(board))}),)


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
        return (Form("special", say("send back one caballero of each opponent")),)

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
                {"owner": Choice((owner,)), "from": Choice(tuple(keys))},
            )
            for owner, keys in sources.items()
        )

    def _candidates(self, board: Board) -> Iterator[tuple[Player, str]]:
        for owner in opponents(board, self.by):
            if owner not in self.sent:
                for region in free_regions(board):
                    for key in source_keys(board, owner, region):
                        yield owner, key


class Either(CardStep, frozen=True, tag="either"):
    """Exactly one of two special actions; the choice is made when it begins."""

    place_two: PlaceExtra = PlaceExtra(left=2)
    move_all_own: MoveCaballeros = MoveCaballeros(foreign=0, one_region=True)

    takes: ClassVar[tuple[str, ...]] = ("mode", "source")

    def executable(self, board: Board) -> bool:
        return any(mode.executable(board) for mode in self._modes().values())

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        return tuple(
            Form("special", form.text, {"mode": Choice((name,)), **form.fields}, form.total)
            for name, mode in self._modes().items()
            if mode.executable(board)
            for form in mode.special_forms(board)
        )

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        name = given(command.mode, say("this needs a mode"))
        mode = self._modes().get(name)
        if mode is None:
            raise RuleBroken(
                say("{mode} is not a mode: choose {modes}", mode=name, modes=any_of(self._modes())), "fields"
            )
        if not mode.executable(board):
            raise RuleBroken(say("{mode} cannot be carried out now", mode=name), "executable")
        if command.source is not UNSET and "source" not in mode.takes:
            raise RuleBroken(say("{mode} takes no source", mode=name), "fields")
        return mode.begun(board, command)

    def _modes(self) -> dict[str, Stepwise]:
        return {
            "place_two": replace(self.place_two, by=self.by),
            "move_all_own": replace(self.move_all_own, by=self.by),
        }
