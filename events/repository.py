"""The repository: load what is stored, submit commands, append what follows. It knows no game.

A state is loaded by folding its commits. Folded states are kept in memory, and only newer commits are read the next
time; the log is the truth, and any of them can be thrown away.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Generic, TypeVar

from cachetools import Cache, LRUCache
from msgspec import Struct

from events import history
from events.decider import Context, Decided, Decider, Outage, State
from events.errors import AnotherRequest, Busy, Conflict, Damaged, NoSuchGame
from events.log import NO_CHANGE, NO_DEADLINE, NO_FENCE, Log, Span, chain, codec
from events.log.codec import FINGERPRINT, SCHEMA, Commit, Header
from events.log.recent import RecentCommits
from events.submission import Naming, Submission, plain_name
from rules.errors import Refused
from rules.kernel import Fact
from rules.texts import Text, say

ATTEMPTS = 20
"""How often a command is decided again because another one was faster."""

CACHED = 1000
"""How many folded states a process keeps."""

KEPT_ASIDE = 300
"""How many more it keeps that it has only listed."""

Command = TypeVar("Command")

SecretOf = Callable[[str], bytes]
"""The secret of something new, by its id."""


def now_ms() -> int:
    """Milliseconds since 1970, as this machine has it."""
    return time.time_ns() // 1_000_000


class Accepted(Struct, Generic[State], frozen=True):
    """A command was accepted: the commit it made, and the state after it."""

    commit: Commit
    after: State
    repeated: bool = False
    """Whether it was accepted before, and is only answered again."""


class Repository(Generic[State, Command]):
    """Everything of one kind that a log keeps."""

    def __init__(
        self,
        log: Log,
        decider: Decider[State, Command],
        now: Callable[[], int] = now_ms,
        outages: Callable[[], Iterable[Outage]] = tuple,
        naming: Naming = plain_name,
        recent: RecentCommits | None = None,
        cached: tuple[int, int] | None = None,
        weigh: Callable[[State], int] | None = None,
    ) -> None:
        """`now` is the clock of everything stored here; `outages` are the times in which the service was away;
        `naming` gives commands the names under which they are kept; in `recent` other processes show their commits.
        States are kept up to a weight, and others that were only listed; without a scale each weighs 1.
        """
        self.log = log
        self.now = now
        self._decider = decider
        self.outages = outages
        self._naming = naming
        self._recent = recent
        self._cache, self._listed = (_Cache[State](most, weigh) for most in cached or (CACHED, KEPT_ASIDE))

    # Sentences, which another kind has in its own words

    def not_found(self, id: str) -> Text:
        return say("there is no game {game}", game=id)

    def no_such_version(self, id: str, version: int) -> Text:
        return say("there is no version {version} of game {game}", version=version, game=id)

    def too_fast(self, id: str) -> Text:
        return say("game {game} changes too fast", game=id)

    # Writing

    def submit(
        self, id: str, command: Command, submission: Submission | None = None, *, fence: int = NO_FENCE
    ) -> Accepted[State]:
        """Decide a command and append what follows. A repeated submission is answered as the first time.

        What this process knows is tried first; on a conflict the command is decided again on top of the newer commits.
        """
        given = (submission or Submission()).named(id, self._naming)
        state, secret = self._known(id)
        for _ in range(ATTEMPTS):
            try:
                return self._attempt(state, secret, command, given, fence)
            except Conflict as faster:
                state = self._after_conflict(state, secret, faster)
            except Refused:
                # What looks refused may have been accepted before, or the state has moved on.
                if version := self._accepted_before(id, given):
                    return self._repeated(id, version, given)
                if (newest := self._catch_up(state)) is state:
                    raise
                state = newest
        raise Busy(self.too_fast(id))

    def _create(
        self, id: str, fact: Fact, by: str, rules: int, secret: bytes, submission: Submission
    ) -> Accepted[State]:
        """The first commit, which fixes the secret without showing it."""
        given = submission.named(id, self._naming)
        header = Header(id, 1, self.now(), by, signed(given, secret), "", SCHEMA, rules, chain.NO_HASH)
        entry, commit = codec.write(header, [fact], secret)
        if self.log.append(id, 0, entry, command=given.name, former=given.former_name, secret=secret).repeated:
            return self._repeated(id, 1, given)
        return Accepted(commit, self._cache.put(self._decider.created(commit), secret))

    def _attempt(
        self, state: State, secret: bytes, command: Command, submission: Submission, fence: int
    ) -> Accepted[State]:
        decider = self._decider
        decider.permit(state, command)
        submission.check_version(state.version)
        context = Context(max(self.now(), state.at), secret, tuple(self.outages()))
        decided = decider.decide(state, command, context)
        entry, commit = codec.write(self._header(state, decided, submission, context), decided.facts, secret)
        appended = self.log.append(
            state.id,
            state.version,
            entry,
            command=submission.name,
            former=submission.former_name,
            deadline=self._deadline(state, decided.after),
            fence=fence,
            last=codec.own_hash(state.head),
        )
        if appended.repeated:
            return self._repeated(state.id, appended.version, submission)
        if self._recent:
            self._recent.put(state.id, appended.version, entry)
        return Accepted(commit, self._cache.put(decider.committed(decided.after, commit), secret))

    def _after_conflict(self, state: State, secret: bytes, faster: Conflict) -> State:
        """After the commits that were faster; without those that the store has lost, if this process knows such."""
        if faster.entries and codec.follows(faster.entries[0], state.head):
            return self._cache.put(self._after(state, faster.entries), secret)
        return self._reloaded(state.id)

    def _deadline(self, before: State, after: State) -> int:
        """When attention is needed next. Without deadlines there is none to write, and none to remove."""
        deadline = self._decider.deadline(after)
        return NO_CHANGE if deadline == NO_DEADLINE == self._decider.deadline(before) else deadline

    def _header(self, state: State, decided: Decided[State], submission: Submission, context: Context) -> Header:
        return Header(
            game=state.id,
            version=state.version + 1,
            at=context.at,
            by=decided.by,
            command=signed(submission, context.secret),
            decision=decided.decision,
            schema=SCHEMA,
            rules=self._decider.rules_version(state),
            previous=state.head,
        )

    def repeated(self, id: str, submission: Submission) -> Accepted[State] | None:
        """The answer to a submission that was accepted before, for callers who look at the state before they submit."""
        given = submission.named(id, self._naming)
        version = self._accepted_before(id, given)
        return self._repeated(id, version, given) if version else None

    def _accepted_before(self, id: str, submission: Submission) -> int | None:
        """The version that a submission with a key produced, if it was accepted."""
        if not submission.key:
            return None
        names = (submission.name, submission.former_name)
        return next((version for name in names if name and (version := self.log.command_version(id, name))), None)

    def _repeated(self, id: str, version: int, submission: Submission) -> Accepted[State]:
        """The answer that a submission got the first time. Under its key another request is refused."""
        [commit] = self.commits(id, version - 1, version)
        made_by = commit.header.fingerprint
        if submission.fingerprint and made_by:
            _, secret = self._known(id)
            if made_by != chain.fingerprint(secret, submission.fingerprint):
                raise AnotherRequest(say("this name was given to another request before"))
        return Accepted(commit, self.load(id, version), repeated=True)

    # Reading

    def load(self, id: str, version: int | None = None) -> State:
        """The state now, or as it was after a version."""
        if version is None:
            return self._catch_up(self._known(id)[0])
        state = history.fold(self._decider, self.log.read(id, until=version)) if version > 0 else None
        if state is None or state.version != version:
            raise NoSuchGame(self.no_such_version(id, version))
        return state

    def load_newer(self, versions: Mapping[str, int]) -> dict[str, State | None]:
        """Of each of these the state now, or None if it is still at the version given; without those that are gone.

        A hundred cost one round trip. They are kept aside, so that long lists push nothing out that is played.
        """
        known = {id: self._cache.peek(id) or self._listed.peek(id) for id, version in versions.items() if not version}
        spans = [Span(id, known_state.version if (known_state := known.get(id)) else v) for id, v in versions.items()]
        states: dict[str, State | None] = {}
        for span, entries in zip(spans, self.log.read_many(spans), strict=True):
            if entries is None:
                continue
            if not versions[span.game]:
                states[span.game] = self._list(known[span.game], entries)
            else:
                states[span.game] = self._list(None, self.log.read(span.game)) if entries else None
        return states

    def _list(self, known: State | None, entries: Sequence[bytes]) -> State:
        if known and entries and not codec.follows(entries[0], known.head):
            return self._reloaded(known.id)
        state = history.fold(self._decider, entries, known)
        assert state is not None, "a game that is there has entries"
        return state if self._cache.peek(state.id) else self._listed.put(state)

    def commits(self, id: str, after: int = 0, until: int | None = None) -> list[Commit]:
        """The commits after a version."""
        state, _ = self._known(id)
        return [self._decider.read(entry, state) for entry in self.log.read(id, after, until)]

    def _known(self, id: str) -> tuple[State, bytes]:
        """The state as this process last saw it, or another that shows it, and its secret."""
        if cached := self._cache.get(id):
            return self._shown(*cached) if self._recent else cached
        return self._loaded(id)

    def _loaded(self, id: str) -> tuple[State, bytes]:
        """The state as the log has it, and its secret."""
        state = history.fold(self._decider, self.log.read(id))
        if state is None:
            raise NoSuchGame(self.not_found(id))
        secret = self.log.secret(id)
        if chain.commitment(secret) != state.commitment:
            raise Damaged(f"the secret of {id} is not the one it was created with")
        return self._cache.put(state, secret), secret

    def _shown(self, state: State, secret: bytes) -> tuple[State, bytes]:
        """After the commits that other processes show, if they follow this very one."""
        assert self._recent, "other processes show their commits"
        for entry in self._recent.after(state.id, known := state.version):
            commit = self._decider.read(entry, state)
            if commit.header.previous != state.head:
                break
            state = self._decider.after(state, commit)
        return self._cache.put(state) if state.version > known else state, secret

    def _catch_up(self, state: State) -> State:
        entries = self.log.read(state.id, state.version)
        if entries and not codec.follows(entries[0], state.head):
            return self._reloaded(state.id)
        return self._cache.put(self._after(state, entries)) if entries else state

    def _reloaded(self, id: str) -> State:
        """The state as the log has it. What this process knew were commits that the store has lost since."""
        self._cache.forget(id)
        self._listed.forget(id)
        return self._loaded(id)[0]

    def _after(self, state: State, entries: Iterable[bytes]) -> State:
        after = history.fold(self._decider, entries, state)
        assert after is not None, "folding more commits loses nothing"
        return after


def signed(submission: Submission, secret: bytes) -> str:
    """The name of a command, and what tells its request from any other."""
    if not submission.fingerprint:
        return submission.name
    return f"{submission.name}{FINGERPRINT}{chain.fingerprint(secret, submission.fingerprint)}"


class _Cache(Generic[State]):
    """The states used last, and their secrets."""

    def __init__(self, most: int, weigh: Callable[[State], int] | None) -> None:
        self._lock = Lock()
        self._states: LRUCache[str, tuple[State, bytes]] = LRUCache(most, weigh and (lambda kept: weigh(kept[0])))

    def get(self, id: str) -> tuple[State, bytes] | None:
        with self._lock:
            return self._states.get(id)

    def peek(self, id: str) -> State | None:
        """The state, if it is kept; it is not kept for longer because of this."""
        with self._lock:
            return Cache.__getitem__(self._states, id)[0] if id in self._states else None

    def forget(self, id: str) -> None:
        with self._lock:
            self._states.pop(id, None)

    def put(self, state: State, secret: bytes | None = None) -> State:
        """Keep this state unless a newer one is kept already; gives back what was put."""
        with self._lock:
            kept, known_secret = self._states.get(state.id, (None, b""))
            if kept is None or kept.version < state.version:
                self._states[state.id] = state, known_secret if secret is None else secret
        return state
