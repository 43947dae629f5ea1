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
from collections.abc import Callable, Collection, Iterable, Mapping

from msgspec import UNSET
from msgspec.structs import replace

from events.decider import Outage
from events.log import BY_THE_NOTE, GameLog, Note, Noted, chain
from events.log.recent import RecentCommits
from events.repository import Repository, SecretOf, now_ms
from events.submission import Naming, Submission, new_id, plain_name
from events.table.commands import TABLE, TableCommand
from events.table.decider import GAME, GameDecider
from events.table.facts import GameCreated, TournamentTable
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
        recent: RecentCommits | None = None,
        secret_of: SecretOf | None = None,
    ) -> None:
        """`draw` gives the secrets of new games, or `secret_of` by their ids, in a run that can be repeated."""
        super().__init__(log, decider, now, outages, naming, recent)
        self.log: GameLog = log
        self._secret_of: SecretOf = secret_of or (lambda id: draw(chain.SECRET_BYTES))

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
        tournament: TournamentTable | None = None,
        title: str = "",
        starts_when_full: bool = False,
        game: str = "",
        submission: Submission | None = None,
    ) -> Game:
        """A new table. Its secret is drawn now and fixed by the first commit. A tournament's has no owner."""
        assert not (owner and tournament), "the service runs a tournament's table"
        if time:
            check_control(time)
        options = dict(options or {})
        named = catalogue.rules_named(rules)
        played = catalogue.game_named(rules)
        played.empty_table(named, players, **options)  # refuses what cannot be played
        id = game or new_id()
        secret = self._secret_of(id)
        commitment = chain.commitment(secret)
        fact = GameCreated(
            id,
            named.name,
            players,
            options,
            commitment,
            owner,
            visibility,
            time,
            may_resign,
            may_take_back,
            tournament or UNSET,
            title or UNSET,
            starts_when_full or UNSET,
        )
        return self._create(id, fact, TABLE, played.version, secret, submission or Submission(key="create")).after

    def noted(
        self, ids: Collection[str], is_needed: Callable[[str], bool] = lambda id: False
    ) -> dict[str, tuple[Note | None, Game | None]]:
        """Of each of these its note, and the game itself if it is needed, or known here; without those that are gone.

        A note that the game has left behind has nothing in it. A hundred cost one round trip.
        """
        known = {id: self._cache.peek(id) or self._listed.peek(id) for id in ids}
        after = {id: game.version if game else 0 if is_needed(id) else BY_THE_NOTE for id, game in known.items()}
        return {
            id: self._noted(found, known[id], is_whole=after[id] == 0) for id, found in self.log.noted(after).items()
        }

    def _noted(self, found: Noted, known: Game | None, *, is_whole: bool) -> tuple[Note | None, Game | None]:
        note = found.note
        if known or is_whole or note is None or note.version == 0:
            return note, self._list(known, found.entries)
        return (replace(note, about=b"") if found.entries else note), None
