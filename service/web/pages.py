"""Pages, rendered in the language of the request.

A template says its sentences as the code does: `{{ say("Watch a game") }}`. The sentences of a script are given to it
by its page, as data.
"""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, render_template, url_for
from markupsafe import Markup

from rules.texts import Text, say, say_many
from service.accounts import Identity
from service.language import current, rendered
from service.web import visitors
from service.web.files import static_version
from service.web.navigation import FOOT, FOR_STAFF, NAVIGATION, Entry
from service.web.scenery import scenery
from service.web.times import day, minute, moment
from service.web.unread import unread


def register(app: Flask) -> None:
    app.jinja_env.globals |= {
        "say": say,
        "say_many": say_many,
        "language": lambda: current().tag,
        "asset": asset,
        "scenery": scenery,
        "module": module,
        "day": day,
        "moment": moment,
        "minute": minute,
        "navigation_for": navigation_for,
        "foot": FOOT,
    }
    app.jinja_env.finalize = shown
    # What scripts are given is what the interface answers, in its order: fields of a question are asked for in theirs,
    # and a question that is read again is known by its text.
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": False}


def navigation_for(visitor: Identity | None) -> tuple[Entry, ...]:
    return (*NAVIGATION, *FOR_STAFF) if visitor and "admin" in visitor.scopes else NAVIGATION


def shown(value: Any) -> Any:
    """A value of a template as it goes into the page."""
    return rendered(value) if isinstance(value, Text) else value


def asset(name: str) -> str:
    """The address of a static file, which is another after every change."""
    return url_for("files.versioned", version=static_version(), name=name)


def module(name: str) -> Markup:
    """A script, with all that it imports."""
    return Markup('\n  <script type="module" src="{}"></script>\n').format(asset(name))


def page(template: str, status: int = 200, **values: Any) -> Response:
    """A page for the visitor."""
    visitor = visitors.visitor()
    return page_for(visitor, template, status, **({"unread": unread(visitor)} | values))


def page_for(visitor: Any, template: str, status: int = 200, **values: Any) -> Response:
    text = render_template(template, visitor=visitor, csrf=visitors.csrf(), **values)
    response = Response(text, status, {"Cache-Control": "private, no-cache"})
    response.vary.update(("Accept-Language", "Cookie"))
    return response
