"""Tournaments, live: everything that happens in one, as one account may know it.

What an account may know changes while it listens: it becomes an arbiter, or is none any more, a tournament becomes
private. So the tournament is looked at again before anything is told, and every few seconds. Of a round that is not
published, nothing is sent but to staff, not even a sign of life at that moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Event, Lock
from time import monotonic

from cachetools import LRUCache

from events.errors import NoSuchGame, StoreError
from events.log.codec import Commit
from events.workers.hub import Closed, Commits, Hub, Listener
from rules.codec import encode
from service.language import current, in_this_language
from service.live.streams import LONGEST_STREAM, Form, Stopping, Stream
from service.live.threads import Threads
from service.tournaments import tournament_representations
from service.tournaments.tournament_representations import is_staff
from service.tournaments.tournament_service import TournamentService
from tournaments.tournament import Tournament

SECONDS_BETWEEN_LOOKS = 4.0
BYTES_CACHED = 4 * 1024 * 1024
"""So many bytes of sent events are kept for the next client that wants the same."""


class TournamentStreams:
    """All streams of tournaments of this process."""

    def __init__(self, service: TournamentService, *, threads: Threads, keep_alive: float) -> None:
        self._service = service
        self._threads = threads
        self._keep_alive = keep_alive
        self._commits = Hub(Commits(service.tournaments))
        self._frames = _Frames(service)
        self._stopping = False

    def close(self) -> None:
        self._stopping = True
        self._commits.close()

    def of_tournament(
        self, tournament: Tournament, account: str | None, after: int, form: Form, network: str
    ) -> Stream:
        """What happens after a version, until the stream ends."""
        if self._stopping:
            raise Stopping
        with ExitStack() as entered:
            entered.enter_context(self._threads.stream(network, *([account] if account else [])))
            commits = entered.enter_context(self._commits.listening(tournament.id, min(after, tournament.version)))
            ending = entered.pop_all()
        reader = _Reader(self._service, self._frames, tournament, account, commits, form, self._keep_alive)
        return Stream(form.content_type, in_this_language(reader.chunks()), ending.close, commits.end)


@dataclass
class _Reader:
    """One client."""

    service: TournamentService
    frames: _Frames
    tournament: Tournament
    account: str | None
    commits: Listener[Commit]
    form: Form
    keep_alive: float

    def __post_init__(self) -> None:
        self.news = Event()
        self.commits.called = self.news.set

    def chunks(self) -> Iterator[bytes]:
        end, last = monotonic() + LONGEST_STREAM, monotonic()
        yield self.form.opening
        self.news.set()
        while monotonic() < end:
            self._wait()
            try:
                # What the account may know now; nothing any more if it may not see the tournament.
                self.tournament = self.service.look(self.tournament.id, self.account)
                chunk = self._told(self.commits.heard())
            except StoreError:
                continue
            except NoSuchGame:
                yield self.form.last("end", {"version": self.tournament.version})
                return
            except Closed:
                break
            if chunk or monotonic() - last >= self.keep_alive:
                last = monotonic()
                yield chunk or self.form.keep_alive
        yield self.form.last("bye", {"version": self.tournament.version})

    def _wait(self) -> None:
        if not self.news.wait(min(SECONDS_BETWEEN_LOOKS, self.keep_alive)):
            # Hints can be lost.
            self.commits.look()
        self.news.clear()

    def _told(self, commits: Sequence[Commit]) -> bytes:
        for_staff = is_staff(self.tournament, self.account)
        return b"".join(self.frames.of(self.tournament, commit, self.form, for_staff=for_staff) for commit in commits)


class _Frames:
    """Commits as they go out: made once for all streams of the same kind and language. For many threads."""

    def __init__(self, service: TournamentService) -> None:
        self._service = service
        self._made: LRUCache[object, bytes] = LRUCache(BYTES_CACHED, getsizeof=lambda frame: 100 + len(frame))
        self._lock = Lock()

    def of(self, tournament: Tournament, commit: Commit, form: Form, *, for_staff: bool) -> bytes:
        key = (commit.hash, for_staff, form.content_type, current().tag)
        with self._lock:
            frame = self._made.get(key)
        if frame is None:
            frame = self._frame(tournament, commit, form, for_staff=for_staff)
            with self._lock:
                if len(frame) < BYTES_CACHED // 2:
                    self._made[key] = frame
        return frame

    def _frame(self, tournament: Tournament, commit: Commit, form: Form, *, for_staff: bool) -> bytes:
        profiles = self._service.accounts.profiles
        told = tournament_representations.commits(tournament, [commit], profiles, for_staff=for_staff)
        return b"".join(form.item("commit", each["version"], encode(each)) for each in told)
