"""A submission: the author of a command, its idempotency key, and the version it is meant for. Plain data.

The log keeps a command under a name that every viewer of the game can read in an export. A client may make its keys
of the moves it sends, so the name must not tell the key: it is made with the service secret (`docs/secrets.md`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from events.errors import VersionChanged
from rules.texts import say

Naming = Callable[[str, str], str]
"""Gives a command its name: made of the game and the command's id, which cannot be read in it."""


def plain_name(game: str, id: str) -> str:
    """A name for games that no service plays."""
    return id


class Submission(Struct, frozen=True):
    """The circumstances of a command. Without a key the command is a new one, whatever was submitted before."""

    by: str = ""
    """Scopes the key: the same key of two accounts names two commands."""
    key: str = ""
    fingerprint: bytes = b""
    """Tells the request from another one under the same key; empty if the command never comes again."""
    expected: frozenset[int] | None = None
    """The versions on top of which the command is meant; None: any."""
    name: str = ""
    """The name under which the log keeps the command; given when it is submitted."""

    @property
    def id(self) -> str:
        """The same when the command comes again."""
        return f"{self.by}/{self.key}" if self.by else self.key

    @property
    def former_name(self) -> str:
        """The name under which a log kept the command before names were opaque; empty if it has no other."""
        return self.id if self.key and self.name != self.id else ""

    def named(self, game: str, naming: Naming) -> Submission:
        """With the name that it has in this game; without a key, with one that never comes again."""
        return replace(self, name=naming(game, self.id) if self.key else new_id())

    def check_version(self, version: int) -> None:
        """Refuses a command that is meant for another version."""
        if self.expected is not None and version not in self.expected:
            raise VersionChanged(
                say(
                    "version {version} is the newest, which is not the one you named: look at it again",
                    version=version,
                )
            )


def new_id() -> str:
    """An id that cannot be guessed. It begins with no dash: commands would take it for an option."""
    id = secrets.token_urlsafe(12)
    return f"_{id[1:]}" if id.startswith("-") else id
