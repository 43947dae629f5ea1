"""Tournaments as files."""

from __future__ import annotations

from marshmallow import fields, validate

from service.api.schemas.fields import FullMatch, ResponseSchema, doc
from service.api.schemas.tournament_options import OptionsRequest
from service.text_patterns import LONGEST_NAME, NAME
from service.tournaments.presets import PRESETS
from tournaments.options import MOST_PLAYERS

LONGEST_REPORT = 3_000_000
USUAL = "two-player-fide"


class TournamentImportRequest(OptionsRequest):
    """A report file of a tournament, and what is agreed other than it says."""

    document = fields.String(
        required=True,
        validate=validate.Length(1, LONGEST_REPORT),
        metadata=doc("A tournament report file (TRF). Its players are registered; its results are not taken over."),
    )
    preset = fields.String(
        load_default=USUAL,
        validate=validate.OneOf(("", *PRESETS)),
        metadata=doc("What neither the file nor the request gives is taken from it."),
    )
    handles = fields.Dict(
        keys=fields.String(),
        values=fields.String(validate=[validate.Length(1, LONGEST_NAME), FullMatch(NAME)]),
        load_default=dict,
        validate=validate.Length(max=MOST_PLAYERS),
        metadata=doc(
            "By the starting number in the file: who that is here. Without it, names in the file are handles.",
        ),
    )


class TournamentFileResponse(ResponseSchema):
    """A tournament that `hidalgo tournament verify` checks offline; `docs/tournaments.md` says what it can tell."""

    format = fields.String(required=True)
    schema = fields.Integer(required=True)
    commits = fields.List(fields.Dict(), required=True)
