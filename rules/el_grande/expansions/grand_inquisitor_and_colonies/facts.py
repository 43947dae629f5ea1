"""What lies on the table in Grand Inquisitor & Colonies, and what can happen to it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from msgspec import Struct, defstruct
from msgspec.structs import replace

from rules.el_grande.board import Board, Deed, Fact, is_marked, marked_in, space_of
from rules.el_grande.extension import with_room_for
from rules.el_grande.facts import Effect
from rules.kernel import Player

NAME = "grand_inquisitor_and_colonies"
BLACK = "black"

GOLD, GOODS = "gold", "goods"
SUPPLY = {GOLD: 6, GOODS: 11}
"""How many tokens there are."""

TRAVELLED = ("ship", "america", "africa")
"""Where it matters in which round a caballero has arrived."""

LIMIT, BESIDE = ":limit", ":beside"
"""On a space of the limit board, and in its region without one."""


class Lately(Struct, frozen=True, omit_defaults=True):
    """What matters in one round only."""

    fresh: Mapping[str, Mapping[Player, int]] = {}
    """How many of the caballeros under a key have arrived in this round."""
    asked: tuple[Player, ...] = ()
    """The players who have used the Grand Inquisitor in this round."""
    performed: tuple[Deed, ...] = ()
    """The cards of which players have carried out something, each in the own turn."""
    stopped: tuple[Deed, ...] = ()
    """The cards whose special action was vetoed before it could begin."""
    chosen: tuple[Deed, ...] = ()
    """The cards of stacks that players use in place of their own."""


class Colonies(Struct, frozen=True, omit_defaults=True):
    """What this expansion keeps on the table."""

    inquisitor: Player = ""
    """The player who holds the Grand Inquisitor; nobody at first."""
    limit: str = ""
    """The region of the limit board."""
    unclaimed: Mapping[str, int] = {}
    """Tokens that lie in the colonies."""
    marked: str = ""
    """The space that is marked for a scoring to come."""
    marked_in: int = 0
    """The round in which it was marked."""
    held: Mapping[str, Player] = {}
    """Action cards that stay in front of a player to be used later."""
    lately: Lately = Lately()


def colonies(board: Board) -> Colonies:
    return cast("Colonies", getattr(board, NAME))


def changed(board: Board, **changes: Any) -> Board:
    """The board with some of this changed."""
    return replace(board, **{NAME: replace(colonies(board), **changes)})


def lately(board: Board) -> Lately:
    """What has happened in this round."""
    return colonies(board).lately


def with_lately(board: Board, **changes: Any) -> Board:
    return changed(board, lately=replace(lately(board), **changes))


# The table


@cache
def table(board: type[Board]) -> type[Board]:
    """The table of the rules with this expansion: it knows who has arrived in the present round."""
    with_colonies = with_room_for(board, NAME, Colonies)
    methods = {"shift": _shift, "in_new_round": _in_new_round}
    whole = defstruct("Board", [], bases=(with_colonies,), namespace=methods, frozen=True, module=__name__)
    return cast("type[Board]", whole)


def _shift(board: Board, owner: Player, source: str, target: str, number: int) -> Board:
    """Caballeros go from one key to another; of equal ones, those that arrived in this round go first."""
    return shifted(board, owner, source, target, number, min(number, fresh(board, owner, source)))


def _in_new_round(board: Board) -> Board:
    return changed(Board.in_new_round(board), lately=Lately())


def shifted(board: Board, owner: Player, source: str, target: str, number: int, new: int) -> Board:
    """Caballeros go from one key to another; so many of them have arrived in this round."""
    after = Board.shift(board, owner, source, target, number)
    if not number or not {space_of(source), space_of(target)} & set(TRAVELLED):
        return after
    has_left = space_of(source) != space_of(target)
    arrived = number if has_left else new
    return _counted(_counted(after, owner, source, -new), owner, target, arrived)


def _counted(board: Board, owner: Player, key: str, more: int) -> Board:
    if not more or space_of(key) not in TRAVELLED:
        return board
    counts = dict(lately(board).fresh)
    here = dict(counts.pop(key, {}))
    here[owner] = here.get(owner, 0) + more
    assert here[owner] >= 0, f"fewer than none of {owner}'s have arrived at {key}"
    if not here[owner]:
        del here[owner]
    if here:
        counts[key] = here
    return with_lately(board, fresh=dict(sorted(counts.items())))


def fresh(board: Board, owner: Player, key: str) -> int:
    """How many of the owner's caballeros under this exact key have arrived in this round."""
    return lately(board).fresh.get(key, {}).get(owner, 0)


def there(board: Board, owner: Player, key: str) -> int:
    """How many caballeros the owner has under this exact key."""
    if is_marked(key):
        return marked_in(board, space_of(key), owner).count(key)
    return board.cubes[key].get(owner, 0)


def supply(board: Board, token: str) -> int:
    """How many tokens of a kind are neither in a colony nor carried."""
    carried = sum(f"+{token}" in piece.at for piece in board.marked)
    return SUPPLY[token] - colonies(board).unclaimed.get(token, 0) - carried


# Set-up


class FurtherRegionsDrawn(Fact, frozen=True, tag="further_regions_drawn"):
    """Region cards told where black caballeros and the limit board begin."""

    black: tuple[str, ...]
    limit: str
    each: int = 2

    def apply(self, board: Board) -> Board:
        cubes = {space: dict(counts) for space, counts in board.cubes.items()}
        for region in self.black:
            cubes[region][BLACK] = self.each
        return replace(board, cubes=cubes, **{NAME: Colonies(limit=self.limit)})


class TokensLaidOut(Fact, frozen=True, tag="tokens_laid_out"):
    """The first tokens lie in the colonies."""

    gold: int
    goods: int

    def apply(self, board: Board) -> Board:
        return changed(board, unclaimed={GOLD: self.gold, GOODS: self.goods})


# Tokens


class TokensBrought(Fact, frozen=True, tag="tokens_brought"):
    """The tokens that a card shows come into the colonies."""

    player: Player
    card: str
    gold: int
    goods: int

    def apply(self, board: Board) -> Board:
        lying = colonies(board).unclaimed
        more = {GOLD: self.gold, GOODS: self.goods}
        return changed(board, unclaimed={token: lying.get(token, 0) + more[token] for token in SUPPLY})


class ActionStopped(Fact, frozen=True, tag="action_stopped"):
    """The special action of a card was vetoed before it could begin."""

    player: Player
    card: str

    def apply(self, board: Board) -> Board:
        return with_lately(board, stopped=(*lately(board).stopped, Deed(self.player, self.card)))


class TokenClaimed(Fact, frozen=True, tag="token_claimed"):
    """A caballero takes a token; one that has been there longer takes it first."""

    player: Player
    owner: Player
    piece: str
    token: str

    def apply(self, board: Board) -> Board:
        old = there(board, self.owner, self.piece) - fresh(board, self.owner, self.piece)
        carrying = f"{self.piece}+{self.token}"
        after = shifted(board, self.owner, self.piece, carrying, 1, 0 if old else 1)
        lying = colonies(board).unclaimed
        return changed(after, unclaimed={**lying, self.token: lying[self.token] - 1})


class TokenDelivered(Fact, frozen=True, tag="token_delivered"):
    """A token has come to Spain: it goes back to the supply and brings points."""

    player: Player
    owner: Player
    token: str
    points: int

    def apply(self, board: Board) -> Board:
        if not self.player:
            return board
        return replace(board, scores={**board.scores, self.player: board.scores[self.player] + self.points})


class TokenLost(Fact, frozen=True, tag="token_lost"):
    """A token has gone back to the supply."""

    owner: Player
    token: str

    def apply(self, board: Board) -> Board:
        return board


# Travel


class CaballeroSailed(Fact, frozen=True, tag="caballero_sailed"):
    """A caballero that has not arrived in this round travels freely."""

    player: Player
    owner: Player
    source: str
    target: str

    def apply(self, board: Board) -> Board:
        return shifted(board, self.owner, self.source, self.target, 1, 0)


# The Grand Inquisitor


class InquisitorTaken(Effect, frozen=True, tag="inquisitor_taken"):
    """The Grand Inquisitor lies in front of this player, and the black caballeros are theirs."""

    player: Player

    def apply(self, board: Board) -> Board:
        return changed(board, inquisitor=self.player)


class InquisitorUsed(Fact, frozen=True, tag="inquisitor_used"):
    """The player has used the Grand Inquisitor in this round."""

    player: Player

    def apply(self, board: Board) -> Board:
        return with_lately(board, asked=(*lately(board).asked, self.player))


# The limit board


class LimitBoardFilled(Fact, frozen=True, tag="limit_board_filled"):
    """Caballeros beside the limit board take its free spaces."""

    pieces: Mapping[str, int]
    """By owner and key."""
    by: Player = ""
    """The player who chose them."""

    def apply(self, board: Board) -> Board:
        for name, number in self.pieces.items():
            owner, _, key = name.partition("/")
            board = board.shift(owner, key, key.replace(BESIDE, LIMIT), number)
        return board


class LimitBoardMoved(Effect, frozen=True, tag="limit_board_moved"):
    """The limit board lies in another region; these caballeros of it are on its spaces, the others beside."""

    region: str
    pieces: Mapping[str, int]
    """By owner and key."""

    def apply(self, board: Board) -> Board:
        former = colonies(board).limit
        for owner in (*board.players, *board.rules.neutral):
            for key in marked_in(board, former, owner):
                board = board.shift(owner, key, key.replace(LIMIT, "").replace(BESIDE, ""), 1)
        board = changed(board, limit=self.region)
        for name, number in self.pieces.items():
            owner, _, key = name.partition("/")
            board = board.shift(owner, key, with_slot(key, LIMIT), number)
        for owner in (*board.players, *board.rules.neutral):
            for key in unseated(board, self.region, owner):
                board = board.shift(owner, key, with_slot(key, BESIDE), there(board, owner, key))
        return board


def unseated(board: Board, region: str, owner: Player) -> tuple[str, ...]:
    """The exact keys of this owner's caballeros in a region that are on no special place."""
    plain = (region,) if board.cubes[region].get(owner, 0) else ()
    return (*plain, *dict.fromkeys(key for key in marked_in(board, region, owner) if ":" not in key))


def with_slot(key: str, slot: str) -> str:
    """
    >>> with_slot("africa+goods", LIMIT)
    'africa:limit+goods'
    """
    space = space_of(key)
    return f"{space}{slot}{key.removeprefix(space)}"


# Held cards


class CardHeld(Effect, frozen=True, tag="card_held"):
    """An action card stays in front of its player, to be used later."""

    player: Player
    card: str

    def apply(self, board: Board) -> Board:
        return changed(board, held={**colonies(board).held, self.card: self.player})


class HeldCardSpent(Fact, frozen=True, tag="held_card_spent"):
    """A card that was held has been used, or its time is over."""

    player: Player
    card: str
    is_laid_aside: bool = True
    """Whether it is discarded at once; a card of the present turn is laid aside with it."""

    def apply(self, board: Board) -> Board:
        held = {card: player for card, player in colonies(board).held.items() if card != self.card}
        after = changed(board, held=held)
        return replace(after, discards=(*after.discards, self.card)) if self.is_laid_aside else after


class CardExecuted(Fact, frozen=True, tag="card_executed"):
    """A player carries out the special action of a card that nobody has taken; it can be taken no more."""

    player: Player
    card: str

    def apply(self, board: Board) -> Board:
        return replace(board, taken={**board.taken, self.card: self.player})


class StackCardChosen(Fact, frozen=True, tag="stack_card_chosen"):
    """A player uses a card of a stack in place of the own one, which is of no use then."""

    player: Player
    card: str

    def apply(self, board: Board) -> Board:
        own = set(board.rules.hand_cards.values())
        vetoes = tuple(veto for veto in board.vetoes if veto.player != self.player or veto.card not in own)
        taken = replace(board, taken={**board.taken, self.card: self.player}, vetoes=vetoes)
        return with_lately(taken, chosen=(*lately(board).chosen, Deed(self.player, self.card)))


class CardCopied(Fact, frozen=True, tag="card_copied"):
    """A player carries out the special action of a card again that another player has just performed."""

    player: Player
    card: str

    def apply(self, board: Board) -> Board:
        return board


class ActionPerformed(Fact, frozen=True, tag="action_performed"):
    """Something of a card's special action has been carried out."""

    player: Player
    card: str

    def apply(self, board: Board) -> Board:
        return with_lately(board, performed=(*lately(board).performed, Deed(self.player, self.card)))


# Scoring later


class SpaceMarked(Effect, frozen=True, tag="space_marked"):
    """A space will be scored at the end of the next round."""

    player: Player
    space: str

    def apply(self, board: Board) -> Board:
        return changed(board, marked=self.space, marked_in=board.round)


class MarkerReturned(Fact, frozen=True, tag="marker_returned"):
    """The marker lies beside the board again."""

    def apply(self, board: Board) -> Board:
        return changed(board, marked="", marked_in=0)


FACTS = (
    FurtherRegionsDrawn,
    TokensLaidOut,
    TokensBrought,
    ActionStopped,
    TokenClaimed,
    TokenDelivered,
    TokenLost,
    CaballeroSailed,
    InquisitorTaken,
    InquisitorUsed,
    LimitBoardFilled,
    LimitBoardMoved,
    CardHeld,
    HeldCardSpent,
    CardExecuted,
    StackCardChosen,
    CardCopied,
    ActionPerformed,
    SpaceMarked,
    MarkerReturned,
)
