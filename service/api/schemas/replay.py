"""Timelines, outlines, scenes and grounds."""

from __future__ import annotations

from marshmallow import fields, validate

from rules.landmarks import KINDS
from rules.picture import CONTROLS
from service.api.schemas.beats import BeatResponse
from service.api.schemas.fields import LARGEST_VERSION, NUMBER, WORD, ResponseSchema, doc, either, string_list
from service.api.schemas.moves import StateQuery, ViewerQuery
from service.games.game_index_keys import STATUSES

THEMES = ("light", "dark")

# Requests


class TimelineQuery(ViewerQuery):
    after = fields.Integer(
        load_default=0, validate=validate.Range(0, LARGEST_VERSION), metadata=doc("Only steps after this version.")
    )
    limit = fields.Integer(
        load_default=100, validate=validate.Range(1, 250), metadata=doc("The most at once, in pages.")
    )


class PictureQuery(StateQuery):
    theme = fields.String(
        load_default=THEMES[0], validate=validate.OneOf(THEMES), metadata=doc("For a light or a dark page.")
    )


class ImageQuery(PictureQuery):
    width = fields.Integer(load_default=600, validate=validate.Range(100, 1600), metadata=doc("Pixels."))


# Responses


def points_by_seat(description: str) -> fields.Dict:
    return fields.Dict(keys=fields.String(), values=fields.Integer(), required=True, metadata=doc(description))


class MarkResponse(ResponseSchema):
    """Something that readers look for."""

    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    number = fields.Integer(metadata=doc("Of the round."))
    seat = fields.String(metadata=doc("Whose turn begins."))
    space = fields.String(metadata=doc("The space that was scored."))
    points = fields.Dict(keys=fields.String(), values=fields.Integer(), metadata=doc("By seat."))
    name = fields.String(metadata=doc("What the space is called, if the ground of the game has no name for it."))
    version = fields.Integer(metadata=doc("In an outline: where it stands."))


MENTION = {
    "type": "object",
    "description": "A player; without a seat, the title of a card.",
    "properties": {"seat": {"type": "string"}, "name": {"type": "string"}},
    "required": ["name", "seat"],
}


def text_in_parts(text: str, *, required: bool = False) -> fields.List:
    """A text in which players and cards are set apart."""
    return fields.List(either(WORD, MENTION), required=required, metadata=doc(text))


class BriefResponse(ResponseSchema):
    """A fact in few words, for a list: facts of one group that follow each other are one line. Left out: empty."""

    parts = text_in_parts("As in the sentence; none if the fact is not said at all.")
    more = text_in_parts("How it goes on in a line that another fact of its group began.")
    group = fields.String()
    seat = fields.String(metadata=doc("The player whose line it is."))


class SentenceResponse(ResponseSchema):
    fact = fields.String(required=True, metadata=doc("The name of the fact that it tells."))
    mark = fields.String(required=True, metadata=doc("The kind of mark that the fact is, if it is one; else empty."))
    seat = fields.String(required=True, metadata=doc("The player whom it is about; empty if no player is."))
    text = fields.String(required=True)
    parts = text_in_parts(
        "The same in parts: strings, and players as `seat` and `name`; without a seat, titles of cards.", required=True
    )
    brief = fields.Nested(
        BriefResponse, allow_none=True, required=True, metadata=doc("The same in few words, if there are fewer.")
    )


class SpriteResponse(ResponseSchema):
    """A symbol of the ground at a point. What is left out is 0 or empty."""

    key = fields.String(required=True, metadata=doc("The thing that is drawn: the same while it moves and changes."))
    symbol = fields.String(required=True)
    layer = fields.String(required=True)
    x = fields.Float()
    y = fields.Float()
    style = fields.String(metadata=doc("Further classes."))
    texts = fields.List(fields.String(), metadata=doc("What is filled in where the symbol has `data-text`."))
    stands_for = fields.String(metadata=doc("What decisions call it, if that is not its key."))


class CardFaceResponse(ResponseSchema):
    """A card that lies open, or in a hand that you may see."""

    key = fields.String(required=True)
    title = fields.String(required=True)
    text = fields.String()
    detail = fields.String(metadata=doc("All that it says."))
    icon = fields.String()
    pips = fields.Integer()
    seat = fields.String(metadata=doc("The player who has taken it."))
    state = fields.String()
    symbol = fields.String(metadata=doc("The symbol of the ground that it looks like."))
    stack = fields.Integer(metadata=doc("The stack that it lies on; left out where there is one."))


class FigureResponse(ResponseSchema):
    icon = fields.String(required=True)
    value = either(NUMBER, WORD, text="A number, or a few words.")
    label = fields.String(required=True)


class PanelResponse(ResponseSchema):
    """What lies in front of a player."""

    seat = fields.String(required=True)
    score = fields.Integer(required=True)
    played = fields.String()
    note = fields.String()
    turn = fields.Integer(metadata=doc("The place in the order of the round; left out before it is known."))
    state = fields.String()
    figures = fields.List(fields.Nested(FigureResponse))
    hand = fields.List(fields.Nested(CardFaceResponse), allow_none=True)


class RoundResponse(ResponseSchema):
    number = fields.Integer(required=True)
    state = fields.String(required=True, validate=validate.OneOf(("done", "now", "ahead")))
    scores = fields.Boolean(metadata=doc("Whether everything is scored after it."))


class ChangeResponse(ResponseSchema):
    """The way from the scene before to this one. What is left out has not changed."""

    put = fields.List(fields.Nested(SpriteResponse), metadata=doc("Sprites that came, or are other than before."))
    gone = fields.List(fields.String(), metadata=doc("Keys of sprites that are there no more."))
    panels = fields.List(fields.Nested(PanelResponse), metadata=doc("Of the players for whom something has changed."))
    cards = fields.List(fields.Nested(CardFaceResponse))
    rounds = fields.List(fields.Nested(RoundResponse))
    view = fields.List(fields.Float(), metadata=doc("The view box, of a map that grows."))


class TimelineStepResponse(ResponseSchema):
    """One accepted command: what was told of it, and what it changed."""

    version = fields.Integer(required=True)
    at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    by = fields.String(required=True, metadata=doc("A seat, an account, `table` or `clock`."))
    decision = fields.String(required=True)
    round = fields.Integer(required=True)
    marks = fields.List(fields.Nested(MarkResponse), required=True)
    story = fields.List(fields.Nested(SentenceResponse), required=True)
    scores = points_by_seat("After this step.")
    leads = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        required=True,
        metadata=doc(
            "The seats with the most pieces in each space: several if they tie, none if it is empty or closed."
        ),
    )
    thought_ms = fields.Integer(required=True, allow_none=True, metadata=doc("How long the player was asked."))
    clocks = points_by_seat("Milliseconds left, by seat; empty if time does not count.")
    asked = string_list("The seats that are asked now.")
    change = fields.Nested(ChangeResponse, required=True)
    changed = string_list("The keys of the sprites that have changed.")
    beats = fields.List(fields.Nested(BeatResponse), required=True)


class TimelineResponse(ResponseSchema):
    version = fields.Integer(required=True)
    viewer = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    steps = fields.List(fields.Nested(TimelineStepResponse), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=doc("`after` for the next page, if any."))


class SeatNameResponse(ResponseSchema):
    seat = fields.String(required=True)
    name = fields.String(required=True)


class SpaceNameResponse(ResponseSchema):
    space = fields.String(required=True)
    short = fields.String(required=True)
    name = fields.String(required=True)


class RoundScoresResponse(ResponseSchema):
    round = fields.Integer(required=True)
    version = fields.Integer(required=True, metadata=doc("Where the round ended, or is now."))
    scores = points_by_seat("With the general scoring after the round.")


class OutlineResponse(ResponseSchema):
    """A game at a glance. Nothing in it is hidden from any viewer of the game."""

    version = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    rules = fields.String(required=True)
    title = fields.String(required=True)
    viewers = string_list("Through whose eyes you may look at it; first through whose you do by default.")
    seats = fields.List(fields.Nested(SeatNameResponse), required=True)
    spaces = fields.List(fields.Nested(SpaceNameResponse), required=True)
    places = points_by_seat("The final places; empty before the end.")
    first = fields.Integer(required=True, metadata=doc("The version at which the table was set; 0 before that."))
    last = fields.Integer(required=True)
    marks = fields.List(fields.Nested(MarkResponse), required=True, metadata=doc("Rounds, turns, scorings, the end."))
    scores = fields.List(fields.Nested(RoundScoresResponse), required=True, metadata=doc("Round by round."))
    thought_ms = points_by_seat("How long each player was asked, in all.")


class PlaceResponse(ResponseSchema):
    """A space of the ground. The symbols `area-`, `legal-`, `barred-` and `focus-` of its key draw on all of it."""

    key = fields.String(required=True, metadata=doc("As decisions call it."))
    short = fields.String(required=True, metadata=doc("Its name where there is little room."))
    centre = fields.List(fields.Float(), required=True)
    slots = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.List(fields.Float())),
        required=True,
        metadata=doc("Where the pieces of each seat stand, by the number of seats."),
    )
    shortcut = fields.String(required=True, metadata=doc("The key of a keyboard that leads there; empty if none does."))
    shape = fields.String(
        metadata=doc(
            "The word that stands for its key in the names of those symbols, which are drawn around its centre then."
        )
    )


class SceneResponse(ResponseSchema):
    """A position, ready to be drawn on the ground of its rules."""

    version = fields.Integer(required=True)
    viewer = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    round = fields.Integer(required=True)
    sprites = fields.List(fields.Nested(SpriteResponse), required=True)
    panels = fields.List(fields.Nested(PanelResponse), required=True)
    cards = fields.List(fields.Nested(CardFaceResponse), required=True)
    rounds = fields.List(fields.Nested(RoundResponse), required=True)
    words = string_list("The position in sentences, for people who do not see it.")
    spaces = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=doc(
            "Every space in a sentence: what it is worth, and what stands there. Empty before the game begins."
        ),
    )
    view = fields.List(fields.Float(), metadata=doc("The view box, of a map that grows; else that of the ground."))
    places = fields.List(
        fields.Nested(PlaceResponse), metadata=doc("The spaces of a map that grows; else those of the ground.")
    )


def words_by_value(description: str) -> fields.Dict:
    return fields.Dict(keys=fields.String(), values=fields.String(), metadata=doc(description))


class ControlResponse(ResponseSchema):
    """How things of one kind are shown and picked. What is left out is empty.

    In templates, `{value}` is the value, `{seat}` the player who is asked, other names are fields of the answer."""

    kind = fields.String(required=True, validate=validate.OneOf(CONTROLS))
    thing = fields.String(
        metadata=doc(
            "Of a piece: the key of its sprite. Of what is turned: the key of its face. `{value}` if left out."
        )
    )
    by = fields.String(metadata=doc("Of a card: the part of it that is the value; its key if left out."))
    symbol = fields.String(metadata=doc("Of a tile, or of what is turned: the symbol that it is drawn as."))
    faces = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.String()),
        metadata=doc("Of a tile, or of what is turned: the texts that its symbol is filled with."),
    )
    takes = fields.String(metadata=doc("The sprite of the pile that has one less with every one picked."))
    puts = fields.String(metadata=doc("The sprite of the pile that has one more."))
    lifts = fields.String(metadata=doc("The sprite of the piece that goes there."))
    starts_full = fields.Boolean(metadata=doc("Of a number: whether it begins at its maximum."))
    names = words_by_value("Of answers: the words on their buttons.")
    icons = words_by_value("Of answers.")
    shortcuts = words_by_value("Of answers: the keys of a keyboard that give them.")


class GroundResponse(ResponseSchema):
    """What lies under all scenes of a game, and the symbols they are made of: markup of SVG."""

    view = fields.List(fields.Float(), required=True, metadata=doc("The view box."))
    markup = fields.String(
        required=True, metadata=doc("`~` stands before every id: put the name of your drawing there.")
    )
    symbols = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    layers = string_list("From the bottom up.")
    spaces = fields.Dict(
        keys=fields.String(),
        values=fields.List(fields.Float()),
        required=True,
        metadata=doc("The spaces that can be pointed at, in the order of the map, and where an arrow to each ends."),
    )
    places = fields.List(fields.Nested(PlaceResponse), required=True, metadata=doc("The spaces that can be chosen."))
    tokens = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=doc("Seats to the symbol of a single piece of theirs."),
    )
    controls = fields.Dict(
        keys=fields.String(),
        values=fields.Nested(ControlResponse),
        required=True,
        metadata=doc("How things are shown and picked, by their kind (`x-of` in the schema of a decision)."),
    )
    names = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata=doc("What the ids in decisions and positions are called, for people."),
    )
