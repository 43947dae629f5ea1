"""The front page, and whether the service is well."""

from importlib.metadata import version

from flask import Blueprint, current_app, render_template

from events.errors import StoreAway

home = Blueprint("home", __name__, template_folder="templates", static_folder="static", static_url_path="/static")


@home.get("/")
def front_page():
    return render_template("home.html")


@home.get("/healthz")
def health():
    """This process answers."""
    return {"status": "ok", "version": version("hidalgo")}


@home.get("/readyz")
def readiness():
    """Moves can be made: the store answers."""
    store = current_app.extensions.get("store")
    if store is None:
        raise StoreAway("no store is configured: start with `hidalgo serve`, or set REDIS_URL")
    store.ping()
    return {"status": "ready"}
