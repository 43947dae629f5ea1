"""Mail on the account page: the address and its confirmation, the letters that are wanted, and those that failed."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response

from service.http import mail_requests
from service.http.forms import field, form
from service.http.mail_requests import mail
from service.http.responses import no_store
from service.notifications.mail.preferences import DAILY, SOON
from service.web.account import done, overview
from service.web.forms import form_of
from service.web.visitors import member

account_mail = Blueprint("account_mail", __name__)
account_mail.after_request(no_store)

shown = partial(overview, of="mail")


@account_mail.post("/account/mail")
@form_of(shown)
def change() -> Response:
    """The address is in the form at each change of a choice: one that was asked already gets no second letter."""
    identity, address = member(), field("address").strip()
    kept = mail().preferences.read(identity.account)
    is_new = address not in ("", kept.address, kept.pending)
    digest = DAILY if field("digest") == DAILY else SOON
    choices = {"choices": form().get("choices", []), "digest": digest}
    mail_requests.change(identity, {**choices, "address": "" if address == kept.pending else address})
    return done("letter" if is_new else "mail")


@account_mail.post("/account/mail/letter")
@form_of(shown)
def send_again() -> Response:
    """Another letter to the address that has not answered."""
    identity = member()
    kept = mail().preferences.read(identity.account)
    mail_requests.change(identity, {"address": kept.pending, "choices": kept.choices, "digest": kept.digest})
    return done("letter" if kept.pending else "mail")


@account_mail.post("/account/mail/confirmation")
@form_of(shown)
def confirm() -> Response:
    mail_requests.confirm(member().account, field("code").strip())
    return done("confirmed")


@account_mail.post("/account/mail/retry")
@form_of(shown)
def retry() -> Response:
    mail_requests.retry(member().account)
    return done("retried")


@account_mail.post("/account/mail/forget")
@form_of(shown)
def forget() -> Response:
    mail().forget(member().account)
    return done("forgotten")
