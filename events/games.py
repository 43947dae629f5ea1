"""Games: create, submit, load. The one way into a log for everything that plays.

>>> from events.log.memory import MemoryLog
>>> from events.table.commands import Join, Start
>>> games = Games(MemoryLog())
>>> game = games.create("el_grande", players=2, owner="ana").id
>>> for account in ("ana", "ben"):
...     _ = games.submit(game, Join(account))
>>> games.submit(game, Start("ana")).after.status
'running'
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping

from events.decider import Outage
from events.log import GameLog, chain
from events.repository import Repository, now_ms
from events.submission import Naming, Submission, new_id, plain_name
from events.table.commands import TABLE, TableCommand
from events.table.decider import GAME, GameDecider
from events.table.facts import GameCreated
from events.table.game import PUBLIC, Game
from events.table.time_control import TimeControl, check_control
from rules import catalogue


class Games(Repository[Game, TableCommand]):
    """All games of a log."""

    def __init__(
        self,
        log: GameLog,
        now: Callable[[], int] = now_ms,
        draw: Callable[[int], bytes] = secrets.token_bytes,
        outages: Callable[[], Iterable[Outage]] = tuple,
        naming: Naming = plain_name,
        decider: GameDecider = GAME,
    ) -> None:
        """`draw` gives the secrets of new games."""
        super().__init__(log, decider, now, outages, naming)
        self.log: GameLog = log
        self._draw = draw

    def create(
        self,
        rules: str,
        players: int,
        options: Mapping[str, str] | None = None,
        *,
        owner: str = "",
        visibility: str = PUBLIC,
        time: TimeControl | None = None,
        may_resign: bool = True,
        may_take_back: bool = True,
        game: str = "",
        submission: Submission | None = None,
    ) -> Game:
        """A new table. Its secret is drawn now and fixed by the first commit."""
        if time:
            check_control(time)
        options = dict(options or {})
        named = catalogue.rules_named(rules)
        played = catalogue.game_named(rules)
        played.empty_table(named, players, **options)  # refuses what cannot be played
        id, secret = game or new_id(), self._draw(chain.SECRET_BYTES)
        commitment = chain.commitment(secret)
        fact = GameCreated(
            id, named.name, players, options, commitment, owner, visibility, time, may_resign, may_take_back
        )
        return self._create(id, fact, TABLE, played.version, secret, submission or Submission(key="create")).after
