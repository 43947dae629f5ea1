"""Studies as clients see them: everything about a study that leaves the service is made here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import to_builtins

from events.table.game import OVER
from replay.story import Name, plain, sentences, with_players
from replay.study import tree
from replay.study.commands import redoable, undoable
from replay.study.facts import MemberSet, StudyFact
from replay.study.narration import Edit
from replay.study.narration import edit as told_edit
from replay.study.study import BY_LINK, OWNER, Chapter, Comment, Mark, Notes, Study, is_step
from replay.study.tree import Node
from replay.study.variations import assumed_values, assumptions, decisions, story
from replay.timeline import Moment, frame
from rules.assumptions import AS_IT_IS, Assumption
from rules.catalogue import rules_named
from rules.codec import codec_for, encode, seen_by
from rules.kernel import Decision, Fact, Player, Viewer
from rules.texts import Names, Text, say
from service.games import replay_representations, representations
from service.games.representations import Profiles
from service.language import catalogue, rendered
from service.studies.access import StudyAccess
from service.studies.comments import comment_html
from service.studies.known_commits import KnownCommit
from service.studies.listed_study import ListedStudy
from service.studies.positions import Page, StudyPositions, told
from service.studies.presence import Visitor

FROM_A_FILE = "~"
"""Before the name of an author whom a file names: no account of ours stands behind it."""

MOVE = "m"
"""Begins the id of a tried move."""


# Studies


def study(access: StudyAccess, profiles: Profiles, link: str, visitors: Iterable[Visitor]) -> dict[str, Any]:
    """A study with its chapters, as the account may know it."""
    found, known = access.study, profiles(_people(access.study))
    members = {found.owner: OWNER, **found.members}
    return {
        "id": found.id,
        "version": access.version,
        "updated_at": access.at,
        "title": found.title,
        "owner": _handle(known, found.owner),
        "visibility": found.visibility,
        "role": access.role,
        "link": link if found.visibility == BY_LINK and access.can_edit else None,
        "members": [{"handle": _handle(known, account), "role": role} for account, role in members.items()],
        "chapters": [chapter_summary(access, chapter) for chapter in access.chapters],
        "can_edit": access.can_edit,
        "can_undo": access.can_edit and undoable(found, access.account, access.closed_chapters) is not None,
        "can_redo": access.can_edit and redoable(found, access.account, access.closed_chapters) is not None,
        "presence": [presence(visitor, known) for visitor in visitors],
    }


def members(visitors: Sequence[Visitor], profiles: Profiles) -> dict[str, Any]:
    """Those who are there, for a stream."""
    known = profiles([visitor.account for visitor in visitors])
    return {"members": [presence(visitor, known) for visitor in visitors]}


def presence(visitor: Visitor, known: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "handle": _handle(known, visitor.account),
        "chapter": visitor.chapter or None,
        "node": visitor.node or None,
        "is_writing": visitor.is_writing,
    }


def listed_studies(studies: Sequence[ListedStudy], profiles: Profiles) -> list[dict[str, Any]]:
    """Many studies, with one query for the profiles of all people in them."""
    known = profiles({account for study in studies for account in (study.owner, *study.writing_now)})
    return [listed_study(study, known) for study in studies]


def listed_study(study: ListedStudy, known: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": study.id,
        "title": study.title,
        "owner": _handle(known, study.owner),
        "visibility": study.visibility,
        "role": study.role,
        "chapters": len(study.chapters),
        "comments": study.comments,
        "tried": study.tried,
        "created_at": study.created_at,
        "updated_at": study.updated_at,
        "writing_now": [handle for account in study.writing_now if (handle := _handle(known, account))],
        "picture": f"/api/v1/games/{study.chapters[0].game}/board.svg" if study.chapters else None,
    }


def chapter_summary(access: StudyAccess, chapter: Chapter) -> dict[str, Any]:
    is_closed = access.is_closed(chapter.id)
    notes = () if is_closed else chapter.notes.values()
    return {
        "id": chapter.id,
        "title": access.title(chapter),
        "game": chapter.game,
        "viewer": chapter.viewer,
        "status": access.game(chapter).status,
        "is_closed": is_closed,
        "comments": sum(len(each.comments) for each in notes),
        "tried": 0 if is_closed else sum(map(len, chapter.variations.values())),
    }


def _people(study: Study) -> set[str]:
    return {study.owner, *study.members}


def _handle(known: Mapping[str, Any], account: str) -> str | None:
    """What an author is called; nothing if the account is gone."""
    if account.startswith(FROM_A_FILE):
        return account
    profile = known.get(account)
    return profile.handle if profile else None


# Chapters


@dataclass(frozen=True)
class Reading:
    """A chapter that is read: through whose eyes, and what its players are called."""

    page: Page
    viewer: Viewer
    names: Mapping[Player, str]

    @property
    def rules(self) -> str:
        return self.page.game.rules


def chapter(access: StudyAccess, reading: Reading, profiles: Profiles, around: str = "") -> dict[str, Any]:
    """A chapter with all that was written, drawn and tried in it; of very many tried moves, those around a node."""
    found = reading.page.chapter
    known, is_closed = profiles(authors(found)), access.is_closed(found.id)
    near = tree.near(found, around) if around and not is_closed else None
    return noted_chapter(access, reading, known) | {
        "nodes": [node(reading, each, known) for each in tried_nodes(access, found, near)],
        "near": {"first": near[0], "last": near[-1]} if near else None,
        "variations": {} if is_closed else begun(found),
    }


def noted_chapter(access: StudyAccess, reading: Reading, known: Mapping[str, Any]) -> dict[str, Any]:
    """A chapter with all that was written and drawn in it."""
    found = reading.page.chapter
    about = {**chapter_summary(access, found), "version": access.version, "seen_by": reading.viewer}
    written = {} if about["is_closed"] else found.notes
    return about | {"notes": {node: notes(each, known) for node, each in written.items()}}


def tried_nodes(access: StudyAccess, chapter: Chapter, steps: range | None = None) -> Iterable[Node]:
    """Parents first; none of a chapter that is closed to the account."""
    return () if access.is_closed(chapter.id) else tree.nodes(chapter, steps)


def begun(chapter: Chapter) -> dict[str, int]:
    """How many variations there are of each step."""
    return {step: len(moves) for step, moves in chapter.variations.items() if is_step(step)}


def authors(chapter: Chapter) -> set[str]:
    written = chapter.notes.values()
    return {
        *(move.by for moves in chapter.variations.values() for move in moves),
        *(comment.by for each in written for comment in each.comments),
        *(mark.by for each in written for mark in each.marks),
    }


def notes(written: Notes, known: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "comments": [comment(each, known) for each in written.comments],
        "glyphs": written.glyphs,
        "marks": [mark(each, known) for each in written.marks],
    }


def comment(written: Comment, known: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": written.id,
        "by": _handle(known, written.by),
        "text": written.text,
        "html": comment_html(written.text),
    }


def mark(drawn: Mark, known: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": drawn.id,
        "by": _handle(known, drawn.by),
        "kind": drawn.kind,
        "source": drawn.source,
        "target": drawn.target or None,
    }


def node(reading: Reading, each: Node, known: Mapping[str, Any]) -> dict[str, Any]:
    """A tried move, or something that was assumed."""
    move = each.move
    return {
        "id": move.id,
        "parent": move.parent,
        "index": each.index,
        "label": each.label,
        "kind": "move" if move.seat else "assumption",
        "seat": move.seat or None,
        "by": _handle(known, move.by),
        "move": move.move,
        "story": to_builtins(story(reading.rules, move, reading.viewer, reading.names, catalogue())),
    }


# Positions


def position(reading: Reading, positions: StudyPositions, node: str) -> dict[str, Any]:
    """The position at a node, how it came about, and what can be tried from there."""
    page, viewer = reading.page, reading.viewer
    after = frame(positions.moment(page, node), viewer)
    happened = told(
        positions.before(page, node), positions.facts(page, node, viewer), after, viewer, reading.names, catalogue()
    )
    return {
        "node": node,
        "viewer": viewer,
        "scene": replay_representations.scene(after, viewer, reading.names),
        "step": replay_representations.told(page.game.rules, happened) | assumed_story(reading, node),
        **to_be_tried(reading, after.moment, node),
    }


def assumed_story(reading: Reading, node: str) -> dict[str, Any]:
    """What is told in the place of facts where something is assumed."""
    move = None if is_step(node) else reading.page.chapter.move(node)
    if move is None or move.seat:
        return {}
    return {"story": story(reading.rules, move, reading.viewer, reading.names, catalogue())}


def preview(
    reading: Reading, before: Moment, facts: Sequence[Any], after: Moment, further: Decision | None
) -> dict[str, Any]:
    """What would follow from a move, and which steps may be sent along with it."""
    seen = frame(after, reading.viewer)
    # Told like a move that is kept: mappings are read in the order of the store.
    stored = codec_for(reading.rules).facts(encode(list(facts)))
    known = seen_by(stored, reading.viewer)
    happened = told(before, known, seen, reading.viewer, reading.names, catalogue())
    return {
        "viewer": reading.viewer,
        "scene": replay_representations.scene(seen, reading.viewer, reading.names),
        "step": replay_representations.told(reading.rules, happened),
        "further": further.schema(catalogue(), rules_named(reading.rules).names.get) if further else None,
    }


def to_be_tried(reading: Reading, moment: Moment, node: str) -> dict[str, Any]:
    """Nothing, while the game runs: a study must not help those who play."""
    page, state = reading.page, moment.game.state
    if page.game.status != OVER:
        return {"decisions": [], "assumptions": []}
    values = assumed_values(page.chapter.line(node))
    return {
        "decisions": [representations.decision(each, reading.rules) for each in decisions(state)],
        "assumptions": [
            assumption(reading, each, values.get(each.id, AS_IT_IS)) for each in assumptions(reading.rules, state)
        ],
    }


def assumption(reading: Reading, offered: Assumption, value: Any) -> dict[str, Any]:
    names = with_players(reading.rules, reading.names)
    return {
        "id": offered.id,
        "text": plain(rendered(offered.text, names)),
        "value": value,
        "choices": [{"value": each.value, "text": plain(rendered(each.text, names))} for each in offered.alternatives],
        "numbers": offered.numbers,
    }


# Edits


def edits(access: StudyAccess, commits: Sequence[KnownCommit], profiles: Profiles) -> list[dict[str, Any]]:
    """Commits, told to an account that may know of them."""
    known = profiles({account for commit in commits for account in people(commit.by, commit.facts)})
    names = Naming(access, known)
    return [edit(access, commit, known, names) for commit in commits]


def edit(access: StudyAccess, commit: KnownCommit, known: Mapping[str, Any], names: Naming) -> dict[str, Any]:
    told = told_edit(commit.by, commit.facts)
    return {
        "version": commit.version,
        "by": _handle(known, commit.by),
        "at": commit.at,
        "kind": told.kind,
        "chapter": told.chapter or None,
        "node": told.node or None,
        "text": rendered(told.text, names.within(told.chapter)),
        "brief": rendered(told.brief, names.within(told.chapter)),
        "is_undone": commit.is_undone,
        "is_mine": commit.by == access.account,
    }


def people(by: str, facts: Iterable[StudyFact]) -> set[str]:
    """Those who are named when a commit is told."""
    return {by, *(fact.account for fact in facts if isinstance(fact, MemberSet))}


def sentence(edit: Edit, access: StudyAccess, known: Mapping[str, Any]) -> str:
    """A commit in words."""
    return rendered(edit.text, Naming(access, known).within(edit.chapter))


class Naming:
    """Members go by their handles, chapters by their titles, tried moves by their places in variations."""

    def __init__(self, access: StudyAccess, known: Mapping[str, Any]) -> None:
        self.access, self.known = access, known
        self.titles = {chapter.id: access.title(chapter) for chapter in access.chapters}
        self._moves = dict[str, dict[str, Text]]()

    def within(self, chapter: str) -> Names:
        """The names in a sentence about a chapter."""

        def called(id: str) -> Text | None:
            if is_step(id):
                return say("step {number}", number=int(id))
            if id.startswith(MOVE) and chapter:
                return self.moves(chapter).get(id) or say("a move that is gone")
            name = self.titles.get(id) or (_handle(self.known, id) if id in self.known else None)
            return Name(name) if name else None

        return called

    def moves(self, chapter: str) -> dict[str, Text]:
        """What the tried moves of a chapter are called, found once for all sentences."""
        if chapter not in self._moves:
            shown = next((each for each in self.access.chapters if each.id == chapter), None)
            found = tree.nodes(shown) if shown else ()
            self._moves[chapter] = {node.move.id: place(shown, node) for node in found if shown}
        return self._moves[chapter]


def place(chapter: Chapter, node: Node) -> Text:
    return say("{label}, move {number}", label=node.label, number=len(chapter.line(node.move.id)))


# Quiz


def guess(reading: Reading, is_played: bool, played: Sequence[Fact], tried: Node | None, profiles: Profiles) -> Any:
    """Whether a move is the one that was played, or one that was tried, with what the study says of it."""
    told = sentences(reading.rules, played, reading.names, catalogue())
    return {
        "is_played": is_played,
        "played": {"story": to_builtins(tuple(told))} if played else None,
        "variation": guessed_variation(reading, tried, profiles) if tried else None,
    }


def guessed_variation(reading: Reading, tried: Node, profiles: Profiles) -> dict[str, Any]:
    written = reading.page.chapter.notes_at(tried.move.id)
    shown = notes(written, profiles({comment.by for comment in written.comments}))
    return {"node": tried.move.id, "label": tried.label, "glyphs": shown["glyphs"], "comments": shown["comments"]}
