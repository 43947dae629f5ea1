"""Access of an account to a game: its seat, and the viewer that it is."""

from __future__ import annotations

from events.errors import NotNow, NotPermitted
from events.table.game import OVER, Game
from rules.errors import Unreadable
from rules.kernel import EVERYTHING, SPECTATOR, Player, Viewer


def seat_of(game: Game, account: str | None) -> Player | None:
    return next((player for player, seated in game.seats.items() if seated == account), None)


def viewer_for(game: Game, account: str | None, requested: str | None = None) -> Viewer:
    """The viewer that an account is. While a game runs it is the own seat or a spectator, after the end any viewer."""
    own = seat_of(game, account) or SPECTATOR
    if requested is None:
        return EVERYTHING if game.status == OVER else own
    if requested not in (*game.players, SPECTATOR, EVERYTHING):
        raise Unreadable(f"viewer is spectator, everything or one of {', '.join(game.players)}")
    if game.status == OVER or requested in (own, SPECTATOR):
        return requested
    if requested == EVERYTHING:
        raise NotNow("the game is not over: not everything can be shown")
    raise NotPermitted(f"you do not sit on the seat {requested}")
