"""The form of a ruling: looked at first, then made; and the one that takes a ruling back."""

from __future__ import annotations

from flask import Response

from events.submission import Submission
from rules.errors import Refused, Unreadable
from rules.texts import say
from service.http.authentication import limit_account
from service.http.context import services
from service.http.forms import field
from service.tournaments.actions import command
from service.web.forms import form_of, go_to
from service.web.tournaments import desk
from service.web.tournaments.acts import frame_of_form
from service.web.tournaments.blueprint import pages
from service.web.tournaments.desk import asked_table
from service.web.tournaments.ruling_draft import read_ruling


def shown_again(refusal: Refused) -> Response:
    return desk.shown(desk.for_staff(frame_of_form()), refusal, field)


@pages.post("/tournaments/<tournament>/desk")
@form_of(shown_again)
def rule(tournament: str) -> Response:
    """Look at a ruling, or make it."""
    frame = desk.for_staff(frame_of_form())
    account = frame.account or ""
    limit_account("actions", account)
    if field("act") == "reverse":
        fields = {"ruling": field("ruling")[:40], "reason": field("reason").replace("\r\n", "\n").strip()}
        given = command(services().tournament_service, frame.tournament, account, "reverse", fields)
    elif field("act") == "rule":
        paired, table = asked_table(frame, field)
        draft = read_ruling(frame, paired, table, field)
        if not draft.reason:
            raise Unreadable(say("a ruling needs a reason"))
        given = draft.command(frame)
    else:
        return desk.shown(frame, None, field)
    services().tournament_service.submit(tournament, given, Submission(account))
    return go_to(f"{frame.address('desk')}#rulings")
