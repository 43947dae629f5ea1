"""What would be seen to happen if a move were made, as far as its player can foresee it."""

from __future__ import annotations

from collections.abc import Sequence

from events.table.game import Game
from rules.catalogue import game_named
from rules.kernel import Answer, Preview, foreseen
from rules.picture import Beat


def foreseen_beats(game: Game, answer: Answer, preview: Preview) -> Sequence[Beat]:
    """Pieces that would fly and spaces that would be scored, between the player's own views before and after."""
    played = game_named(game.rules)
    before = played.view(game.state, answer.player)
    after = played.view(foreseen(game.state, answer), answer.player)
    return [beat for fact in preview.facts for beat in played.picture.beats(fact, before, after)]
