"""The ways in which the log can fail, told apart by the one who can mend it: caller, player or operator.

An error that clients are told derives from `Refused`: it has a text, its `code` never changes, and
`service.http.problems` has its status. The others have a message for engineers.
"""

from __future__ import annotations

from collections.abc import Sequence

from rules.errors import Refused
from rules.texts import Text, say


class Declined(Refused):
    """Refused by the log or by a service, not by the rules of a game."""


class NoSuchGame(Declined):
    """There is no such game, or it has no such version: the client must look elsewhere."""

    code = "not_found"


class NotNow(Declined):
    """Understood, but the game has not come so far, or has gone on: the client must look at it again."""

    code = "not_now"


class TooLate(NotNow):
    """The player's time was over before the answer came, and another answer stands."""

    code = "time_is_up"


class NothingDue(NotNow):
    """No deadline has come: there is nothing to commit."""


class Packed(NotNow):
    """The game is over and packed: it takes no more entries until it is unpacked."""


class NotSeated(NotNow):
    """Only a player of the table may do this."""

    code = "not_seated"


class NotPermitted(Declined):
    """The account may not do this, whatever the state of the game."""

    code = "forbidden"


class VersionChanged(NotNow):
    """The game is not at the version that the client has seen: it must look again."""

    code = "precondition_failed"


class AnotherRequest(Declined):
    """The command's name was used before, for something else: the client program must be mended."""

    code = "key_reused"


class Revoked(Declined):
    """The request was done before, but what it made was revoked, deleted or replaced since: it does not come back."""

    code = "revoked"


class LeaseLost(Declined):
    """Another process attends to this bucket now: leave it alone."""

    code = "lease_lost"


class Conflict(Exception):
    """Another commit was faster: decide again, on top of the `entries` that came in between."""

    def __init__(self, game: str, expected: int, version: int, entries: Sequence[bytes]) -> None:
        super().__init__(f"the game is at version {version}, not {expected}")
        self.game = game
        self.expected = expected
        self.version = version
        self.entries = entries


class Damaged(Exception):
    """The stored game is not as it was written: the operator must restore it."""


class TryLater(Declined):
    """Refused for a reason that passes: the same is worth another try after `retry_after` seconds."""

    code = "unavailable"
    retry_after = 1.0

    def __init__(self, text: Text, *, retry_after: float | None = None) -> None:
        super().__init__(text)
        if retry_after is not None:
            self.retry_after = retry_after


class Busy(TryLater):
    """Others were faster, again and again, or too many do the same just now."""

    code = "busy"


class StoreError(TryLater):
    """The store did not carry out a command."""

    code = "store_trouble"
    retry_after = 5.0

    def __init__(self, text: Text, cause: str = "") -> None:
        super().__init__(text)
        self.cause = cause
        """More about it, for operators alone: addresses, paths, the words of the server."""

    def __str__(self) -> str:
        return f"{self.text}: {self.cause}" if self.cause else str(self.text)


class StoreUnavailable(StoreError):
    """It does not answer, or cannot serve just now. The last command may have been done or not."""

    code = "store_away"
    retry_after = 2.0


class StoreFull(StoreError):
    """Its memory or its disk is full: nothing was written, reading still works. The operator must make room."""

    code = "store_full"
    retry_after = 30.0


class StoreReadOnly(StoreError):
    """It takes no writes now: it is a replica, or its own replicas are missing. Nothing was written."""

    code = "store_read_only"
    retry_after = 5.0


class StoreRefused(StoreError):
    """It does not know our user or password, or forbids us a command. The operator must mend the settings."""

    code = "store_refuses"
    retry_after = 60.0


class OtherBuckets(StoreRefused):
    """It has another number of buckets than this process was told to use, and keeps it."""

    def __init__(self, count: int, wanted: int) -> None:
        super().__init__(
            say("the store is divided in another way than this process was told"),
            f"the store has {count} buckets, not {wanted}, and keeps them: leave the setting out, or restore a backup "
            "of it into an empty store",
        )


class StoreNotStarted(StoreError):
    """The embedded server could not be started; its cause says why, and how to mend it."""

    code = "store_not_started"
    retry_after = 60.0

    def __init__(self, cause: str) -> None:
        super().__init__(say("the store has not started"), cause)

    def __str__(self) -> str:
        return self.cause


class StoreDiskFull(StoreNotStarted):
    """Its disk has no room: it can be started again when there is some."""


class ArchiveError(StoreError):
    """A game that has left the store cannot be read, or games cannot leave it. All others are played on."""

    code = "archive_away"
    retry_after = 30.0


class ArchiveUnavailable(ArchiveError):
    """The archive cannot be reached, refuses us, or none is set up here."""


class ArchiveFull(ArchiveError):
    """It has no room: games stay in the store."""

    code = "archive_full"


class ArchiveDamaged(ArchiveError):
    """A volume is missing, or not as it was written: the operator must put it back from a copy."""

    code = "archive_damaged"
    retry_after = 3600.0
