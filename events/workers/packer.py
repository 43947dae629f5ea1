"""The packer makes games small after they are over (`events.log.packing`).

Which games wait for it is data in the store, so that none is forgotten when a worker dies. A packed game is no other
game: being packed twice, or at the same moment by two workers, does nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from time import monotonic

from events.errors import StoreError
from events.history import fold
from events.log import Finished, GameLog, PackedGame, packing
from events.table.decider import GAME
from events.table.game import ABORTED, OVER

log = logging.getLogger(__name__)

SECONDS_AT_A_TIME = 0.5
"""So long a run takes, and as long as one more game: other work of the process is more urgent. A run packs one at
least, else none would ever be packed where looking them up takes long."""

GAMES_AT_A_TIME = 10
"""So many games of a bucket are looked up for a run."""

Verify = Callable[[str, Sequence[bytes], bytes], object]
"""Raises if the entries and the secret of a game are not what was appended, such as `verify_chain`."""


class Packer:
    def __init__(
        self,
        games: GameLog,
        now: Callable[[], int],
        verify: Verify,
        *,
        after: float = 0.0,
        packed: Callable[[PackedGame], None] = lambda game: None,
    ) -> None:
        """Games are packed so many seconds after their end; `packed` is called with each one."""
        self._log, self._now, self._verify = games, now, verify
        self._after_ms = int(after * 1000)
        self._packed = packed

    def attend(self, buckets: Collection[int], seconds: float = SECONDS_AT_A_TIME) -> int:
        """Pack games of these buckets that have been over for long enough; says how many were."""
        end = monotonic() + seconds
        waiting = self._log.finished(list(buckets), self._now() - self._after_ms, GAMES_AT_A_TIME)
        packed = 0
        for finished in sorted(waiting, key=lambda one: one.at):
            packed += self._look_after(finished)
            if monotonic() > end:
                break
        return packed

    def _look_after(self, finished: Finished) -> bool:
        try:
            if self.pack(finished.game):
                return True
        except StoreError:
            raise
        except Exception:
            log.exception("game %s cannot be packed; it stays as it is", finished.game)
        self._log.forget(finished)
        return False

    def pack(self, game: str) -> PackedGame | None:
        """Pack a game that is over; None if it is not, or just then has changed."""
        packed = self.packed_form(game)
        if packed is None or not self._log.pack(game, packed):
            return None
        self._packed(packed)
        return packed

    def packed_form(self, game: str) -> PackedGame | None:
        """The packed form of a game that is over and whose chain holds; None if it is not over."""
        stored = self._log.stored(game)
        state = fold(GAME, stored.entries)
        if state is None or state.status not in (OVER, ABORTED):
            return None
        self._verify(game, stored.entries, stored.secret)
        return packing.pack(stored.entries, stored.commands)
