"""Sign in, sign up, come in as a guest, sign out."""

from __future__ import annotations

from itertools import islice

from flask import Blueprint, Response, request, url_for

from rules.errors import Refused
from rules.texts import Text, say
from service.accounts.errors import HandleTaken
from service.accounts.handles import check_handle
from service.http import account_requests
from service.http.authentication import accounts, drop_session, given_session, keep_session, limit
from service.http.forms import field
from service.http.responses import json_response, no_store
from service.language import rendered
from service.web.forms import form_of, go_to, own_path
from service.web.pages import page
from service.web.visitors import visitor

blueprint = Blueprint("sign_in", __name__, template_folder="templates")

FREE, TAKEN, UNFIT = "free", "taken", "unfit"
LONGEST_NAME, NEAR = 20, 3
ENDINGS = ("_2", "_3", "-el-grande", "_4", "_5", "_6", "_7", "_8", "_9")
"""Of names that are offered instead of one that is taken."""
BLANK = "{name}"
"""Stands in a sentence where a script puts the name that is written."""


def following() -> str:
    """The page that the visitor wanted before coming to this door."""
    return own_path(field("next") if request.method == "POST" else request.args.get("next", ""))


def frame(template: str, refusal: Refused | None = None) -> Response:
    handle = field("handle") if request.method == "POST" else ""
    near = free_names_like(handle) if isinstance(refusal, HandleTaken) else []
    return page(template, refusal=refusal, handle=handle, near=near, following=following(), blank=BLANK)


@blueprint.get("/sign-in")
def sign_in() -> Response:
    return frame("sign-in.html")


@blueprint.post("/sign-in")
@form_of(lambda refusal: frame("sign-in.html", refusal))
def enter() -> Response:
    session = account_requests.sign_in(field("handle"), field("password"))
    return keep_session(go_to(following()), session.secret)


@blueprint.get("/sign-up")
def sign_up() -> Response:
    return frame("sign-up.html")


@blueprint.get("/sign-up/name")
def name() -> Response:
    """Whether a name can be had; if it is taken, a few like it. Names stand at every table, so this is no secret."""
    limit("reads_from_an_address")
    handle = request.args.get("handle", "")
    state, text = state_of(handle)
    near = free_names_like(handle) if state == TAKEN else []
    return no_store(json_response({"state": state, "text": rendered(text), "near": near}))


def state_of(handle: str) -> tuple[str, Text]:
    try:
        check_handle(handle)
    except Refused as refusal:
        return UNFIT, refusal.text
    if accounts().is_free(handle):
        return FREE, say("{name} is free", name=handle)
    return TAKEN, say("{name} is taken. Free:", name=handle)


def free_names_like(handle: str) -> list[str]:
    """A few that nobody has, in the order of the list."""
    likely = [handle[: LONGEST_NAME - len(ending)] + ending for ending in ENDINGS]
    return list(islice((name for name in likely if accounts().is_free(name)), NEAR))


@blueprint.post("/sign-up")
@form_of(lambda refusal: frame("sign-up.html", refusal))
def register() -> Response:
    """A guest keeps everything, and gets a handle and a password; all others get a new account."""
    known, handle, password = visitor(), field("handle"), field("password")
    if known and known.role == "guest":
        account_requests.upgrade(known.account, handle, password)
        return go_to(following())
    account_requests.register(handle, password)
    session = account_requests.sign_in(handle, password)
    return keep_session(go_to(following()), session.secret)


@blueprint.post("/guest")
@form_of(lambda refusal: frame("sign-in.html", refusal))
def come_in() -> Response:
    """As a guest; a visitor who is signed in already stays who they are."""
    if visitor():
        return go_to(following())
    session = accounts().sessions.open(account_requests.make_guest().id)
    return keep_session(go_to(following()), session.secret)


@blueprint.post("/sign-out")
@form_of(lambda refusal: frame("sign-in.html", refusal))
def sign_out() -> Response:
    if visitor():
        accounts().sessions.sign_out(given_session())
    return drop_session(go_to(url_for("home.front_page")))
