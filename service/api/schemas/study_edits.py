"""Edits of a study: one schema for each kind."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from replay.study.commands import LONGEST_COMMENT, LONGEST_TITLE, MOST_CHAPTERS, MOST_MOVES
from replay.study.study import ALL_GLYPHS, MARKS, ROLES, VISIBILITIES
from rules.texts import say
from service.api.schemas.fields import (
    LARGEST_VERSION,
    Component,
    FullMatch,
    RequestSchema,
    StrictBoolean,
    StrictInteger,
    doc,
    short_text,
)
from service.api.schemas.moves import MoveRequest
from service.language import rendered
from service.text_patterns import LONGEST_NAME, NAME, WRITTEN


def name(text: str) -> fields.String:
    return fields.String(
        required=True, validate=[validate.Length(1, LONGEST_NAME), FullMatch(NAME)], metadata=doc(text)
    )


def title(text: str = "One line.") -> fields.String:
    return fields.String(
        required=True, validate=[validate.Length(1, LONGEST_TITLE), FullMatch(WRITTEN)], metadata=doc(text)
    )


def seen() -> StrictInteger:
    return StrictInteger(
        required=True,
        validate=validate.Range(0, LARGEST_VERSION),
        metadata=doc("The version of the study that you have seen: refused if others have changed the same since."),
    )


def index(most: int) -> StrictInteger:
    return StrictInteger(
        required=True, validate=validate.Range(0, most), metadata=doc("Where it stands from now on; 0 is first.")
    )


def one_of(values: tuple[str, ...], text: str) -> fields.String:
    return fields.String(required=True, validate=validate.OneOf(values), metadata=doc(text))


class MoveField(Component):
    """A move as a player would send it; the decision that it answers says what is in it."""

    def __init__(self) -> None:
        super().__init__("Move")

    def _deserialize(self, value, attr, data, **kwargs):
        if not isinstance(value, dict):
            raise ValidationError(rendered(say("A move is an object.")))
        return MOVE.load(value)


MOVE = MoveRequest()


class AssumedValue(fields.Raw):
    """A word, a number, or an answer to a decision."""

    def _deserialize(self, value, attr, data, **kwargs):
        if isinstance(value, bool) or not isinstance(value, (str, int, dict)):
            raise ValidationError(rendered(say("A word, a number, or an answer.")))
        return value


class EditOfChapterRequest(RequestSchema):
    chapter = name("The chapter.")


class EditOfNodeRequest(EditOfChapterRequest):
    node = name("A step of the game, by its version, or a tried move.")


def kind(value: str) -> fields.String:
    return fields.String(required=True, validate=validate.Equal(value))


class RenameEditRequest(RequestSchema):
    """Give the study another title."""

    kind = kind("rename")
    title = title()
    seen = seen()


class SetVisibilityEditRequest(RequestSchema):
    """Open the study to readers, or close it. For its owner."""

    kind = kind("set_visibility")
    visibility = one_of(VISIBILITIES, "For members alone, for everyone with the link, or for everyone.")


class SetMemberEditRequest(RequestSchema):
    """Give an account a role, or take it away. For the owner."""

    kind = kind("set_member")
    handle = name("Of the account.")
    role = one_of(("", *ROLES), "Empty: no member any more.")


class LeaveEditRequest(RequestSchema):
    """Be no member any more."""

    kind = kind("leave")


class AddChapterEditRequest(RequestSchema):
    """Add a game that you may see, as the last chapter."""

    kind = kind("add_chapter")
    title = title()
    game = name("The game.")
    viewer = short_text(
        "Through whose eyes it is seen: a seat, `spectator`, or `everything`, which is the default; while the game "
        "runs, `spectator`.",
        LONGEST_NAME,
    )


class RenameChapterEditRequest(EditOfChapterRequest):
    """Give a chapter another title."""

    kind = kind("rename_chapter")
    title = title()
    seen = seen()


class MoveChapterEditRequest(EditOfChapterRequest):
    """Put a chapter in another place."""

    kind = kind("move_chapter")
    index = index(MOST_CHAPTERS)


class RemoveChapterEditRequest(EditOfChapterRequest):
    """Remove a chapter with all that was written and tried in it."""

    kind = kind("remove_chapter")
    seen = seen()


class TryMoveEditRequest(EditOfChapterRequest):
    """Try a move after a step of the game or after another tried move. The rules decide what follows."""

    kind = kind("try_move")
    parent = name("The step or the tried move that it follows.")
    seat = name("Whose move it is.")
    move = MoveField()


class AssumeEditRequest(EditOfChapterRequest):
    """Take something for granted about what is hidden, as the position at a node offers it."""

    kind = kind("assume")
    parent = name("The step or the tried move that it follows.")
    assumption = name("What it is about.")
    value = AssumedValue(
        required=True, metadata=doc("One of the values that are offered.", type=["string", "integer", "object"])
    )


class MoveVariationEditRequest(EditOfNodeRequest):
    """Show a variation before or after the others of its step."""

    kind = kind("move_variation")
    index = index(MOST_MOVES)


class RemoveMovesEditRequest(EditOfNodeRequest):
    """Remove a tried move and all that follow it."""

    kind = kind("remove_moves")
    seen = seen()


class WriteCommentEditRequest(EditOfNodeRequest):
    """Write a comment, or put an own one in other words."""

    kind = kind("write_comment")
    text = fields.String(
        required=True, validate=validate.Length(1, LONGEST_COMMENT), metadata=doc("Markdown; HTML in it is text.")
    )
    comment = short_text("An own comment, to put it in other words; a new one if left out.", LONGEST_NAME)
    seen = StrictInteger(
        load_default=0,
        validate=validate.Range(0, LARGEST_VERSION),
        metadata=doc("With `comment`: the version of the study that you have seen."),
    )


class RemoveCommentEditRequest(EditOfNodeRequest):
    """Remove an own comment, or, as the owner of the study, any."""

    kind = kind("remove_comment")
    comment = name("The comment.")
    seen = seen()


class SetGlyphEditRequest(EditOfNodeRequest):
    """Put a glyph beside a step, or take it away."""

    kind = kind("set_glyph")
    glyph = one_of(ALL_GLYPHS, "The glyph. Of a move and of a position there is one at most.")
    shown = StrictBoolean(load_default=True, metadata=doc("Whether it stands there from now on."))


class DrawEditRequest(EditOfNodeRequest):
    """Draw an arrow between two places of the board, or highlight one."""

    kind = kind("draw")
    kind_of_mark = one_of(MARKS, "An arrow has a target, a highlight has none.")
    source = name("A place of the board, as the ground of the rules names it.")
    target = short_text("Where an arrow ends.", LONGEST_NAME)


class EraseEditRequest(EditOfNodeRequest):
    """Wipe out an arrow or a highlight."""

    kind = kind("erase")
    mark = name("The arrow or highlight.")


class UndoEditRequest(RequestSchema):
    """Take your last change back that stands. Owners of studies may name one, also of another member."""

    kind = kind("undo")
    change = StrictInteger(
        load_default=0,
        validate=validate.Range(0, LARGEST_VERSION),
        metadata=doc("The version that made it, as the history tells it; 0: your last one."),
    )


class RedoEditRequest(RequestSchema):
    """Make the change again that you have undone last."""

    kind = kind("redo")


EDITS: dict[type[Schema], tuple[str, ...]] = {
    RenameEditRequest: ("rename",),
    SetVisibilityEditRequest: ("set_visibility",),
    SetMemberEditRequest: ("set_member",),
    LeaveEditRequest: ("leave",),
    AddChapterEditRequest: ("add_chapter",),
    RenameChapterEditRequest: ("rename_chapter",),
    MoveChapterEditRequest: ("move_chapter",),
    RemoveChapterEditRequest: ("remove_chapter",),
    TryMoveEditRequest: ("try_move",),
    AssumeEditRequest: ("assume",),
    MoveVariationEditRequest: ("move_variation",),
    RemoveMovesEditRequest: ("remove_moves",),
    WriteCommentEditRequest: ("write_comment",),
    RemoveCommentEditRequest: ("remove_comment",),
    SetGlyphEditRequest: ("set_glyph",),
    DrawEditRequest: ("draw",),
    EraseEditRequest: ("erase",),
    UndoEditRequest: ("undo",),
    RedoEditRequest: ("redo",),
}
"""The kinds of edits: `Edit` is one of them."""

KINDS = tuple(kind for kinds in EDITS.values() for kind in kinds)


class EditRequest(RequestSchema):
    """One edit; `kind` says which, and what else is in it."""

    component = "Edit"

    kind = fields.String(required=True, validate=validate.OneOf(KINDS))

    def load(self, data: Any, **kwargs: Any) -> Any:
        schema = BY_KIND.get(data.get("kind")) if isinstance(data.get("kind"), str) else None
        return schema.load(data) if schema else super().load({"kind": data.get("kind")} if "kind" in data else {})


BY_KIND = {kind: schema() for schema, kinds in EDITS.items() for kind in kinds}
