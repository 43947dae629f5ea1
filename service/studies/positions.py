"""Positions of studies: after every step of a game, and after every move that was tried.

What led to a node never changes, so that its position is kept; the next move from there costs its own rules alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from cachetools import LRUCache

from events.errors import NoSuchGame
from events.log.codec import Commit
from events.table.facts import TableFact
from events.table.game import Game, redact
from replay.study import tree
from replay.study.study import Chapter, TriedMove, is_step
from replay.study.tree import Node
from replay.study.variations import after_facts, assumed_facts, facts_of
from replay.timeline import Frame, Moment, Told, frame, tell
from rules.codec import codec_for, seen_by
from rules.kernel import Decision, Fact, Player, Viewer, play, sent_along
from rules.texts import Catalogue, say
from service.games.timelines import Timelines

POSITIONS_KEPT = 4000

Key = tuple[str, ...]
"""A game and its version, or a study, a chapter and a tried move."""


@dataclass(frozen=True)
class Page:
    """A chapter to look into: its study, and its game as it is now."""

    study: str
    chapter: Chapter
    game: Game

    def key(self, node: str) -> Key:
        return self.study, self.chapter.id, node


@dataclass(frozen=True)
class Played:
    """The commit of an answer."""

    commit: Commit

    def answers(self, decision: str, facts: Sequence[Fact]) -> bool:
        """Whether the same would have followed from another answer to the same decision."""
        followed = tuple(fact for fact in self.commit.facts if not isinstance(fact, TableFact))
        return self.commit.header.decision == decision and followed == tuple(facts)


@dataclass(frozen=True)
class StudyPositions:
    timelines: Timelines
    _kept: LRUCache[Key, Moment] = field(default_factory=lambda: LRUCache(POSITIONS_KEPT))
    _lock: Lock = field(default_factory=Lock)

    def moment(self, page: Page, node: str) -> Moment:
        """The position after a step of the game, or after a tried move."""
        if is_step(node):
            return self._at_step(page.game, int(node))
        line = page.chapter.line(node)
        if not line:
            raise NoSuchGame(say("there is no step {node} in this chapter", node=node))
        moment, rest = self._nearest(page, line)
        for move in rest:
            moment = after_facts(moment, facts_of(page.game.rules, move))
            self._keep(page.key(move.id), moment)
        return moment

    def before(self, page: Page, node: str) -> Moment | None:
        """The position before a node; none before the first step."""
        if not is_step(node):
            return self.moment(page, page.chapter.move(node).parent)
        return self._at_step(page.game, int(node) - 1) if int(node) > 1 else None

    def facts(self, page: Page, node: str, viewer: Viewer) -> Sequence[Fact]:
        """What happened at a node, as the viewer may know it."""
        if not is_step(node):
            return seen_by(facts_of(page.game.rules, page.chapter.move(node)), viewer)
        [commit] = self.timelines.games.commits(page.game.id, int(node) - 1, int(node))
        return redact(commit, viewer)

    def tried(self, page: Page, node: str, seat: Player, move: Mapping[str, Any]) -> tuple[Sequence[Fact], Moment]:
        """What would follow from a move after a node, and the position then; a refusal, if the rules forbid it."""
        before = self.moment(page, node)
        facts, state = play(before.game.state, codec_for(page.game.rules).answer(seat, move))
        return facts, after_facts(before, facts, state)

    def further(self, page: Page, node: str, seat: Player, move: Mapping[str, Any]) -> Decision | None:
        """The steps that may be sent together with a move that the rules allow."""
        return sent_along(self.moment(page, node).game.state, codec_for(page.game.rules).answer(seat, move))

    def assumed(self, page: Page, node: str, id: str, value: Any) -> tuple[Sequence[Fact], Moment]:
        """What would follow if something were taken for granted after a node, and the position then."""
        before = self.moment(page, node)
        facts = assumed_facts(page.game, before.game.state, id, value)
        return facts, after_facts(before, facts)

    def played(self, page: Page, node: str) -> Played | None:
        """The answer that came next in the game; none after a tried move, or where no player answered."""
        if not is_step(node) or int(node) >= page.game.version:
            return None
        [commit] = self.timelines.games.commits(page.game.id, int(node), int(node) + 1)
        return Played(commit) if commit.header.decision else None

    def tried_alike(self, page: Page, node: str, seat: Player, facts: Sequence[Fact]) -> Node | None:
        """A variation of a node from which the same follows."""
        for move in page.chapter.variations.get(node, ()):
            if move.seat == seat and facts_of(page.game.rules, move) == tuple(facts):
                return tree.node(page.chapter, move.id)
        return None

    def keep(self, page: Page, node: str, moment: Moment) -> None:
        """The position after a move that was just tried."""
        self._keep(page.key(node), moment)

    def _nearest(self, page: Page, line: Sequence[TriedMove]) -> tuple[Moment, Sequence[TriedMove]]:
        """The last position on a line that is kept, and the moves after it."""
        with self._lock:
            for index in range(len(line), 0, -1):
                if kept := self._kept.get(page.key(line[index - 1].id)):
                    return kept, line[index:]
        return self._at_step(page.game, int(line[0].parent)), line

    def _at_step(self, game: Game, version: int) -> Moment:
        key = (game.id, str(version))
        with self._lock:
            kept = self._kept.get(key)
        if not kept:
            if not 1 <= version <= game.version:
                raise NoSuchGame(say("there is no version {version} of game {game}", version=version, game=game.id))
            kept = self.timelines.moment(game, version)
            self._keep(key, kept)
        return kept

    def _keep(self, key: Key, moment: Moment) -> None:
        with self._lock:
            self._kept[key] = moment


def told(
    before: Moment | None,
    facts: Sequence[Fact],
    after: Frame,
    viewer: Viewer,
    names: Mapping[Player, str],
    catalogue: Catalogue,
) -> Told:
    """What happened between two positions; the facts are those that the viewer may know."""
    return tell(frame(before, viewer) if before else None, facts, after, names, catalogue)
