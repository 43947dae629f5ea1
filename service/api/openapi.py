"""The interface describes itself: OpenAPI 3.1, made from the views, their operations and their schemas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from http import HTTPStatus
from importlib.metadata import version
from inspect import getdoc
from typing import Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask, Response
from marshmallow import Schema

from service.api.openapi_shared import HEADERS, complete, shared_responses
from service.api.operation import Body, Operation, Reply
from service.api.schemas.problems import ProblemResponse
from service.http.authentication import SECURITY_SCHEMES
from service.http.responses import JSON, conditional_response

PUBLISHED_NAMES = {
    "EmptyRequest": "Nothing",
    "CalendarRequest": "CalendarWish",
    "TimeControlRequest": "TimeWish",
    "VacationRequest": "VacationWish",
    "SeatRequest": "SeatWish",
    "InvitationRequest": "InvitationWish",
    "TokenRequest": "TokenWish",
    "AccountDeletionRequest": "Farewell",
    "CreateWebhookRequest": "WebhookWish",
    "UpdateWebhookRequest": "WebhookChange",
    "WebhookWithSecretResponse": "NewWebhook",
    "WebhookTestResponse": "TestResult",
    "DeliveryResponse": "DeliveryTold",
}
"""Schemas that clients know by another name than ours without its ending."""

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}
PATH_PARAMETER = re.compile(r"<(\w+)>")


def register(app: Flask, tags: Mapping[str, str], prefix: str) -> None:
    """Serve the document of this application."""
    description = Description(app, tags)

    def openapi() -> Response:
        """This document."""
        return conditional_response(description.etag, lambda: description.text)

    app.add_url_rule(f"{prefix}/openapi.json", "description.openapi", openapi)


class Description:
    """The document of an application, made when first asked for. `tags` are its blueprints, each with a sentence."""

    def __init__(self, app: Flask, tags: Mapping[str, str]) -> None:
        self._app = app
        self._tags = tags

    @cached_property
    def text(self) -> Any:
        spec = empty_document(self._tags)
        for rule in self._app.url_map.iter_rules():
            view = self._app.view_functions[rule.endpoint]
            if hasattr(view, "operation"):
                [method] = (rule.methods or set()) & METHODS
                add(spec, method.lower(), rule.rule, view, tag=rule.endpoint.partition(".")[0])
        document = spec.to_dict()
        document["components"]["responses"] = shared_responses()
        return msgspec.Raw(msgspec.json.encode(document))

    @cached_property
    def etag(self) -> str:
        return sha256(bytes(self.text)).hexdigest()[:16]


def empty_document(tags: Mapping[str, str]) -> APISpec:
    info = {"description": "El Grande, as a service."}
    spec = APISpec("Hidalgo", version("hidalgo"), "3.1.0", [MarshmallowPlugin(published_name)], info=info)
    for name, description in tags.items():
        spec.tag({"name": name, "description": description})
    for name, scheme in SECURITY_SCHEMES.items():
        spec.components.security_scheme(name, scheme)
    spec.components.schema("Problem", schema=ProblemResponse)
    for name, header in HEADERS.items():
        spec.components.parameter(name, "header", header)
    return spec


def published_name(schema: type[Schema] | Schema) -> str:
    """The name of a schema in the document, which clients may have made code from: it never changes.

    >>> published_name(ProblemResponse)
    'Problem'
    """
    name = (schema if isinstance(schema, type) else type(schema)).__name__
    return PUBLISHED_NAMES.get(name) or name.removesuffix("Request").removesuffix("Response")


def add(spec: APISpec, method: str, rule: str, view: Any, tag: str) -> None:
    """A view in the document."""
    path = PATH_PARAMETER.sub(r"{\1}", rule)
    operation = described(view, tag)
    complete(path, method, operation)
    spec.path(path, operations={method: operation}, parameters=path_parameters(rule))


def path_parameters(rule: str) -> list[dict[str, Any]]:
    schema = {"type": "string", "minLength": 1}
    return [{"in": "path", "name": name, "required": True, "schema": schema} for name in PATH_PARAMETER.findall(rule)]


def described(view: Any, tag: str) -> dict[str, Any]:
    operation: Operation = view.operation
    summary, _, description = (getdoc(view) or "").partition("\n\n")
    locations = {"header": operation.headers, "query": operation.query}
    parts = {
        "parameters": [{"in": location, "schema": schema} for location, schema in locations.items() if schema],
        "responses": responses(operation.replies),
        "requestBody": operation.body and request_body(operation.body),
        "summary": summary,
        "description": description,
        "tags": [tag],
        "security": getattr(view, "security", None),
    }
    return {name: part for name, part in parts.items() if part}


def request_body(body: Body) -> dict[str, Any]:
    return {"required": body.required, "content": {JSON: {"schema": body.schema, "example": body.example}}}


def responses(replies: Sequence[Reply]) -> dict[str, Any]:
    """Replies of one status are one response, with several kinds of content."""
    found: dict[str, Any] = {}
    for reply in sorted(replies, key=lambda reply: reply.status):
        response = found.setdefault(str(reply.status), {})
        response["description"] = reply.description or HTTPStatus(reply.status).phrase
        if reply.schema:
            example = {} if reply.example is None else {"example": reply.example}
            response.setdefault("content", {})[reply.content_type] = {"schema": reply.schema, **example}
    return found
