"""Style sheets, scripts, fonts and images of our pages, also for pages of other sites."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from service.web.bundles import bundle
from service.web.files import FILES, content, sent

files = Blueprint("files", __name__)


@files.get("/static/<path:name>")
def file(name: str) -> Response:
    """A file as it was written; other sites may use those modules that they like."""
    return sent_to_all(name, content(known(name)))


@files.get("/assets/<version>/<path:name>")
def versioned(version: str, name: str) -> Response:
    """A file under the version of all files: a browser need not ask again. A script brings all that it imports."""
    file = known(name)
    return sent_to_all(name, bundle(name) if file.suffix == ".js" else content(file), version)


def known(name: str) -> Path:
    if name not in FILES:
        raise NotFound
    return FILES[name]


def sent_to_all(name: str, body: bytes, version: str = "") -> Response:
    response = sent(body, known(name).suffix, version)
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
