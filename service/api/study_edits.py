"""Edits of studies: every one is a commit in the study's own log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from flask import Blueprint, Response

from replay.study import tree
from replay.study.commands import (
    AddChapter,
    Draw,
    Erase,
    LeaveStudy,
    MoveChapter,
    MoveVariation,
    Redo,
    RemoveChapter,
    RemoveComment,
    RemoveMoves,
    Rename,
    RenameChapter,
    SetGlyph,
    SetMember,
    SetVisibility,
    StudyCommand,
    Undo,
    WriteComment,
)
from replay.study.decider import study_facts
from replay.study.facts import MovesAdded
from replay.study.narration import edit as told_edit
from replay.study.variations import assumption, check_open, trial
from replay.timeline import Moment
from rules.catalogue import game_named, rules_named
from rules.errors import Unreadable
from rules.kernel import Fact
from rules.texts import one_by_one, say
from service.api.context import limited_account, profiles, study_positions, study_service
from service.api.operation import Body, Reply, operation
from service.api.schemas.studies import EditedResponse, EditQuery
from service.api.schemas.study_edits import EditRequest
from service.api.study_chapters import reading, reading_of
from service.http.authentication import needs
from service.http.idempotency import submission
from service.http.responses import json_response
from service.http.study_requests import chapter_viewer
from service.studies import study_representations
from service.studies.access import StudyAccess
from service.studies.positions import Page
from service.studies.study_service import Edited

blueprint = Blueprint("study_edits", __name__)

AN_EDIT = {"kind": "write_comment", "chapter": "k1", "node": "214", "text": "Takes the *sting* out of it."}


@blueprint.post("/studies/<study>/edits")
@needs("play")
@operation(Reply(201, EditedResponse), query=EditQuery, body=Body(EditRequest, AN_EDIT))
def edit(query: dict[str, Any], body: dict[str, Any], study: str) -> Response:
    """Change a study: one edit. What others have changed meanwhile is not lost: then you are refused."""
    account = limited_account("edits")
    access = study_service().look(study, account, query["key"])
    kind = body.pop("kind")
    if kind in TRYING:
        return tried(access, TRYING[kind](body), query["viewer"])
    return edited_response(study_service().submit(access, command(kind, access, account, body), submission(account)))


class Trial(NamedTuple):
    """A move of a seat, or an assumption, which no seat makes."""

    chapter: str
    parent: str
    seat: str
    move: dict[str, Any]


TRYING: Mapping[str, Callable[[Mapping[str, Any]], Trial]] = {
    "try_move": lambda body: Trial(body["chapter"], body["parent"], body["seat"], body["move"]),
    "assume": lambda body: Trial(body["chapter"], body["parent"], "", assumption(body["assumption"], body["value"])),
}


def tried(access: StudyAccess, wanted: Trial, viewer: str | None) -> Response:
    """The rules say what follows; then it is kept with that, and answered with the position after it."""
    account = str(access.account)
    access.open_chapter(wanted.chapter)
    page = reading(access, wanted.chapter, viewer).page
    check_open(page.game)
    facts, after = followed(page, wanted)
    trying = trial(account, wanted.chapter, wanted.parent, wanted.seat, wanted.move, facts)
    edited = study_service().submit(access, trying, submission(account))
    [added] = (fact for fact in edited.commit.facts if isinstance(fact, MovesAdded))
    node = added.moves[0].id
    study_positions().keep(page, node, after)
    now = reading_of(edited.access, edited.access.chapter(wanted.chapter), viewer)
    shown = study_representations.node(now, tree.node(now.page.chapter, node), profiles()([account]))
    return edited_response(edited, node=shown, position=study_representations.position(now, study_positions(), node))


def followed(page: Page, wanted: Trial) -> tuple[Sequence[Fact], Moment]:
    if wanted.seat:
        return study_positions().tried(page, wanted.parent, wanted.seat, wanted.move)
    return study_positions().assumed(page, wanted.parent, wanted.move["assumption"], wanted.move["value"])


def edited_response(edited: Edited, **more: Any) -> Response:
    facts, by = study_facts(edited.commit), edited.commit.header.by
    told, known = told_edit(by, facts), profiles()(study_representations.people(by, facts))
    version = study_service().shown(edited.access, edited.commit.header.version)
    about = {
        "version": version,
        "kind": told.kind,
        "text": study_representations.sentence(told, edited.access, known),
        "chapter": told.chapter or None,
    }
    return json_response(about | more, 201, version=version)


# Commands

COMMANDS: Mapping[str, type[StudyCommand]] = {
    "rename": Rename,
    "set_visibility": SetVisibility,
    "leave": LeaveStudy,
    "rename_chapter": RenameChapter,
    "move_chapter": MoveChapter,
    "remove_chapter": RemoveChapter,
    "move_variation": MoveVariation,
    "remove_moves": RemoveMoves,
    "write_comment": WriteComment,
    "remove_comment": RemoveComment,
    "set_glyph": SetGlyph,
    "erase": Erase,
    "undo": Undo,
    "redo": Redo,
}
"""The kinds whose fields are those of their command."""


def command(kind: str, access: StudyAccess, account: str, body: Mapping[str, Any]) -> StudyCommand:
    match kind:
        case "set_member":
            return SetMember(account, study_service().account_of(body["handle"]), body["role"])
        case "add_chapter":
            viewer = chapter_viewer(body["game"], account, body["viewer"])
            return AddChapter(account, body["title"], body["game"], viewer)
        case "draw":
            return drawing(access, account, body)
    return COMMANDS[kind](account, **body)


def drawing(access: StudyAccess, account: str, body: Mapping[str, Any]) -> Draw:
    """An arrow or a highlight, between spaces that the ground of the game knows."""
    rules = rules_named(access.game(access.open_chapter(body["chapter"])).rules)
    spaces = game_named(rules.name).picture.ground(rules).spaces
    for end in (body["source"], body["target"]):
        if end and end not in spaces:
            raise Unreadable(say("{space} is not one of {spaces}", space=end, spaces=one_by_one(spaces)))
    return Draw(account, body["chapter"], body["node"], body["kind_of_mark"], body["source"], body["target"])
