"""For administrators: what people complain of and what can be done about it, and the audit log."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from flask import Blueprint, Response, request, url_for

from rules.errors import Refused, Unreadable
from rules.texts import Text, say
from service.accounts import Identity
from service.accounts.audit_log import (
    DISMISS_COMPLAINT,
    GRANT_ADMIN,
    LIFT_SILENCE,
    LONGEST_REASON,
    PAUSE,
    REMOVE_GUESTS,
    REMOVE_MESSAGE,
    RESET_PASSWORD,
    RESUME,
    REVOKE_ADMIN,
    SILENCE,
    AuditEntry,
)
from service.chat.complaints import ALL, DISMISSED, OPEN, REMOVED, SILENCED, Complaint
from service.chat.moderation import DISMISS, REMOVE, Act, Moderation, Staff
from service.chat.rooms import PLAYERS, SPECTATORS
from service.http.authentication import check_scope
from service.http.context import services
from service.http.forms import field
from service.http.responses import no_store
from service.text_patterns import is_written
from service.web.addresses import table_address
from service.web.forms import form_of, go_to
from service.web.pages import page
from service.web.visitors import member

staff = Blueprint("staff_page", __name__, template_folder="templates")
staff.after_request(no_store)

A_PAGE, A_PAGE_OF_THE_LOG = 50, 100

DAYS: dict[str, Text] = {
    "": say("not silenced"),
    "1": say("for a day"),
    "7": say("for 7 days"),
    "30": say("for 30 days"),
    "good": say("for good"),
}
"""How long the author of a message may be silenced, as the form says it."""

OUTCOMES: dict[str, Text] = {
    REMOVED: say("removed"),
    SILENCED: say("author silenced"),
    DISMISSED: say("dismissed"),
}
ROOM_NAMES: dict[str, Text] = {PLAYERS: say("Players"), SPECTATORS: say("Spectators")}

DEEDS: dict[str, Text] = {
    GRANT_ADMIN: say("makes an administrator"),
    REVOKE_ADMIN: say("takes the role of an administrator away"),
    RESET_PASSWORD: say("resets a password"),
    REMOVE_GUESTS: say("removes guests"),
    PAUSE: say("pauses"),
    RESUME: say("resumes"),
    REMOVE_MESSAGE: say("removes a message"),
    SILENCE: say("silences an account"),
    LIFT_SILENCE: say("lifts a silence"),
    DISMISS_COMPLAINT: say("dismisses complaints"),
    "adjudicate": say("adjudicates"),
    "replay": say("has a game replayed"),
    "rewind": say("rewinds a game"),
    "adjust": say("adjusts a score"),
    "penalise": say("penalises"),
    "substitute": say("substitutes a player"),
    "reverse": say("takes a ruling back"),
}
"""The actions in the audit log, in words."""


AT_A_TABLE = (PAUSE, RESUME, REMOVE_MESSAGE, DISMISS_COMPLAINT)


def administrator() -> Identity:
    identity = member()
    check_scope(identity, "admin")
    return identity


def moderation() -> Moderation:
    return services().moderation


# Complaints


@staff.get("/staff/complaints")
def complaints(refusal: Refused | None = None) -> Response:
    """One card for each message that is complained of, the newest complaint first."""
    administrator()
    state = ALL if request.args.get("show") == ALL else OPEN
    found = moderation().complaints.page(A_PAGE, place(), state)
    ordered = sorted(found.complaints, key=lambda each: (newest(found.complaints, each), each.place), reverse=True)
    return page(
        "complaints.html",
        cases=[case(list(group)) for _, group in groupby(ordered, key=lambda each: each.place)],
        state=state,
        older=url_for("staff_page.complaints", show=state, before=found.next) if found.next else "",
        refusal=refusal,
        typed=typed(),
        days=DAYS,
        longest=LONGEST_REASON,
    )


def typed() -> dict[str, str]:
    """The form as it was sent: after a refusal nothing must be typed again."""
    if request.method != "POST":
        return {"act": ""}
    act, _, complaint = field("act").partition(":")
    return {"act": act, "id": complaint} | {name: field(name) for name in ("remove", "silence", "reason")}


def newest(found: list[Complaint], one: Complaint) -> int:
    return max(each.at for each in found if each.place == one.place)


def case(group: list[Complaint]) -> dict[str, Any]:
    """A message, everything that is complained of it, and the words around it."""
    first, *_ = shown = moderation().shown(group)
    return first | {
        "complaints": shown,
        "around": moderation().around(group[0]),
        "room_name": ROOM_NAMES[first["room"]],
        "table": table_address(first["game"]),
        "outcome_name": OUTCOMES.get(first["outcome"], ""),
    }


def shown_again(refusal: Refused) -> Response:
    return complaints(refusal)


@staff.post("/staff/complaints")
@form_of(shown_again)
def act() -> Response:
    """Decide about a message, dismiss what is complained of it, or let its author write again."""
    identity = administrator()
    kind, _, complaint = field("act").partition(":")
    reason = " ".join(field("reason").split())
    if len(reason) > LONGEST_REASON or not is_written(reason):
        raise Unreadable(say("a reason is a line of up to {longest} characters", longest=LONGEST_REASON))
    moderation().act(complaint, asked_for(kind, reason), Staff(identity.account, identity.handle))
    return go_to(url_for("staff_page.complaints"))


def asked_for(kind: str, reason: str) -> Act:
    if kind in ("dismiss", "lift"):
        return Act([DISMISS if kind == "dismiss" else LIFT_SILENCE], reason)
    days = field("silence")
    if days not in DAYS:
        raise Unreadable(say("choose for how long"))
    acts = [*([REMOVE] if field("remove") else []), *([SILENCE] if days else [])]
    return Act(acts, reason, int(days) if days.isdigit() else None)


# The audit log


@staff.get("/staff/audit")
def audit() -> Response:
    administrator()
    found = services().audit_log.page(A_PAGE_OF_THE_LOG, place())
    return page(
        "audit.html",
        here="audit",
        entries=found.entries,
        deeds=DEEDS,
        table_of=table_of,
        older=url_for("staff_page.audit", before=found.next) if found.next else "",
    )


def table_of(entry: AuditEntry) -> str:
    """The page of the table that an entry is about, perhaps with one of its messages."""
    return table_address(entry.about.partition("/")[0]) if entry.action in AT_A_TABLE else ""


def place() -> int | None:
    """Where the page begins, from its address."""
    before = request.args.get("before", "")
    return int(before) if before.isascii() and before.isdigit() and len(before) < 12 else None
