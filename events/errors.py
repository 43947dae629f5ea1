"""The ways in which the log can fail, told apart by who can mend it.

The message is a sentence: lower case, no full stop, with the values in it.
"""

from __future__ import annotations

from collections.abc import Sequence


class NoSuchGame(Exception):
    """There is no such game, or it has no such version: the client must look elsewhere."""


class NotNow(Exception):
    """Understood, but the game has not come so far, or has gone on: the client must look at it again."""


class TooLate(NotNow):
    """The player's time was over before the answer came, and another answer stands."""


class NothingDue(NotNow):
    """No deadline has come: there is nothing to commit."""


class NotSeated(NotNow):
    """Only a player of the table may do this."""


class NotPermitted(NotNow):
    """The account may not do this, whatever the state of the game."""


class VersionChanged(NotNow):
    """The game is not at the version that the client has seen: it must look again."""


class LeaseLost(Exception):
    """Another process attends to this bucket now: leave it alone."""


class AnotherRequest(Exception):
    """The command's name was used before, for something else: the client program must be mended."""


class Conflict(Exception):
    """Somebody was faster: decide again, on top of the `entries` that came in between."""

    def __init__(self, game: str, expected: int, version: int, entries: Sequence[bytes]) -> None:
        super().__init__(f"the game is at version {version}, not {expected}")
        self.game = game
        self.expected = expected
        self.version = version
        self.entries = entries


class Busy(Exception):
    """Somebody was faster, again and again: the client may try later."""


class Damaged(Exception):
    """What is stored is not what was written: the operator must restore it."""


class StoreError(Exception):
    """The store did not do what was asked. `retry_after` says in how many seconds it is worth another try."""

    code = "store_trouble"
    retry_after = 5.0

    def __init__(self, sentence: str, *, retry_after: float | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        if retry_after is not None:
            self.retry_after = retry_after


class StoreUnavailable(StoreError):
    """It does not answer, or cannot serve just now. Whether the last command was done is not known."""

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


class StoreNotStarted(StoreError):
    """The embedded server could not be started; the sentence says why, and what to do about it."""

    code = "store_not_started"
    retry_after = 60.0
