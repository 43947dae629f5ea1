"""Special actions that cost the others caballeros."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from rules.el_grande.board import (
    Board,
    Fact,
    SecretStep,
    State,
    Step,
    check_region,
    count,
    free_disk_regions,
    free_regions,
    held_by,
    in_free_regions,
    is_taboo,
    name_of,
    nothing_leaves,
    opponents,
    pieces,
    take_from_regions,
    takeable,
)
from rules.el_grande.commands import Return, SetDisk, Special
from rules.el_grande.facts import CaballerosMoved, CaballerosReturned
from rules.el_grande.movement import Going, carried_out
from rules.el_grande.regions import COURT, PROVINCE
from rules.el_grande.steps.disks import back_to_court, check_disk, disk_form, home_or_first, sealed_disks
from rules.el_grande.steps.special import BEFORE, NEVER, CardStep, given
from rules.el_grande.steps.turns import not_a_number, too_few_in_court
from rules.errors import RuleBroken
from rules.forms import Field
from rules.kernel import AnswersOpened, Choice, Command, Counts, Form, Number, Outcome, Player, Total, Words, expect
from rules.texts import Text, Value, all_of, say, say_many

ALL = 99


class EmptyCourts(CardStep, frozen=True, tag="empty_courts"):
    """Every opponent returns caballeros from court to the province."""

    name: ClassVar[Text] = say("Empty the courts")
    most: int = ALL

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        if self.most == ALL:
            return say("all caballeros in the courts of {players} go to the provinces", players=self._victims(board))
        return say_many(
            "{count} caballero in each court of {players} goes to the province",
            "{count} caballeros in each court of {players} go to the province",
            self.most,
            players=self._victims(board),
        )

    def _victims(self, board: Board) -> Value:
        return all_of(opponents(board, self.by))

    def run(self, state: State) -> Outcome:
        losses = {
            player: min(self.most, count(state.board, COURT, player)) for player in opponents(state.board, self.by)
        }
        return Outcome(tuple(CaballerosReturned(player, COURT, loss) for player, loss in losses.items() if loss))


class AngerTheKing(CardStep, frozen=True, tag="anger_the_king"):
    """Clockwise from the left, every opponent gives up caballeros; one who has none is passed over."""

    name: ClassVar[Text] = say("Anger the King")
    each: int = 3

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        return tuple(PayTheKing(self.by, payer, self.each) for payer in opponents(board, self.by))


class PayTheKing(CardStep, frozen=True, tag="pay_the_king"):
    """One opponent gives up caballeros, from court and from free regions."""

    payer: Player = ""
    each: int = 3
    kind = "return"
    prompt = say("Which of your caballeros go back to the province?")

    def window(self, board: Board) -> str:
        return BEFORE if self.due(board) else NEVER

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say_many(
            "{player} gives up {count} caballero",
            "{player} gives up {count} caballeros",
            self.due(board),
            player=self.payer,
        )

    def details(self, state: State) -> Mapping[str, Any]:
        return {"owes": self.due(state.board)}

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.payer,) if self.due(state.board) else ()

    def run(self, state: State) -> Outcome:
        return Outcome()

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        expect(command, Return)
        board, due = state.board, self.due(state.board)
        if command.from_court < 0:
            raise RuleBroken(not_a_number(command.from_court), "counts")
        if command.from_court > (court := count(board, COURT, player)):
            raise RuleBroken(too_few_in_court(court, command.from_court), "return")
        taken = take_from_regions(board, player, command.from_regions, PROVINCE)
        if (offered := command.from_court + sum(command.from_regions.values())) != due:
            raise RuleBroken(
                say_many(
                    "give up exactly {count} caballero, not {offered}",
                    "give up exactly {count} caballeros, not {offered}",
                    due,
                    offered=offered,
                ),
                "return",
            )
        if command.from_court:
            taken.insert(0, (COURT, command.from_court))
        return Outcome(tuple(CaballerosReturned(player, key, number) for key, number in taken))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        board, due = state.board, self.due(state.board)
        court = Number(0, min(due, count(board, COURT, player)), of=COURT)
        regions = Counts(takeable(board, player), of="own_piece")
        fields: dict[str, Field] = {"from_court": court, "from_regions": regions}
        text = say_many("give up {count} caballero", "give up {count} caballeros", due)
        words = Words(button=say("Give up {count}", count="{count}"))
        return (Form("return", text, fields, Total(tuple(fields), due, due), words),)

    def default(self, state: State, player: Player) -> Command:
        """From court first, then from free regions in the order of the map."""
        left = self.due(state.board)
        from_court = min(left, count(state.board, COURT, player))
        left -= from_court
        from_regions: dict[str, int] = {}
        for key, there in takeable(state.board, player).items():
            if given_up := min(left, there):
                from_regions[key] = given_up
                left -= given_up
        return Return(from_court, from_regions)

    def forced(self, state: State, player: Player) -> Command | None:
        """No choice: everything goes, or everything is in one place."""
        places = bool(count(state.board, COURT, player)) + len(takeable(state.board, player))
        everything = self._available(state.board) <= self.each
        return self.default(state, player) if everything or places == 1 else None

    def _available(self, board: Board) -> int:
        return count(board, COURT, self.payer) + in_free_regions(board, self.payer)

    def due(self, board: Board) -> int:
        return min(self.each, self._available(board))


class WithdrawSecretly(CardStep, SecretStep, frozen=True, tag="withdraw_secretly"):
    """Every opponent secretly chooses a region and withdraws caballeros from it."""

    name: ClassVar[Text] = say("Let them withdraw")
    amount: int = ALL
    prompt = say("From which region do you withdraw caballeros?")

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        players = all_of(opponents(board, self.by))
        if self.amount == ALL:
            return say("{players} each withdraw all caballeros from a region chosen secretly", players=players)
        return say_many(
            "{players} each withdraw {count} caballero from a region chosen secretly",
            "{players} each withdraw {count} caballeros from a region chosen secretly",
            self.amount,
            players=players,
        )

    def details(self, state: State) -> Mapping[str, Any]:
        return {"asked": self.asked(state)}

    def asks(self, state: State) -> str:
        return "disk_remove_all" if self.amount == ALL else "disk_remove_two"

    def asked(self, state: State) -> tuple[Player, ...]:
        board = state.board
        return tuple(player for player in opponents(board, self.by) if self._legal(board, player))

    def check(self, state: State, player: Player, command: Any) -> None:
        check_disk(state.board, command, self._legal(state.board, player))

    def sealed_by_all(self, state: State) -> Outcome:
        disks = sealed_disks(state, self.asked(state))
        if not disks:
            return Outcome()
        losses = [fact for player, disk in disks.items() for fact in self._loss(state.board, player, disk.region)]
        return Outcome((AnswersOpened(disks), *losses))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return disk_form(say("withdraw caballeros from"), self._legal(state.board, player))

    def default(self, state: State, player: Player) -> Command:
        """Where it costs least."""
        legal = self._legal(state.board, player)
        return SetDisk(min(legal, key=lambda region: count(state.board, region, player)))

    def forced(self, state: State, player: Player) -> Command | None:
        legal = self._legal(state.board, player)
        return SetDisk(legal[0]) if len(legal) == 1 else None

    def _legal(self, board: Board, player: Player) -> tuple[str, ...]:
        """Free regions with enough own caballeros; if there are none (or all must go), free regions with any."""
        occupied = tuple(region for region in free_disk_regions(board) if count(board, region, player))
        enough = tuple(region for region in occupied if count(board, region, player) >= self.amount)
        return enough if enough and self.amount != ALL else occupied

    def _loss(self, board: Board, player: Player, region: str) -> Iterator[Fact]:
        loss = min(self.amount, count(board, region, player))
        for key, number in pieces(board, player, region, loss):
            yield CaballerosReturned(player, key, number)


class Expel(CardStep, SecretStep, frozen=True, tag="expel"):
    """Every opponent in the region secretly chooses where the expelled caballeros go."""

    region: str = ""
    kind = "disk_expulsion"
    prompt = say("Where do your expelled caballeros go?")
    takes: ClassVar[tuple[str, ...]] = ("region",)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say(
            "the caballeros of {players} leave {region} for regions chosen secretly",
            players=all_of(opponents(board, self.by)),
            region=name_of(board, self.region),
        )

    def details(self, state: State) -> Mapping[str, Any]:
        return {"asked": self.asked(state)}

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        regions = Choice(free_regions(board), of="space")
        words = Words(say("Expel from a region"), say("Expel from {region}", region="{region}"))
        text = say("expel your opponents' caballeros from a region")
        return (Form("special", text, {"region": regions}, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        region = given(command.region, say("this needs a region"))
        check_region(board, region)
        if is_taboo(board, region):
            raise RuleBroken(nothing_leaves(region), "taboo")
        return (Expel(self.by, region),)

    def asked(self, state: State) -> tuple[Player, ...]:
        board = state.board
        return tuple(
            player
            for player in opponents(board, self.by)
            if any(count(board, self.region, owner) for owner in held_by(board, player))
        )

    def check(self, state: State, player: Player, command: Any) -> None:
        check_disk(state.board, command, self._legal(state.board))

    def sealed_by_all(self, state: State) -> Outcome:
        disks = sealed_disks(state, self.asked(state))
        if not disks:
            return Outcome()
        board = state.board
        going = [going for player, disk in disks.items() for going in self._leaving(board, player, disk.region)]
        moved = carried_out(board, going, self._told(board, tuple(disks)))
        return Outcome((AnswersOpened(disks), *moved))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return disk_form(say("send your expelled caballeros to"), self._legal(state.board), back_to_court(state.board))

    def default(self, state: State, player: Player) -> Command:
        """Home, if that is possible; else the first free region."""
        free = tuple(region for region in free_disk_regions(state.board) if region != self.region)
        return home_or_first(state.board, player, free)

    def _legal(self, board: Board) -> tuple[str, ...]:
        return tuple(region for region in board.rules.region_order if region != self.region)

    def _told(self, board: Board, players: tuple[Player, ...]) -> Callable[[Going], Fact]:
        """Every player's own choice moves the caballeros."""
        chosen_by = {owner: player for player in players for owner in held_by(board, player)}
        return lambda gone: CaballerosMoved(gone.owner, gone.source, gone.target, gone.count, chosen_by[gone.owner])

    def _leaving(self, board: Board, player: Player, region: str) -> Iterator[Going]:
        """All caballeros go; into the king's region means back to court, for those that are nobody's: they stay."""
        for owner in held_by(board, player):
            if owner != player and is_taboo(board, region):
                continue
            target = COURT if is_taboo(board, region) else region
            for key, number in pieces(board, owner, self.region, count(board, self.region, owner)):
                yield Going(owner, key, target, number)
