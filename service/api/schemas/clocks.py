"""Time: time controls, clocks, the clock ledger."""

from __future__ import annotations

from marshmallow import fields, validate

from events.table import clock_ledger
from events.table.time_control import DEFAULTS, LONGEST, POLICIES
from service.api.schemas.fields import FullMatch, RequestSchema, ResponseSchema, StrictInteger, doc, short_text
from service.text_patterns import NAME

# Requests


def milliseconds(text: str) -> StrictInteger:
    return StrictInteger(load_default=0, validate=validate.Range(0, LONGEST), metadata=doc(text))


def time_of_day(text: str) -> fields.String:
    return short_text(text, 5)


class CalendarRequest(RequestSchema):
    """When no clock runs."""

    zone = fields.String(
        load_default="UTC", validate=[validate.Length(1, 64), FullMatch(NAME)], metadata=doc("Such as `Europe/Madrid`.")
    )
    quiet_from = time_of_day("Quiet hours begin, such as `22:00`.")
    quiet_until = time_of_day("Quiet hours end, such as `08:00`.")
    days_off = fields.List(
        StrictInteger(validate=validate.Range(0, 6)),
        load_default=list,
        validate=validate.Length(max=6),
        metadata=doc("Weekdays on which no clock runs; Monday is 0."),
    )
    vacation_days = StrictInteger(
        load_default=0, validate=validate.Range(0, 365), metadata=doc("How many days each player may be away.")
    )


class TimeControlRequest(RequestSchema):
    """Clocks for a table. It needs `bank_ms`, or `limit_ms` for each decision, or both; five seconds at least, unless
    the operator has chosen otherwise."""

    bank_ms = milliseconds("Time of each player for the whole game.")
    increment_ms = milliseconds("Added to the bank after every decision.")
    cap_ms = milliseconds("Increments do not lift the bank above this; 0: they may.")
    delay_ms = milliseconds("The beginning of every decision that costs nothing.")
    limit_ms = milliseconds("The longest for one decision.")
    calendar = fields.Nested(CalendarRequest, load_default=dict, metadata=doc("When no clock runs."))
    strikes = StrictInteger(
        load_default=3,
        validate=validate.Range(0, 100),
        metadata=doc("So many times late in a row, and the policy takes over; 0: never."),
    )
    policy = fields.String(
        load_default=DEFAULTS,
        validate=validate.OneOf(POLICIES),
        metadata=doc("The fate of the seat then: its defaults are taken, a bot plays it, or it is forfeited."),
    )


class VacationRequest(RequestSchema):
    days = StrictInteger(
        required=True, validate=validate.Range(1, 365), metadata=doc("How long you are away, from now on.")
    )


# Responses


class AgreedCalendarResponse(ResponseSchema):
    """When no clock runs."""

    zone = fields.String(required=True)
    quiet_from = fields.String(required=True, metadata=doc("Empty if there are no quiet hours."))
    quiet_until = fields.String(required=True)
    days_off = fields.List(fields.Integer(), required=True, metadata=doc("Monday is 0."))
    vacation_days = fields.Integer(required=True)


class AgreedTimeResponse(ResponseSchema):
    """The time control of a table. Milliseconds; 0 is none."""

    bank_ms = fields.Integer(required=True)
    increment_ms = fields.Integer(required=True)
    cap_ms = fields.Integer(required=True)
    delay_ms = fields.Integer(required=True)
    limit_ms = fields.Integer(required=True)
    calendar = fields.Nested(AgreedCalendarResponse, required=True)
    strikes = fields.Integer(required=True)
    policy = fields.String(required=True, validate=validate.OneOf(POLICIES))


class SeatTimeResponse(ResponseSchema):
    """One player's clock."""

    bank_ms = fields.Integer(required=True, allow_none=True, metadata=doc("Time left for the whole game."))
    remaining_ms = fields.Integer(
        required=True, metadata=doc("Time left for this decision, or for the next one, at `server_time`.")
    )
    deadline_at = fields.Integer(required=True, allow_none=True, metadata=doc("When it is over, if it runs."))
    running = fields.Boolean(required=True)
    strikes = fields.Integer(required=True, metadata=doc("How often in a row this player was late."))
    played_by = fields.String(
        required=True, allow_none=True, metadata=doc("`defaults` or `bot`, if the player is not waited for.")
    )


class ClockResponse(ResponseSchema):
    """All clocks of a table. Moments are milliseconds since 1970, as our clock has them."""

    server_time = fields.Integer(required=True, metadata=doc("Now, or the moment of the version that was asked for."))
    paused = fields.String(required=True, allow_none=True, metadata=doc("`agreement` or `organiser`, in a pause."))
    want_pause = fields.List(fields.String(), required=True, metadata=doc("Seats that would like a pause."))
    seats = fields.Dict(keys=fields.String(), values=fields.Nested(SeatTimeResponse), required=True)


def clock_field() -> fields.Nested:
    return fields.Nested(
        ClockResponse, required=True, allow_none=True, metadata=doc("Null while no clock counts in this game.")
    )


class LedgerRowResponse(ResponseSchema):
    """One thing that happened to one player's clock. `bank_before_ms - paid_ms + earned_ms` is `bank_after_ms`."""

    version = fields.Integer(required=True)
    at = fields.Integer(required=True, metadata=doc("Milliseconds since 1970."))
    player = fields.String(required=True, metadata=doc("The seat."))
    decision = fields.String(required=True, metadata=doc("Empty if the player was not asked."))
    what = fields.String(required=True, validate=validate.OneOf(clock_ledger.KINDS))
    used_ms = fields.Integer(required=True, metadata=doc("The time that the decision has cost so far."))
    paid_ms = fields.Integer(required=True, metadata=doc("The time that it took out of the bank."))
    earned_ms = fields.Integer(required=True)
    bank_before_ms = fields.Integer(required=True)
    bank_after_ms = fields.Integer(required=True)
    remaining_ms = fields.Integer(required=True)
    deadline_at = fields.Integer(required=True, metadata=doc("0 if the clock does not run."))
    since = fields.Integer(required=True, metadata=doc("Of an outage that is given back, or of a vacation; or 0."))
    until = fields.Integer(required=True)


class LedgerResponse(ResponseSchema):
    """Everything that happened to the clocks of a game, the same for all viewers."""

    version = fields.Integer(required=True)
    clock = clock_field()
    rows = fields.List(fields.Nested(LedgerRowResponse), required=True)
