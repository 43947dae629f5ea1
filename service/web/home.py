"""The front page, and whether the service is well."""

from importlib.metadata import version

from flask import Blueprint, render_template

home = Blueprint("home", __name__, template_folder="templates")


@home.get("/")
def front_page():
    return render_template("home.html")


@home.get("/healthz")
def health():
    return {"status": "ok", "version": version("hidalgo")}
