"""Actions in a tournament: one schema for each kind. People are named by their handles, bots as `bot:greedy:7`."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields, validate

from service.api.schemas.fields import FullMatch, RequestSchema, StrictBoolean, StrictInteger, doc
from service.api.schemas.tournament_options import OptionsRequest, line, paragraphs
from service.text_patterns import LONGEST_NAME, NAME, WRITTEN
from tournaments.commands.calls import LONGEST_CLAIM
from tournaments.commands.rulings import PENALTIES
from tournaments.commands.substitution import LONGEST_ANSWER_MS
from tournaments.options import LONGEST_TITLE, MOST_PLAYERS, MOST_ROUNDS
from tournaments.points import LARGEST, MOST, UNIT
from tournaments.results import FULL_BYE, HALF_BYE, ZERO_BYE
from tournaments.tournament import ARBITER, ORGANISER

MOST_RATING = 10_000
MOST_VICTORY_POINTS = 1_000_000
LAST_STEP = 10**9


def kind(value: str) -> fields.String:
    return fields.String(required=True, validate=validate.Equal(value))


def person(text: str) -> fields.String:
    return fields.String(
        required=True, validate=[validate.Length(1, LONGEST_NAME), FullMatch(NAME)], metadata=doc(text)
    )


def player(text: str = "The handle; you, if left out. Staff may name any player.") -> fields.String:
    return fields.String(
        load_default="", validate=[validate.Length(max=LONGEST_NAME), FullMatch(NAME)], metadata=doc(text)
    )


def reason() -> fields.String:
    return paragraphs("Why; everybody reads it.", required=True)


def optional_reason(text: str = "Why; everybody reads it.") -> fields.String:
    return paragraphs(text, 0, load_default="")


def number(text: str, least: int, most: int) -> StrictInteger:
    return StrictInteger(required=True, validate=validate.Range(least, most), metadata=doc(text))


def units(text: str, least: int, **more: Any) -> StrictInteger:
    return StrictInteger(validate=validate.Range(least, MOST * UNIT), metadata=doc(text), **more)


def seats(least: int, most: int, *, values: tuple[int, int], text: str, **more: Any) -> fields.List:
    value = StrictInteger(validate=validate.Range(*values))
    return fields.List(value, validate=validate.Length(least, most), metadata=doc(text), **more)


def tables(text: str, **more: Any) -> fields.List:
    handle = fields.String(validate=[validate.Length(1, LONGEST_NAME), FullMatch(NAME)])
    table = fields.List(handle, validate=validate.Length(2, LARGEST))
    return fields.List(table, validate=validate.Length(max=MOST_PLAYERS // 2), metadata=doc(text), **more)


class ResultRequest(RequestSchema):
    """The end of a game, seat by seat, in the order of the table's players."""

    places = seats(
        2, LARGEST, values=(1, LARGEST), text="1 is first; players who share a place have the same.", required=True
    )
    victory_points = seats(
        0, LARGEST, values=(-MOST_VICTORY_POINTS, MOST_VICTORY_POINTS), text="If they are known.", load_default=list
    )
    absent = seats(
        0, LARGEST, values=(0, LARGEST - 1), text="Seats, from 0, whose player did not come.", load_default=list
    )
    abandoned = seats(
        0, LARGEST, values=(0, LARGEST - 1), text="Seats, from 0, whose player left the game.", load_default=list
    )


# Players


class RegisterActionRequest(RequestSchema):
    """Enter the tournament; staff may enter others, and bots of the service."""

    kind = kind("register")
    player = player("The handle, or a bot such as `bot:greedy:7`; you, if left out. Staff may name anybody.")
    rating = StrictInteger(
        load_default=0,
        validate=validate.Range(0, MOST_RATING),
        metadata=doc("Given by staff; 0: the one that the service knows, if any."),
    )
    team = fields.String(
        load_default="",
        validate=[validate.Length(max=LONGEST_TITLE), FullMatch(WRITTEN)],
        metadata=doc("Team-mates are kept apart."),
    )


class CheckInActionRequest(RequestSchema):
    """Confirm before the start that a player is there."""

    kind = kind("check_in")
    player = player()


class WithdrawActionRequest(RequestSchema):
    """Leave: before the start without a trace, after it with everything that was played."""

    kind = kind("withdraw")
    player = player()


class AcceptSeatActionRequest(RequestSchema):
    """Play for the player for whom staff asks you to, from now on. For the account that is asked."""

    kind = kind("accept_seat")


class DeclineSeatActionRequest(RequestSchema):
    """Not play for another player; staff does not ask you again. For the account that is asked."""

    kind = kind("decline_seat")


class ReturnActionRequest(RequestSchema):
    """Come back after a withdrawal. Rounds in between count nothing. Staff brings back whom staff has withdrawn."""

    kind = kind("return")
    player = player()


class RequestByeActionRequest(RequestSchema):
    """Sit a round out, or play after all."""

    kind = kind("request_bye")
    player = player()
    round = number("The round.", 1, MOST_ROUNDS)
    bye = fields.String(
        load_default=ZERO_BYE,
        validate=validate.OneOf(("", HALF_BYE, FULL_BYE, ZERO_BYE)),
        metadata=doc("With half a win, with a whole one (by staff), with nothing; empty: play after all."),
    )


class ForbidPairActionRequest(RequestSchema):
    """Keep two players apart, as far as that is possible. For staff."""

    kind = kind("forbid_pair")
    one = person("The handle of a player.")
    other = person("The handle of another.")


class AllowPairActionRequest(RequestSchema):
    """Let two players meet again. For staff."""

    kind = kind("allow_pair")
    one = person("The handle of a player.")
    other = person("The handle of another.")


# The tournament


class ChangeOptionsActionRequest(RequestSchema):
    """Change the agreement; after the start with a reason, and not what the points rest on. For organisers."""

    kind = kind("change_options")
    options = fields.Nested(OptionsRequest, required=True, metadata=doc("What changes."))
    reason = optional_reason("Why; needed after the start.")


class SetStaffActionRequest(RequestSchema):
    """Give an account a role, or none. For organisers."""

    kind = kind("set_staff")
    handle = person("Of the account.")
    role = fields.String(
        required=True, validate=validate.OneOf(("", ORGANISER, ARBITER)), metadata=doc("Empty: none any more.")
    )


class AnnounceActionRequest(RequestSchema):
    """Tell all players something. For staff."""

    kind = kind("announce")
    text = paragraphs("What they read.", required=True)


class PauseActionRequest(RequestSchema):
    """Stop all clocks, and the schedule. For staff."""

    kind = kind("pause")
    reason = optional_reason()


class ResumeActionRequest(RequestSchema):
    """Go on after a pause. For staff."""

    kind = kind("resume")


class CancelActionRequest(RequestSchema):
    """End the tournament without a winner. For organisers."""

    kind = kind("cancel")
    reason = reason()


class StartActionRequest(RequestSchema):
    """Close the registration: players get their starting numbers. For organisers."""

    kind = kind("start")


class FinishActionRequest(RequestSchema):
    """End the tournament; before the last round with a reason. For organisers."""

    kind = kind("finish")
    reason = optional_reason("Why; needed before the last round.")


# Rounds


class PinTablesActionRequest(RequestSchema):
    """Put tables of the next round together by hand. For staff."""

    kind = kind("pin_tables")
    tables = tables("Handles in the order of seats; none: all by the draw.", required=True)


class ProposeRoundActionRequest(RequestSchema):
    """Draw the next round, for staff to look at; again, if it was drawn before. For staff."""

    kind = kind("propose_round")
    tables = tables("All tables by hand; none: by the draw.", load_default=list)


class PublishRoundActionRequest(RequestSchema):
    """Make the proposed round known. For staff."""

    kind = kind("publish_round")


class RetractRoundActionRequest(RequestSchema):
    """Take the published round back before it begins: it is drawn again. For staff."""

    kind = kind("retract_round")
    reason = reason()


class StartRoundActionRequest(RequestSchema):
    """Begin the published round now. For staff."""

    kind = kind("start_round")


class CloseRoundActionRequest(RequestSchema):
    """End the round, when all tables are done. For staff."""

    kind = kind("close_round")


class OfTableRequest(RequestSchema):
    round = number("The round.", 1, MOST_ROUNDS)
    table = number("The table, from 0.", 0, MOST_PLAYERS)


class RecordResultActionRequest(OfTableRequest):
    """Note the result of a table that plays no game here. For staff."""

    kind = kind("record_result")
    result = fields.Nested(ResultRequest, required=True)


# Calls


class CallArbiterActionRequest(RequestSchema):
    """Ask for a ruling at your table, or say something about one that another player asks for."""

    kind = kind("call_arbiter")
    player = player()
    text = paragraphs("What happened; everybody reads it.", most=LONGEST_CLAIM, required=True)


class AnswerCallActionRequest(OfTableRequest):
    """Answer players who have called, without a ruling; clocks that stood still go on. For staff."""

    kind = kind("answer_call")
    text = paragraphs("The answer; everybody reads it.", required=True)


class HoldTableActionRequest(OfTableRequest):
    """Stop the clocks of one table until its case is decided. For staff."""

    kind = kind("hold_table")


class ReleaseTableActionRequest(OfTableRequest):
    """Let the clocks of a table go on. For staff."""

    kind = kind("release_table")


# Rulings


class AdjudicateActionRequest(OfTableRequest):
    """Give a table a result, or another one. For staff."""

    kind = kind("adjudicate")
    result = fields.Nested(ResultRequest, required=True)
    reason = reason()


class ReplayActionRequest(OfTableRequest):
    """Let a table play its game again from the beginning. For staff."""

    kind = kind("replay")
    reason = reason()


class RewindActionRequest(OfTableRequest):
    """Let the game of a table go on from an earlier version. For staff."""

    kind = kind("rewind")
    version = number("Of the game.", 1, LAST_STEP)
    reason = reason()


class AdjustActionRequest(RequestSchema):
    """Give a player points, or take some. For staff."""

    kind = kind("adjust")
    player = person("The handle of the player.")
    units = units("Sixtieths of a point; not 0.", -MOST * UNIT, required=True)
    reason = reason()


class PenaliseActionRequest(RequestSchema):
    """Warn a player, take points, or exclude them. For staff."""

    kind = kind("penalise")
    player = person("The handle of the player.")
    penalty = fields.String(required=True, validate=validate.OneOf(PENALTIES))
    units = units("With `points`: so many sixtieths of a point are taken.", 0, load_default=0)
    reason = reason()


class SubstituteActionRequest(RequestSchema):
    """Ask another account to play for a player from now on. Until it agrees, everything stays as it is. For staff."""

    kind = kind("substitute")
    player = person("The handle of the player.")
    substitute = person("The handle of the account that is asked; a bot such as `bot:greedy:7` plays at once.")
    stops_clocks = StrictBoolean(
        load_default=False,
        metadata=doc("Whether the clocks of the player's table stand still until there is an answer."),
    )
    answer_ms = StrictInteger(
        load_default=0,
        validate=validate.Range(0, LONGEST_ANSWER_MS),
        metadata=doc("Without an answer for so long, the staff is told; 0: as long as `no_show_ms`, or an hour."),
    )
    reason = reason()


class ReverseActionRequest(RequestSchema):
    """A ruling does not hold any more. For staff."""

    kind = kind("reverse")
    ruling = line("The ruling, such as `r17`.", LONGEST_NAME, required=True)
    reason = reason()


RULINGS: dict[type[Schema], tuple[str, ...]] = {
    AdjudicateActionRequest: ("adjudicate",),
    ReplayActionRequest: ("replay",),
    RewindActionRequest: ("rewind",),
    AdjustActionRequest: ("adjust",),
    PenaliseActionRequest: ("penalise",),
    SubstituteActionRequest: ("substitute",),
    ReverseActionRequest: ("reverse",),
}
"""The kinds of rulings: `Ruling` is one of them, and can be looked at before it is made."""

ACTIONS: dict[type[Schema], tuple[str, ...]] = {
    RegisterActionRequest: ("register",),
    CheckInActionRequest: ("check_in",),
    WithdrawActionRequest: ("withdraw",),
    ReturnActionRequest: ("return",),
    AcceptSeatActionRequest: ("accept_seat",),
    DeclineSeatActionRequest: ("decline_seat",),
    RequestByeActionRequest: ("request_bye",),
    ForbidPairActionRequest: ("forbid_pair",),
    AllowPairActionRequest: ("allow_pair",),
    ChangeOptionsActionRequest: ("change_options",),
    SetStaffActionRequest: ("set_staff",),
    AnnounceActionRequest: ("announce",),
    PauseActionRequest: ("pause",),
    ResumeActionRequest: ("resume",),
    CancelActionRequest: ("cancel",),
    StartActionRequest: ("start",),
    FinishActionRequest: ("finish",),
    PinTablesActionRequest: ("pin_tables",),
    ProposeRoundActionRequest: ("propose_round",),
    PublishRoundActionRequest: ("publish_round",),
    RetractRoundActionRequest: ("retract_round",),
    StartRoundActionRequest: ("start_round",),
    RecordResultActionRequest: ("record_result",),
    CloseRoundActionRequest: ("close_round",),
    CallArbiterActionRequest: ("call_arbiter",),
    AnswerCallActionRequest: ("answer_call",),
    HoldTableActionRequest: ("hold_table",),
    ReleaseTableActionRequest: ("release_table",),
    **RULINGS,
}
"""The kinds of actions: `TournamentAction` is one of them."""


class OneOfKind(RequestSchema):
    """An object whose `kind` says what else is in it."""

    by_kind: dict[str, Schema] = {}

    def load(self, data: Any, **kwargs: Any) -> Any:
        given = data.get("kind")
        schema = self.by_kind.get(given) if isinstance(given, str) else None
        return schema.load(data) if schema else super().load({"kind": given} if "kind" in data else {})


def kinds(schemas: dict[type[Schema], tuple[str, ...]]) -> dict[str, Schema]:
    return {kind: schema() for schema, named in schemas.items() for kind in named}


class ActionRequest(OneOfKind):
    """One action; `kind` says which, and what else is in it."""

    component = "TournamentAction"
    by_kind = kinds(ACTIONS)

    kind = fields.String(required=True, validate=validate.OneOf(tuple(by_kind)))


class RulingRequest(OneOfKind):
    """One ruling; `kind` says which, and what else is in it."""

    component = "TournamentRuling"
    by_kind = kinds(RULINGS)

    kind = fields.String(required=True, validate=validate.OneOf(tuple(by_kind)))
