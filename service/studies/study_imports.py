"""Studies that come from files. A file can claim anything, so nothing in it is believed: games must be stored here and
be seen by whoever imports it, what was tried is played by the rules again, and authors are names and no accounts.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from events.errors import NoSuchGame
from events.submission import Submission
from events.table.game import Game
from replay.study import tree
from replay.study.json_format import ChapterFile, StudyFile, chapters_of
from replay.study.study import Chapter, Study, TriedMove, is_step
from replay.study.variations import after_facts, assumed_facts, check_open, trial
from replay.timeline import Moment
from rules.catalogue import game_named, rules_named
from rules.codec import codec_for
from rules.errors import Refused, RuleBroken, Unreadable
from rules.kernel import play
from rules.texts import say
from service.accounts import Accounts
from service.games.game_service import GameService
from service.studies.access import StudyAccess
from service.studies.positions import Page, StudyPositions
from service.studies.study_files import READERS, with_authors
from service.studies.study_representations import FROM_A_FILE
from service.studies.study_service import StudyService

MOST_MOVES = 5000
"""Tried moves of one file, in all its chapters: each is played by the rules."""


@dataclass(frozen=True)
class StudyImports:
    studies: StudyService
    games: GameService
    positions: StudyPositions
    accounts: Accounts

    def imported(
        self, account: str, format: str, document: str, visibility: str, submission: Submission
    ) -> StudyAccess:
        """The study that a file holds, as a new one of this account; all of it, or a refusal."""
        file = READERS[format](document)
        _check_size(file)
        own = self.accounts.living(account).handle.lower()

        def author(name: str) -> str:
            return account if name.lower() == own else FROM_A_FILE + name

        chapters = [self._checked(with_authors(chapter, author), account) for chapter in file.chapters]
        study = self.studies.create(account, file.title, visibility, submission)
        try:
            return self._filled(study, replace(file, chapters=tuple(chapters)), account, submission)
        except Refused:
            self.studies.delete(study.id, account)
            raise

    def _filled(self, study: Study, file: StudyFile, account: str, submission: Submission) -> StudyAccess:
        access = self.studies.look(study.id, account)
        for number, chapter in enumerate(chapters_of(file, account)):
            key = f"{submission.key} chapter {number}" if submission.key else ""
            access = self.studies.submit(access, chapter, replace(submission, key=key, expected=None)).access
        return access

    def _checked(self, chapter: ChapterFile, account: str) -> ChapterFile:
        """A chapter whose game is there, and in which all lines are played again."""
        try:
            game = self.games.look(chapter.game, account)
        except NoSuchGame:
            raise Unreadable(
                say("the game {game} of chapter “{title}” is not here", game=chapter.game, title=chapter.title)
            ) from None
        _check_notes(chapter, game)
        return replace(chapter, variations=self._replayed(chapter, game)) if chapter.variations else chapter

    def _replayed(self, file: ChapterFile, game: Game) -> dict[str, tuple[TriedMove, ...]]:
        """What was tried, with what follows from it by the rules of today."""
        check_open(game)
        chapter = Chapter("", file.title, file.game, file.viewer, file.variations)
        page, moments = Page("", replace(chapter, variations={}), game), dict[str, Moment]()
        variations: dict[str, list[TriedMove]] = {}
        for node in tree.nodes(chapter):
            move = node.move
            try:
                before = moments[move.parent] if move.parent in moments else self.positions.moment(page, move.parent)
                replayed, moments[move.id] = _played(game, before, move)
            except Refused as problem:
                raise _refusal(file, move, problem) from None
            variations.setdefault(move.parent, []).append(replayed)
        return {parent: tuple(moves) for parent, moves in variations.items()}


def _played(game: Game, before: Moment, move: TriedMove) -> tuple[TriedMove, Moment]:
    state = before.game.state
    if move.seat:
        facts, after = play(state, codec_for(game.rules).answer(move.seat, move.move))
        moment = after_facts(before, facts, after)
    else:
        facts = assumed_facts(game, state, str(move.move["assumption"]), move.move["value"])
        moment = after_facts(before, facts)
    kept = trial(move.by, "", move.parent, move.seat, move.move, facts)
    return replace(move, facts=kept.facts, schema=kept.schema), moment


def _refusal(chapter: ChapterFile, move: TriedMove, problem: Refused) -> RuleBroken:
    text = say("{node} in chapter “{title}”: {problem}", node=move.id, title=chapter.title, problem=problem.text)
    return RuleBroken(text, problem.rule if isinstance(problem, RuleBroken) else "import")


def _check_size(file: StudyFile) -> None:
    if sum(len(moves) for chapter in file.chapters for moves in chapter.variations.values()) > MOST_MOVES:
        raise Unreadable(say("a file has {most} tried moves at most", most=MOST_MOVES))


def _check_notes(chapter: ChapterFile, game: Game) -> None:
    """Everything is written at a step that there is, and drawn between spaces that there are."""
    rules = rules_named(game.rules)
    spaces = game_named(game.rules).picture.ground(rules).spaces
    for node, notes in chapter.notes.items():
        if is_step(node) and not 1 <= int(node) <= game.version:
            raise Unreadable(say("there is no step {node} in this chapter", node=node))
        ends = {end for mark in notes.marks for end in (mark.source, mark.target) if end}
        if unknown := ends.difference(spaces):
            raise Unreadable(say("there is no place {place} on this board", place=min(unknown)))
