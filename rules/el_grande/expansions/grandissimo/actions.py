"""The special actions of stacks 6 and 7 that concern caballeros, cards, the round and scorings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec import UNSET
from msgspec.structs import replace

from rules.el_grande.board import (
    Board,
    Fact,
    SecretStep,
    State,
    Step,
    belongs_to,
    check_source,
    clockwise_from,
    count,
    free_disk_regions,
    held_by,
    is_taboo,
    movable_scoreboards,
    name_of,
    opponents,
    owners,
    pieces,
    scoreboard_targets,
    takeable,
)
from rules.el_grande.commands import Special, TakeStep
from rules.el_grande.deck import design
from rules.el_grande.expansions.grandissimo.facts import (
    BOYCOTT,
    INCOGNITO,
    INQUISITOR,
    JESTER,
    QUEEN,
    ActionsStopped,
    AllianceFormed,
    CastilloEmptied,
    CharacterTaken,
    ConscriptsCalled,
    CourtsScored,
    FreeWillKept,
    RegionCardHidden,
    SecondCardChosen,
    SpyHired,
    TurnPostponed,
)
from rules.el_grande.expansions.grandissimo.questions import coast, holder_of, interior, pool, untaken
from rules.el_grande.facts import ActionCardTaken, CaballerosMoved, CaballerosReleased, ScoreboardMoved
from rules.el_grande.regions import CASTILLO, COURT, PROVINCE
from rules.el_grande.scoring import rank_awards, ranking
from rules.el_grande.steps.disks import check_disk, disk_form, home_or_first, sealed_disks
from rules.el_grande.steps.intrigue import Stepwise
from rules.el_grande.steps.scorings import ScoreSpaces
from rules.el_grande.steps.special import CardStep, given
from rules.errors import RuleBroken
from rules.forms import Field
from rules.kernel import AnswersOpened, Choice, Command, Counts, Form, Outcome, Player, Some, Total, Words
from rules.texts import Text, all_of, any_of, say, say_many

# Region cards


class HideRegionCard(CardStep, frozen=True, tag="hide_region_card"):
    """The actor takes a region card that is in no use, and keeps it face down."""

    use: str = BOYCOTT
    takes: ClassVar[tuple[str, ...]] = ("region",)
    secret: ClassVar[tuple[str, ...]] = ("region",)

    def executable(self, board: Board) -> bool:
        return bool(pool(board))

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        words = Words(
            say("Choose a region"), say("Choose {region}", region="{region}"), say("only you will know which")
        )
        return (Form("special", REGION_FOR[self.use], {"region": Choice(pool(board), of="space")}, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        region = given(command.region, say("this needs a region"))
        if region not in board.rules.region_order:
            raise RuleBroken(say("{region} has no region card", region=region), "region_cards")
        if region not in pool(board):
            raise RuleBroken(say("the card of {region} is in use already", region=region), "region_cards")
        return (self,)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} takes a region card in secret", player=self.by)

    def run(self, state: State) -> Outcome:
        chosen = state.sealed[self.by]
        assert isinstance(chosen, Special), "the region was chosen when the action began"
        return Outcome((RegionCardHidden(self.by, self.use, str(chosen.region)),))


REGION_FOR = {
    BOYCOTT: say("choose a region that is not scored in the next general scoring"),
    INCOGNITO: say("choose a region where you may send the king in an opponent's turn"),
}


class Ally(CardStep, frozen=True, tag="ally"):
    """Two regions, neither the king's, are scored as one in the next general scoring."""

    regions: tuple[str, ...] = ()
    takes: ClassVar[tuple[str, ...]] = ("regions",)

    def executable(self, board: Board) -> bool:
        return len(self._candidates(board)) > 1

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        regions = Some(self._candidates(board), 2, 2, of="space")
        words = Words(say("Ally two regions"), say("Ally these"))
        return (Form("special", say("ally two regions"), {"regions": regions}, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        chosen = command.regions if isinstance(command.regions, tuple) else ()
        if len(chosen) != 2 or len(set(chosen)) != 2:
            raise RuleBroken(say("an alliance needs two different regions"), "alliance")
        for region in chosen:
            if region not in board.rules.region_order or region not in pool(board):
                raise RuleBroken(say("the card of {region} cannot be used", region=region), "region_cards")
            if is_taboo(board, region):
                raise RuleBroken(say("{region} is the king's region: no marker enters it", region=region), "taboo")
        return (replace(self, regions=tuple(region for region in board.rules.region_order if region in chosen)),)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        regions = all_of(name_of(board, region) for region in self.regions)
        return say("{regions} are scored as one in the next general scoring", regions=regions)

    def run(self, state: State) -> Outcome:
        return Outcome((AllianceFormed(self.by, self.regions),))

    def _candidates(self, board: Board) -> tuple[str, ...]:
        return tuple(region for region in pool(board) if not is_taboo(board, region))


# What is kept for the next general scoring


class KeepFreeWill(CardStep, frozen=True, tag="keep_free_will"):
    """In the next general scoring the actor moves two own caballeros after the castillo was left."""

    name: ClassVar[Text] = say("Keep the free will")

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} will move two caballeros in the next general scoring", player=self.by)

    def run(self, state: State) -> Outcome:
        return Outcome((FreeWillKept(self.by),))


class HireSpy(CardStep, frozen=True, tag="hire_spy"):
    """In the next general scoring the actor sees the disks of the others before setting the own one."""

    name: ClassVar[Text] = say("Hire a spy")

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} will see the disks of the next general scoring", player=self.by)

    def run(self, state: State) -> Outcome:
        return Outcome((SpyHired(self.by),))


# Scoreboards


class Confederate(Stepwise, frozen=True, tag="confederate"):
    """Up to both scoreboards come into play or move, each once."""

    laid: tuple[str, ...] = ()
    prompt = say("Which scoreboard do you lay, and where to?")

    def step_deed(self, board: Board, step: TakeStep) -> Text:
        scoreboard, space = name_of(board, str(step.source)), name_of(board, str(step.target))
        return say("{scoreboard} goes to {space}", scoreboard=scoreboard, space=space)

    def what_is_left(self, board: Board) -> Text:
        return say_many(
            "{player} lays up to {count} scoreboard",
            "{player} lays up to {count} scoreboards",
            len(board.rules.scoreboards) - len(self.laid),
            player=self.by,
        )

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        words = Words(name=(lay := say("Lay scoreboards")), button=lay)
        return (Form("special", say("lay up to two scoreboards"), words=words),)

    def has_step(self, board: Board) -> bool:
        return bool(self._left(board))

    def at_once(self, state: State, player: Player) -> int:
        return len(self._left(state.board))

    def take(self, board: Board, command: TakeStep) -> tuple[tuple[Fact, ...], Step]:
        if command.owner is not UNSET:
            raise RuleBroken(say("scoreboards belong to no player: name no owner"), "fields")
        scoreboard = given(command.source, say("this needs a scoreboard"))
        target = given(command.target, say("this needs a space to go to"))
        if scoreboard not in self._left(board):
            raise RuleBroken(say("{scoreboard} cannot be laid (again)", scoreboard=scoreboard), "scoreboards")
        if target not in scoreboard_targets(board):
            raise RuleBroken(say("no scoreboard can be laid on {space}", space=target), "one_scoreboard")
        return (ScoreboardMoved(scoreboard, target),), replace(self, laid=(*self.laid, scoreboard))

    def step_forms(self, board: Board) -> tuple[Form, ...]:
        fields: dict[str, Field] = {
            "from": Choice(self._left(board), of="scoreboard"),
            "to": Choice(scoreboard_targets(board), of="scoreboard_goes"),
        }
        words = Words(button=say("Lay {count}", count="{count}"))
        return (Form("step", say("put a scoreboard on a space"), fields, words=words),)

    def _left(self, board: Board) -> tuple[str, ...]:
        return tuple(scoreboard for scoreboard in movable_scoreboards(board) if scoreboard not in self.laid)


# Cards


NOW, KEEP = "now", "keep"
NEVER_KEPT = (5, 7)
"""Cards of these stacks are single: they would vanish from the table."""


class TakeSecondCard(CardStep, frozen=True, tag="take_second_card"):
    """The actor takes another card that lies face up, to use it at once or in a later turn."""

    card: str = ""
    when: str = NOW
    takes: ClassVar[tuple[str, ...]] = ("stack", "when")
    closes: ClassVar[tuple[str, ...]] = ("place", "symbol")

    def executable(self, board: Board) -> bool:
        return bool(untaken(board))

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        return tuple(
            self._form(board, when, cards) for when, cards in ((NOW, untaken(board)), (KEEP, keepable(board))) if cards
        )

    def _form(self, board: Board, when: str, cards: tuple[str, ...]) -> Form:
        stacks = tuple(design(board, card).stack for card in cards)
        labels = tuple(design(board, card).label for card in cards)
        fields: dict[str, Field] = {
            "when": Choice((when,), of="when"),
            "stack": Choice(stacks, labels, of="action_card"),
        }
        text = say("take a second card for now") if when == NOW else say("take a second card for later")
        button = say("Take {stack} for now", stack="{stack}") if when == NOW else say("Keep {stack}", stack="{stack}")
        return Form("special", text, fields, words=Words(say("A second card"), button))

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        if command.stack is UNSET:
            raise RuleBroken(say("this needs the stack of a card"), "fields")
        when = given(command.when, say("say whether you use the card now or keep it"))
        if when not in (NOW, KEEP):
            raise RuleBroken(say("a card is used {times}", times=any_of((NOW, KEEP))), "fields")
        card = next((card for card in untaken(board) if design(board, card).stack == command.stack), None)
        if card is None:
            raise RuleBroken(say("no card of stack {stack} is left", stack=command.stack), "choose_card")
        if when == KEEP and card not in keepable(board):
            raise RuleBroken(say("the card of stack {stack} cannot be kept", stack=command.stack), "keep")
        return (replace(self, card=card, when=when),)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        card = name_of(board, self.card)
        if self.when == KEEP:
            return say("{player} takes {card} and keeps it", player=self.by, card=card)
        return say("{player} takes {card} and uses it now", player=self.by, card=card)

    def run(self, state: State) -> Outcome:
        chosen = SecondCardChosen(self.by, self.card, self.when == KEEP)
        return Outcome((ActionCardTaken(self.by, self.card), chosen))


def keepable(board: Board) -> tuple[str, ...]:
    return tuple(card for card in untaken(board) if design(board, card).stack not in NEVER_KEPT)


# The round


class StopActions(CardStep, frozen=True, tag="stop_actions"):
    """Players whose turns come later in this round perform no special actions."""

    name: ClassVar[Text] = say("Stop the actions")
    card: str = "gr_action_stop"

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("the players whose turns are to come perform no special actions in this round")

    def run(self, state: State) -> Outcome:
        return Outcome((ActionsStopped(self.by, self.card),))


class CallConscripts(CardStep, frozen=True, tag="call_conscripts"):
    """The placement of this turn comes from the province."""

    name: ClassVar[Text] = say("Call conscripts")
    before_placement: ClassVar[bool] = True
    card: str = "gr_conscription"

    def executable(self, board: Board) -> bool:
        return count(board, PROVINCE, self.by) > 0

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} places caballeros from the province", player=self.by)

    def run(self, state: State) -> Outcome:
        return Outcome((ConscriptsCalled(self.by, self.card),))


class Postpone(CardStep, frozen=True, tag="postpone"):
    """The rest of the turn follows after those of all others."""

    name: ClassVar[Text] = say("Have the last word")
    before_placement: ClassVar[bool] = True

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} goes on after all others", player=self.by)

    def run(self, state: State) -> Outcome:
        return Outcome((TurnPostponed(self.by),))


# Characters


class TakeCharacter(CardStep, frozen=True, tag="take_character"):
    """The actor takes a character from the table, or from another player."""

    character: str = ""
    takes: ClassVar[tuple[str, ...]] = ("character",)

    def executable(self, board: Board) -> bool:
        return bool(self._choice(board))

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        words = Words(say("Take a character"), say("Take {character}", character="{character}"))
        fields: dict[str, Field] = {"character": Choice(self._choice(board), of="character")}
        return (Form("special", say("take the Queen or the Jester"), fields, words=words),)

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        character = given(command.character, say("this needs a character"))
        if character not in (QUEEN, JESTER):
            raise RuleBroken(say("choose {characters}", characters=any_of((QUEEN, JESTER))), "character")
        if character not in self._choice(board):
            raise RuleBroken(say("you hold {character} already", character=name_of(board, character)), "character")
        return (replace(self, character=character),)

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} takes {character}", player=self.by, character=name_of(board, self.character))

    def run(self, state: State) -> Outcome:
        return Outcome((CharacterTaken(self.by, self.character),))

    def _choice(self, board: Board) -> tuple[str, ...]:
        return tuple(character for character in (QUEEN, JESTER) if holder_of(board, character) != self.by)


class TakeInquisitor(CardStep, frozen=True, tag="take_inquisitor"):
    """The actor takes the General Inquisitor, until the next general scoring."""

    name: ClassVar[Text] = say("Take the General Inquisitor")

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("{player} takes {character}", player=self.by, character=name_of(board, INQUISITOR))

    def run(self, state: State) -> Outcome:
        return Outcome((CharacterTaken(self.by, INQUISITOR),))


# The castillo


class EmptyCastillo(CardStep, SecretStep, frozen=True, tag="empty_castillo"):
    """Every player secretly chooses where the own caballeros in the castillo go; nothing is scored."""

    name: ClassVar[Text] = say("Empty the castillo")
    kind = "disk_castillo"
    prompt = say("Where do your caballeros in the castillo go?")

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("the caballeros in the castillo go to regions chosen secretly")

    def details(self, state: State) -> Mapping[str, Any]:
        return {"asked": self.asked(state)}

    def asked(self, state: State) -> tuple[Player, ...]:
        """Everybody, with or without caballeros inside: asking only some would tell who has none."""
        return clockwise_from(state.board, self.by)

    def check(self, state: State, player: Player, command: Any) -> None:
        check_disk(state.board, command, free_disk_regions(state.board))

    def sealed_by_all(self, state: State) -> Outcome:
        board, disks = state.board, sealed_disks(state, self.asked(state))
        left = tuple(
            CaballerosReleased(owner, disk.region, number)
            for player, disk in disks.items()
            for owner in held_by(board, player)
            if (number := count(board, CASTILLO, owner))
        )
        return Outcome((AnswersOpened(disks), CastilloEmptied(self.by), *left))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        return disk_form(say("send your caballeros from the castillo to"), free_disk_regions(state.board))

    def default(self, state: State, player: Player) -> Command:
        return home_or_first(state.board, player, free_disk_regions(state.board))


MOST_OF_EACH = 2
LEAST_OWN = 2
"""At least so many own ones go if any of an opponent do."""


class SendToCastillo(CardStep, frozen=True, tag="send_to_castillo"):
    """Own caballeros from regions go into the castillo, and up to two of every opponent with at least two own ones."""

    own: dict[str, int] = {}
    others: dict[str, int] = {}
    takes: ClassVar[tuple[str, ...]] = ("own", "others")

    def executable(self, board: Board) -> bool:
        return bool(self._there(board)[0])

    def special_forms(self, board: Board) -> tuple[Form, ...]:
        own, others = self._there(board)
        mine = Counts(own, of="owned_piece")
        button = say("Into the castillo: {count}", count="{count}")
        words = Words(say("Into the castillo"), button)
        alone = Form(
            "special", say("send own caballeros into the castillo"), {"own": mine}, self._of_own(own, 1), words
        )
        if not others or sum(own.values()) < LEAST_OWN:
            return (alone,)
        groups = (" ".join(f"{owner}/" for owner in held_by(board, player)) for player in opponents(board, self.by))
        most = dict.fromkeys(groups, MOST_OF_EACH)
        fields: dict[str, Field] = {"own": mine, "others": Counts(others, "owned_piece", most)}
        words = Words(say("Into the castillo"), button)
        text = say("send own caballeros and those of opponents into the castillo")
        return alone, Form("special", text, fields, self._of_own(own, LEAST_OWN), words)

    def _of_own(self, own: dict[str, int], least: int) -> Total:
        return Total(("own",), least, sum(own.values()))

    def begun(self, board: Board, command: Special) -> tuple[Step, ...]:
        own = command.own if isinstance(command.own, dict) else {}
        others = command.others if isinstance(command.others, dict) else {}
        self._check_owners(board, own, others)
        if not own:
            raise RuleBroken(say("name at least one caballero of your own"), "to_castillo")
        if command.others is not UNSET and (number := sum(own.values())) < LEAST_OWN:
            raise RuleBroken(
                say("at least {least} of your own must go with others, not {number}", least=LEAST_OWN, number=number),
                "to_castillo",
            )
        if command.others is not UNSET and not self._there(board)[1]:
            raise RuleBroken(say("there is no caballero of others to be sent along"), "to_castillo")
        action = replace(self, own=own, others=others)
        action._facts(board)
        return (action,)

    def _check_owners(self, board: Board, own: dict[str, int], others: dict[str, int]) -> None:
        of_each: dict[Player, int] = {}
        for piece, number in (*own.items(), *others.items()):
            owner, slash, _ = piece.partition("/")
            if not slash or owner not in owners(board):
                raise RuleBroken(say("{piece} names no piece: say whose it is, and where", piece=piece), "players")
            if belongs_to(board, owner, self.by) != (piece in own):
                raise RuleBroken(say("{piece} stands on the wrong side", piece=piece), "players")
            holder = next((player for player in board.players if belongs_to(board, owner, player)), "")
            if not holder:
                raise RuleBroken(say("{owner} belongs to no player now", owner=owner), "players")
            if holder != self.by:
                of_each[holder] = of_each.get(holder, 0) + number
        for holder, number in of_each.items():
            if number > MOST_OF_EACH:
                raise RuleBroken(
                    say("at most {most} of {player}, not {number}", most=MOST_OF_EACH, player=holder, number=number),
                    "to_castillo",
                )

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say_many(
            "{player} sends {count} caballero into the castillo",
            "{player} sends {count} caballeros into the castillo",
            sum(self.own.values()) + sum(self.others.values()),
            player=self.by,
        )

    def run(self, state: State) -> Outcome:
        return Outcome(self._facts(state.board))

    def _facts(self, board: Board) -> tuple[Fact, ...]:
        facts: list[Fact] = []
        for piece, number in sorted({**self.own, **self.others}.items(), key=_exactest_first):
            owner, _, key = piece.partition("/")
            if number < 1:
                raise RuleBroken(say("{number} is not a count: name at least 1", number=number), "counts")
            check_source(board, owner, key, number)
            for exact, some in pieces(board, owner, key, number):
                fact = CaballerosMoved(owner, exact, CASTILLO, some, self.by)
                board = fact.apply(board)
                facts.append(fact)
        return tuple(facts)

    def _there(self, board: Board) -> tuple[dict[str, int], dict[str, int]]:
        """The pieces that may be named, own ones and those of opponents, and how many there are."""
        own = self._pieces(board, self.by)
        others: dict[str, int] = {}
        for player in opponents(board, self.by):
            others |= self._pieces(board, player)
        return own, others

    def _pieces(self, board: Board, player: Player) -> dict[str, int]:
        return {
            f"{owner}/{key}": number
            for owner in held_by(board, player)
            for key, number in takeable(board, owner).items()
        }


def _exactest_first(item: tuple[str, int]) -> tuple[bool, str]:
    return "+" not in item[0], item[0]


# Scorings


class ScoreCoast(ScoreSpaces, frozen=True, tag="score_coast"):
    """The regions at the sea are scored, Portugal among them."""

    def spaces(self, board: Board) -> tuple[str, ...]:
        return coast(board)


class ScoreInterior(ScoreSpaces, frozen=True, tag="score_interior"):
    """The regions without a coast are scored."""

    def spaces(self, board: Board) -> tuple[str, ...]:
        return interior(board)


COURT_POINTS = (7, 5, 1)


class ScoreCourts(CardStep, frozen=True, tag="score_courts"):
    """Who has most caballeros in the own court scores, like in a region."""

    name: ClassVar[Text] = say("Score the courts")

    def deed(self, board: Board, announced: Command | None = None) -> Text:
        return say("the courts are scored")

    def run(self, state: State) -> Outcome:
        return Outcome((score_courts(state.board),))


def score_courts(board: Board) -> CourtsScored:
    """Places as in a region, and no bonus; an empty court scores nothing."""
    counts = {player: number for player in board.players if (number := count(board, COURT, player))}
    points = COURT_POINTS[: board.rules.ranks[len(board.players)]]
    return CourtsScored(COURT, counts, tuple(rank_awards(ranking(board, COURT, counts), points)))


STEPS = (
    HideRegionCard,
    Ally,
    KeepFreeWill,
    HireSpy,
    Confederate,
    TakeSecondCard,
    StopActions,
    CallConscripts,
    Postpone,
    TakeCharacter,
    TakeInquisitor,
    EmptyCastillo,
    SendToCastillo,
    ScoreCoast,
    ScoreInterior,
    ScoreCourts,
)
