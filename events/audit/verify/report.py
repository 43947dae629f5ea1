"""Last station: what was checked, or what is wrong and where."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from rules.kernel import Viewer

CHAIN = "the chain: every commit is bound to all before it"
SECRET = "the secret: it is the one fixed at creation, and every fact was bound with it"
SHUFFLES = "the shuffles: they follow from the secret and the players' nonces"
RULES = "the rules: every fact leads from one sound position to the next, and the points are right"
TIME = "the time: every clock, time-out and pause follows from the times of the commits and what was agreed"
OLDER = "the course: every fact can be applied (some were decided by older rules, and are not judged by today's)"


class NotGenuine(Exception):
    """Something is wrong, first in this commit (0: in no commit, but around them)."""

    def __init__(self, commit: int, reason: str) -> None:
        super().__init__(f"commit {commit}: {reason}" if commit else reason)
        self.commit, self.reason = commit, reason


class Verified(Struct, frozen=True):
    """A genuine game, and what was checked to say so."""

    game: str
    rules: str
    viewer: Viewer
    commits: int
    facts: int
    hidden: int
    """How many facts this viewer may not know yet."""
    head: str
    """The hash of the last commit: a reader who has kept it can tell whether all this is still the same."""
    finished: bool
    nonces: tuple[str, ...]
    """The seats that added to the game's chance. None: the drawer of the secret could have chosen the shuffles."""
    checked: tuple[str, ...]
    scores: Mapping[str, int] = {}
    places: Mapping[str, int] = {}
