"""Refusals as pages for people: programs, and everything below `/api`, get problems (`service.http.problems`).

Nothing is asked of the store here: its trouble may be what the page tells of.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import NamedTuple

from flask import Flask, Response, current_app, json, request, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from rules.errors import Refused
from rules.texts import Text, say
from service.http import problems
from service.http.headers import FOR_PROGRAMS
from service.web.forms import go_to, with_next
from service.web.navigation import NAVIGATION
from service.web.pages import page_for
from service.web.visitors import known_visitor

HTML = "text/html"
MEASURED = ("/healthz", "/readyz", "/metrics")


LIKENESS = 0.6
"""From 0, nothing in common, to 1, the same."""


class Headline(NamedTuple):
    eyebrow: Text
    title: Text


HEADLINES = {
    403: Headline(say("Not allowed"), say("This is not yours to do.")),
    404: Headline(say("Not found"), say("There is nothing here.")),
    405: Headline(say("Not this way"), say("This address only takes forms.")),
    413: Headline(say("Too large"), say("That is too much at once.")),
    429: Headline(say("Too often"), say("That was tried too often.")),
    500: Headline(say("Our fault"), say("Something broke on our side.")),
    503: Headline(say("Away"), say("The service cannot answer just now.")),
}
OTHER = Headline(say("Refused"), say("This was not understood."))
STORE = Headline(say("Away"), say("The store does not answer."))
AWAY = ("store_away", "store_not_started")
"""Codes of trouble in which no page that asks the store can be shown."""
STORE_LEAD = say("Moves cannot be stored just now, and no page about games can be shown.")


class Way(NamedTuple):
    """A way on from an error."""

    address: str
    icon: str
    label: Text


def register(app: Flask) -> None:
    app.register_error_handler(HTTPException, http_error)
    app.register_error_handler(Refused, refusal)


def http_error(error: HTTPException) -> AnyResponse:
    return negotiated(problems.http_problem(error))


def refusal(error: Refused) -> AnyResponse:
    return negotiated(problems.refusal(error))


def negotiated(problem: AnyResponse) -> AnyResponse:
    """The problem, or a page for a browser."""
    if not is_for_people():
        return problem
    if problem.status_code == 401 and request.method in ("GET", "HEAD"):
        return go_to(with_next("/sign-in", request.full_path.rstrip("?")))
    return error_page(problem)


def is_for_people() -> bool:
    """Whether a browser shows the answer to people: they prefer HTML to JSON, and programs do not."""
    return not request.path.startswith((*FOR_PROGRAMS, *MEASURED)) and prefers_html()


def prefers_html() -> bool:
    offered = ["application/json", problems.PROBLEM, HTML]
    return request.accept_mimetypes.best_match(offered, "application/json") == HTML


def nearest_page() -> str:
    """The address of ours that is most like the one that was asked for; empty if none is."""
    rules = current_app.url_map.iter_rules()
    known = {rule.rule for rule in rules if not rule.arguments and "GET" in (rule.methods or ())}
    pages = [path for path in known if not path.startswith((*FOR_PROGRAMS, *MEASURED, "/.", "/oauth"))]
    return next(iter(get_close_matches(request.path.lower(), pages, 1, LIKENESS)), "")


def page_above() -> str:
    """The page that a form stands on, whose address was opened; empty if none is above it."""
    addresses, path = current_app.url_map.bind("hidalgo"), request.path
    while path := path.rpartition("/")[0]:
        if addresses.test(path, "GET"):
            return path
    return ""


NEAREST = {404: nearest_page, 405: page_above}
"""Where to go instead, by what is wrong."""


def ways() -> list[Way]:
    pages = [Way(url_for(entry.endpoint), entry.icon, entry.label) for entry in NAVIGATION]
    return [*pages, Way(url_for("docs.contents"), "help", say("Documentation"))]


def ways_without_store() -> list[Way]:
    """Pages that are there all the same."""
    return [
        Way(url_for("docs.read", name="rules"), "board", say("Read the rules")),
        Way(url_for("docs.read", name="rulings"), "check", say("Read the rulings")),
        Way(url_for("docs.contents"), "help", say("Documentation")),
    ]


def error_page(problem: AnyResponse) -> Response:
    about = json.loads(problem.get_data())
    status, code = problem.status_code, about["code"]
    headline = STORE if code.startswith("store_") else HEADLINES.get(status, OTHER)
    response = page_for(
        known_visitor(),
        "error.html",
        status,
        headline=headline,
        about=about,
        lead=STORE_LEAD if code in AWAY else sentence(about["detail"]),
        ways=ways_without_store() if code in AWAY else ways(),
        is_away=code in AWAY,
        nearest=NEAREST.get(status, str)(),
        retry=problem.headers.get("Retry-After"),
        countdown=say("Next try in {seconds} s", seconds="{seconds}"),
        tried=say("tries so far: {count}", count="{count}"),
        since=say("Away since {time}", time="{time}"),
    )
    kept = ("Allow", "Retry-After", "WWW-Authenticate")
    response.headers.update({name: problem.headers[name] for name in kept if name in problem.headers})
    response.headers["Cache-Control"] = "no-store"
    response.vary.add("Accept")
    return response


def sentence(detail: str) -> str:
    """
    >>> sentence("there is nothing at /x"), sentence("Not now.")
    ('There is nothing at /x.', 'Not now.')
    """
    return detail[:1].upper() + detail[1:] + ("" if detail.endswith((".", "!", "?")) else ".")
