"""The position as one viewer may see it: the one door through which a state leaves the core.

The classes say what is in it; `rules.schemas` describes positions by them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypedDict

from msgspec import Meta, to_builtins

from rules.el_grande.board import Board, State, Step, count, owners
from rules.el_grande.deck import design
from rules.el_grande.regions import CASTILLO, COURT, PROVINCE
from rules.el_grande.steps.special import CardStep, SpecialAction
from rules.kernel import EVERYTHING, AnyCommand, AnyStep, Player, Viewer, waiting
from rules.shapes import details
from rules.texts import ENGLISH, Catalogue

Counts = dict[Player, int]
"""How many caballeros each player has; players without any are left out. Caballeros of nobody count, too."""


class MarkedCaballero(TypedDict):
    """A caballero that differs from its fellows."""

    owner: Player
    at: str
    """Its space, and what marks it: `granada+flag`."""


class CardFaceUp(TypedDict):
    """An action card that can be taken, or was."""

    card: str
    stack: int
    taken_by: Player | None


class HeldVeto(TypedDict):
    player: Player
    card: str
    until: int
    """The round with whose end it lapses."""


class PowerCards(TypedDict):
    size: int
    """How many there are."""
    cards: list[int] | None
    """Null for viewers who may not know them."""


class Question(TypedDict):
    kind: str
    """The kind of the decision."""
    players: tuple[Player, ...]
    """The seats that are asked."""


class StepDetails(TypedDict, total=False):
    text: str
    """The step as a sentence."""
    owes: int
    """How many caballeros the payer still owes."""
    asked: tuple[Player, ...]
    """The seats that choose in secret."""


class Action(TypedDict):
    """A special action under way."""

    card: str
    player: Player
    text: str
    """What is going to happen, in a sentence."""
    announced: AnyCommand | None
    """The step that is carried out unless it is vetoed."""
    steps: list[Annotated[AnyStep, Meta(extra=details(StepDetails, CardStep, "UnderWay"))]]
    """Those that are still to come."""
    may_veto: tuple[Player, ...]
    asking: tuple[Player, ...]
    """The seats that are asked for a veto now, and after that."""
    allowed: tuple[Player, ...]
    allowed_rest: tuple[Player, ...]


class Table(TypedDict):
    rules: str
    """The game and its expansions, joined by `+`."""
    players: tuple[Player, ...]
    """Clockwise."""
    game_length: str
    castillo_display: str
    round: int
    """0 before the first."""
    king: str
    regions: dict[str, Counts]
    marked: list[MarkedCaballero]
    courts: Counts
    provinces: Counts
    grandes: Mapping[Player, str]
    scoreboards: Mapping[str, str]
    """Movable scoreboards to the space where they lie."""
    scores: Mapping[Player, int]
    power: Mapping[Player, int]
    """The power cards played in this round."""
    history: Mapping[Player, tuple[int, ...]]
    """All power cards played, in order."""
    first: Player
    """The player who bids first."""
    turn: Player
    """The player whose turn it is; empty if it is nobody's."""
    queue: tuple[Player, ...]
    """The players whose turns come after that."""
    places: Mapping[Player, int]
    """The final places, once the game is over."""


class ActionCards(TypedDict):
    stacks: Sequence[int | tuple[str, ...]]
    """How many cards are left in each stack; once the game is over, the cards themselves."""
    face_up: list[CardFaceUp]
    discards: list[str]
    vetoes: list[HeldVeto]


class Position(Table, ActionCards):
    """The position as one viewer may see it."""

    castillo: Counts | None
    """Null for viewers who may not know it."""
    hands: dict[Player, PowerCards]
    piles: dict[Player, PowerCards]
    waiting: Question | None
    """Null once the game is over."""
    sealed: dict[Player, AnyCommand | None]
    """The secret answers that wait to be opened; null for viewers who may not know them."""
    action: Action | None
    over: bool


def view(state: State, viewer: Viewer, catalogue: Catalogue = ENGLISH) -> Position:
    """Plain data for this viewer. After the end everything is open to everyone."""
    if state.is_over:
        viewer = EVERYTHING
    board: Board = state.board
    seen: Position = {
        **_table(board),
        **_cards(board, viewer),
        "castillo": _counts(board, CASTILLO) if _shows_castillo(board, viewer) else None,
        "hands": _cards_of(board.hands, viewer),
        "piles": _cards_of(board.piles, viewer),
        "waiting": _asked(state),
        "sealed": {player: _sealed(state, player, viewer) for player in state.sealed},
        "action": _action(state, catalogue),
        "over": state.is_over,
    }
    for expansion, show in board.rules.views.items():
        seen[expansion] = show(state, viewer, catalogue)  # type: ignore[literal-required]
    return seen


def _table(board: Board) -> Table:
    """What lies open on the table."""
    return {
        "rules": board.variant,
        "players": board.players,
        "game_length": board.game_length,
        "castillo_display": board.castillo_display,
        "round": board.round,
        "king": board.king,
        "regions": {region: _counts(board, region) for region in board.rules.regions},
        "marked": [{"owner": piece.owner, "at": piece.at} for piece in board.marked],
        "courts": _counts(board, COURT),
        "provinces": _counts(board, PROVINCE),
        "grandes": board.grandes,
        "scoreboards": board.scoreboards,
        "scores": board.scores,
        "power": board.power,
        "history": board.history,
        "first": board.first,
        "turn": board.turn,
        "queue": board.queue,
        "places": board.places,
    }


def _cards(board: Board, viewer: Viewer) -> ActionCards:
    stacks: Sequence[int | tuple[str, ...]] = (
        board.stacks if viewer == EVERYTHING else [len(stack) for stack in board.stacks]
    )
    return {
        "stacks": stacks,
        "face_up": [
            {"card": card, "stack": design(board, card).stack, "taken_by": board.taken.get(card)}
            for card in board.face_up
        ],
        "discards": sorted(board.discards),
        "vetoes": [{"player": v.player, "card": v.card, "until": v.until} for v in board.vetoes],
    }


def _counts(board: Board, space: str) -> Counts:
    return {owner: number for owner in owners(board) if (number := count(board, space, owner))}


def _shows_castillo(board: Board, viewer: Viewer) -> bool:
    return viewer == EVERYTHING or board.castillo_display == "open"


def _cards_of(cards: Mapping[Player, tuple[int, ...]], viewer: Viewer) -> dict[Player, PowerCards]:
    """Own cards, and how many the others have."""
    return {
        player: {"size": len(values), "cards": sorted(values) if viewer in (player, EVERYTHING) else None}
        for player, values in cards.items()
    }


def _asked(state: State) -> Question | None:
    if state.is_over:
        return None
    step = state.agenda[0]
    return {"kind": step.asks(state), "players": waiting(state)}


def _action(state: State, catalogue: Catalogue) -> Action | None:
    """The special action under way. Steps hold no secrets, so everybody may see all of it."""
    action = next((step for step in state.agenda if isinstance(step, SpecialAction)), None)
    if action is None:
        return None
    board: Board = state.board
    holders = action.holders(state)
    return {
        "card": action.card,
        "player": action.by,
        "text": action.deed(board).rendered(catalogue, board.rules.names.get),
        "announced": action.announced,
        "steps": [_step(step, state, catalogue) for step in action.body],
        "may_veto": holders,
        "asking": action.asking,
        "allowed": tuple(player for player in holders if player not in action.asking) if action.asking else (),
        "allowed_rest": action.allowing,
    }


def _step(step: Step, state: State, catalogue: Catalogue) -> Any:
    """A step that is still to come, with everything that is known of it."""
    seen: dict[str, Any] = to_builtins(step)
    if not isinstance(step, CardStep):
        return seen
    text = step.deed(state.board).rendered(catalogue, state.board.rules.names.get)
    return {**seen, **step.details(state), "text": text}


def _sealed(state: State, player: Player, viewer: Viewer) -> AnyCommand | None:
    return state.sealed[player] if viewer in (player, EVERYTHING) else None
