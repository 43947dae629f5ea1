"""Studies as files: export and import."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, url_for

from service.api.context import limited_account, profiles
from service.api.operation import Body, Reply, operation
from service.api.schemas.studies import (
    ExportQuery,
    ImportRequest,
    StudyFileResponse,
    StudyResponse,
)
from service.api.studies import seen, shown
from service.http.authentication import needs
from service.http.chunked import chunked_response
from service.http.context import services
from service.http.idempotency import submission
from service.http.responses import json_response
from service.studies import study_files
from service.studies.study_files import TEXT

blueprint = Blueprint("study_files", __name__)

A_FILE = {"format": "json", "document": '{"format":"hidalgo-study","schema":1,"title":"Vetoes"}'}


@blueprint.get("/studies/<study>/export")
@operation(
    Reply(200, StudyFileResponse),
    Reply(200, content_type=TEXT, description="With `format=text`: the same, to be read and compared line by line."),
    query=ExportQuery,
)
def export(query: dict[str, Any], study: str) -> Response:
    """A file with everything that you may read in a study; it can be imported again."""
    access = seen(study, query["key"])
    content, content_type, name = study_files.FORMATS[query["format"]]
    file = study_files.file_of(access, profiles())
    response = chunked_response(content(file), content_type)
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response


@blueprint.post("/studies/import")
@needs("play")
@operation(Reply(201, StudyResponse), body=Body(ImportRequest, A_FILE))
def import_file(body: dict[str, Any]) -> Response:
    """Make a study of a file. What was tried in it is played by the rules again, or refused."""
    account = limited_account("studies")
    services().reserve.check()
    access = services().study_imports.imported(
        account, body["format"], body["document"], body["visibility"], submission(account)
    )
    return json_response(
        shown(access), 201, version=access.version, location=url_for("studies.look", study=access.study.id)
    )
