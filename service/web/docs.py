"""The documentation: the interface for programs (`/docs`), and the pages of `docs/` beside it."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, render_template
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from service.language import current
from service.web import documents
from service.web.files import content, sent
from service.web.pages import page
from service.web.reference import Reference

docs = Blueprint("docs", __name__, template_folder="templates")


@docs.get("/docs")
def description() -> Response:
    """All operations of the interface, to read and to try."""
    return page("docs.html", groups=documents.contents(), here="", reference=reference())


def reference() -> Markup:
    """Made from the OpenAPI document, once for each language: it is long."""
    made: dict[str, Markup] = current_app.extensions.setdefault("reference", {})
    language = current().tag
    if language not in made:
        known = Reference(current_app.extensions["openapi"].document)
        made[language] = Markup(render_template("reference.html", tags=known.tags, schemas=known.schemas))
    return made[language]


@docs.get("/docs/contents")
def contents() -> Response:
    """All pages, by reader."""
    return document(documents.CONTENTS)


@docs.get("/docs/<name>")
def read(name: str) -> Response:
    """A page, or a file beside the pages."""
    if name in documents.files():
        return file(name)
    if name not in documents.names() - {documents.CONTENTS}:
        raise NotFound
    return document(name)


def document(name: str) -> Response:
    return page("document.html", groups=documents.contents(), here=name, document=documents.document(name))


def file(name: str) -> Response:
    path = documents.files()[name]
    response = sent(content(path), path.suffix)
    response.headers["Content-Type"] = documents.FILES[path.suffix]
    return response
