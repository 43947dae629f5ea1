"""A submission: the author of a command, its idempotency key, and the version it is meant for. Plain data."""

from __future__ import annotations

import secrets

from msgspec import Struct

from events.errors import VersionChanged
from rules.texts import say


class Submission(Struct, frozen=True):
    """The circumstances of a command. Without a key the command is a new one, whatever was submitted before."""

    by: str = ""
    """Scopes the key: the same key of two accounts names two commands."""
    key: str = ""
    fingerprint: bytes = b""
    """Tells the request from another one under the same key; empty if the command never comes again."""
    expected: frozenset[int] | None = None
    """The versions on top of which the command is meant; None: any."""

    @property
    def id(self) -> str:
        """The name under which the log keeps the command."""
        return f"{self.by}/{self.key}" if self.by else self.key

    def check_version(self, version: int) -> None:
        """Refuses a command that is meant for another version."""
        if self.expected is not None and version not in self.expected:
            raise VersionChanged(
                say(
                    "the game is at version {version}, which is not the one you named: look at it again",
                    version=version,
                )
            )


def new_id() -> str:
    """An id that cannot be guessed."""
    return secrets.token_urlsafe(12)
