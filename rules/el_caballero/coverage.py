"""What random games should come by: every action, every tier of placing tiles, and every way a card can leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.el_caballero.board import Board
from rules.el_caballero.commands import EndTurn
from rules.el_caballero.extension import Rules
from rules.el_caballero.facts import CaballeroPlaced, GrandeMoved, TilePlaced
from rules.el_caballero.steps.sectors import TIERS, sites_of
from rules.el_caballero.steps.turns import TILES, TakeTurn
from rules.kernel import Answer, Move, TimeUp

SEEN = "seen"
WAYS = (SEEN,)
DEFAULTS = ("place_tile by default", "end_turn by default")
LAPSED, ELIMINATED, SAVED = "tile lapsed", "card eliminated", "card eliminated with castle"
WITH_GRANDE, MOVED_ALONG, LEFT_BEHIND = "card with Grande", "card with moved Grande", "card left by its Grande"


def things(rules: Rules) -> Iterable[str]:
    """Everything that random games come by. That no tile fits anywhere is counted if it happens: maps leave room."""
    return (
        *rules.actions,
        "end_turn",
        *DEFAULTS,
        *map(_tier, TIERS),
        ELIMINATED,
        SAVED,
        WITH_GRANDE,
        MOVED_ALONG,
        LEFT_BEHIND,
    )


def shown(move: Move[Board]) -> Iterator[tuple[str, str]]:
    """What this move shows."""
    step = move.before.agenda[0]
    if isinstance(step, TakeTurn):
        yield from ((SEEN, thing) for thing in _shown(step, move))


def _shown(step: TakeTurn, move: Move[Board]) -> Iterator[str]:
    board, is_late = move.before.board, isinstance(move.answer, TimeUp)
    command = move.answer.command if isinstance(move.answer, Answer) else move.decision.default
    yield str(type(command).__struct_config__.tag) + (" by default" if is_late else "")
    if isinstance(command, EndTurn) and step.left(board, TILES) > 0:
        yield LAPSED
    for fact in move.facts:
        match fact:
            case TilePlaced():
                yield _tier(sites_of(board, step.by).tier)
                yield from (SAVED if card.castle else ELIMINATED for card in fact.eliminated)
            case CaballeroPlaced() if fact.grande:
                yield MOVED_ALONG if fact.grande == "move" else WITH_GRANDE
        if isinstance(fact, (CaballeroPlaced, GrandeMoved)) and fact.left:
            yield LEFT_BEHIND


def _tier(number: int) -> str:
    return f"tile in tier {number}"
