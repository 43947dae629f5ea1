"""A log in memory, for tests and tools. It keeps every promise but the one about crashes."""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock
from time import monotonic, time_ns

from msgspec import Struct
from msgspec.structs import replace

from events.buckets import USUAL, Buckets
from events.errors import Conflict, LeaseLost
from events.log import (
    ANYTHING,
    BY_THE_NOTE,
    FINISHED,
    NO_CHANGE,
    NO_DEADLINE,
    NO_FENCE,
    Appended,
    Due,
    FeedEntry,
    Finished,
    Hint,
    Note,
    Noted,
    PackedGame,
    Span,
    StoredGame,
    priorities,
)
from events.log.packing import unpack
from rules.texts import say


class _Game(Struct):
    entries: list[bytes] = []
    commands: dict[str, int] = {}
    secret: bytes = b""
    packed: bytes = b""
    """All entries and commands, if it is packed; then there are no others."""

    def whole(self) -> _Game:
        """The same, unpacked."""
        if not self.packed:
            return self
        contents = unpack(self.packed)
        return _Game(contents.entries, _numbered(contents.commands), self.secret)


class _Lease(Struct):
    holder: str = ""
    fence: int = 0
    until: float = 0.0


class MemoryLog:
    """See `events.log.GameLog`."""

    def __init__(self, buckets: Buckets = USUAL) -> None:
        self.buckets = buckets
        self._lock = Lock()
        self._games: dict[str, _Game] = {}
        self._deadlines: list[dict[str, int]] = [{} for _ in buckets.all]
        self._finished: list[dict[str, int]] = [{} for _ in buckets.all]
        self._feeds: list[list[FeedEntry]] = [[] for _ in buckets.all]
        self._lines = 0
        self._checkpoints: dict[tuple[int, str], str] = {}
        self._listening: list[_Hints] = []
        self._leases = [_Lease() for _ in buckets.all]
        self._spaces: dict[str, MemoryLog] = {}
        self._notes: dict[str, Note] = {}

    def space(self, name: str) -> MemoryLog:
        with self._lock:
            return self._spaces.setdefault(name, MemoryLog(self.buckets))

    def append(
        self,
        game: str,
        version: int,
        entry: bytes,
        *,
        command: str,
        former: str = "",
        deadline: int = NO_CHANGE,
        secret: bytes = b"",
        fence: int = NO_FENCE,
        last: bytes = b"",
    ) -> Appended:
        with self._lock:
            if fence != NO_FENCE and fence != self._leases[self.buckets.of(game)].fence:
                raise LeaseLost(say("bucket {bucket} has another holder", bucket=self.buckets.of(game)))
            stored = self._games.get(game) or _Game()
            if stored.packed:
                return unpack(stored.packed).answer(game, version, command, former)
            for name in (command, former):
                if name in stored.commands:
                    return Appended(stored.commands[name], repeated=True)
            if len(stored.entries) != version or (last and last not in stored.entries[-1]):
                raise Conflict(game, version, len(stored.entries), stored.entries[version:])
            self._games[game] = stored
            stored.entries.append(entry)
            stored.commands[command] = version + 1
            stored.secret = stored.secret or secret
            self._set_deadline(game, deadline)
            self._tell(game, version + 1)
            return Appended(version + 1)

    def read(self, game: str, after: int = 0, until: int | None = None) -> list[bytes]:
        return list(self._whole(game).entries[after:until])

    def read_many(self, spans: Sequence[Span]) -> list[list[bytes] | None]:
        return [self.read(span.game, span.after, span.until) if self.version(span.game) else None for span in spans]

    def version(self, game: str) -> int:
        return len(self._whole(game).entries)

    def command_version(self, game: str, command: str) -> int | None:
        return self._whole(game).commands.get(command)

    def secret(self, game: str) -> bytes:
        return self._whole(game).secret

    def _whole(self, game: str) -> _Game:
        with self._lock:
            return self._games.get(game, _Game()).whole()

    def games(self, bucket: int) -> Iterator[str]:
        with self._lock:
            return iter([game for game in self._games if self.buckets.of(game) == bucket])

    def due(self, buckets: Sequence[int], now: int, limit: int = 100) -> list[Due]:
        with self._lock:
            lines = priorities.lines(now)
            return [due for bucket in buckets for line in lines for due in self._due(bucket, *line)[:limit]]

    def _due(self, bucket: int, first: int, last: int) -> list[Due]:
        waiting = [(at, game) for game, at in self._deadlines[bucket].items() if first <= at <= last]
        return [priorities.due(game, at) for at, game in sorted(waiting)]

    def lease(self, buckets: Sequence[int], holder: str, milliseconds: int) -> dict[int, int]:
        now = monotonic()
        with self._lock:
            for bucket in buckets:
                lease = self._leases[bucket]
                if lease.holder != holder and 0 < lease.until - now <= 2 * milliseconds / 1000:
                    continue
                lease.fence += lease.holder != holder
                lease.holder, lease.until = holder, now + milliseconds / 1000
            return {bucket: self._leases[bucket].fence for bucket in buckets if self._leases[bucket].holder == holder}

    def give_up(self, buckets: Sequence[int], holder: str) -> None:
        with self._lock:
            for lease in (self._leases[bucket] for bucket in buckets):
                if lease.holder == holder:
                    lease.holder, lease.until = "", 0.0

    def deadline(self, game: str) -> int:
        with self._lock:
            return self._deadlines[self.buckets.of(game)].get(game, NO_DEADLINE)

    def feed(self, bucket: int, after: str = "0-0", limit: int = 100) -> list[FeedEntry]:
        with self._lock:
            start = _position(after)
            return [line for line in self._feeds[bucket] if _position(line.position) > start][:limit]

    def feeds(self, positions: Mapping[int, str], limit: int = 100) -> dict[int, list[FeedEntry]]:
        return {bucket: self.feed(bucket, after, limit) for bucket, after in positions.items()}

    def hints(self) -> _Hints:
        with self._lock:
            hints = _Hints(self)
            self._listening.append(hints)
            return hints

    def stop_listening(self, hints: _Hints) -> None:
        with self._lock, suppress(ValueError):
            self._listening.remove(hints)

    def checkpoint(self, bucket: int, consumer: str) -> str:
        return self._checkpoints.get((bucket, consumer), "0-0")

    def set_checkpoint(self, bucket: int, consumer: str, position: str) -> None:
        with self._lock:
            checkpoint = self._checkpoints.get((bucket, consumer), "0-0")
            self._checkpoints[bucket, consumer] = max(checkpoint, position, key=_position)

    def checkpoints_of(self, consumer: str, buckets: Collection[int]) -> dict[int, str]:
        return {bucket: self.checkpoint(bucket, consumer) for bucket in buckets}

    def set_checkpoints(self, consumer: str, positions: Mapping[int, str]) -> None:
        for bucket, position in positions.items():
            self.set_checkpoint(bucket, consumer, position)

    def checkpoints(self, bucket: int) -> dict[str, str]:
        with self._lock:
            return {consumer: at for (of, consumer), at in self._checkpoints.items() if of == bucket}

    def trim_feed(self, bucket: int) -> None:
        if seen := self.checkpoints(bucket).values():
            oldest = min(map(_position, seen))
            with self._lock:
                self._feeds[bucket] = [line for line in self._feeds[bucket] if _position(line.position) >= oldest]

    def stored(self, game: str) -> StoredGame:
        with self._lock:
            whole = self._games.get(game, _Game()).whole()
            deadline = self._deadlines[self.buckets.of(game)].get(game, NO_DEADLINE)
            return StoredGame(list(whole.entries), list(whole.commands), whole.secret, deadline)

    def restore(self, game: str, stored: StoredGame) -> None:
        with self._lock:
            if game in self._games:
                raise Conflict(game, 0, len(self._games[game].whole().entries), [])
            self._games[game] = _Game(list(stored.entries), _numbered(stored.commands), stored.secret)
            self._set_deadline(game, stored.deadline)
            self._finished[self.buckets.of(game)][game] = _now()
            self._tell(game, len(stored.entries))

    def remove(self, game: str) -> None:
        with self._lock:
            self._games.pop(game, None)
            self._notes.pop(game, None)
            self._deadlines[self.buckets.of(game)].pop(game, None)
            self._finished[self.buckets.of(game)].pop(game, None)

    def finished(self, buckets: Sequence[int], until: int, limit: int = 100) -> list[Finished]:
        with self._lock:
            waiting = [sorted((at, game) for game, at in self._finished[bucket].items()) for bucket in buckets]
        return [Finished(game, at) for some in waiting for at, game in some[:limit] if at <= until]

    def forget(self, finished: Finished) -> None:
        with self._lock:
            waiting = self._finished[self.buckets.of(finished.game)]
            if waiting.get(finished.game) == finished.at:
                del waiting[finished.game]

    def pack(self, game: str, packed: PackedGame) -> bool:
        with self._lock:
            stored = self._games.get(game) or _Game()
            if stored.packed == packed.value:
                return True
            is_the_same = len(stored.entries) == packed.version and stored.entries[-1] == packed.last
            if not is_the_same or game in self._deadlines[self.buckets.of(game)]:
                return False
            self._games[game] = _Game([], {}, stored.secret, packed.value)
            self._finished[self.buckets.of(game)].pop(game, None)
            return True

    def is_packed(self, game: str) -> bool:
        with self._lock:
            return bool(self._games.get(game, _Game()).packed)

    def unpack(self, game: str) -> None:
        with self._lock:
            if self._games.get(game, _Game()).packed:
                self._games[game] = self._games[game].whole()
                self._finished[self.buckets.of(game)][game] = _now()

    def note(self, notes: Mapping[str, Note]) -> dict[str, Note]:
        with self._lock:
            for game, note in notes.items():
                standing = self._notes.get(game, Note(0, "-", b""))
                if note.about and note.version >= standing.version:
                    self._notes[game] = replace(note, mark=standing.mark)
            return {game: self._notes[game] for game in notes if game in self._notes}

    def mark(self, game: str, mark: str) -> None:
        with self._lock:
            self._notes[game] = replace(self._notes.get(game, Note(0, "-", b"")), mark=mark)

    def noted(self, versions: Mapping[str, int]) -> dict[str, Noted]:
        found = {}
        for game, after in versions.items():
            note = self._notes.get(game)
            if self.version(game):
                start = after if after != BY_THE_NOTE else note.version if note else 0
                found[game] = Noted(note, self.read(game, start))
        return found

    def _set_deadline(self, game: str, deadline: int) -> None:
        deadlines = self._deadlines[self.buckets.of(game)]
        if deadline in (NO_DEADLINE, FINISHED):
            deadlines.pop(game, None)
        elif deadline != NO_CHANGE:
            deadlines[game] = deadline
        if deadline == FINISHED:
            self._finished[self.buckets.of(game)][game] = _now()

    def _tell(self, game: str, version: int) -> None:
        feed = self._feeds[self.buckets.of(game)]
        self._lines += 1
        insort(feed, FeedEntry(f"{self._lines}-0", game, version), key=lambda line: _position(line.position))
        for hints in self._listening:
            hints.heard.put(Hint(game, version))


class _Hints:
    """See `events.log.Hints`."""

    def __init__(self, log: MemoryLog) -> None:
        self._log = log
        self.heard: SimpleQueue[Hint] = SimpleQueue()
        self.heard.put(ANYTHING)

    def next(self, seconds: float) -> Hint | None:
        try:
            return self.heard.get(timeout=seconds)
        except Empty:
            return None

    def close(self) -> None:
        self._log.stop_listening(self)


def _numbered(commands: Sequence[str]) -> dict[str, int]:
    return {command: version for version, command in enumerate(commands, start=1)}


def _now() -> int:
    return time_ns() // 1_000_000


def _position(position: str) -> tuple[int, int]:
    high, _, low = position.partition("-")
    return int(high), int(low or 0)
