"""The mail of an account: `docs/mail.md` explains it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from service.api.context import current_account
from service.api.operation import Body, Reply, operation
from service.api.schemas.fields import NO_FIELDS
from service.api.schemas.mail import MailChoicesRequest, MailConfirmationRequest, MailResponse
from service.http import authentication, mail_requests
from service.http.mail_requests import mail
from service.http.responses import json_response, no_store

blueprint = Blueprint("mail", __name__)
blueprint.after_request(no_store)

CHOSEN = {"address": "ana@mail.example", "choices": ["turn", "reminder"], "digest": "soon"}


@blueprint.get("/me/mail")
@authentication.needs("account")
@operation(Reply(200, MailResponse))
def look() -> Response:
    """Your mail address and choices, and letters that have not arrived."""
    return shown()


@blueprint.put("/me/mail")
@authentication.needs("account")
@operation(Reply(200, MailResponse), body=Body(MailChoicesRequest, CHOSEN))
def change(body: dict[str, Any]) -> Response:
    """Choose which notices are mailed, and where.

    A new address gets a letter with a code, and nothing else until it is confirmed.
    """
    mail_requests.change(authentication.current(), body)
    return shown()


@blueprint.post("/me/mail/confirmation")
@authentication.needs("account")
@operation(Reply(200, MailResponse), body=Body(MailConfirmationRequest, {"code": "q3XkP0aBq3XkP0aBq3XkP0aB"}))
def confirm(body: dict[str, str]) -> Response:
    """Confirm your address with the code of the letter that went there."""
    mail_requests.confirm(current_account(), body["code"])
    return shown()


@blueprint.post("/me/mail/retry")
@authentication.needs("account")
@operation(Reply(200, MailResponse), body=NO_FIELDS)
def retry(_: dict[str, Any]) -> Response:
    """Write the letters that were parked anew, without what was answered since."""
    mail_requests.retry(current_account())
    return shown()


@blueprint.delete("/me/mail")
@authentication.needs("account")
@operation(Reply(204))
def forget() -> None:
    """Forget your address and choices, and all letters that wait."""
    mail().forget(current_account())


def shown() -> Response:
    return json_response(mail().look(current_account()))
