"""What can happen in El Grande. Every fact carries its outcome: applying it adds, moves and removes, no more."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from rules.el_grande.board import Board, Fact, Veto
from rules.el_grande.regions import CASTILLO, COURT, PROVINCE
from rules.kernel import EVERYTHING, AnyCommand, Player, Viewer


class Effect(Fact, frozen=True):
    """What an expansion's special action does: like the `EFFECTS` of the base game."""


class Award(Struct, frozen=True):
    """Points for one reason: a rank, or a bonus."""

    player: Player
    points: int
    reason: str


# Set-up


class RegionsDrawn(Fact, frozen=True, tag="regions_drawn"):
    """The region cards told where the king begins and where each player is at home."""

    king: str
    homes: Mapping[Player, str]
    pieces: Mapping[str, int]

    def apply(self, board: Board) -> Board:
        spaces = (*board.rules.regions, CASTILLO, COURT, PROVINCE, *board.rules.places)
        cubes: dict[str, dict[Player, int]] = {space: {} for space in spaces}
        for player, home in self.homes.items():
            cubes[home][player] = self.pieces["home"]
            cubes[COURT][player] = self.pieces[COURT]
            cubes[PROVINCE][player] = self.pieces[PROVINCE]
        return replace(
            board,
            king=self.king,
            grandes=self.homes,
            cubes=cubes,
            scores=dict.fromkeys(board.players, 0),
        )


class PowerCardsDealt(Fact, frozen=True, tag="power_cards_dealt"):
    """Every player takes the same power cards in hand."""

    values: tuple[int, ...]

    def apply(self, board: Board) -> Board:
        nothing: dict[Player, tuple[int, ...]] = dict.fromkeys(board.players, ())
        return replace(board, hands=dict.fromkeys(board.players, self.values), piles=nothing, history=nothing)


class StacksShuffled(Fact, frozen=True, tag="stacks_shuffled"):
    """The action cards lie face down; nobody knows their order."""

    stacks: tuple[tuple[str, ...], ...]

    def apply(self, board: Board) -> Board:
        return replace(board, stacks=self.stacks)

    def seen_by(self, viewer: Viewer) -> Fact:
        return self if viewer == EVERYTHING else StacksShuffled(())


class FirstBidderDrawn(Fact, frozen=True, tag="first_bidder_drawn"):
    player: Player

    def apply(self, board: Board) -> Board:
        return replace(board, first=self.player)


# The round


class RoundBegan(Fact, frozen=True, tag="round_began"):
    """The top cards of the stacks are turned up."""

    round: int
    cards: tuple[str, ...]

    @property
    def turns_up(self) -> bool:
        return True

    def apply(self, board: Board) -> Board:
        stacks = tuple(stack[1:] if stack and stack[0] in self.cards else stack for stack in board.stacks)
        fresh = board.in_new_round()
        return replace(fresh, round=self.round, stacks=stacks, face_up=self.cards, taken={}, power={})


class PowerCardPlayed(Fact, frozen=True, tag="power_card_played"):
    player: Player
    value: int

    def apply(self, board: Board) -> Board:
        player, value = self.player, self.value
        hand = _without(board.hands[player], value)
        return replace(
            board,
            hands={**board.hands, player: hand},
            power={**board.power, player: value},
            history={**board.history, player: (*board.history[player], value)},
        )


UNKNOWN = 0
"""A power card in a hand of which a reader knows only the size: the facts that the reader was told do not name it."""


def _without(hand: tuple[int, ...], value: int) -> tuple[int, ...]:
    """The hand after a card was played; where it is not among those known, it was an unknown one."""
    played = value if value in hand or UNKNOWN not in hand else UNKNOWN
    at = hand.index(played) if played in hand else len(hand)
    return hand[:at] + hand[at + 1 :]


class TurnOrderSet(Fact, frozen=True, tag="turn_order_set"):
    """Highest power card first."""

    order: tuple[Player, ...]

    def apply(self, board: Board) -> Board:
        return replace(board, queue=self.order)


class TurnBegan(Fact, frozen=True, tag="turn_began"):
    player: Player

    def apply(self, board: Board) -> Board:
        queue = tuple(player for player in board.queue if player != self.player)
        return replace(board, turn=self.player, queue=queue)


class PowerCardPiled(Fact, frozen=True, tag="power_card_piled"):
    """The power card of this round goes on the player's played pile."""

    player: Player
    value: int

    def apply(self, board: Board) -> Board:
        pile = (*board.piles[self.player], self.value)
        return replace(board, piles={**board.piles, self.player: pile})


class ActionCardTaken(Fact, frozen=True, tag="action_card_taken"):
    player: Player
    card: str

    def apply(self, board: Board) -> Board:
        return replace(board, taken={**board.taken, self.card: self.player})


class TurnEnded(Fact, frozen=True, tag="turn_ended"):
    """The action card is laid aside: discarded, kept, or back for the next round."""

    player: Player
    discarded: tuple[str, ...]

    def apply(self, board: Board) -> Board:
        return replace(board, discards=board.discards + self.discarded) if self.discarded else board


class RoundEnded(Fact, frozen=True, tag="round_ended"):
    """Cards nobody took are discarded, old vetoes lapse, and the last player will bid first."""

    round: int
    discarded: tuple[str, ...]
    lapsed: tuple[str, ...]
    first: Player

    def apply(self, board: Board) -> Board:
        return replace(
            board,
            discards=board.discards + self.discarded + self.lapsed,
            vetoes=tuple(veto for veto in board.vetoes if veto.card not in self.lapsed),
            face_up=(),
            taken={},
            first=self.first,
        )


class GeneralScoringBegan(Fact, frozen=True, tag="general_scoring_began"):
    round: int

    def apply(self, board: Board) -> Board:
        return board


class GameEnded(Fact, frozen=True, tag="game_ended"):
    """The final places; equal scores share a place."""

    places: Mapping[Player, int]

    def apply(self, board: Board) -> Board:
        return replace(board, places=self.places)


# Caballeros


class CaballerosDrawn(Fact, frozen=True, tag="caballeros_drawn"):
    """Own caballeros come to court, from the province or (in a shortage) from a region."""

    player: Player
    source: str
    count: int

    def apply(self, board: Board) -> Board:
        return board.shift(self.player, self.source, COURT, self.count)


class CaballerosPlaced(Fact, frozen=True, tag="caballeros_placed"):
    """Caballeros go from court to the board."""

    player: Player
    space: str
    count: int

    def apply(self, board: Board) -> Board:
        return board.shift(self.player, COURT, self.space, self.count)


class CaballerosMoved(Fact, frozen=True, tag="caballeros_moved"):
    """Caballeros go from one place to another; `by` chose it."""

    owner: Player
    source: str
    target: str
    count: int
    by: Player

    def apply(self, board: Board) -> Board:
        return board.shift(self.owner, self.source, self.target, self.count)


class CaballerosReturned(Fact, frozen=True, tag="caballeros_returned"):
    """Caballeros go back to the province."""

    owner: Player
    source: str
    count: int

    def apply(self, board: Board) -> Board:
        return board.shift(self.owner, self.source, PROVINCE, self.count)


class CaballerosReleased(Fact, frozen=True, tag="caballeros_released"):
    """All of a player's caballeros leave the castillo in a general scoring."""

    player: Player
    target: str
    count: int

    def apply(self, board: Board) -> Board:
        return board.shift(self.player, CASTILLO, self.target, self.count)


# Special actions


class SpecialActionBegan(Fact, frozen=True, tag="special_action_began"):
    """The special action is announced with everything that was chosen, but for what stays secret."""

    player: Player
    card: str
    choices: Mapping[str, str | int | tuple[str, ...] | Mapping[str, int]]

    def apply(self, board: Board) -> Board:
        return board


class StepAnnounced(Fact, frozen=True, tag="step_announced"):
    """The next step is announced, so that it can be vetoed before it is carried out."""

    player: Player
    step: AnyCommand

    def apply(self, board: Board) -> Board:
        return board


class SpecialActionAllowed(Fact, frozen=True, tag="special_action_allowed"):
    """A holder lets it pass: this time, or for the rest of the special action."""

    player: Player
    rest: bool

    def apply(self, board: Board) -> Board:
        return board


class SpecialActionVetoed(Fact, frozen=True, tag="special_action_vetoed"):
    """The announced step is not carried out, the rest lapses, and the veto card is spent."""

    player: Player
    against: Player
    card: str
    spent: str

    def apply(self, board: Board) -> Board:
        return replace(
            board,
            vetoes=tuple(veto for veto in board.vetoes if veto.card != self.spent),
            discards=(*board.discards, self.spent),
        )


class VetoTaken(Fact, frozen=True, tag="veto_taken"):
    player: Player
    card: str
    until: int

    def apply(self, board: Board) -> Board:
        return replace(board, vetoes=(*board.vetoes, Veto(self.player, self.card, self.until)))


class KingMoved(Fact, frozen=True, tag="king_moved"):
    region: str

    def apply(self, board: Board) -> Board:
        return replace(board, king=self.region)


class GrandeMoved(Fact, frozen=True, tag="grande_moved"):
    player: Player
    region: str

    def apply(self, board: Board) -> Board:
        return replace(board, grandes={**board.grandes, self.player: self.region})


class ScoreboardMoved(Fact, frozen=True, tag="scoreboard_moved"):
    scoreboard: str
    space: str

    def apply(self, board: Board) -> Board:
        return replace(board, scoreboards={**board.scoreboards, self.scoreboard: self.space})


class PowerCardRecovered(Fact, frozen=True, tag="power_card_recovered"):
    """A played power card goes back to the hand; only its owner knows which."""

    player: Player
    value: int | None

    def apply(self, board: Board) -> Board:
        value, pile = self.value or UNKNOWN, board.piles[self.player]
        hand = tuple(sorted((*board.hands[self.player], value)))
        pile = tuple(card for card in pile if card != value) if self.value else pile[1:]
        return replace(board, hands={**board.hands, self.player: hand}, piles={**board.piles, self.player: pile})

    def seen_by(self, viewer: Viewer) -> Fact:
        return self if viewer in (self.player, EVERYTHING) else PowerCardRecovered(self.player, None)


class SpaceScored(Fact, frozen=True, tag="space_scored"):
    """One space is scored: who had how many, and who got what for which reason."""

    space: str
    counts: Mapping[Player, int]
    awards: tuple[Award, ...]

    @property
    def turns_up(self) -> bool:
        return self.space == CASTILLO

    @property
    def points(self) -> dict[Player, int]:
        """All that each player got."""
        points: dict[Player, int] = {}
        for award in self.awards:
            points[award.player] = points.get(award.player, 0) + award.points
        return points

    def apply(self, board: Board) -> Board:
        if not self.awards:
            return board
        scores = dict(board.scores)
        for award in self.awards:
            scores[award.player] += award.points
        return replace(board, scores=scores)


FACTS = (
    RegionsDrawn,
    PowerCardsDealt,
    StacksShuffled,
    FirstBidderDrawn,
    RoundBegan,
    PowerCardPlayed,
    TurnOrderSet,
    TurnBegan,
    PowerCardPiled,
    ActionCardTaken,
    TurnEnded,
    RoundEnded,
    GeneralScoringBegan,
    GameEnded,
    CaballerosDrawn,
    CaballerosPlaced,
    CaballerosMoved,
    CaballerosReturned,
    CaballerosReleased,
    SpecialActionBegan,
    StepAnnounced,
    SpecialActionAllowed,
    SpecialActionVetoed,
    VetoTaken,
    KingMoved,
    GrandeMoved,
    ScoreboardMoved,
    PowerCardRecovered,
    SpaceScored,
)

EFFECTS = (
    Effect,
    CaballerosDrawn,
    CaballerosMoved,
    CaballerosPlaced,
    CaballerosReturned,
    GrandeMoved,
    KingMoved,
    PowerCardRecovered,
    ScoreboardMoved,
    SpaceScored,
    VetoTaken,
)
"""What follows from a special action, and tells it."""
