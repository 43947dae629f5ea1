"""Studies: make one, look at it, at its chapters, and at the positions in them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, url_for
from msgspec import Raw

from service.api.context import current_account, limited_account, optional_account, profiles, study_service
from service.api.operation import Body, Reply, operation
from service.api.schemas.studies import (
    CommentHtmlResponse,
    HistoryQuery,
    HistoryResponse,
    KeyQuery,
    MarkdownRequest,
    NewStudyRequest,
    PresenceRequest,
    StudiesQuery,
    StudyPageResponse,
    StudyResponse,
)
from service.http import authentication, study_requests
from service.http.authentication import needs
from service.http.idempotency import submission
from service.http.responses import conditional_response, encode, json_response
from service.studies import study_representations
from service.studies.access import StudyAccess
from service.studies.comments import comment_html
from service.studies.study_list import StudyFilter

blueprint = Blueprint("studies", __name__)

ME = "me"
NOBODY = "nobody"
"""An account that there never is."""

NEW_STUDY = {"title": "The veto before the scoring", "visibility": "private"}


@blueprint.post("/studies")
@needs("play")
@operation(Reply(201, StudyResponse), body=Body(NewStudyRequest, NEW_STUDY))
def create(body: dict[str, Any]) -> Response:
    """Begin a study, with a game as its first chapter if you name one. You own it."""
    account = current_account()
    fields = ("visibility", "game", "viewer", "chapter_title")
    access = study_requests.begin(
        account, body["title"], submission(account), **{field: body[field] for field in fields}
    )
    return json_response(
        shown(access), 201, version=access.version, location=url_for("studies.look", study=access.study.id)
    )


@blueprint.get("/studies/<study>")
@operation(Reply(200, StudyResponse), query=KeyQuery)
def look(query: dict[str, Any], study: str) -> Response:
    """A study: its members, its chapters, and what you may do in it."""
    access = seen(study, query["key"])
    body = encode(shown(access))
    return conditional_response(f"{access.version}.{sha256(body).hexdigest()[:16]}", lambda: Raw(body))


def seen(study: str, key: str) -> StudyAccess:
    return study_service().look(study, optional_account(), key)


def shown(access: StudyAccess) -> dict[str, Any]:
    link = f"/studies/{access.study.id}?key={study_service().link_key(access.study)}"
    return study_representations.study(access, profiles(), link, study_service().present(access))


@blueprint.get("/studies")
@operation(Reply(200, StudyPageResponse), query=StudiesQuery)
def find(query: dict[str, Any]) -> Response:
    """Studies that you may see, the newest first: public ones, your own, and those that you have joined."""
    account = optional_account()
    if query["query"]:
        count_search(account)
    found = study_service().find(study_filter(query, account), account)
    listed = study_representations.listed_studies(found.studies, profiles())
    return json_response({"studies": listed, "next": found.next, "is_complete": found.is_complete})


def count_search(account: str | None) -> None:
    """A search costs more than a list."""
    if account:
        authentication.limit("searches_of_an_account", account)
    authentication.limit("searches_from_an_address")


def study_filter(query: Mapping[str, Any], account: str | None) -> StudyFilter:
    people = {name: account_named(query[name], account) for name in ("owner", "member")}
    return StudyFilter(query["query"], **people, game=query["game"], limit=query["limit"], cursor=query["cursor"])


def account_named(name: str, account: str | None) -> str:
    """An account by its handle, or the one that asks. For a name that is nobody's, there is nothing to be found."""
    if not name:
        return ""
    if name == ME:
        return account or NOBODY
    found = authentication.accounts().account_named(name)
    return found.id if found else NOBODY


@blueprint.delete("/studies/<study>")
@needs("play")
@operation(Reply(204))
def delete(study: str) -> Response:
    """Delete a study with all that is in it. For its owner."""
    study_service().delete(study, limited_account("edits"))
    return Response(status=204)


@blueprint.get("/studies/<study>/history")
@operation(Reply(200, HistoryResponse), query=HistoryQuery)
def history(query: dict[str, Any], study: str) -> Response:
    """Everything that was changed in a study, the newest first."""
    access = seen(study, query["key"])
    commits = study_service().history(access, query["before"], query["limit"])
    more = commits[-1].version if commits and commits[-1].version > 1 else None
    return json_response({"edits": study_representations.edits(access, commits, profiles()), "next": more})


@blueprint.post("/studies/<study>/presence")
@needs("play")
@operation(Reply(204), query=KeyQuery, body=Body(PresenceRequest, {"chapter": "k1", "node": "214"}, required=False))
def be_present(query: dict[str, Any], body: dict[str, Any], study: str) -> Response:
    """Tell the other members that you have the study open, and where. It counts for 25 seconds."""
    access = study_service().look(study, limited_account("presence"), query["key"])
    study_service().enter(access, body["chapter"], body["node"], is_writing=body["is_writing"])
    return Response(status=204)


@blueprint.post("/studies/markdown")
@needs("read")
@operation(Reply(200, CommentHtmlResponse), body=Body(MarkdownRequest, {"text": "Takes the *sting* out of it."}))
def markdown(body: dict[str, Any]) -> Response:
    """What a comment would look like."""
    return json_response({"html": comment_html(body["text"])})
