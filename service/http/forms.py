"""Forms of our own pages: small, of this site, and with the `csrf` of the session if there is one."""

from __future__ import annotations

from urllib.parse import parse_qsl

from events.errors import Declined
from rules.errors import Unreadable
from rules.texts import say
from service.http.context import Environ, environ
from service.http.origins import ForeignSite, is_foreign
from service.http.request_bodies import MOST_BYTES, TooLarge, declared_length, received

CONTENT_TYPE = "application/x-www-form-urlencoded"
FORM = "hidalgo.form"
MOST_FIELDS = 100

Form = dict[str, list[str]]


class NotAForm(Declined):
    code = "unsupported_media_type"


def own_form() -> Form:
    """The form of a page of ours."""
    if is_foreign(environ()):
        raise ForeignSite(say("this form was sent by another site"))
    return form()


def form() -> Form:
    """The fields of the form that was sent, wherever it comes from."""
    asked = environ()
    if FORM not in asked:
        asked[FORM] = parsed(asked)
    found: Form = asked[FORM]
    return found


def parsed(asked: Environ) -> Form:
    if asked.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() != CONTENT_TYPE:
        raise NotAForm(say("send a form, with Content-Type: {kind}", kind=CONTENT_TYPE))
    if declared_length(asked) > MOST_BYTES or len(body := received(asked)) > MOST_BYTES:
        raise TooLarge(say("a body has {most} bytes at most", most=MOST_BYTES))
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Unreadable(say("the form cannot be read")) from None
    fields: Form = {}
    for name, value in pairs:
        fields.setdefault(name, []).append(value)
    return fields


def field(name: str) -> str:
    """The value of a field of the form; empty if it was left out."""
    return form().get(name, [""])[-1]
