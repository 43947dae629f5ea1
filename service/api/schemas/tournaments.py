"""Tournaments: lists of them, their players, rounds and standings."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from service.api.schemas.fields import (
    LARGEST_VERSION,
    RequestSchema,
    ResponseSchema,
    StrictInteger,
    doc,
    short_text,
    string_list,
)
from service.api.schemas.tournament_options import OptionsRequest, TournamentOptionsResponse, sizes
from service.text_patterns import LONGEST_NAME
from service.tournaments.presets import PRESETS
from tournaments.certificate import METHODS
from tournaments.options import MOST_PLAYERS, MOST_ROUNDS, PRIVATE, PUBLIC
from tournaments.points import LARGEST, SMALLEST
from tournaments.results import UNPAIRED
from tournaments.tournament import ARBITER, CANCELLED, FINISHED, OPEN, ORGANISER, PLAYER, RUNNING

STATUSES = (OPEN, RUNNING, FINISHED, CANCELLED)
STATES = ("proposed", "published", "running", "closed")
LARGEST_PAGE = 200

# Requests


class NewTournamentRequest(OptionsRequest):
    """A new tournament: what is agreed. The rest is as the preset says, or as it is usually."""

    title = fields.String(required=True, validate=OptionsRequest._declared_fields["title"].validators)
    preset = fields.String(
        load_default="", validate=validate.OneOf(("", *PRESETS)), metadata=doc("What is not given is taken from it.")
    )


class TournamentsQuery(RequestSchema):
    status = fields.String(load_default="", validate=validate.OneOf(("", *STATUSES)), metadata=doc("Only these."))
    mine = fields.Boolean(load_default=False, metadata=doc("Only those in which you play or work, also private ones."))
    limit = fields.Integer(load_default=20, validate=validate.Range(1, 100), metadata=doc("The most at once."))
    cursor = short_text("The `next` of the page before.", 200)


def limit(usual: int = 100) -> fields.Integer:
    return fields.Integer(
        load_default=usual, validate=validate.Range(1, LARGEST_PAGE), metadata=doc("The most at once.")
    )


def begin(text: str = "The `next` of the page before: so many are left out.") -> fields.Integer:
    return fields.Integer(load_default=0, validate=validate.Range(0, MOST_PLAYERS), metadata=doc(text))


class PartQuery(RequestSchema):
    """A part of a long list."""

    limit = limit()
    begin = begin()


class PlayersQuery(PartQuery):
    query = short_text("Only players whose handle begins with this.", LONGEST_NAME)


class RoundQuery(PartQuery):
    player = short_text("Only the table of this player: a handle, or `me`.", LONGEST_NAME)


class StandingsQuery(PartQuery):
    round = fields.Integer(
        load_default=None,
        validate=validate.Range(1, MOST_ROUNDS),
        metadata=doc("As they were after this round; now, if left out."),
    )


class TournamentHistoryQuery(RequestSchema):
    limit = limit(50)
    before = fields.Integer(
        load_default=None,
        validate=validate.Range(1, LARGEST_VERSION),
        metadata=doc("Only what happened before this version."),
    )


class TournamentStreamQuery(RequestSchema):
    after = fields.Integer(
        load_default=None,
        validate=validate.Range(0, LARGEST_VERSION),
        metadata=doc("Begin after this version; with what happens from now on if left out."),
    )


class PlanRequest(RequestSchema):
    """Some players, who are to play some rounds."""

    players = StrictInteger(
        required=True, validate=validate.Range(2, MOST_PLAYERS), metadata=doc("How many will come.")
    )
    size = StrictInteger(required=True, validate=validate.Range(SMALLEST, LARGEST), metadata=doc("Of the tables."))
    sizes = sizes("Other sizes of tables, where numbers do not fit.")
    rounds = StrictInteger(
        load_default=0, validate=validate.Range(0, MOST_ROUNDS), metadata=doc("How many; 0: as many as are usual.")
    )


# People


class TournamentPersonResponse(ResponseSchema):
    """An account, for everybody."""

    account = fields.String(required=True)
    handle = fields.String(required=True, allow_none=True, metadata=doc("Null if the account is gone."))
    bot = fields.Boolean(required=True)


class StaffMemberResponse(TournamentPersonResponse):
    role = fields.String(required=True, validate=validate.OneOf((ORGANISER, ARBITER)))


class TournamentPlayerResponse(TournamentPersonResponse):
    """Somebody who takes part, and the account that plays for them."""

    id = fields.String(required=True, metadata=doc("The player: stays the same if another account plays for them."))
    number = fields.Integer(required=True, allow_none=True, metadata=doc("The starting number, after the start."))
    rating = fields.Integer(required=True, allow_none=True)
    team = fields.String(required=True, allow_none=True)
    entered = fields.Integer(required=True, metadata=doc("The first round that the player could be paired in."))
    is_checked_in = fields.Boolean(required=True)
    is_withdrawn = fields.Boolean(required=True)
    absences = fields.Integer(required=True, metadata=doc("In a row, without being excused."))
    warnings = fields.Integer(required=True)
    byes = fields.Dict(
        keys=fields.String(), values=fields.String(), required=True, metadata=doc("Kinds of byes, by round.")
    )


def next_part() -> fields.Integer:
    return fields.Integer(required=True, allow_none=True, metadata=doc("`begin` of the next part, if there is one."))


class TournamentPlayersResponse(ResponseSchema):
    version = fields.Integer(required=True)
    total = fields.Integer(required=True, metadata=doc("How many there are in all."))
    players = fields.List(fields.Nested(TournamentPlayerResponse), required=True)
    next = next_part()


# Tournaments


class ListedTournamentResponse(ResponseSchema):
    id = fields.String(required=True)
    title = fields.String(required=True)
    game = fields.String(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    is_paused = fields.Boolean(required=True)
    owner = fields.Nested(TournamentPersonResponse, required=True)
    visibility = fields.String(required=True, validate=validate.OneOf((PUBLIC, PRIVATE)))
    size = fields.Integer(required=True, metadata=doc("Of the tables."))
    players = fields.Integer(required=True, metadata=doc("How many there are."))
    round = fields.Integer(required=True, metadata=doc("How many rounds are published."))
    rounds = fields.Integer(required=True, metadata=doc("How many there will be."))
    starts_at = fields.Integer(required=True, allow_none=True, metadata=doc("Milliseconds since 1970."))
    created_at = fields.Integer(required=True)
    version = fields.Integer(required=True, metadata=doc("The ETag begins with it."))


class TournamentPageResponse(ResponseSchema):
    tournaments = fields.List(fields.Nested(ListedTournamentResponse), required=True)
    next = fields.String(required=True, allow_none=True, metadata=doc("`cursor` for the next page, if any."))


class OwnPlayerResponse(ResponseSchema):
    """You as a player."""

    player = fields.String(required=True)
    is_checked_in = fields.Boolean(required=True)
    is_withdrawn = fields.Boolean(required=True)
    table = fields.Integer(required=True, allow_none=True, metadata=doc("Yours in this round, from 0."))
    game = fields.String(required=True, allow_none=True, metadata=doc("Its game, once it stands ready."))


class SeatRequestResponse(ResponseSchema):
    """An account is asked to play for a player from now on."""

    substitute = fields.Nested(TournamentPersonResponse, required=True, metadata=doc("Who is asked."))
    player = fields.Nested(TournamentPersonResponse, required=True, metadata=doc("Who plays until then."))
    until = fields.Integer(required=True, metadata=doc("Then the staff hears that there was no answer."))
    stops_clocks = fields.Boolean(
        required=True, metadata=doc("Whether the clocks of a table stand still until there is an answer.")
    )


class TournamentResponse(ListedTournamentResponse):
    """A tournament, without its players and rounds."""

    options = fields.Nested(TournamentOptionsResponse, required=True)
    staff = fields.List(fields.Nested(StaffMemberResponse), required=True, metadata=doc("Without the owner."))
    role = fields.String(
        required=True,
        allow_none=True,
        validate=validate.OneOf((ORGANISER, ARBITER, PLAYER)),
        metadata=doc("Yours; null if you have none."),
    )
    you = fields.Nested(OwnPlayerResponse, required=True, allow_none=True)
    is_invited = fields.Boolean(
        required=True, metadata=doc("Whether staff has entered you: `register` accepts, `withdraw` declines.")
    )
    invited = fields.List(
        fields.Nested(TournamentPersonResponse),
        required=True,
        metadata=doc("Accounts that staff has entered, and that have not agreed yet; for staff alone."),
    )
    asks_you = fields.Nested(
        SeatRequestResponse,
        required=True,
        allow_none=True,
        metadata=doc("Staff asks you to play for another player: `accept_seat`, or `decline_seat`."),
    )
    asked = fields.List(
        fields.Nested(SeatRequestResponse),
        required=True,
        metadata=doc("Accounts that are asked to play for a player, and have not answered; for staff alone."),
    )
    stage = fields.Integer(required=True, metadata=doc("From 0."))
    current = fields.Integer(required=True, allow_none=True, metadata=doc("The round that is published and not over."))
    has_proposal = fields.Boolean(
        required=True, metadata=doc("Whether a round is drawn and not published; for staff alone.")
    )
    announcements = string_list("The first one first.")
    commitment = fields.String(required=True, metadata=doc("Fixes the secret of all seeds without telling it."))
    lots = fields.String(required=True, allow_none=True, metadata=doc("The seed of all lots, from the start on."))


class TournamentPresetResponse(ResponseSchema):
    name = fields.String(required=True)
    title = fields.String(required=True)
    description = fields.String(required=True)
    options = fields.Nested(TournamentOptionsResponse, required=True, metadata=doc("With every default in it."))


class TournamentPresetsResponse(ResponseSchema):
    presets = fields.List(fields.Nested(TournamentPresetResponse), required=True)


class TournamentPlanResponse(ResponseSchema):
    """How players are split, and what an organiser must know."""

    sizes = fields.List(fields.Integer(), required=True, metadata=doc("Of the tables of a round."))
    byes = fields.Integer(required=True, metadata=doc("So many players sit out in each round."))
    text = fields.String(required=True, metadata=doc("The same in words."))
    rounds = fields.Integer(required=True, metadata=doc("As asked for, or as many as are usual."))
    recommended_rounds = fields.Integer(required=True)
    repeat_free_rounds = fields.Integer(required=True, metadata=doc("So many can be played without meeting twice."))
    repeats = fields.Integer(required=True, metadata=doc("So many pairs meet again at least."))
    warnings = string_list("What an organiser must know before the start.")


# Actions


class TournamentFactResponse(ResponseSchema):
    fact = fields.String(required=True, metadata=doc("What happened, by its name in the log."))
    text = fields.String(required=True, allow_none=True, metadata=doc("The same in words, if it needs any."))


class TournamentCommitResponse(ResponseSchema):
    """Something that happened, and who did it."""

    version = fields.Integer(required=True)
    at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    by = fields.Nested(TournamentPersonResponse, required=True, metadata=doc("The service itself is `clock`."))
    facts = fields.List(fields.Nested(TournamentFactResponse), required=True)
    hash = fields.String(required=True, metadata=doc("Of the commit, and of everything before it."))


class TournamentActedResponse(TournamentCommitResponse):
    """An action was taken: what happened by it."""

    ruling = fields.String(required=True, allow_none=True, metadata=doc("The id of the ruling, if it is one."))


class TournamentHistoryResponse(ResponseSchema):
    commits = fields.List(fields.Nested(TournamentCommitResponse), required=True)
    next = fields.Integer(required=True, allow_none=True, metadata=doc("`before` of the next page, if there is one."))


class StandingChangeResponse(TournamentPersonResponse):
    """A player whose place or points a ruling would change."""

    player = fields.String(required=True)
    place = fields.Integer(required=True, metadata=doc("Now."))
    place_after = fields.Integer(required=True)
    points = fields.String(required=True, metadata=doc("Now."))
    points_after = fields.String(required=True)


class RewoundResponse(ResponseSchema):
    """What a rewind takes back."""

    game = fields.String(required=True)
    version = fields.Integer(required=True, metadata=doc("The step that the game goes on from."))
    newest = fields.Integer(required=True, metadata=doc("The step that it has come to."))
    seen = string_list("What everybody has seen since, and the players would still know.")


class RulingPreviewResponse(ResponseSchema):
    """What a ruling would change; nothing is done."""

    version = fields.Integer(required=True)
    changes = fields.List(fields.Nested(StandingChangeResponse), required=True)
    outdated = fields.List(
        fields.Integer(), required=True, metadata=doc("Published rounds that were drawn from other results then.")
    )
    rewound = fields.Nested(RewoundResponse, required=True, allow_none=True, metadata=doc("Of a rewind."))


class MadeRulingResponse(ResponseSchema):
    id = fields.String(required=True)
    kind = fields.String(required=True)
    by = fields.Nested(TournamentPersonResponse, required=True)
    reason = fields.String(required=True)
    place = string_list("What it is about.")
    reversed_by = fields.Nested(TournamentPersonResponse, required=True, allow_none=True)


class TournamentRulingsResponse(ResponseSchema):
    version = fields.Integer(required=True)
    rulings = fields.List(fields.Nested(MadeRulingResponse), required=True)


# Rounds


class SeatedPlayerResponse(TournamentPersonResponse):
    player = fields.String(required=True)
    place = fields.Integer(required=True, allow_none=True, metadata=doc("At this table, once the game is over."))
    victory_points = fields.Integer(required=True, allow_none=True)
    points = fields.String(required=True, allow_none=True, metadata=doc("For the tournament."))
    is_absent = fields.Boolean(required=True)
    has_abandoned = fields.Boolean(required=True)


class ClaimResponse(TournamentPersonResponse):
    """What a player has told the arbiter, who has not answered yet."""

    player = fields.String(required=True)
    text = fields.String(required=True)
    at = fields.Integer(required=True, metadata=doc("When, in milliseconds since 1970."))
    step = fields.Integer(required=True, allow_none=True, metadata=doc("The version of the game at that moment."))


class RoundTableResponse(ResponseSchema):
    table = fields.Integer(required=True, metadata=doc("From 0."))
    game = fields.String(required=True, allow_none=True)
    players = fields.List(fields.Nested(SeatedPlayerResponse), required=True, metadata=doc("In the order of seats."))
    is_done = fields.Boolean(required=True)
    claims = fields.List(
        fields.Nested(ClaimResponse), required=True, metadata=doc("Of players who have called an arbiter.")
    )
    held_at = fields.Integer(
        required=True, allow_none=True, metadata=doc("Since when an arbiter lets its clocks stand still.")
    )


class RoundTableWithReasonsResponse(RoundTableResponse):
    round = fields.Integer(required=True)
    why = string_list("Why these players sit at one table. None while standings are hidden from you.")


class UnpairedResponse(TournamentPersonResponse):
    player = fields.String(required=True)
    why = fields.String(required=True, validate=validate.OneOf(UNPAIRED))


class RoundCertificateResponse(ResponseSchema):
    """How good the pairing of a round is; `hidalgo tournament verify` computes it again."""

    round = fields.Integer(required=True)
    method = fields.String(required=True, validate=validate.OneOf(METHODS))
    seed = fields.String(required=True, metadata=doc("Of all chance in it."))
    fixed = fields.Integer(required=True, metadata=doc("So many of the first tables were given."))
    window = fields.Integer(
        required=True, metadata=doc("No exchange of two players at tables so far apart betters it; 0: not claimed.")
    )
    kept_apart = fields.Integer(required=True, metadata=doc("Pairs at one table that should be kept apart."))
    team_mates = fields.Integer(required=True, metadata=doc("Pairs of one team at one table, if that counts."))
    repeats = fields.Integer(required=True, metadata=doc("Pairs who meet again."))
    least_repeats = fields.Integer(required=True, metadata=doc("The fewest that there could be."))
    meetings = fields.Integer(required=True, metadata=doc("The sum of the squares of earlier meetings."))
    odd = fields.Integer(required=True, metadata=doc("The squares of earlier odd tables and byes, at odd tables."))
    squares = fields.Integer(required=True, metadata=doc("Of differences of scores at all tables."))
    spread = fields.Integer(required=True, metadata=doc("The differences between the best and the last of each table."))
    seats_worst = fields.Integer(required=True, metadata=doc("Between a player's most and rarest seat."))
    seats_sum = fields.Integer(required=True, metadata=doc("The sum of these differences."))
    history = fields.String(required=True, metadata=doc("The digest of everything before the round."))
    digest = fields.String(required=True, metadata=doc("Of the certificate without it, and the round."))
    is_proven = fields.Boolean(required=True, metadata=doc("Whether no round could have fewer repeated meetings."))


class TournamentRoundResponse(ResponseSchema):
    version = fields.Integer(required=True)
    number = fields.Integer(required=True)
    stage = fields.Integer(required=True)
    state = fields.String(required=True, validate=validate.OneOf(STATES))
    attempt = fields.Integer(required=True, metadata=doc("How often it was drawn."))
    starts_at = fields.Integer(required=True, allow_none=True, metadata=doc("Milliseconds since 1970."))
    started_at = fields.Integer(required=True, allow_none=True)
    closed_at = fields.Integer(required=True, allow_none=True)
    is_outdated = fields.Boolean(
        required=True, metadata=doc("Whether a ruling has changed what the round was drawn from.")
    )
    total = fields.Integer(required=True, metadata=doc("How many tables there are in all."))
    done = fields.Integer(required=True, metadata=doc("How many of them are done."))
    tables = fields.List(fields.Nested(RoundTableResponse), required=True)
    unpaired = fields.List(
        fields.Nested(UnpairedResponse), required=True, metadata=doc("Players without a table; in the first part.")
    )
    certificate = fields.Nested(
        RoundCertificateResponse,
        required=True,
        allow_none=True,
        metadata=doc("Null while standings are hidden from you."),
    )
    next = next_part()


# Standings


class TiebreakResponse(ResponseSchema):
    name = fields.String(required=True)
    definition = fields.String(required=True)


class StandingResponse(TournamentPersonResponse):
    place = fields.Integer(required=True)
    player = fields.String(required=True)
    points = fields.String(required=True)
    values = string_list("Of each tie-break, in their order.")
    decided_by = fields.String(
        required=True, allow_none=True, metadata=doc("The tie-break that put the player behind the one before.")
    )
    is_withdrawn = fields.Boolean(required=True)


class StandingsResponse(ResponseSchema):
    version = fields.Integer(required=True)
    round = fields.Integer(required=True, metadata=doc("After how many rounds; the last one may not be over."))
    total = fields.Integer(required=True, metadata=doc("How many players there are in all."))
    tiebreaks = fields.List(fields.Nested(TiebreakResponse), required=True)
    rows = fields.List(fields.Nested(StandingResponse), required=True)
    next = next_part()


class CrosstableCellResponse(ResponseSchema):
    kind = fields.String(required=True)
    opponents = fields.List(fields.Integer(), required=True, metadata=doc("Their places in the standings."))
    place = fields.Integer(required=True, metadata=doc("At the table; 0 if there was no game."))
    points = fields.String(required=True)


class CrosstableLineResponse(TournamentPersonResponse):
    place = fields.Integer(required=True)
    player = fields.String(required=True)
    cells = fields.List(fields.Nested(CrosstableCellResponse), required=True, metadata=doc("Round by round."))
    points = fields.String(required=True)


class CrosstableResponse(ResponseSchema):
    version = fields.Integer(required=True)
    stage = fields.Integer(required=True)
    total = fields.Integer(required=True)
    lines = fields.List(fields.Nested(CrosstableLineResponse), required=True)
    next = next_part()


# Streams


class TournamentStreamEndResponse(ResponseSchema):
    """You may not see the tournament any more; nothing will follow."""

    version = fields.Integer(required=True)


class TournamentStreamByeResponse(ResponseSchema):
    """The stream ends: come back, and go on after this version."""

    version = fields.Integer(required=True)


STREAM: tuple[type[Schema], ...] = (TournamentStreamEndResponse, TournamentStreamByeResponse)
"""Schemas that only the stream refers to."""
