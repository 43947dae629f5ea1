"""Is a stored study what was written? Its chain holds, it folds, and what was tried in it can be read by the rules.

>>> from events.log.memory import MemoryLog
>>> from replay.studies import Studies
>>> studies = Studies(MemoryLog())
>>> study = studies.create("ana", "Vetoes").id
>>> wrong_with_study(study, studies.log.stored(study), {}.get)
''
"""

from __future__ import annotations

from collections.abc import Callable

from events import history
from events.audit.verify import NotGenuine, verify_commits
from events.errors import Damaged
from events.log import GameLog, StoredGame
from events.table.decider import GAME
from replay.study.decider import STUDY
from replay.study.study import Study
from replay.study.variations import facts_of
from rules.errors import Refused

RulesOf = Callable[[str], str | None]
"""The rules of a game; None if it is not there."""


def wrong_with_study(id: str, stored: StoredGame, rules_of: RulesOf) -> str:
    """Empty if nothing is wrong."""
    try:
        verify_commits(id, stored.entries, stored.secret)
        study = history.fold(STUDY, stored.entries)
        assert study, "a study that has a chain has commits"
        _read_tried(study, rules_of)
    except NotGenuine as problem:
        return f"commit {problem.commit}: {problem.reason}"
    except (Damaged, Refused, ValueError, AssertionError, KeyError) as problem:
        return str(problem)
    return ""


def _read_tried(study: Study, rules_of: RulesOf) -> None:
    """Chapters whose game is not there any more cannot be shown, and do no harm."""
    for chapter in study.chapters:
        if rules := rules_of(chapter.game):
            for move in chapter.moves.values():
                facts_of(rules, move)


def rules_in(log: GameLog) -> RulesOf:
    """Reads the rules of games from a log."""

    def rules_of(game: str) -> str | None:
        first = history.fold(GAME, log.read(game, until=1))
        return first.rules if first else None

    return rules_of
