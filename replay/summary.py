"""A game at a glance: where its rounds and scorings begin, the scores round by round, and the time each player took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from events.history import replay
from events.log.codec import Commit
from events.table.decider import GAME
from replay.timeline import Moment, landmarks, moment_after, thought
from rules.kernel import Player
from rules.landmarks import END, ROUND, SCORING, TURN


class Mark(Struct, frozen=True, omit_defaults=True):
    """A landmark, and the version at which it stands."""

    kind: str
    version: int
    number: int = 0
    seat: Player = ""


class RoundScores(Struct, frozen=True):
    """The scores at the end of a round, with the general scoring after it; or now, in a round that goes on."""

    round: int
    version: int
    scores: Mapping[Player, int]


class Summary(Struct, frozen=True):
    first: int
    """The version at which the table was set; 0 if it was not yet."""
    last: int
    marks: tuple[Mark, ...]
    scores: tuple[RoundScores, ...]
    thought_ms: Mapping[Player, int]


MARKED = (ROUND, TURN, SCORING, END)


def summary(commits: Iterable[Commit]) -> Summary:
    """Nothing in it is hidden from any viewer: rounds, turns, scores and times are open to all."""
    first, marks, series, spent = 0, [], {}, dict[Player, int]()
    moment: Moment | None = None
    for transition in replay(GAME, commits):
        before, moment = moment, moment_after(moment, transition)
        game, version = transition.after, transition.after.version
        first = first or (version if game.started else 0)
        for mark in landmarks(game, transition.commit.facts):
            if mark.kind in MARKED:
                marks.append(Mark(mark.kind, version, mark.number, mark.seat))
        if moment.round:
            series[moment.round] = RoundScores(moment.round, version, game.state.board.scores)
        if (used := thought(before, transition)) is not None:
            by = transition.commit.header.by
            spent[by] = spent.get(by, 0) + used
    assert moment, "a game has a commit"
    return Summary(first, moment.game.version, tuple(marks), tuple(series.values()), spent)
