"""Access of an account to a game: its seat, and the viewer that it is."""

from __future__ import annotations

from events.errors import NotNow, NotPermitted
from events.table.game import OVER, Game
from rules.errors import Unreadable
from rules.kernel import EVERYTHING, SPECTATOR, Player, Viewer
from rules.texts import one_by_one, say
from service.games.game_summary import GameSummary


def seat_of(game: Game | GameSummary, account: str | None) -> Player | None:
    return next((player for player, seated in game.seats.items() if seated == account), None)


def viewer_for(game: Game, account: str | None, requested: str | None = None) -> Viewer:
    """The viewer that an account is. While a game runs it is the own seat or a spectator, after the end any viewer."""
    own = seat_of(game, account) or SPECTATOR
    if requested is None:
        return EVERYTHING if game.status == OVER else own
    if requested not in (*game.players, SPECTATOR, EVERYTHING):
        raise Unreadable(say("viewer is spectator, everything or one of {players}", players=one_by_one(game.players)))
    if game.status == OVER or requested in (own, SPECTATOR):
        return requested
    if requested == EVERYTHING:
        raise NotNow(say("the game is not over: not everything can be shown"))
    raise NotPermitted(say("you do not sit on the seat {seat}", seat=requested))
