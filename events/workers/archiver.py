"""The archiver lets packed games leave the store for the archive (`events.archive`), by age or by number.

A game is forgotten by the store only when its volume was written durably and read back: every record in it is the one
that was written, and the chain of every game in it holds. Whatever happens in between, a game is in the store or in the
archive, and never in neither; a volume that nobody knows of does no harm, and is written again by the next attempt.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from time import monotonic

from msgspec import Struct

from events.archive import ArchivedGame, Place, Volume, read
from events.errors import ArchiveDamaged, StoreError
from events.log import Archiving, Finished
from events.log.packing import unpack
from events.workers.packer import Verify
from rules.texts import say

log = logging.getLogger(__name__)

SECONDS_AT_A_TIME = 0.5
GAMES_AT_A_TIME = 4
"""So many games of a bucket are looked up for a run."""

GAMES_OF_A_VOLUME = 400
BYTES_OF_A_VOLUME = 8 << 20


class When(Struct, frozen=True):
    """Which packed games leave the store."""

    after_ms: int | None = None
    """So long after they were packed; None: however old they are, they stay."""
    most: int | None = None
    """So many stay at most; None: however many there are."""


class Outcome(Struct):
    """What became of some games."""

    archived: int = 0
    bytes: int = 0
    volumes: int = 0
    changed: int = 0
    """Games that were brought back, or removed, just then."""
    bad: dict[str, str] = {}
    """Games that stay in the store, and why."""


class Archiver:
    def __init__(
        self,
        games: Archiving,
        now: Callable[[], int],
        verify: Verify,
        when: When,
        archived: Callable[[ArchivedGame], None] = lambda game: None,
    ) -> None:
        self._log, self._now, self._verify, self.when = games, now, verify, when
        self._archived = archived

    @property
    def place(self) -> Place:
        return self._log.place

    @property
    def is_wanted(self) -> bool:
        return bool(self._log.place.name) and self.when != When()

    def attend(self, buckets: Collection[int], seconds: float = SECONDS_AT_A_TIME) -> Outcome:
        """Archive games of these buckets that have been packed for long enough, or are too many; one volume at most."""
        if not self.is_wanted or not buckets:
            return Outcome()
        return self.archive(self._collected(self.waiting(buckets, GAMES_AT_A_TIME), monotonic() + seconds / 2))

    def waiting(self, buckets: Collection[int], limit: int) -> list[Finished]:
        """Games that are to be archived, the oldest first."""
        until = -1 if self.when.after_ms is None else self._now() - self.when.after_ms
        # A share for each bucket: it is a matter of room, not of justice.
        share = None if self.when.most is None else self.when.most // self._log.buckets.count
        found = self._log.archivable(buckets, until, share, limit)
        return sorted(found, key=lambda one: one.at)

    def _collected(self, waiting: Sequence[Finished], end: float) -> Iterator[Finished]:
        for finished in waiting:
            yield finished
            if monotonic() > end:
                return

    def archive(self, waiting: Iterator[Finished]) -> Outcome:
        """Archive these games, in one volume."""
        outcome, games = Outcome(), list[ArchivedGame]()
        for finished in waiting:
            if game := self._checked(finished, outcome):
                games.append(game)
                if len(games) >= GAMES_OF_A_VOLUME or sum(len(one.value) for one in games) > BYTES_OF_A_VOLUME:
                    break
        if games:
            self._write(games, outcome)
        return outcome

    def _checked(self, finished: Finished, outcome: Outcome) -> ArchivedGame | None:
        """A game as it is packed, if its chain holds."""
        try:
            game = self._log.to_archive(finished.game)
            if game:
                self._verify(game.game, unpack(game.value).entries, game.secret)
                return game
        except StoreError:
            raise
        except Exception as problem:
            log.exception("game %s cannot be archived; it stays in the store", finished.game)
            outcome.bad[finished.game] = str(problem)
        self._log.not_archivable(finished)
        return None

    def _write(self, games: Sequence[ArchivedGame], outcome: Outcome) -> None:
        volume, place = Volume.of(games), self._log.place
        place.write(volume.name, volume.bytes)
        kept = place.read(volume.name)
        for game, at in zip(games, volume.locations, strict=True):
            if read(kept[at.offset : at.offset + at.length], at) != game:
                raise ArchiveDamaged(say("volume {volume} of the archive is not as it was written", volume=volume.name))
        outcome.volumes += 1
        for game, at in zip(games, volume.locations, strict=True):
            if self._log.archive(game, at):
                outcome.archived += 1
                outcome.bytes += at.length
                self._archived(game)
            else:
                outcome.changed += 1
