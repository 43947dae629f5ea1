"""The board beside the forms to sign in: a position of the usual game, played by the rules, and the same every time."""

from __future__ import annotations

from functools import cache
from itertools import islice

from markupsafe import Markup

from replay import svg
from rules.catalogue import DEFAULT, GAMES
from rules.drawing import rendered
from rules.fairness import Chance
from rules.kernel import SPECTATOR
from rules.picture import Sprite
from rules.simulation import moves
from service.language import catalogue

SEED = b"beside the doors"
PLAYERS, MOVES = 5, 140


ORNAMENT = 'aria-hidden="true" translate="no" preserveAspectRatio="xMidYMid slice"'
"""Nobody needs to look at it; it fills its frame."""


def scenery() -> Markup:
    """In the language of the reader."""
    game = GAMES[DEFAULT]
    named = rendered(sprites(), catalogue(), game.rules().names.get)
    drawn = svg.board(game.picture.ground(game.rules()), named, id="m")
    return Markup(drawn.replace('role="img" aria-label=""', ORNAMENT, 1))


@cache
def sprites() -> tuple[Sprite, ...]:
    game = GAMES[DEFAULT]
    _, state = game.start(game.rules(), PLAYERS, SEED)
    *_, last = islice(moves(state, Chance(SEED).below), MOVES)
    return game.picture.scene(game.view(last.after, SPECTATOR)).sprites
