"""The log: every game is a list of commits that only grows.

A `Log` stores entries it does not understand; `events.log.codec` writes and reads them. One accepted command is one
entry, written together with everything that must never disagree with it: the game's version, the command's identity,
the game's next deadline, and the feed. All of it is stored, or nothing.

>>> from events.log.memory import MemoryLog
>>> log = MemoryLog()
>>> log.append("g1", 0, b"first", command="c1")
Appended(version=1, repeated=False)
>>> log.append("g1", 0, b"again", command="c1")      # the same command: answered as the first time
Appended(version=1, repeated=True)
>>> log.append("g1", 0, b"late", command="c2")       # another command was faster
Traceback (most recent call last):
events.errors.Conflict: the game is at version 1, not 0
>>> log.read("g1")
[b'first']
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from events.buckets import Buckets

if TYPE_CHECKING:
    from events.archive import ArchivedGame, Location, Place


class Appended(Struct, frozen=True):
    """The entry is on disk, as this version of the game; `repeated` if it was there already."""

    version: int
    repeated: bool = False


class Span(Struct, frozen=True):
    """The entries of a game after a version, up to and including another."""

    game: str
    after: int = 0
    until: int | None = None


class FeedEntry(Struct, frozen=True):
    """One line of the feed: this game has reached this version."""

    position: str
    game: str
    version: int


class Hint(Struct, frozen=True):
    """This game has reached this version. A hint can be lost: a reader that needs every commit reads the log."""

    game: str
    version: int


ANYTHING = Hint("", 0)
"""Listening begins, or begins again: anything may have happened before."""


class Hints(Protocol):
    """Hears of new commits as they are made. For one thread."""

    def next(self, seconds: float) -> Hint | None:
        """The next hint within so many seconds; `ANYTHING` first, and again after every gap."""

    def close(self) -> None:
        """Stop listening."""


class Due(Struct, frozen=True):
    """A game whose deadline has come."""

    game: str
    at: int
    priority: int = 0
    """0 comes first."""


class Finished(Struct, frozen=True):
    """A game that may be over since this moment, and is not packed."""

    game: str
    at: int


class StoredGame(Struct, frozen=True):
    """All that a log keeps of one game, to be archived and put back."""

    entries: list[bytes]
    commands: list[str]
    """The command that made each entry."""
    secret: bytes
    deadline: int = 0


class Note(Struct, frozen=True):
    """What lists show of a game as it was at a version. The log understands none of it."""

    version: int
    word: str
    """A word without spaces, such as the game's status."""
    about: bytes
    mark: str = ""
    """Set by `mark`, and kept when the note is written anew."""


class Noted(Struct, frozen=True):
    """A game as lists look at it: its note, if there is one, and the entries after the version that was asked for."""

    note: Note | None
    entries: list[bytes]


BY_THE_NOTE = -1
"""Asks for the entries after the version of the note."""


class PackedGame(Struct, frozen=True):
    """A game in its packed form, ready to take the place of the entries that it was made of."""

    version: int
    last: bytes
    """The last entry: it is bound to all before it."""
    value: bytes
    size: int
    """The bytes of its entries and commands."""


NO_CHANGE = -1
NO_DEADLINE = 0
FINISHED = -2
"""No deadline any more: the game is over, and can be packed after a while."""
NO_FENCE = 0


class Divided(Protocol):
    """Spreads games over buckets: a game's keys, deadlines and feed live in its bucket."""

    @property
    def buckets(self) -> Buckets:
        """They never change."""


class Log(Divided, Protocol):
    """Entries of games, each with what must never disagree with it."""

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
        """Store `entry` after `version` entries, or raise `Conflict`. A `command` seen before is not stored again.

        `last` is a part by which the last entry is recognised. If it is not there, the store has lost entries that it
        had accepted, and taken others: a `Conflict` without entries.

        `former` is another name under which the command may have been seen. `deadline` is when the game next needs
        attention (milliseconds), perhaps deferred (`events.log.priorities`), or `FINISHED`; `secret` is kept once,
        beside the first entry. With a `fence`, which `lease` has given, only while the bucket has no other holder, or
        `LeaseLost`. A packed game takes no more entries: `Packed`.
        """

    def read(self, game: str, after: int = 0, until: int | None = None) -> list[bytes]:
        """The entries after a version, in order, up to and including another."""

    def read_many(self, spans: Sequence[Span]) -> list[list[bytes] | None]:
        """The entries of each span, as `read` gives them, None if there is no such game.

        A hundred games cost one round trip.
        """

    def version(self, game: str) -> int:
        """How many entries the game has; 0: there is no such game."""

    def command_version(self, game: str, command: str) -> int | None:
        """The version that a command produced, if it was accepted."""

    def secret(self, game: str) -> bytes:
        """The secret that came with the first entry; empty if there is no such game."""

    def games(self, bucket: int) -> Iterator[str]:
        """All games of a bucket, oldest first."""


class Feed(Divided, Protocol):
    """Which games have reached which version, in order, bucket by bucket; and how far its consumers have come."""

    def feed(self, bucket: int, after: str = "0-0", limit: int = 100) -> list[FeedEntry]:
        """The entries of a bucket's feed after a position."""

    def feeds(self, positions: Mapping[int, str], limit: int = 100) -> dict[int, list[FeedEntry]]:
        """The entries of several feeds, each after its position, in one round trip."""

    def hints(self) -> Hints:
        """Listen to all new commits, of all processes."""

    def checkpoint(self, bucket: int, consumer: str) -> str:
        """The position up to which a consumer has dealt with the feed."""

    def set_checkpoint(self, bucket: int, consumer: str, position: str) -> None:
        """Remember how far a consumer has come; it never goes back."""

    def checkpoints_of(self, consumer: str, buckets: Collection[int]) -> dict[int, str]:
        """The checkpoints of a consumer in several buckets, in one round trip."""

    def set_checkpoints(self, consumer: str, positions: Mapping[int, str]) -> None:
        """The same as `set_checkpoint` in each of these buckets, in one round trip."""

    def checkpoints(self, bucket: int) -> dict[str, str]:
        """How far every consumer that was ever remembered has come."""

    def trim_feed(self, bucket: int) -> None:
        """Drop entries that every consumer ever remembered has dealt with; not always all of them."""


class Deadlines(Protocol):
    """When games need attention."""

    def due(self, buckets: Sequence[int], now: int, limit: int = 100) -> list[Due]:
        """Games of these buckets whose deadline is not after `now`: of each priority in each bucket the most urgent
        ones, first."""

    def deadline(self, game: str) -> int:
        """When the game next needs attention, as it was appended; `NO_DEADLINE` if it does not."""


class Leases(Protocol):
    """Which process does the periodic work of a bucket."""

    def lease(self, buckets: Sequence[int], holder: str, milliseconds: int) -> dict[int, int]:
        """Hold buckets for some time: gives those that the holder has got, and the fence of each.

        A holder that asks in time keeps its leases. When one has passed to another holder, its fence is a higher one.
        """

    def give_up(self, buckets: Sequence[int], holder: str) -> None:
        """Let others hold these buckets at once."""


class Archive(Protocol):
    """Whole games, looked at, put back and taken out."""

    def stored(self, game: str) -> StoredGame:
        """All that there is of a game, as of one moment; `Damaged` if a command does not fit its entry."""

    def restore(self, game: str, stored: StoredGame) -> None:
        """Put back a whole game that is not there, or raise `Conflict`."""

    def remove(self, game: str) -> None:
        """Take a whole game out, after it was archived."""


class Packing(Protocol):
    """Games that are over, kept small (`events.log.packing`). Every other role reads them as before."""

    def finished(self, buckets: Sequence[int], until: int, limit: int = 100) -> list[Finished]:
        """Games of these buckets that may be over since `until` or longer; of each bucket the oldest ones, first.

        A game is among them when it was appended to as `FINISHED`, was restored or unpacked, or was there before games
        were packed.
        """

    def forget(self, finished: Finished) -> None:
        """Take a game that cannot be packed from those that `finished` gives, unless it has finished anew."""

    def pack(self, game: str, packed: PackedGame) -> bool:
        """Keep a game in its packed form, if it is exactly as it was when that was made, and nothing is due."""

    def is_packed(self, game: str) -> bool:
        """Whether a game is kept in its packed form."""

    def unpack(self, game: str) -> None:
        """Keep the entries of a packed game one by one again, so that it can be appended to, as after a ruling."""


class Notes(Protocol):
    """A short note about each game, so that lists of a hundred need not read them."""

    def note(self, notes: Mapping[str, Note]) -> dict[str, Note]:
        """Write these notes, but for those that are older than what is noted; gives the notes that stand then.

        An empty `about` only asks for what stands.
        """

    def mark(self, game: str, mark: str) -> None:
        """Set the mark of a game, a word without spaces."""

    def noted(self, versions: Mapping[str, int]) -> dict[str, Noted]:
        """The notes of these games, and their entries after a version, or `BY_THE_NOTE`; without those that are gone.

        A hundred games cost one round trip.
        """


class Archiving(Divided, Protocol):
    """Packed games that leave the store for the archive (`events.archive`). Every other role reads them as before.

    Only the log in Redis plays this one.
    """

    place: Place

    def archivable(self, buckets: Collection[int], until: int, most: int | None, limit: int) -> list[Finished]:
        """Games of these buckets that may be packed since `until` or longer, and of each bucket those that are more
        than `most`; the oldest ones, so many of each bucket."""

    def not_archivable(self, finished: Finished) -> None:
        """Take a game from those that `archivable` gives, unless it was packed anew."""

    def to_archive(self, game: str) -> ArchivedGame | None:
        """All that is kept of a packed game; None if it is not there, or not packed."""

    def archive(self, game: ArchivedGame, at: Location) -> bool:
        """Forget a game that is in the archive now, but where; only if it is exactly as it was when it was read."""

    def recall(self, game: str) -> bool:
        """Bring a game back into the store, packed, if it is in the archive; says whether it was."""


STUDIES, TOURNAMENTS = "studies", "tournaments"
SPACES = {STUDIES: "study", TOURNAMENTS: "tournament"}
"""The name spaces beside that of games, and what is kept in each."""


class GameLog(Log, Feed, Deadlines, Leases, Archive, Packing, Notes, Protocol):
    """All roles at once, as `MemoryLog` and `RedisLog` play them. Both pass the same contract tests."""

    def space(self, name: str) -> GameLog:
        """The log of another name space, in the same store: what is kept there is found by no one who looks here.

        Games have the one without a name. Elsewhere "game" stands for whatever is kept.
        """
