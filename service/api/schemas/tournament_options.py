"""The agreement of a tournament. Fields that are left out are those of the preset, or of the agreement so far."""

from __future__ import annotations

from typing import Any

from marshmallow import fields, validate

from service.api.schemas.clocks import AgreedTimeResponse, TimeControlRequest
from service.api.schemas.fields import (
    LONGEST_NAME,
    FullMatch,
    RequestSchema,
    ResponseSchema,
    StrictBoolean,
    StrictInteger,
    doc,
)
from service.api.schemas.games import at_most_16_options
from service.text_patterns import NAME, WRITTEN
from tournaments.certificate import DUTCH, FAST, PROGRAM, TABLES
from tournaments.history import BYE_VALUES
from tournaments.options import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_PLAYERS,
    MOST_ROUNDS,
    MOST_STAGES,
    PRIVATE,
    PUBLIC,
    ROUND_RULES,
    STAGES,
    YEAR_MS,
)
from tournaments.points import LARGEST, MOST, PRESETS, SMALLEST
from tournaments.tiebreaks import TIEBREAKS
from tournaments.wishes import REMATCHES, SEEDINGS

LATEST = 10**14
"""Milliseconds since 1970; a moment that no tournament reaches."""

PARAGRAPHS = r"^[^\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]*$"
"""Texts of several lines."""


def integer(text: str, least: int, most: int, **more: Any) -> StrictInteger:
    return StrictInteger(validate=validate.Range(least, most), metadata=doc(text), **more)


def milliseconds(text: str) -> StrictInteger:
    return integer(text, 0, YEAR_MS)


def choice(values: tuple[str, ...], text: str) -> fields.String:
    return fields.String(validate=validate.OneOf(values), metadata=doc(text))


def line(text: str, longest: int = LONGEST_TITLE, **more: Any) -> fields.String:
    return fields.String(validate=[validate.Length(1, longest), FullMatch(WRITTEN)], metadata=doc(text), **more)


def paragraphs(text: str, least: int = 1, most: int = LONGEST_TEXT, **more: Any) -> fields.String:
    checks = [validate.Length(least, most), FullMatch(PARAGRAPHS)]
    return fields.String(validate=checks, metadata=doc(text), **more)


def sizes(text: str) -> fields.List:
    size = StrictInteger(validate=validate.Range(SMALLEST, LARGEST))
    return fields.List(size, validate=validate.Length(max=LARGEST), metadata=doc(text))


# Requests


class StageRequest(RequestSchema):
    """Some rounds of one kind."""

    kind = choice(STAGES, "By the standings, by lot, or of the best of the stage before, who begin anew.")
    rounds = integer("How many.", 1, MOST_ROUNDS)
    players = integer("So many of the stage before go on to it; 0: all.", 0, MOST_PLAYERS)
    size = integer("Of its tables; 0: as in the whole tournament.", 0, LARGEST)


class ScheduleRequest(RequestSchema):
    """When things happen without anybody there. Milliseconds; 0 is never."""

    starts_at = integer("The start of the tournament, in milliseconds since 1970; 0: by hand.", 0, LATEST)
    check_in_ms = milliseconds("So long before the start players confirm that they are there; 0: nobody has to.")
    rule = choice(ROUND_RULES, "A round follows when all tables are done, at an interval, at dates, or by hand.")
    interval_ms = milliseconds("After the last table, or from start to start.")
    dates = fields.List(
        StrictInteger(validate=validate.Range(0, LATEST)),
        validate=validate.Length(max=MOST_ROUNDS),
        metadata=doc("Of rounds by dates, one after the other."),
    )
    review_ms = milliseconds("So long a proposed round can be changed before it is published.")
    notice_ms = milliseconds("From the publication of a round to its start.")
    limit_ms = milliseconds("The longest for a round.")
    remind_ms = milliseconds("So long before the limit players are reminded.")
    no_show_ms = milliseconds("So long after the start of a round a player who has not come is absent.")


class EntryRequest(RequestSchema):
    """Who may come, until when."""

    fewest = integer("So many players at least.", 2, MOST_PLAYERS)
    most = integer("So many at most.", 2, MOST_PLAYERS)
    late_until = integer("The last round that a late player can enter; 0: none.", 0, MOST_ROUNDS)
    late_half_bye = StrictBoolean(metadata=doc("A late player gets half of a win for one missed round."))
    half_byes = integer("So many byes with half of a win a player may ask for.", 0, MOST_ROUNDS)
    half_byes_until = integer("The last round of such a bye; 0: any.", 0, MOST_ROUNDS)


class PointsRequest(RequestSchema):
    """What each place at a table is worth."""

    preset = choice(tuple(PRESETS), "Which list; `own` for your own.")
    places = fields.List(
        StrictInteger(validate=validate.Range(0, MOST)),
        validate=validate.Length(max=LARGEST),
        metadata=doc("Of a list of your own: points from the first place down."),
    )


class OptionsRequest(RequestSchema):
    """An agreement, or a part of it. Of `schedule` and `entry`, too, only what is given changes."""

    title = line("One line.")
    game = fields.String(
        validate=[validate.Length(1, LONGEST_NAME), FullMatch(NAME)],
        metadata=doc("The rules with their expansions, such as `el_grande+anniversary`."),
    )
    game_options = fields.Dict(
        keys=fields.String(),
        values=fields.String(validate=[validate.Length(max=64), FullMatch(NAME)]),
        validate=at_most_16_options,
        metadata=doc("The agreements of each game, as `GET /rules/{game}` lists them.", maxProperties=16),
    )
    size = integer("Of the tables.", SMALLEST, LARGEST)
    sizes = sizes("Other sizes of tables, where numbers do not fit; none: players sit out.")
    method = choice(("", TABLES, FAST, DUTCH, PROGRAM), "How rounds are paired; empty: as the size of tables wants it.")
    stages = fields.List(
        fields.Nested(StageRequest), validate=validate.Length(1, MOST_STAGES), metadata=doc("One after the other.")
    )
    schedule = fields.Nested(ScheduleRequest, metadata=doc("When things happen by themselves."))
    entry = fields.Nested(EntryRequest, metadata=doc("Who may come, until when."))
    time = fields.Nested(TimeControlRequest, allow_none=True, metadata=doc("Clocks; null: time does not count."))
    points = fields.Nested(PointsRequest, metadata=doc("What each place is worth."))
    tiebreaks = fields.List(
        fields.String(validate=validate.OneOf(tuple(TIEBREAKS))),
        validate=validate.Length(max=20),
        metadata=doc("In their order, the points first; none: the usual ones."),
    )
    bye = choice(BYE_VALUES, "What a player gets whom the pairing leaves over.")
    rematch = choice(REMATCHES, "What counts more: that nobody meets twice, or that tables are level.")
    seeding = choice(SEEDINGS, "How players with equal scores are told apart.")
    rated = StrictBoolean(metadata=doc("Whether its games count for the ratings of the players; fixed by the start."))
    teams_apart = StrictBoolean(metadata=doc("Team-mates do not meet, as far as that is possible."))
    leaders_together = StrictBoolean(metadata=doc("In the last round of a stage the leaders sit at one table."))
    odd_tables_first = StrictBoolean(metadata=doc("Tables of another size stand at the top of the standings."))
    absences = integer("So many in a row, and a player is withdrawn; 0: never.", 0, MOST_ROUNDS)
    visibility = choice((PUBLIC, PRIVATE), "A private tournament exists for its staff and its players alone.")
    spectators_delay_ms = milliseconds("So long after the players spectators see its games.")
    hides_standings = StrictBoolean(metadata=doc("Standings are for staff alone, until the end."))
    chat = StrictBoolean(metadata=doc("People may write messages at its tables."))
    description = paragraphs("For players to be.", 0)


# Responses


class TournamentStageResponse(ResponseSchema):
    kind = fields.String(required=True, validate=validate.OneOf(STAGES))
    rounds = fields.Integer(required=True)
    players = fields.Integer(required=True)
    size = fields.Integer(required=True)


class TournamentScheduleResponse(ResponseSchema):
    """Milliseconds; 0 is never."""

    starts_at = fields.Integer(required=True)
    check_in_ms = fields.Integer(required=True)
    rule = fields.String(required=True, validate=validate.OneOf(ROUND_RULES))
    interval_ms = fields.Integer(required=True)
    dates = fields.List(fields.Integer(), required=True)
    review_ms = fields.Integer(required=True)
    notice_ms = fields.Integer(required=True)
    limit_ms = fields.Integer(required=True)
    remind_ms = fields.Integer(required=True)
    no_show_ms = fields.Integer(required=True)


class TournamentEntryResponse(ResponseSchema):
    fewest = fields.Integer(required=True)
    most = fields.Integer(required=True)
    late_until = fields.Integer(required=True)
    late_half_bye = fields.Boolean(required=True)
    half_byes = fields.Integer(required=True)
    half_byes_until = fields.Integer(required=True)


class TournamentPointsResponse(ResponseSchema):
    preset = fields.String(required=True, validate=validate.OneOf(tuple(PRESETS)))
    places = fields.List(fields.Integer(), required=True)


class TournamentOptionsResponse(ResponseSchema):
    """The agreement, with every default in it."""

    title = fields.String(required=True)
    game = fields.String(required=True)
    game_options = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    size = fields.Integer(required=True)
    sizes = fields.List(fields.Integer(), required=True)
    method = fields.String(required=True)
    stages = fields.List(fields.Nested(TournamentStageResponse), required=True)
    schedule = fields.Nested(TournamentScheduleResponse, required=True)
    entry = fields.Nested(TournamentEntryResponse, required=True)
    time = fields.Nested(AgreedTimeResponse, required=True, allow_none=True)
    points = fields.Nested(TournamentPointsResponse, required=True)
    tiebreaks = fields.List(fields.String(), required=True)
    bye = fields.String(required=True, validate=validate.OneOf(BYE_VALUES))
    rematch = fields.String(required=True, validate=validate.OneOf(REMATCHES))
    seeding = fields.String(required=True, validate=validate.OneOf(SEEDINGS))
    rated = fields.Boolean(required=True)
    teams_apart = fields.Boolean(required=True)
    leaders_together = fields.Boolean(required=True)
    odd_tables_first = fields.Boolean(required=True)
    absences = fields.Integer(required=True)
    visibility = fields.String(required=True, validate=validate.OneOf((PUBLIC, PRIVATE)))
    spectators_delay_ms = fields.Integer(required=True)
    hides_standings = fields.Boolean(required=True)
    chat = fields.Boolean(required=True)
    description = fields.String(required=True)
