"""Pages, rendered in the language of the request.

A template says its sentences as the code does: `{{ say("Open games") }}`. The sentences of a script are given to it by
its page, as data.
"""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, render_template

from rules.texts import Text, say, say_many
from service.language import current, rendered


def register(app: Flask) -> None:
    app.jinja_env.globals |= {"say": say, "say_many": say_many, "language": lambda: current().tag}
    app.jinja_env.finalize = shown


def shown(value: Any) -> Any:
    """A value of a template as it goes into the page."""
    return rendered(value) if isinstance(value, Text) else value


def page(template: str) -> Response:
    response = Response(render_template(template))
    response.vary.add("Accept-Language")
    return response
