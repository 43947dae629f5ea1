"""The schemas of the interface that are no schemas of requests and responses: what the rules and the table describe by
themselves, and the unions of what is told apart by a tag."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from marshmallow import Schema

from events.table import schemas as table
from rules.shapes import members, reference, union
from service.api.schemas.chat import ChatStreamByeResponse
from service.api.schemas.inbox import NOTICES
from service.api.schemas.streams import GameStreamByeResponse, InboxStreamByeResponse, StreamEndResponse
from service.api.schemas.studies import StudyPresenceResponse, StudyStreamByeResponse, StudyStreamEndResponse
from service.api.schemas.study_edits import EDITS
from service.api.schemas.tournament_actions import ACTIONS, RULINGS
from service.api.schemas.tournaments import STREAM as TOURNAMENT_STREAM
from service.api.schemas.webhooks import DELIVERIES
from service.text_patterns import LONGEST_NAME, NAME

SCHEMAS: tuple[type[Schema], ...] = (
    *NOTICES,
    *DELIVERIES,
    *EDITS,
    *ACTIONS,
    *TOURNAMENT_STREAM,
    StudyPresenceResponse,
    StudyStreamEndResponse,
    StudyStreamByeResponse,
    StreamEndResponse,
    GameStreamByeResponse,
    InboxStreamByeResponse,
    ChatStreamByeResponse,
)
"""Schemas that only the unions below refer to."""

NAMES = {
    "EmptyRequest": "Nothing",
    "CalendarRequest": "CalendarWish",
    "TimeControlRequest": "TimeWish",
    "VacationRequest": "VacationWish",
    "SeatRequest": "SeatWish",
    "InvitationRequest": "InvitationWish",
    "TokenRequest": "TokenWish",
    "AccountDeletionRequest": "Farewell",
    "CreateWebhookRequest": "WebhookWish",
    "UpdateWebhookRequest": "WebhookChange",
    "WebhookWithSecretResponse": "NewWebhook",
    "WebhookTestResponse": "TestResult",
    "DeliveryResponse": "DeliveryTold",
    "OptionsRequest": "TournamentOptionsWish",
    "StageRequest": "TournamentStageWish",
    "ScheduleRequest": "TournamentScheduleWish",
    "EntryRequest": "TournamentEntryWish",
    "PointsRequest": "TournamentPointsWish",
    "PlanRequest": "TournamentPlanWish",
    "ResultRequest": "TableResult",
}
"""Schemas that clients know by another name than ours without its ending."""


def name_of(schema: type[Schema] | Schema) -> str:
    """The name of a schema in the document, which clients may have made code from: it never changes.

    >>> from service.api.schemas.problems import ProblemResponse
    >>> name_of(ProblemResponse)
    'Problem'
    """
    name = (schema if isinstance(schema, type) else type(schema)).__name__
    return NAMES.get(name) or name.removesuffix("Request").removesuffix("Response")


def definitions() -> dict[str, dict[str, Any]]:
    """Schemas by name."""
    found = table.definitions()
    for move in members("Move", found):
        # The interface takes no other names.
        move["properties"]["decision"] |= {"minLength": 1, "maxLength": LONGEST_NAME, "pattern": NAME}
    return found | {
        "Notice": by_kind(NOTICES),
        "Delivery": by_kind(DELIVERIES),
        "Edit": by_kind(EDITS),
        "TournamentAction": by_kind(ACTIONS),
        "TournamentRuling": by_kind(RULINGS),
        "GameStreamData": data_of({"commit": "Event", "end": "StreamEnd", "bye": "GameStreamBye"}),
        "StudyStreamData": data_of(
            {"edit": "StudyEdit", "presence": "StudyPresence", "end": "StudyStreamEnd", "bye": "StudyStreamBye"}
        ),
        "StudyStreamLine": {
            "description": "An edit, or the members who are there.",
            "anyOf": [reference("StudyEdit"), reference("StudyPresence")],
        },
        "TournamentStreamData": data_of(
            {"commit": "TournamentCommit", "end": "TournamentStreamEnd", "bye": "TournamentStreamBye"}
        ),
        "ChatStreamData": data_of({"message": "Message", "bye": "ChatStreamBye"}),
        "InboxStreamData": data_of({"notice": "Notice", "bye": "InboxStreamBye"}),
    }


def by_kind(schemas: Mapping[type[Schema], Iterable[str]]) -> dict[str, Any]:
    return union("kind", [(kind, reference(name_of(schema))) for schema, kinds in schemas.items() for kind in kinds])


def data_of(events: Mapping[str, str]) -> dict[str, Any]:
    """The data of server-sent events; `x-events` says by the name of each event what its data are."""
    return {
        "description": "The data of an event, by its name: "
        + ", ".join(f"`{event}`: {name}" for event, name in events.items())
        + ".",
        "anyOf": [reference(name) for name in events.values()],
        "x-events": dict(events),
    }
