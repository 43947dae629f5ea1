"""The special actions that King & Intrigue brings."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from rules.el_grande.board import (
    Board,
    Fact,
    State,
    Step,
    check_region,
    check_source,
    count,
    free_regions,
    held_by,
    is_taboo,
    movable_scoreboards,
    name_of,
    nothing_enters,
    opponents,
    pieces,
    scoreboard_targets,
    source_keys,
    space_of,
    take_from_regions,
    takeable,
)
from rules.el_grande.commands import Special, TakeStep
from rules.el_grande.expansions.king_and_intrigue.facts import PlacementFreed
from rules.el_grande.facts import CaballerosMoved, CaballerosPlaced, GrandeMoved
from rules.el_grande.movement import Going, carried_out
from rules.el_grande.regions import CASTILLO, COURT
from rules.el_grande.steps.disks import disk_form, sealed_disks
from rules.el_grande.steps.intrigue import (
    NO_OWNER,
    Modes,
    MoveCaballeros,
    SendHomeOneEach,
    Stepwise,
    WithoutStop,
)
from rules.el_grande.steps.royal import MoveScoreboard
from rules.el_grande.steps.scorings import ScoreChosen, ScoreSecretly
from rules.el_grande.steps.special import CardStep, given
from rules.errors import RuleBroken
from rules.forms import Field
from rules.kernel import AnswersOpened, Choice, Command, Counts, Form, Outcome, Player, Total, Words
from rules.texts import Text, say, say_many

# Placement


class FreePlacement(CardStep, frozen=True, tag="free_placement"):
    """The placement of this turn may go to any regions."""

    name: ClassVar[Text] = say("Place anywhere")
    before_placement: ClassVar[bool] = True
    card: str = "ki_020"

    def executable(self, board: Board) -> bool:
        return count(board, COURT, self.by) > 0

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} may place caballeros in any regions", player=self.by)

    def run(self, state: State) -> Outcome:
        return Outcome((PlacementFreed(self.by, self.card),))


# Caballeros


class SendOneOfEachHome(WithoutStop, SendHomeOneEach, frozen=True, tag="send_one_of_each_home"):
    """One caballero of each opponent goes back, as far as there is one; the actor may not stop before."""


class Intrigue(Modes, frozen=True, tag="intrigue"):
    """One opponent's caballero leaves a region, or any number of own ones."""

    def modes(self) -> dict[str, Stepwise]:
        return {
            "foreign": MoveCaballeros(self.by, total=1, own=0, one_region=True),
            "own": MoveCaballeros(self.by, foreign=0, one_region=True),
        }


class TwoEachToCastillo(WithoutStop, frozen=True, tag="two_each_to_castillo"):
    """Two caballeros of each opponent go from regions into the castillo, then two own from regions or court."""

    owners: tuple[Player, ...] = ()
    """Whose caballeros are still to go, in order."""
    gone: int = 0
    """How many of the first of them have gone."""
    each: int = 2
    prompt = say("Which caballero goes into the castillo?")

    def step_deed(self, board: Board, step: TakeStep) -> Text:
        place = name_of(board, str(step.source))
        return say("a caballero of {owner} goes from {place} into the castillo", owner=str(step.owner), place=place)

    def what_is_left(self, board: Board) -> Text:
        return say_many(
            "{player} puts {count} caballero of each player into the castillo",
            "{player} puts {count} caballeros of each player into the castillo",
            self.each,
            player=self.by,
        )

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        words = Words(name=(put := say("Two each into the castillo")), button=put)
        return (Form("special", say("put two caballeros of each player into the castillo"), words=words),)

    def executable(self, board: Board) -> bool:
        return self._in_order(board).has_step(board)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        return (self._in_order(board),)

    def _in_order(self, board: Board) -> TwoEachToCastillo:
        return replace(self, owners=(*opponents(board, self.by), self.by))

    def has_step(self, board: Board) -> bool:
        return self._present(board) is not None

    def at_once(self, state: State, player: Player) -> int:
        left = [self.each - self.gone, *(self.each for _ in self.owners[1:])]
        there = (sum(self._limits(state.board, owner).values()) for owner in self.owners)
        return sum(map(min, left, there))

    def take(self, board: Board, command: TakeStep) -> tuple[tuple[Fact, ...], Step]:
        if command.target is not UNSET:
            raise RuleBroken(say("it goes into the castillo: name no place to go to"), "fields")
        owner = given(command.owner, NO_OWNER)
        source = given(command.source, say("this needs a place to take it from"))
        present = self._present(board)
        if present is None or owner not in held_by(board, present.owners[0]):
            raise RuleBroken(say("it is not the turn of {owner}'s caballeros", owner=owner), "players")
        return (self._gone(board, owner, source),), replace(present, gone=present.gone + 1)

    def _gone(self, board: Board, owner: Player, source: str) -> Fact:
        if source == COURT and owner == self.by:
            if not count(board, COURT, owner):
                raise RuleBroken(say("there is no caballero in your court"), "as_many_as_there_are")
            return CaballerosPlaced(owner, CASTILLO, 1)
        check_source(board, owner, source)
        [(piece, _)] = pieces(board, owner, source, 1)
        return CaballerosMoved(owner, piece, CASTILLO, 1, self.by)

    def step_forms(self, board: Board) -> tuple[Form, ...]:
        present = self._present(board)
        if not present:
            return ()
        whose = held_by(board, present.owners[0])
        return tuple(present._form(board, owner) for owner in whose if present._own_limits(board, owner))

    def _form(self, board: Board, owner: Player) -> Form:
        court = (COURT,) if COURT in self._own_limits(board, owner) else ()
        regions = tuple(key for region in free_regions(board) for key in source_keys(board, owner, region))
        fields = {"owner": Choice((owner,), of="piece"), "from": Choice((*court, *regions), of="piece")}
        words = Words(button=say("Into the castillo: {count}", count="{count}"))
        return Form("step", say("put a caballero of {owner} into the castillo", owner=owner), fields, words=words)

    def _present(self, board: Board) -> TwoEachToCastillo | None:
        """The same with the owner in front whose caballero goes next; none if nobody has one to give."""
        here = self
        while here.owners:
            if here.gone < here.each and self._limits(board, here.owners[0]):
                return here
            here = replace(here, owners=here.owners[1:], gone=0)
        return None

    def _limits(self, board: Board, player: Player) -> dict[str, int]:
        """Those of nobody that a player holds count as the player's."""
        return {
            f"{owner}/{key}": n for owner in held_by(board, player) for key, n in self._own_limits(board, owner).items()
        }

    def _own_limits(self, board: Board, owner: Player) -> dict[str, int]:
        limits = takeable(board, owner)
        if owner == self.by and (court := count(board, COURT, owner)):
            limits[COURT] = court
        return limits


# Grande and scoreboards


class TravelWithGrande(CardStep, frozen=True, tag="travel_with_grande"):
    """The actor's Grande moves to another free region, and up to three own caballeros from any regions with him."""

    to: str = ""
    from_regions: dict[str, int] = {}
    most: int = 3
    takes: ClassVar[tuple[str, ...]] = ("to", "from_regions")

    def executable(self, board: Board) -> bool:
        home = board.grandes[self.by]
        return home != CASTILLO and not is_taboo(board, home)

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        return tuple(self._form(board, region) for region in self._reach(board))

    def _form(self, board: Board, region: str) -> Form:
        reach = board.rules.destinations
        sources = {key: limit for key, limit in takeable(board, self.by).items() if space_of(key) != region}
        limits = {key: limit for key, limit in sources.items() if region in reach(board, key)}
        along = Counts(limits, of="own_piece")
        fields: dict[str, Field] = {"to": Choice((region,), of="grande_goes"), "from_regions": along}
        button = say("Move your Grande to {to}, and {count} with him", to="{to}", count="{count}")
        words = Words(say("Move your Grande"), button)
        total = Total(("from_regions",), 0, min(self.most, sum(limits.values())))
        return Form("special", say("move your Grande to {region}", region=region), fields, total, words)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        to = given(command.to, say("this needs a region to go to"))
        check_region(board, to)
        if is_taboo(board, to):
            raise RuleBroken(nothing_enters(to), "taboo")
        if to not in self._reach(board):
            raise RuleBroken(say("your Grande is in {region} already", region=to), "must_change")
        along = command.from_regions if isinstance(command.from_regions, dict) else {}
        trip = replace(self, to=to, from_regions=along)
        trip._check_company(board)
        return (trip,)

    def _check_company(self, board: Board) -> None:
        if any(space_of(key) == self.to for key in self.from_regions):
            raise RuleBroken(say("from {place} to {place} is not a move", place=self.to), "move")
        for piece, _ in take_from_regions(board, self.by, self.from_regions, self.to):
            if self.to not in board.rules.destinations(board, piece):
                raise RuleBroken(
                    say("no caballero goes from {source} to {target}", source=piece, target=self.to), "move"
                )
        if (number := sum(self.from_regions.values())) > self.most:
            raise RuleBroken(
                say_many(
                    "at most {count} caballero goes along, not {wanted}",
                    "at most {count} caballeros go along, not {wanted}",
                    self.most,
                    wanted=number,
                ),
                "limit",
            )

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        region, number = name_of(board, self.to), sum(self.from_regions.values())
        if not number:
            return say("{player}'s Grande moves to {region}", player=self.by, region=region)
        return say_many(
            "{player}'s Grande moves to {region}, with {count} caballero",
            "{player}'s Grande moves to {region}, with {count} caballeros",
            number,
            player=self.by,
            region=region,
        )

    def run(self, state: State) -> Outcome:
        board = state.board
        taken = take_from_regions(board, self.by, self.from_regions, self.to)
        going = (Going(self.by, key, self.to, number) for key, number in taken)
        return Outcome((GrandeMoved(self.by, self.to), *carried_out(board, going, self._told)))

    def _told(self, gone: Going) -> Fact:
        return CaballerosMoved(gone.owner, gone.source, gone.target, gone.count, self.by)

    def _reach(self, board: Board) -> tuple[str, ...]:
        return tuple(region for region in free_regions(board) if region != board.grandes[self.by])


class LayScoreboard(MoveScoreboard, frozen=True, tag="lay_scoreboard"):
    """As in the base game; if it must be done and the actor does not say how, an unused scoreboard goes first."""

    def usual(self, board: Board) -> Special:
        movable = movable_scoreboards(board)
        unused = (scoreboard for scoreboard in movable if scoreboard not in board.scoreboards)
        return Special(board=next(unused, movable[0]), to=scoreboard_targets(board)[0])

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        [laid] = super().begun(board, command)
        assert isinstance(laid, MoveScoreboard), f"not a scoreboard: {laid}"
        return (LayScoreboard(self.by, laid.scoreboard, laid.to),)


# Scoring


class ScoreTogether(ScoreSecretly, frozen=True, tag="score_together"):
    """Every player secretly chooses a region; those that at least two players chose are scored."""

    name: ClassVar[Text] = say("Vote")
    kind = "disk_vote"
    prompt = say("Which region shall be scored? It counts only if another player chooses it, too.")

    def sealed_by_all(self, state: State) -> Outcome:
        """Beginning with the actor, regions that were chosen twice or more are scored once, each with a veto window."""
        disks = sealed_disks(state, self.asked(state))
        chosen = Counter(disk.region for disk in disks.values())
        scored = tuple(ScoreChosen(self.by, region) for region, votes in chosen.items() if votes > 1)
        return Outcome((AnswersOpened(disks),), scored)

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return disk_form(say("vote for a scoring of"), state.board.rules.region_order)


STEPS = (
    FreePlacement,
    SendOneOfEachHome,
    TwoEachToCastillo,
    TravelWithGrande,
    LayScoreboard,
    ScoreTogether,
)
