"""The position as one viewer may see it: the one door through which a state leaves the core."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import to_builtins

from rules.el_grande.board import Board, State, Step, count
from rules.el_grande.deck import design
from rules.el_grande.regions import CASTILLO, COURT, PROVINCE
from rules.el_grande.steps.special import CardStep, SpecialAction
from rules.kernel import EVERYTHING, Player, Viewer, waiting
from rules.texts import ENGLISH, Catalogue


def view(state: State, viewer: Viewer, catalogue: Catalogue = ENGLISH) -> dict[str, Any]:
    """Plain data for this viewer. After the end everything is open to everyone."""
    if state.is_over:
        viewer = EVERYTHING
    board: Board = state.board
    return {
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


def _table(board: Board) -> dict[str, Any]:
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


def _cards(board: Board, viewer: Viewer) -> dict[str, Any]:
    stacks: Any = board.stacks if viewer == EVERYTHING else [len(stack) for stack in board.stacks]
    return {
        "stacks": stacks,
        "face_up": [
            {"card": card, "stack": design(board, card).stack, "taken_by": board.taken.get(card)}
            for card in board.face_up
        ],
        "discards": sorted(board.discards),
        "vetoes": [{"player": v.player, "card": v.card, "until": v.until} for v in board.vetoes],
    }


def _counts(board: Board, space: str) -> dict[Player, int]:
    return {player: number for player in board.players if (number := count(board, space, player))}


def _shows_castillo(board: Board, viewer: Viewer) -> bool:
    return viewer == EVERYTHING or board.castillo_display == "open"


def _cards_of(cards: Mapping[Player, tuple[int, ...]], viewer: Viewer) -> dict[Player, Any]:
    """Own cards, and how many the others have."""
    return {
        player: {"size": len(values), "cards": sorted(values) if viewer in (player, EVERYTHING) else None}
        for player, values in cards.items()
    }


def _asked(state: State) -> dict[str, Any] | None:
    if state.is_over:
        return None
    step = state.agenda[0]
    return {"kind": step.asks(state), "players": waiting(state)}


def _action(state: State, catalogue: Catalogue) -> dict[str, Any] | None:
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


def _step(step: Step, state: State, catalogue: Catalogue) -> dict[str, Any]:
    """A step that is still to come, with everything that is known of it."""
    seen: dict[str, Any] = to_builtins(step)
    if not isinstance(step, CardStep):
        return seen
    text = step.deed(state.board).rendered(catalogue, state.board.rules.names.get)
    return {**seen, **step.details(state), "text": text}


def _sealed(state: State, player: Player, viewer: Viewer) -> Any:
    return state.sealed[player] if viewer in (player, EVERYTHING) else None
