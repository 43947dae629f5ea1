"""A recording: an exported file, as the timeline takes it.

The file is checked as far as its chain goes, so that nothing is shown that was changed after it was written; it is
folded, since somebody may have made it up with hashes that fit. `hidalgo verify` checks the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from events.audit.verify import NotGenuine
from events.audit.verify.format import read_file
from events.audit.verify.history import CANNOT_HAPPEN, check_viewer, read_history
from events.audit.verify.links import check_links
from events.history import replay
from events.log.codec import Commit
from events.table.decider import GAME
from rules.errors import Unreadable
from rules.kernel import EVERYTHING, SPECTATOR, AnswerSealed, Command, Fact, Player, Viewer
from rules.texts import one_by_one, say


class Recording(Struct, frozen=True):
    """The commits of a file, for the viewers who may look at it."""

    rules: str
    players: tuple[Player, ...]
    commits: Sequence[Commit]
    viewers: tuple[Viewer, ...]
    """The first one is as whom it is shown, unless another is asked for."""

    def viewer(self, wanted: str | None) -> Viewer:
        if wanted is None:
            return self.viewers[0]
        if wanted not in self.viewers:
            raise Unreadable(say("this file can be seen as {viewers}", viewers=one_by_one(self.viewers)))
        return wanted


def read_recording(data: bytes) -> Recording:
    """The game in an exported file, or `NotGenuine` with the first bad commit."""
    viewer, links = read_file(data)
    check_links(links)
    history = read_history(links)
    check_viewer(viewer, history)
    players = history.board.players
    viewers = (EVERYTHING, *players, SPECTATOR) if history.revealed is not None else (viewer,)
    commits = [_foldable(commit) for commit in history.commits]
    _check_folding(commits)
    return Recording(history.created.rules, players, commits, viewers)


UNKNOWN_ANSWER = Command()
"""Stands for an answer that is sealed, and that the file does not tell."""


def _foldable(commit: Commit) -> Commit:
    """The commit with something sealed where the file only tells that something was. Its viewer is not shown it."""
    return replace(commit, facts=tuple(map(_with_an_answer, commit.facts)))


def _check_folding(commits: Sequence[Commit]) -> None:
    """Every fact fits the position that it comes to."""
    folded = 0
    try:
        for _ in replay(GAME, commits):
            folded += 1
    except CANNOT_HAPPEN as problem:
        raise NotGenuine(folded + 1, f"it cannot happen here: {problem!r}") from None


def _with_an_answer(fact: Fact) -> Fact:
    hides = isinstance(fact, AnswerSealed) and fact.answer is None
    return replace(fact, answer=UNKNOWN_ANSWER) if hides else fact


__all__ = ["CANNOT_HAPPEN", "NotGenuine", "Recording", "read_recording"]
