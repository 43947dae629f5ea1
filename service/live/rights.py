"""Open streams end with the rights of the client that holds them: a revoked token, an ended session, a deleted account.

One thread looks for all streams of this process. Every two seconds it reads which accounts have lost a right since, one
command however many streams are open, and looks into these accounts. A stream that was opened since is looked at, too:
its client may have been known from a cache. Now and then all are looked at.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread

from events.errors import StoreError
from service.accounts import Accounts
from service.accounts.apps import owner_of
from service.accounts.credentials import Credential
from service.accounts.ended_rights import EndedRights
from service.live.streams import Stream

log = logging.getLogger(__name__)

SECONDS_BETWEEN_LOOKS = 2.0
LOOKS_BETWEEN_ALL = 30
"""So often it looks at the accounts that were announced, before it looks at all."""
AT_ONCE = 50
SECONDS_BETWEEN_SOME = 0.01
"""Where many must be looked at, the streams themselves go first."""


@dataclass(eq=False)
class _Held:
    """A stream that is held by the right of a token or a session."""

    credential: Credential
    end: Callable[[], None]
    is_new: bool = True


class RightsWatch:
    """All streams of this process that are held by accounts."""

    def __init__(self, accounts: Accounts, ended: EndedRights, *, seconds: float = SECONDS_BETWEEN_LOOKS) -> None:
        self._accounts = accounts
        self._ended = ended
        self._seconds = seconds
        self._lock = Lock()
        self._held: list[_Held] = []
        self._thread: Thread | None = None
        self._closing = Event()
        self._position = ""
        self._looks = 0

    def watched(self, stream: Stream, credential: Credential | None) -> Stream:
        """The stream, which ends when the token or session does; without one it is public."""
        if credential is None:
            return stream
        held = _Held(credential, stream.end)
        with self._lock:
            self._held.append(held)
            if self._thread is None and not self._closing.is_set():
                self._thread = Thread(target=self._run, name="rights", daemon=True)
                self._thread.start()

        def close() -> None:
            with self._lock:
                self._held.remove(held)
            stream.close()

        return replace(stream, close=close)

    def close(self) -> None:
        self._closing.set()
        if self._thread:
            self._thread.join(timeout=5)

    # In the thread

    def _run(self) -> None:
        is_away = False
        while not self._closing.wait(self._seconds):
            try:
                self.look()
                is_away = False
            except Exception as error:
                if not is_away:
                    log.warning("rights are not watched: %s", error, exc_info=not isinstance(error, StoreError))
                is_away = True

    def look(self) -> None:
        """Ends the streams whose rights have ended since the last look."""
        with self._lock:
            held = list(self._held)
        if not held:
            self._position = ""
            return
        suspects = self._suspects(held)
        for first in range(0, len(suspects), AT_ONCE):
            self._end_lost(suspects[first : first + AT_ONCE])
            if first + AT_ONCE < len(suspects):
                self._closing.wait(SECONDS_BETWEEN_SOME)

    def _end_lost(self, suspects: list[_Held]) -> None:
        still = self._accounts.held({each.credential for each in suspects})
        for each in suspects:
            each.is_new = False
            if each.credential not in still:
                each.end()

    def _suspects(self, held: list[_Held]) -> list[_Held]:
        if not self._position:
            self._position, self._looks = self._ended.newest(), 0
            return held
        accounts, self._position = self._ended.after(self._position)
        self._looks += 1
        if accounts is None or self._looks % LOOKS_BETWEEN_ALL == 0:
            return held
        return [each for each in held if each.is_new or not accounts.isdisjoint(accounts_behind(each.credential))]


def accounts_behind(credential: Credential) -> tuple[str, ...]:
    """The account, and the owner of the app that acts for it."""
    return (credential.account, owner_of(credential.app)) if credential.app else (credential.account,)
