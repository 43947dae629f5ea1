"""Chapters of studies, and the positions in them: look, try without keeping anything, guess."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from events.table.game import redact
from replay.study.study import Chapter
from replay.study.variations import check_open
from replay.timeline import frame
from service.api.context import game_service, profiles, study_positions
from service.api.operation import Body, Reply, operation
from service.api.replay import SVG, picture
from service.api.schemas.studies import (
    ChapterPartQuery,
    ChapterQuery,
    ChapterResponse,
    GuessResponse,
    LinePreviewResponse,
    NodePictureQuery,
    NodePositionResponse,
    TriedMoveRequest,
)
from service.api.studies import seen
from service.games import replay_representations
from service.games.access import viewer_for
from service.http.responses import conditional, conditional_response, json_response
from service.studies import study_representations
from service.studies.access import StudyAccess
from service.studies.positions import Page
from service.studies.study_representations import Reading

blueprint = Blueprint("study_chapters", __name__)

A_MOVE = {"seat": "red", "move": {"decision": "1-red", "kind": "play_power_card", "value": 7}}


@blueprint.get("/studies/<study>/chapters/<chapter>")
@operation(Reply(200, ChapterResponse), query=ChapterPartQuery)
def look_at_chapter(query: dict[str, Any], study: str, chapter: str) -> Response:
    """A chapter: everything that is written, drawn and tried in it.

    With `around`, in a chapter of more than 300 tried moves, only those near that node are among the `nodes`.
    """
    access, around = seen(study, query["key"]), query["around"]
    found = reading(access, chapter, query["viewer"])
    etag = f"{access.version}.{found.viewer}.{access.of(chapter)}.{found.page.game.version}.{around}"
    return conditional_response(etag, lambda: study_representations.chapter(access, found, profiles(), around))


@blueprint.get("/studies/<study>/chapters/<chapter>/nodes/<node>")
@operation(Reply(200, NodePositionResponse), query=ChapterQuery)
def look_at_node(query: dict[str, Any], study: str, chapter: str, node: str) -> Response:
    """The position after a step of the game, or after a tried move, and what can be tried from there."""
    found = reading(seen(study, query["key"]), chapter, query["viewer"])
    study_positions().moment(found.page, node)
    etag = f"{found.page.game.version}.{chapter}.{node}.{found.viewer}"
    return conditional_response(etag, lambda: study_representations.position(found, study_positions(), node))


@blueprint.get("/studies/<study>/chapters/<chapter>/nodes/<node>/board.svg")
@operation(Reply(200, content_type=SVG, description="The picture."), query=NodePictureQuery)
def board(query: dict[str, Any], study: str, chapter: str, node: str) -> Response:
    """The position at a node as a picture, with what was drawn on it."""
    access = seen(study, query["key"])
    found = reading(access, chapter, query["viewer"])
    marks = () if access.is_closed(chapter) else found.page.chapter.notes_at(node).marks
    after = study_positions().moment(found.page, node)
    drawn = "-".join(mark.id for mark in marks)
    etag = f"{found.page.game.version}.{chapter}.{node}.{found.viewer}.{query['theme']}.{drawn}"
    return conditional(etag, lambda: picture(frame(after, found.viewer), marks, query["theme"]))


@blueprint.post("/studies/<study>/chapters/<chapter>/nodes/<node>/guess")
@operation(Reply(200, GuessResponse), query=ChapterQuery, body=Body(TriedMoveRequest, A_MOVE))
def guess(query: dict[str, Any], body: dict[str, Any], study: str, chapter: str, node: str) -> Response:
    """Guess the move that was played after a node.

    Told is whether it is that, or one that was tried, and what the study says of it.
    """
    access = seen(study, query["key"])
    access.open_chapter(chapter)
    found = reading(access, chapter, query["viewer"])
    check_open(found.page.game)
    facts, _ = study_positions().tried(found.page, node, body["seat"], body["move"])
    played = study_positions().played(found.page, node)
    is_played = played is not None and played.answers(body["move"]["decision"], facts)
    known = redact(played.commit, found.viewer) if played else ()
    tried = study_positions().tried_alike(found.page, node, body["seat"], facts)
    return json_response(study_representations.guess(found, is_played, known, tried, profiles()))


@blueprint.post("/studies/<study>/chapters/<chapter>/nodes/<node>/preview")
@operation(Reply(200, LinePreviewResponse), query=ChapterQuery, body=Body(TriedMoveRequest, A_MOVE))
def preview(query: dict[str, Any], body: dict[str, Any], study: str, chapter: str, node: str) -> Response:
    """What would follow from a move at a node. Nothing is kept."""
    found = reading(seen(study, query["key"]), chapter, query["viewer"])
    check_open(found.page.game)
    facts, after = study_positions().tried(found.page, node, body["seat"], body["move"])
    before = study_positions().moment(found.page, node)
    further = study_positions().further(found.page, node, body["seat"], body["move"])
    return json_response(study_representations.preview(found, before, facts, after, further))


def reading(access: StudyAccess, chapter: str, viewer: str | None) -> Reading:
    """A chapter that the account may read, through the eyes of a viewer that it may be."""
    return reading_of(access, access.chapter(chapter), viewer)


def reading_of(access: StudyAccess, chapter: Chapter, viewer: str | None) -> Reading:
    game = game_service().look(chapter.game, access.account)
    chosen = viewer_for(game, access.account, viewer or chapter.viewer)
    names = replay_representations.player_names(game, profiles())
    return Reading(Page(access.study.id, chapter, game), chosen, names)
