"""The front page, and whether the service is well."""

from importlib.metadata import version
from pathlib import Path

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from service.http.context import application, services
from service.web.files import sent
from service.web.pages import page

home = Blueprint("home", __name__, template_folder="templates")

FILES = {file.name: file for file in (Path(__file__).parent / "static").iterdir()}


@home.get("/")
def front_page() -> Response:
    return page("home.html")


@home.get("/static/<name>")
def file(name: str) -> Response:
    """A style sheet, script or image of our pages."""
    if name not in FILES:
        raise NotFound
    return sent(FILES[name])


@home.get("/healthz")
def health():
    """This process answers. It names the store's trouble, which starting this process anew does not mend."""
    trouble = application().wired and application().services.heartbeat.trouble
    return {"status": "ok", "version": version("hidalgo"), "store": trouble.code if trouble else "ok"}


@home.get("/readyz")
def readiness():
    """Moves can be made: the store answers and takes writes."""
    services().store.ping()
    services().heartbeat.beat()
    return {"status": "ready"}
