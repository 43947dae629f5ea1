"""Studies: lists of them, their chapters, and the positions at their nodes."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from replay.study.commands import LONGEST_COMMENT, LONGEST_TITLE
from replay.study.study import ALL_GLYPHS, CONTRIBUTOR, MARKS, OWNER, PRIVATE, READER, VISIBILITIES
from service.api.schemas.beats import BeatResponse
from service.api.schemas.fields import (
    LARGEST_VERSION,
    NUMBER,
    OBJECT,
    WORD,
    Component,
    RequestSchema,
    ResponseSchema,
    StrictBoolean,
    components,
    doc,
    either,
    integers_by_name,
    short_text,
    string_list,
)
from service.api.schemas.moves import ViewerQuery
from service.api.schemas.replay import THEMES, ChangeResponse, MarkResponse, SceneResponse, SentenceResponse
from service.api.schemas.study_edits import KINDS, MoveField, name, title
from service.games.game_index_keys import STATUSES
from service.text_patterns import LONGEST_NAME, WRITTEN

LONGEST_FILE = 8_000_000
ROLES = ("", OWNER, CONTRIBUTOR, READER)

# Requests


def visibility() -> fields.String:
    return fields.String(
        load_default=PRIVATE,
        validate=validate.OneOf(VISIBILITIES),
        metadata=doc("For members alone, for everyone with the link, or for everyone."),
    )


def file_format(**more: Any) -> fields.String:
    return fields.String(
        validate=validate.OneOf(("json", "text")), metadata=doc("As JSON, or as text that people read."), **more
    )


class KeyQuery(RequestSchema):
    key = short_text("The key in the link to a study that is open to everyone who has the link.", 128)


class ChapterQuery(ViewerQuery, KeyQuery):
    """Through whose eyes, if not as the chapter says."""


class ChapterPartQuery(ChapterQuery):
    around = short_text("A step of the game or a tried move: of very many tried moves, only those near it.", 16)


class EditQuery(ChapterQuery):
    """Through whose eyes the position after a tried move is shown, if not as the chapter says."""


class NodePictureQuery(ChapterQuery):
    theme = fields.String(
        load_default=THEMES[0], validate=validate.OneOf(THEMES), metadata=doc("For a light or a dark page.")
    )


class StudiesQuery(RequestSchema):
    query = short_text("Words in titles and comments: whole words, all of them.", 200, WRITTEN)
    owner = short_text("Only studies of this account: its handle, or `me`.", LONGEST_NAME)
    member = fields.String(
        load_default="", validate=validate.OneOf(("", "me")), metadata=doc("`me`: only studies that you have joined.")
    )
    game = short_text("Only studies of this game.", LONGEST_NAME)
    limit = fields.Integer(load_default=20, validate=validate.Range(1, 100), metadata=doc("The most at once."))
    cursor = short_text("The `next` of the page before.", 200)


class HistoryQuery(KeyQuery):
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 250), metadata=doc("The most at once."))
    before = fields.Integer(
        load_default=None,
        validate=validate.Range(1, LARGEST_VERSION),
        metadata=doc("Only changes before this version."),
    )


class ExportQuery(KeyQuery):
    format = file_format(load_default="json")


class ImportRequest(RequestSchema):
    """A file of a study."""

    format = file_format(required=True)
    document = fields.String(required=True, validate=validate.Length(1, LONGEST_FILE), metadata=doc("The file."))
    visibility = visibility()


class PresenceRequest(RequestSchema):
    """Where somebody is in a study."""

    chapter = short_text("The chapter; none in particular if left out.", LONGEST_NAME)
    node = short_text("The step or tried move.", LONGEST_NAME)
    is_writing = StrictBoolean(load_default=False)


class NewStudyRequest(RequestSchema):
    """A new study; with a game, that is its first chapter."""

    title = title()
    visibility = visibility()
    game = short_text("The game of the first chapter.", LONGEST_NAME)
    viewer = short_text(
        "Through whose eyes that chapter is seen; by default `everything`, and `spectator` while the game runs.",
        LONGEST_NAME,
    )
    chapter_title = short_text("Its title; the title of the study if left out.", LONGEST_TITLE, WRITTEN)


class MarkdownRequest(RequestSchema):
    """What somebody is about to write."""

    text = fields.String(
        required=True, validate=validate.Length(1, LONGEST_COMMENT), metadata=doc("Markdown; HTML in it is text.")
    )


class TriedMoveRequest(RequestSchema):
    """A move of one seat."""

    seat = name("Whose move it is.")
    move = MoveField()


# Responses


class CommentHtmlResponse(ResponseSchema):
    html = fields.String(required=True, metadata=doc("Harmless HTML."))


def handle() -> fields.String:
    return fields.String(
        required=True,
        allow_none=True,
        metadata=doc("A handle; null if the account is gone; with `~` in front, a name from an imported file."),
    )


class MemberResponse(ResponseSchema):
    handle = handle()
    role = fields.String(required=True, validate=validate.OneOf(ROLES))


class ChapterSummaryResponse(ResponseSchema):
    id = fields.String(required=True)
    title = fields.String(required=True, metadata=doc("Empty if the chapter is closed to you."))
    game = fields.String(required=True)
    viewer = fields.String(required=True, metadata=doc("Through whose eyes it is seen by default."))
    status = fields.String(required=True, validate=validate.OneOf(STATUSES), metadata=doc("Of the game."))
    is_closed = fields.Boolean(
        required=True,
        metadata=doc("You play in this game, and it still runs: nothing of what is written here is told to you."),
    )
    comments = fields.Integer(required=True)
    tried = fields.Integer(required=True, metadata=doc("How many moves are tried in it."))


class PresentMemberResponse(ResponseSchema):
    """A member who has the study open, and where."""

    handle = handle()
    chapter = fields.String(required=True, allow_none=True)
    node = fields.String(required=True, allow_none=True)
    is_writing = fields.Boolean(required=True)


class ListedStudyResponse(ResponseSchema):
    id = fields.String(required=True)
    title = fields.String(required=True)
    owner = handle()
    visibility = fields.String(required=True, validate=validate.OneOf(VISIBILITIES))
    role = fields.String(required=True, validate=validate.OneOf(ROLES), metadata=doc("Yours; empty if you have none."))
    chapters = fields.Integer(required=True, metadata=doc("How many there are."))
    comments = fields.Integer(required=True)
    tried = fields.Integer(required=True, metadata=doc("How many moves are tried."))
    created_at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    updated_at = fields.Integer(required=True)
    writing_now = string_list("The handles of those who write in it.")
    picture = fields.String(required=True, allow_none=True, metadata=doc("The address of a picture (SVG)."))


class StudyPageResponse(ResponseSchema):
    studies = fields.List(fields.Nested(ListedStudyResponse), required=True)
    next = fields.String(required=True, allow_none=True, metadata=doc("`cursor` for the next page, if any."))
    is_complete = fields.Boolean(
        required=True, metadata=doc("Whether all studies can be found; not while the index is made anew.")
    )


class StudyEditResponse(ResponseSchema):
    """A change of a study."""

    version = fields.Integer(required=True)
    by = handle()
    at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    kind = fields.String(required=True, validate=validate.OneOf(("create", *KINDS)))
    chapter = fields.String(required=True, allow_none=True)
    node = fields.String(required=True, allow_none=True)
    text = fields.String(required=True, metadata=doc("The same in words."))
    brief = fields.String(required=True, metadata=doc("In few words: its author and its chapter are not named."))
    is_undone = fields.Boolean(required=True)
    is_mine = fields.Boolean(required=True)


class HistoryResponse(ResponseSchema):
    edits = fields.List(fields.Nested(StudyEditResponse), required=True, metadata=doc("The newest first."))
    next = fields.Integer(required=True, allow_none=True, metadata=doc("`before` for the next page, if any."))


class StudyFileResponse(ResponseSchema):
    """A file of a study; `docs/studies.md` has all of the format."""

    format = fields.String(required=True)
    schema = fields.Integer(required=True)
    title = fields.String(required=True)
    chapters = fields.List(fields.Dict(), required=True)


class StudyResponse(ResponseSchema):
    id = fields.String(required=True)
    version = fields.Integer(required=True, metadata=doc("The last change that you may know of."))
    updated_at = fields.Integer(required=True, metadata=doc("When that was: milliseconds since 1970."))
    title = fields.String(required=True)
    owner = handle()
    visibility = fields.String(required=True, validate=validate.OneOf(VISIBILITIES))
    role = fields.String(required=True, validate=validate.OneOf(ROLES), metadata=doc("Yours; empty if you have none."))
    link = fields.String(
        required=True, allow_none=True, metadata=doc("The address with the key, for those who write in it.")
    )
    members = fields.List(fields.Nested(MemberResponse), required=True, metadata=doc("The owner first."))
    chapters = fields.List(fields.Nested(ChapterSummaryResponse), required=True)
    can_edit = fields.Boolean(required=True)
    can_undo = fields.Boolean(required=True)
    can_redo = fields.Boolean(required=True)
    presence = fields.List(
        fields.Nested(PresentMemberResponse), required=True, metadata=doc("The members who have it open just now.")
    )


class CommentResponse(ResponseSchema):
    id = fields.String(required=True)
    by = handle()
    text = fields.String(required=True, metadata=doc("Markdown."))
    html = fields.String(required=True, metadata=doc("The same as harmless HTML."))


class DrawnMarkResponse(ResponseSchema):
    """An arrow between two places of the board, or a highlighted one."""

    id = fields.String(required=True)
    by = handle()
    kind = fields.String(required=True, validate=validate.OneOf(MARKS))
    source = fields.String(required=True)
    target = fields.String(required=True, allow_none=True)


class NotesResponse(ResponseSchema):
    """What is written and drawn at one node."""

    comments = fields.List(fields.Nested(CommentResponse), required=True)
    glyphs = fields.List(fields.String(validate=validate.OneOf(ALL_GLYPHS)), required=True)
    marks = fields.List(fields.Nested(DrawnMarkResponse), required=True)


class NodeResponse(ResponseSchema):
    """A move that was tried, or something that was assumed."""

    id = fields.String(required=True)
    parent = fields.String(required=True, metadata=doc("A step of the game, by its version, or another node."))
    index = fields.Integer(required=True, metadata=doc("Among the variations of its parent."))
    label = fields.String(required=True, metadata=doc("Of the line that it belongs to: A, A1, B…"))
    kind = fields.String(required=True, validate=validate.OneOf(["move", "assumption"]))
    seat = fields.String(required=True, allow_none=True, metadata=doc("Whose move it is; null for an assumption."))
    by = handle()
    move = fields.Dict(required=True, metadata=doc("As a player would send it; or what is assumed."))
    story = fields.List(fields.Nested(SentenceResponse), required=True)


class StepsResponse(ResponseSchema):
    """Steps of a game, one after the other."""

    first = fields.Integer(required=True)
    last = fields.Integer(required=True)


class ChapterResponse(ChapterSummaryResponse):
    """A chapter with all that is written, drawn and tried in it."""

    version = fields.Integer(required=True, metadata=doc("Of the study."))
    seen_by = fields.String(required=True, metadata=doc("Through whose eyes the stories are told."))
    notes = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(NotesResponse),
        required=True,
        metadata=doc("By node: a step of the game, or a tried move."),
    )
    nodes = fields.List(fields.Nested(NodeResponse), required=True, metadata=doc("Parents first."))
    near = fields.Nested(
        StepsResponse,
        required=True,
        allow_none=True,
        metadata=doc("The steps of which all variations are among the nodes; null if those of all steps are."),
    )
    variations = integers_by_name("How many there are of each step of the game.")


class NodeStepResponse(ResponseSchema):
    """What happened at a node, as in a timeline."""

    round = fields.Integer(required=True)
    marks = fields.List(fields.Nested(MarkResponse), required=True)
    story = fields.List(fields.Nested(SentenceResponse), required=True)
    scores = integers_by_name("After it, by seat.")
    leads = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        required=True,
        metadata=doc("The seats with the most pieces in each space."),
    )
    asked = string_list("The seats that are asked then.")
    change = fields.Nested(ChangeResponse, required=True)
    changed = string_list("The keys of the sprites that have changed.")
    beats = fields.List(fields.Nested(BeatResponse), required=True)


class LinePositionResponse(ResponseSchema):
    viewer = fields.String(required=True)
    scene = fields.Nested(SceneResponse, required=True)
    step = fields.Nested(NodeStepResponse, required=True)


class LinePreviewResponse(LinePositionResponse):
    """What would follow from a move."""

    further = Component(
        "DecisionSchema",
        "The schema of the steps that may be sent along with these, as `several`; null if none may.",
        nullable=True,
    )


class AlternativeResponse(ResponseSchema):
    value = either(WORD, NUMBER, OBJECT, text="A word, a number, or an answer to a decision.")
    text = fields.String(required=True)


class AssumptionResponse(ResponseSchema):
    """Something hidden, and what may be assumed of it."""

    id = fields.String(required=True)
    text = fields.String(required=True, metadata=doc("What it is."))
    value = either(WORD, NUMBER, OBJECT, text="What is assumed so far; `as_it_is` if nothing is.")
    choices = fields.List(fields.Nested(AlternativeResponse), required=True)
    numbers = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata=doc("The lowest and the highest number that is a value as well, if numbers are."),
    )


class NodePositionResponse(LinePositionResponse):
    """The position at a node, and what can be tried from there."""

    node = fields.String(required=True)
    decisions = components("Decision", "What can be tried, by seat; nothing while the game runs.")
    assumptions = fields.List(fields.Nested(AssumptionResponse), required=True)


class PlayedResponse(ResponseSchema):
    story = fields.List(fields.Nested(SentenceResponse), required=True)


class GuessedVariationResponse(ResponseSchema):
    node = fields.String(required=True)
    label = fields.String(required=True)
    glyphs = fields.List(fields.String(validate=validate.OneOf(ALL_GLYPHS)), required=True)
    comments = fields.List(fields.Nested(CommentResponse), required=True)


class GuessResponse(ResponseSchema):
    """Whether a move is the one that was played, and what the study says of it."""

    is_played = fields.Boolean(required=True)
    played = fields.Nested(
        PlayedResponse, required=True, allow_none=True, metadata=doc("What was played; null if nothing was.")
    )
    variation = fields.Nested(
        GuessedVariationResponse, required=True, allow_none=True, metadata=doc("The same move, if it was tried.")
    )


class EditedResponse(ResponseSchema):
    """An edit that was made."""

    version = fields.Integer(required=True, metadata=doc("Of the study."))
    kind = fields.String(required=True, validate=validate.OneOf(("create", *KINDS)))
    text = fields.String(required=True, metadata=doc("The same in words."))
    chapter = fields.String(required=True, allow_none=True, metadata=doc("Where it was made, or what it has added."))
    node = fields.Nested(NodeResponse, metadata=doc("The move that was tried."))
    position = fields.Nested(NodePositionResponse, metadata=doc("The position after it."))


# Streams


class StudyStreamQuery(KeyQuery):
    after = fields.Integer(
        load_default=None,
        validate=validate.Range(0, LARGEST_VERSION),
        metadata=doc("Begin after this version of the study; with what comes next if left out."),
    )


class StudyPresenceResponse(ResponseSchema):
    """The members who have the study open just now."""

    members = fields.List(fields.Nested(PresentMemberResponse), required=True)


class StudyStreamEndResponse(ResponseSchema):
    """The study is gone, or closed to you; nothing will follow."""

    version = fields.Integer(required=True)


class StudyStreamByeResponse(ResponseSchema):
    """The stream ends: come back, and go on after this version."""

    version = fields.Integer(required=True)
