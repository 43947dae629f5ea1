"""The Queen, the Jester and the General Inquisitor: once a round, at any time of their holder's turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, UnsetType, field

from rules.el_grande.board import (
    Board,
    Fact,
    State,
    Step,
    check_enter,
    check_source,
    count,
    enterable,
    free_regions,
    has_done,
    held_by,
    name_of,
    opponents,
    pieces,
    source_keys,
    space_of,
)
from rules.el_grande.expansions.grandissimo.facts import (
    BLACK,
    INQUISITOR,
    JESTER,
    QUEEN,
    CaballeroSentToCourt,
    CharacterUsed,
    EscortAgreed,
    taken,
)
from rules.el_grande.expansions.grandissimo.questions import holder_of, usual_placement
from rules.el_grande.facts import CaballerosDrawn, CaballerosMoved, CaballerosPlaced
from rules.el_grande.regions import COURT, PROVINCE
from rules.el_grande.steps.turns import FreeAction
from rules.errors import RuleBroken
from rules.forms import Field
from rules.kernel import Choice, Command, Form, Outcome, Player, Words, expect
from rules.texts import Text, all_of, any_of, say

DRAW, PLACE, SEND, MOVE = "draw", "place", "send", "move"
CALLED = {QUEEN: say("Queen"), JESTER: say("Jester"), INQUISITOR: say("General Inquisitor")}
"""The names of the buttons on which their abilities are offered."""

MOST_MOVES = 2
"""Each mercenary moves at most once a turn."""


class UseCharacter(Command, frozen=True, tag="character"):
    """The ability of a character; which fields it needs depends on the character."""

    who: str
    do: str
    to: str | UnsetType = UNSET
    to_player: str | UnsetType = UNSET
    source: str | UnsetType = field(name="from", default=UNSET)
    escort: str | UnsetType = UNSET

    def given(self) -> set[str]:
        """The fields that were given, beside the character and what it does."""
        names = (name for name in self.__struct_fields__ if name not in ("who", "do"))
        return {name for name in names if getattr(self, name) is not UNSET}


class Characters(FreeAction):
    """Every character has an ability of its own."""

    def forms(self, board: Board, player: Player) -> tuple[Form, ...]:
        held = (who for who in ABILITIES if holder_of(board, who) == player)
        return tuple(form for who in held for form in ABILITIES[who].forms(board, player))

    def begin(self, state: State, player: Player, command: UseCharacter) -> Outcome:
        ability = ABILITIES.get(command.who)
        if ability is None:
            raise RuleBroken(say("choose {characters}", characters=any_of(ABILITIES)), "character")
        if holder_of(state.board, command.who) != player:
            raise RuleBroken(
                say("you do not hold {character}", character=name_of(state.board, command.who)), "character"
            )
        return ability.begin(state, player, command)


class Ability:
    """What a character can do."""

    def forms(self, board: Board, player: Player) -> Iterator[Form]:
        raise AssertionError(f"{type(self).__name__} does not say how it is used")

    def begin(self, state: State, player: Player, command: UseCharacter) -> Outcome:
        raise AssertionError(f"{type(self).__name__} does not say what it does")


def check_fields(command: UseCharacter, *needed: str) -> None:
    if command.given() != set(needed):
        raise RuleBroken(say("this needs {fields}, and nothing else", fields=all_of(needed)), "fields")


def check_deed(command: UseCharacter, deed: str) -> None:
    if command.do != deed:
        raise RuleBroken(say("this character can {deed}, and nothing else", deed=deed), "fields")


def check_unused(board: Board, player: Player, who: str) -> None:
    if has_done(board, player, who):
        raise RuleBroken(say("{character} was used already in this round", character=name_of(board, who)), "once")


class QueensAbility(Ability):
    """One more caballero goes from court to the board, or from the province to court."""

    def forms(self, board: Board, player: Player) -> Iterator[Form]:
        if has_done(board, player, QUEEN):
            return
        who = Choice((QUEEN,), of="character")
        if self._may_draw(board, player):
            words = Words(CALLED[QUEEN], say("Queen: one to court"))
            yield Form(
                "character", say("bring one more to court"), {"who": who, "do": Choice((DRAW,), of="deed")}, words=words
            )
        if count(board, COURT, player):
            spaces = Choice(usual_placement(board, player), of="placement")
            fields: dict[str, Field] = {"who": who, "do": Choice((PLACE,), of="deed"), "to": spaces}
            words = Words(CALLED[QUEEN], say("Place one in {to}", to="{to}"))
            yield Form("character", say("place one more caballero"), fields, words=words)

    def begin(self, state: State, player: Player, command: UseCharacter) -> Outcome:
        board = state.board
        check_unused(board, player, QUEEN)
        used = CharacterUsed(player, QUEEN)
        if command.do == DRAW:
            check_fields(command)
            if not self._may_draw(board, player):
                raise RuleBroken(say("the Queen can bring no caballero to court now"), "queen")
            return Outcome((used, CaballerosDrawn(player, PROVINCE, 1)))
        if command.do != PLACE:
            raise RuleBroken(say("choose {ways}", ways=any_of((DRAW, PLACE))), "queen")
        check_fields(command, "to")
        if not count(board, COURT, player):
            raise RuleBroken(say("there is no caballero in your court"), "queen")
        space = str(command.to)
        if space not in usual_placement(board, player):
            check_enter(board, space)
            raise RuleBroken(say("{space} is not beside the king's region", space=space), "king_adjacency")
        return Outcome((used, CaballerosPlaced(player, space, 1)))

    def _may_draw(self, board: Board, player: Player) -> bool:
        """Only a Queen who was there when the turn began brings caballeros to court."""
        return bool(count(board, PROVINCE, player)) and not has_done(board, player, taken(QUEEN))


class JestersAbility(Ability):
    """An own caballero goes from the province to an opponent's court, who must place it."""

    def forms(self, board: Board, player: Player) -> Iterator[Form]:
        if not has_done(board, player, JESTER) and count(board, PROVINCE, player):
            fields: dict[str, Field] = {
                "who": Choice((JESTER,), of="character"),
                "do": Choice((SEND,), of="deed"),
                "to_player": Choice(opponents(board, player), of="seat"),
            }
            words = Words(CALLED[JESTER], say("Send one to {to_player}", to_player="{to_player}"))
            yield Form("character", say("send a caballero to an opponent's court"), fields, words=words)

    def begin(self, state: State, player: Player, command: UseCharacter) -> Outcome:
        board = state.board
        check_unused(board, player, JESTER)
        check_deed(command, SEND)
        check_fields(command, "to_player")
        if not count(board, PROVINCE, player):
            raise RuleBroken(say("there is no caballero in your province"), "jester")
        if command.to_player not in opponents(board, player):
            raise RuleBroken(say("{name} is not an opponent", name=str(command.to_player)), "players")
        sent = CaballeroSentToCourt(player, str(command.to_player))
        return Outcome((CharacterUsed(player, JESTER), sent))


# The General Inquisitor


class InquisitorsAbility(Ability):
    """Every mercenary moves at most once, and may take a caballero along; those of others only if they agree."""

    def forms(self, board: Board, player: Player) -> Iterator[Form]:
        who = Choice((INQUISITOR,), of="character")
        words = Words(CALLED[INQUISITOR], say("Move a mercenary to {to}", to="{to}"))
        for source in self._sources(board, player):
            targets = Choice(tuple(space for space in enterable(board) if space != source), of="destination")
            fields: dict[str, Field] = {
                "who": who,
                "do": Choice((MOVE,), of="deed"),
                "from": Choice((source,), of="space"),
                "to": targets,
            }
            yield Form("character", say("move a mercenary from {place}", place=source), fields, words=words)
            if escorts := tuple(escorts_from(board, source)):
                along = {**fields, "escort": Choice(escorts, of="owned_piece")}
                text = say("move a mercenary and a caballero from {place}", place=source)
                button = say("Move both to {to}", to="{to}")
                yield Form("character", text, along, words=Words(CALLED[INQUISITOR], button))

    def begin(self, state: State, player: Player, command: UseCharacter) -> Outcome:
        board = state.board
        check_deed(command, MOVE)
        check_fields(command, "source", "to", *(("escort",) if command.escort is not UNSET else ()))
        source, target = str(command.source), str(command.to)
        if source not in self._sources(board, player):
            raise RuleBroken(say("no mercenary can leave {place} (again)", place=source), "mercenary")
        check_enter(board, target)
        if target == source:
            raise RuleBroken(say("from {place} to {place} is not a move", place=target), "move")
        owner, key = _escort(board, source, command.escort)
        used = CharacterUsed(player, INQUISITOR, target)
        trip = MercenaryTravels(player, source, target, owner, key)
        if not owner or owner in held_by(board, player):
            return Outcome((used, *trip.facts(board, with_escort=bool(owner))))
        return Outcome((used,), (trip,))

    def _sources(self, board: Board, player: Player) -> tuple[str, ...]:
        """Where a mercenary stands that has not moved in this turn."""
        moved = moves_made(board, player)
        if len(moved) >= MOST_MOVES:
            return ()
        return tuple(region for region in free_regions(board) if count(board, region, BLACK) > moved.count(region))


def moves_made(board: Board, player: Player) -> list[str]:
    """Where the player's mercenaries have gone in this turn."""
    return [
        deed.card.partition(">")[2]
        for deed in board.deeds or ()
        if deed.player == player and deed.card.startswith(f"{INQUISITOR}>")
    ]


def escorts_from(board: Board, region: str) -> Iterator[str]:
    """The caballeros that may go along, by owner and key."""
    for owner in board.players:
        for key in source_keys(board, owner, region):
            yield f"{owner}/{key}"


def _escort(board: Board, source: str, named: str | UnsetType) -> tuple[Player, str]:
    """Whose caballero goes along, and which; nobody's if none was named."""
    if named is UNSET:
        return "", ""
    owner, slash, key = str(named).partition("/")
    if not slash or owner not in board.players:
        raise RuleBroken(say("{piece} names no piece: say whose it is, and where", piece=str(named)), "players")
    if space_of(key) != source:
        raise RuleBroken(say("{piece} is not where the mercenary is", piece=str(named)), "mercenary")
    check_source(board, owner, key)
    return owner, key


class Consent(Command, frozen=True, tag="consent"):
    agree: bool


class MercenaryTravels(Step, frozen=True, tag="mercenary_travels"):
    """The owner of a caballero that a mercenary would take along is asked before; without consent it stays."""

    by: Player
    source: str
    target: str
    owner: Player
    key: str
    kind = "consent"

    def waits_for(self, state: State) -> tuple[Player, ...]:
        return (self.owner,)

    def question(self, state: State, player: Player) -> Text:
        return say(
            "{player} moves a mercenary from {source} to {target}. May one of your caballeros go along?",
            player=self.by,
            source=name_of(state.board, self.key),
            target=name_of(state.board, self.target),
        )

    def answer(self, state: State, player: Player, command: Any) -> Outcome:
        expect(command, Consent)
        agreed = EscortAgreed(player, command.agree)
        return Outcome((agreed, *self.facts(state.board, with_escort=command.agree)))

    def forms(self, state: State, player: Player) -> tuple[Form, ...]:
        labels = say("yes, it goes along"), say("no, it stays")
        answers = Choice((True, False), labels, of="consent")
        words = Words(button=say("Answer"))
        return (Form("consent", say("let your caballero go along, or not"), {"agree": answers}, words=words),)

    def default(self, state: State, player: Player) -> Command:
        return Consent(False)

    def facts(self, board: Board, *, with_escort: bool) -> tuple[Fact, ...]:
        mercenary = CaballerosMoved(BLACK, self.source, self.target, 1, self.by)
        if not with_escort:
            return (mercenary,)
        [(exact, _)] = pieces(board, self.owner, self.key, 1)
        arrived = board.rules.arrival(board, exact, self.target)
        return mercenary, CaballerosMoved(self.owner, exact, arrived, 1, self.by)


ABILITIES: dict[str, Ability] = {
    QUEEN: QueensAbility(),
    JESTER: JestersAbility(),
    INQUISITOR: InquisitorsAbility(),
}

STEPS = (MercenaryTravels,)
