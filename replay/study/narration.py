"""The history of a study in sentences: one for each commit, told by its first fact.

Members are named by their accounts and chapters by their ids; whoever renders a sentence knows what they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from replay.study.facts import (
    ChangeRedone,
    ChangeUndone,
    ChapterAdded,
    ChapterMoved,
    ChapterRemoved,
    ChapterRenamed,
    CommentRemoved,
    CommentWritten,
    GlyphsChanged,
    MarkDrawn,
    MarkErased,
    MemberSet,
    MovesAdded,
    MovesRemoved,
    StudyCreated,
    StudyFact,
    StudyRenamed,
    VariationMoved,
    VisibilitySet,
)
from replay.study.study import Place
from rules.texts import Text, say


class Edit(Struct, frozen=True):
    """A commit, told."""

    kind: str
    """Of the edit that a member made."""
    chapter: str
    node: str
    """Where it was; empty if it concerns no chapter, or all of it."""
    text: Text
    brief: Text
    """The same in few words, where its author and its chapter are seen already."""


def edit(by: str, facts: Sequence[StudyFact]) -> Edit:
    """What an author did, by the facts that followed."""
    first = facts[0]
    kind, tell, tell_in_brief = TOLD[type(first)]
    place = next((fact for fact in facts if getattr(fact, "chapter", "")), first)
    return Edit(kind(first, by), chapter_of(place), node_of(place), tell(first, by), tell_in_brief(first, by))


def chapter_of(fact: StudyFact) -> str:
    """The chapter that a fact concerns; empty if it concerns none."""
    chapter: Any = getattr(fact, "chapter", "")
    return chapter if isinstance(chapter, str) else str(chapter.id)


def node_of(fact: StudyFact) -> str:
    return fact.moves[0].id if isinstance(fact, MovesAdded) else getattr(fact, "node", "")


def is_inside(fact: StudyFact) -> bool:
    """Whether a fact is about what a chapter holds, and not about the chapter as one of many."""
    return bool(chapter_of(fact)) and not isinstance(fact, (ChapterAdded, ChapterRemoved, ChapterMoved))


def concerns(facts: Sequence[StudyFact]) -> Place:
    """What the facts of one commit are about: the study, a chapter as one of many, or what a chapter holds."""
    told = [fact for fact in facts if chapter_of(fact)]
    if not told or not all(chapter_of(fact) == chapter_of(told[0]) for fact in told):
        return ()
    return (chapter_of(told[0]), "inside") if all(map(is_inside, told)) else (chapter_of(told[0]),)


# Sentences

Kind = Callable[[Any, str], str]
Tell = Callable[[Any, str], Text]


def _called(kind: str) -> Kind:
    return lambda fact, by: kind


def _visibility(fact: VisibilitySet, by: str) -> Text:
    return {
        "private": say("{by} makes the study private", by=by),
        "link": say("{by} opens the study to everyone who has the link", by=by),
        "public": say("{by} makes the study public", by=by),
    }[fact.visibility]


def _member(fact: MemberSet, by: str) -> Text:
    if fact.account == by:
        return say("{by} leaves the study", by=by)
    return {
        "contributor": say("{by} lets {member} write in the study", by=by, member=fact.account),
        "reader": say("{by} lets {member} read the study", by=by, member=fact.account),
    }.get(fact.role) or say("{by} removes {member} from the study", by=by, member=fact.account)


def _tried(fact: MovesAdded, by: str) -> Text:
    first = fact.moves[0]
    node, chapter = first.parent, fact.chapter
    return (
        say("{by} tries a move after {node} in “{chapter}”", by=by, node=node, chapter=chapter)
        if first.seat
        else say("{by} assumes something after {node} in “{chapter}”", by=by, node=node, chapter=chapter)
    )


def _at(template: Callable[..., Text]) -> Tell:
    """A sentence about a node of a chapter."""
    return lambda fact, by: template(by, fact.node, fact.chapter)


def _glyphs(fact: GlyphsChanged, by: str) -> Text:
    node, chapter = fact.node, fact.chapter
    if fact.added:
        glyph = fact.added[0]
        return say("{by} gives {node} in “{chapter}” the glyph {glyph}", by=by, node=node, chapter=chapter, glyph=glyph)
    glyph = fact.removed[0]
    return say(
        "{by} takes the glyph {glyph} from {node} in “{chapter}”", by=by, node=node, chapter=chapter, glyph=glyph
    )


def _visibility_in_brief(fact: VisibilitySet, by: str) -> Text:
    return {
        "private": say("study made private"),
        "link": say("study opened by link"),
        "public": say("study made public"),
    }[fact.visibility]


def _member_in_brief(fact: MemberSet, by: str) -> Text:
    if fact.account == by:
        return say("study left")
    return {
        "contributor": say("{member} may write", member=fact.account),
        "reader": say("{member} may read", member=fact.account),
    }.get(fact.role) or say("{member} removed", member=fact.account)


def _tried_in_brief(fact: MovesAdded, by: str) -> Text:
    first = fact.moves[0]
    if first.seat:
        return say("move tried after {node}", node=first.parent)
    return say("assumption after {node}", node=first.parent)


def _glyphs_in_brief(fact: GlyphsChanged, by: str) -> Text:
    if fact.added:
        return say("glyph {glyph} at {node}", glyph=fact.added[0], node=fact.node)
    return say("glyph {glyph} taken from {node}", glyph=fact.removed[0], node=fact.node)


def _in_brief(template: Callable[[str], Text]) -> Tell:
    """A few words about a node."""
    return lambda fact, by: template(fact.node)


class Wording(NamedTuple):
    """How commits are told whose first fact is of one kind."""

    kind: Kind
    tell: Tell
    tell_in_brief: Tell


TOLD: Mapping[type[StudyFact], Wording] = {
    StudyCreated: Wording(
        _called("create"), lambda fact, by: say("{by} begins the study", by=by), lambda fact, by: say("study begun")
    ),
    StudyRenamed: Wording(
        _called("rename"),
        lambda fact, by: say("{by} calls the study “{title}”", by=by, title=fact.title),
        lambda fact, by: say("study called “{title}”", title=fact.title),
    ),
    VisibilitySet: Wording(_called("set_visibility"), _visibility, _visibility_in_brief),
    MemberSet: Wording(lambda fact, by: "leave" if fact.account == by else "set_member", _member, _member_in_brief),
    ChapterAdded: Wording(
        _called("add_chapter"),
        lambda fact, by: say("{by} adds the chapter “{chapter}”", by=by, chapter=fact.chapter.id),
        lambda fact, by: say("chapter “{chapter}” added", chapter=fact.chapter.id),
    ),
    ChapterRemoved: Wording(
        _called("remove_chapter"),
        lambda fact, by: say("{by} removes the chapter “{chapter}”", by=by, chapter=fact.chapter),
        lambda fact, by: say("chapter removed"),
    ),
    ChapterRenamed: Wording(
        _called("rename_chapter"),
        lambda fact, by: say("{by} calls a chapter “{title}”", by=by, title=fact.title),
        lambda fact, by: say("chapter called “{title}”", title=fact.title),
    ),
    ChapterMoved: Wording(
        _called("move_chapter"),
        lambda fact, by: say("{by} puts the chapter “{chapter}” in another place", by=by, chapter=fact.chapter),
        lambda fact, by: say("chapter “{chapter}” moved", chapter=fact.chapter),
    ),
    MovesAdded: Wording(lambda fact, by: "try_move" if fact.moves[0].seat else "assume", _tried, _tried_in_brief),
    MovesRemoved: Wording(
        _called("remove_moves"),
        _at(
            lambda by, node, chapter: say(
                "{by} removes what was tried at {node} in “{chapter}”", by=by, node=node, chapter=chapter
            )
        ),
        _in_brief(lambda node: say("moves from {node} on deleted", node=node)),
    ),
    VariationMoved: Wording(
        _called("move_variation"),
        _at(
            lambda by, node, chapter: say(
                "{by} puts the variation {node} of “{chapter}” in another place", by=by, node=node, chapter=chapter
            )
        ),
        _in_brief(lambda node: say("variation {node} moved", node=node)),
    ),
    CommentWritten: Wording(
        _called("write_comment"),
        _at(
            lambda by, node, chapter: say("{by} writes about {node} in “{chapter}”", by=by, node=node, chapter=chapter)
        ),
        _in_brief(lambda node: say("note at {node}", node=node)),
    ),
    CommentRemoved: Wording(
        _called("remove_comment"),
        _at(
            lambda by, node, chapter: say(
                "{by} removes a comment on {node} in “{chapter}”", by=by, node=node, chapter=chapter
            )
        ),
        _in_brief(lambda node: say("note at {node} deleted", node=node)),
    ),
    GlyphsChanged: Wording(_called("set_glyph"), _glyphs, _glyphs_in_brief),
    MarkDrawn: Wording(
        _called("draw"),
        _at(lambda by, node, chapter: say("{by} draws at {node} in “{chapter}”", by=by, node=node, chapter=chapter)),
        _in_brief(lambda node: say("drawing at {node}", node=node)),
    ),
    MarkErased: Wording(
        _called("erase"),
        _at(
            lambda by, node, chapter: say(
                "{by} wipes out a drawing at {node} in “{chapter}”", by=by, node=node, chapter=chapter
            )
        ),
        _in_brief(lambda node: say("drawing at {node} wiped out", node=node)),
    ),
    ChangeUndone: Wording(
        _called("undo"),
        lambda fact, by: say("{by} takes a change back", by=by),
        lambda fact, by: say("change taken back"),
    ),
    ChangeRedone: Wording(
        _called("redo"),
        lambda fact, by: say("{by} makes a change again", by=by),
        lambda fact, by: say("change made again"),
    ),
}
