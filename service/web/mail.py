"""Pages for readers of letters: confirm an address, or get no more mail. The link alone is enough; nobody signs in.

Looking at the page changes nothing, so that a program that follows links does no harm; a button does. One click in a
mail program (RFC 8058) sends the same form.
"""

from __future__ import annotations

from flask import Blueprint, Response

from rules.texts import Text, say
from service.http.authentication import limit
from service.http.context import services
from service.web.pages import page

mail = Blueprint("letters", __name__, template_folder="templates")


@mail.after_request
def keep_private(response: Response) -> Response:
    """The link is a secret: no cache keeps the page, and no other site is told where it was."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


@mail.get("/mail/confirm/<token>")
def confirmation(token: str) -> Response:
    return page("letter.html", heading=say("Is this your address?"), button=say("Yes, send my mail here"))


@mail.post("/mail/confirm/<token>")
def confirm(token: str) -> Response:
    limit("mail_from_an_address")
    services().mail.confirm_by_link(token)
    return done(say("Your address is confirmed."))


@mail.get("/mail/unsubscribe/<token>")
def unsubscription(token: str) -> Response:
    return page("letter.html", heading=say("No more mail?"), button=say("Send me no more mail"))


@mail.post("/mail/unsubscribe/<token>")
def unsubscribe(token: str) -> Response:
    services().mail.unsubscribe(token)
    return done(say("You get no more mail from us."))


def done(heading: Text) -> Response:
    return page("letter.html", heading=heading, button=None)
