"""Studies, live: their edits as one account may know them, and the members who are there.

What an account may know changes while it listens: it loses its role, a game begins or ends, the study is deleted. So
the study is looked at again before anything is told, and every few seconds. Of an edit that the account may not know,
nothing is sent at all, not even a sign of life at that moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Event
from time import monotonic

from events.errors import NoSuchGame, StoreError
from events.log.codec import Commit
from events.workers.hub import Closed, Commits, Hub, Listener
from rules.codec import encode
from service.language import in_this_language
from service.live.streams import LONGEST_STREAM, Form, Stopping, Stream
from service.live.threads import Threads
from service.studies import study_representations
from service.studies.access import StudyAccess
from service.studies.presence import Present
from service.studies.study_service import StudyService

SECONDS_BETWEEN_LOOKS = 4.0


class StudyStreams:
    """All streams of studies of this process."""

    def __init__(self, service: StudyService, *, threads: Threads, keep_alive: float) -> None:
        self._service = service
        self._threads = threads
        self._keep_alive = keep_alive
        self._commits = Hub(Commits(service.studies))
        self._presence = Hub(service.presence)
        self._stopping = False

    def close(self) -> None:
        self._stopping = True
        self._commits.close()
        self._presence.close()

    def of_study(self, access: StudyAccess, key: str, after: int, form: Form, network: str) -> Stream:
        """The edits after a version that the account knows, and the members who are there, until the stream ends."""
        if self._stopping:
            raise Stopping
        study = access.study.id
        begun = self._service.numbering.true(access.study, access.unknown, min(after, access.version))
        with ExitStack() as entered:
            entered.enter_context(self._threads.stream(network, *([access.account] if access.account else [])))
            commits = entered.enter_context(self._commits.listening(study, begun))
            present = entered.enter_context(self._presence.listening(study))
            ending = entered.pop_all()
        reader = _Reader(self._service, access, key, commits, present, form, self._keep_alive)
        return Stream(form.content_type, in_this_language(reader.chunks()), ending.close, reader.end)


@dataclass
class _Reader:
    """One client."""

    service: StudyService
    access: StudyAccess
    key: str
    commits: Listener[Commit]
    present: Listener[Present]
    form: Form
    keep_alive: float

    def __post_init__(self) -> None:
        self.news = Event()
        self.members = b""
        self.commits.called = self.present.called = self.news.set

    def end(self) -> None:
        self.commits.end()
        self.present.end()

    def chunks(self) -> Iterator[bytes]:
        end, last = monotonic() + LONGEST_STREAM, monotonic()
        yield self.form.opening
        self.news.set()
        while monotonic() < end:
            self._wait()
            try:
                self._look_again()
                chunk = self._told()
            except StoreError:
                continue
            except NoSuchGame:
                yield self.form.last("end", {"version": self.access.version})
                return
            except Closed:
                break
            if chunk or monotonic() - last >= self.keep_alive:
                last = monotonic()
                yield chunk or self.form.keep_alive
        yield self.form.last("bye", {"version": self.access.version})

    def _wait(self) -> None:
        if not self.news.wait(min(SECONDS_BETWEEN_LOOKS, self.keep_alive)):
            # Hints can be lost, and nobody says that a member has gone.
            self.commits.look()
            self.present.look()
        self.news.clear()

    def _look_again(self) -> None:
        """What the account may know now; nothing any more if it may not see the study."""
        self.access = self.service.look(self.access.study.id, self.access.account, self.key)

    def _told(self) -> bytes:
        return self._edits(self.commits.heard()) + self._members(self.present.heard())

    def _edits(self, commits: Sequence[Commit]) -> bytes:
        known = [each for commit in commits if (each := self.service.known(self.access, commit))]
        told = study_representations.edits(self.access, known, self.service.accounts.profiles)
        return b"".join(self.form.item("edit", edit["version"], encode(edit)) for edit in told)

    def _members(self, heard: Sequence[Present]) -> bytes:
        """Those who are there, if that is news to this account."""
        if not heard:
            return b""
        visitors = self.access.seen_visitors(heard[-1].visitors)
        members = encode(study_representations.members(visitors, self.service.accounts.profiles))
        if members == self.members:
            return b""
        self.members = members
        return self.form.unnumbered("presence", members)
