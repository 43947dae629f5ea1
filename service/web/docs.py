"""The description of the interface, to read and to try: Swagger UI from our own files."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from service.web.files import sent
from service.web.pages import page

docs = Blueprint("docs", __name__, template_folder="templates")

# Swagger UI writes styles into its elements; scripts come from files only.
POLICY = (
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
ASSETS = ("swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png")
BEGIN = """window.addEventListener("load", () => {
  SwaggerUIBundle({ url: "/api/v1/openapi.json", dom_id: "#description", deepLinking: true });
});
"""


@docs.get("/docs")
def description() -> Response:
    response = page("docs.html")
    response.headers["Content-Security-Policy"] = POLICY
    return response


@docs.get("/docs/begin.js")
def begin() -> Response:
    return Response(BEGIN, content_type="text/javascript; charset=utf-8")


@docs.get("/docs/<name>")
def asset(name: str) -> Response:
    if name not in ASSETS:
        raise NotFound
    return sent(assets() / name)


def assets() -> Path:
    with as_file(files("flask_swagger_ui") / "dist") as directory:
        return directory
