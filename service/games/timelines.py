"""Timelines of stored games: steps, outlines and positions, as the viewer may know them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from events.errors import NoSuchGame
from events.games import Games
from events.log.codec import Commit
from events.table.game import OVER, Game
from replay.positions import Positions
from replay.summary import Summary, summary
from replay.timeline import Frame, Moment, Step, frame, steps
from rules.kernel import EVERYTHING, SPECTATOR, Player, Viewer
from rules.texts import Catalogue
from service.games.access import seat_of

COMMITS_AT_ONCE = 200


@dataclass(frozen=True)
class Timelines:
    games: Games
    positions: Positions = field(default_factory=Positions)

    def steps(
        self, game: Game, viewer: Viewer, after: int, names: Mapping[Player, str], catalogue: Catalogue
    ) -> Iterator[Step]:
        """Every step after a version, up to the game as it was loaded."""
        if after < game.version:
            start = self.moment(game, after) if after else None
            yield from steps(self._commits(game, after), viewer, names, catalogue, start)

    def summary(self, game: Game) -> Summary:
        return summary(self._commits(game, 0))

    def frame(self, game: Game, viewer: Viewer, version: int | None = None) -> Frame:
        """The position after a version, or now, as the viewer may see it."""
        return frame(self.moment(game, version or game.version), viewer)

    def moment(self, game: Game, version: int) -> Moment:
        if version > game.version:
            raise NoSuchGame(self.games.no_such_version(game.id, version))
        return self.positions.moment(
            game.id, version, lambda after, until: self.games.commits(game.id, after, min(until, game.version))
        )

    def _commits(self, game: Game, after: int) -> Iterator[Commit]:
        for first in range(after, game.version, COMMITS_AT_ONCE):
            yield from self.games.commits(game.id, first, min(first + COMMITS_AT_ONCE, game.version))


def viewers(game: Game, account: str | None) -> tuple[Viewer, ...]:
    """As whom an account may look at a game; first as whom it does, unless it asks for another."""
    if game.status == OVER:
        return EVERYTHING, *game.players, SPECTATOR
    own = seat_of(game, account)
    return (own, SPECTATOR) if own else (SPECTATOR,)
