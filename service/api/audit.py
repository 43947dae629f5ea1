"""The audit log, for administrators."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from flask import Blueprint, Response

from service.accounts.audit_log import PAUSE, AuditEntry
from service.api.context import audit_log, game_service
from service.api.operation import Reply, operation
from service.api.schemas.audit import AuditPageResponse, AuditQuery
from service.http import authentication
from service.http.responses import json_response

blueprint = Blueprint("audit", __name__)

AN_ENTRY = {
    "id": "Yt3sB0Yc9xwV",
    "action": PAUSE,
    "by": "a_k3w9p2xak3w9p2xa",
    "handle": "el_cid",
    "about": "kT3sB0Yc9xwVQ2mH",
    "about_handle": "",
    "reason": "a dispute about the last move",
    "refused": "",
    "at": 1794835212480,
}


@blueprint.get("/audit")
@authentication.needs("admin")
@operation(Reply(200, AuditPageResponse, {"entries": [AN_ENTRY], "next": None}), query=AuditQuery)
def look(query: dict[str, Any]) -> Response:
    """The actions of staff, the newest first."""
    return json_response(msgspec.to_builtins(audit_log().page(query["limit"], query["before"])))


@contextmanager
def recorded(action: str, game: str, reason: str) -> Iterator[None]:
    """Around a command at a table: it is an action of staff if it is given by an administrator without a seat there."""
    identity = authentication.current()
    if "admin" not in identity.scopes or identity.account in game_service().games.load(game).seats.values():
        yield
        return
    with audit_log().recording(AuditEntry(action, identity.account, game, reason, identity.handle)):
        yield
