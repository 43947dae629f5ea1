"""The interface describes itself: OpenAPI 3.1, made from the views, their operations and their schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from http import HTTPStatus
from inspect import getdoc
from typing import Any

import msgspec
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask, Response
from marshmallow import Schema
from marshmallow.fields import Dict, Field

from rules.shapes import reference
from service.api import components, deprecations
from service.api.json_schemas import json_schema, listed
from service.api.openapi_requests import request_bodies
from service.api.openapi_shared import HEADERS, PATH_PARAMETER, complete, shared_responses, template
from service.api.openapi_webhooks import webhooks
from service.api.operation import Body, Operation, Reply, operation
from service.api.schemas.description import DocumentResponse, SchemaListResponse
from service.api.schemas.fields import Component
from service.api.schemas.problems import ProblemResponse
from service.http.authentication import SECURITY_SCHEMES
from service.http.responses import JSON, conditional_response

VERSION = "1.0.0"
"""The version of the interface. A breaking change (`service.cli.breaking_changes`) must raise its first number, before
1.0 its second; others may raise what comes after."""

RELEASED: dict[str, str] = {"1.0.0": "742165c34990f4a17cbbdafdedb71edf22688cc362d71ec4faff16f163c0113d"}
"""The versions that clients were made for: each has its description in `docs/released/`, with this digest."""

SERVERS = [{"url": "/", "description": "This service: paths begin at its root."}]
ACCOUNTS: list[dict[str, list[str]]] = [{"token": []}, {"session": []}]
"""A request needs one of these, unless its operation says otherwise."""

TAG = "description"

CONTENTS = "/docs/contents"
"""All pages of the documentation. `externalDocs` would need a whole address, which a kept description cannot have."""

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"}


def register(app: Flask, tags: Mapping[str, str], prefix: str) -> None:
    """Serve the document of this application, and each schema in it by itself."""
    description = Description(app, {**tags, TAG: "The interface, as it describes itself."})
    app.extensions["openapi"] = description

    @operation(Reply(200, DocumentResponse))
    def openapi() -> Response:
        """This document."""
        return conditional_response(description.etag, lambda: description.text)

    @operation(Reply(200, SchemaListResponse))
    def schemas() -> Response:
        """The JSON Schemas (2020-12) of everything that clients receive."""
        return conditional_response(description.etag, lambda: {"schemas": listed(description.document)})

    @operation(Reply(200, DocumentResponse))
    def schema(schema: str) -> Response:
        """One of the schemas, complete in itself."""
        return conditional_response(description.etag, lambda: json_schema(description.document, schema))

    for path, view in {"openapi.json": openapi, "schemas": schemas, "schemas/<schema>": schema}.items():
        app.add_url_rule(f"{prefix}/{path}", f"{TAG}.{view.__name__}", view)


class Description:
    """The document of an application, made when first asked for. `tags` are its blueprints, each with a sentence."""

    def __init__(self, app: Flask, tags: Mapping[str, str]) -> None:
        self._app = app
        self._tags = tags

    @cached_property
    def document(self) -> dict[str, Any]:
        spec = empty_document(self._tags)
        for rule in self._app.url_map.iter_rules():
            view = self._app.view_functions[rule.endpoint]
            if hasattr(view, "operation"):
                [method] = (rule.methods or set()) & METHODS
                add(spec, method.lower(), rule.rule, view, tag=rule.endpoint.partition(".")[0])
        document: dict[str, Any] = spec.to_dict()
        document["components"]["responses"] = shared_responses()
        document["webhooks"] = webhooks()
        document["components"]["requestBodies"] = request_bodies(document)
        deprecations.mark(document)
        return document | {"servers": SERVERS, "security": ACCOUNTS}

    @cached_property
    def text(self) -> Any:
        return msgspec.Raw(msgspec.json.encode(self.document))

    @cached_property
    def etag(self) -> str:
        return sha256(bytes(self.text)).hexdigest()[:16]


def empty_document(tags: Mapping[str, str]) -> APISpec:
    info = {
        "description": "El Grande and El Caballero, as a service. A version of this interface with a higher first "
        "number has another prefix than `/api/v1`; until then, only what clients bear is changed: new operations, new "
        f"fields of answers, new kinds and values. [All pages of the documentation]({CONTENTS}), by reader; [its "
        "page](/docs/api) has the rules of all operations.",
        "license": {"name": "MIT", "identifier": "MIT"},
        "contact": {"name": "The operator of this service"},
    }
    plugin = MarshmallowPlugin(components.name_of)
    spec = APISpec("Hidalgo", VERSION, "3.1.0", [plugin], info=info)
    assert plugin.converter, "it was made with the document"
    plugin.converter.add_attribute_function(referring)
    plugin.converter.add_attribute_function(counting)
    for name, description in tags.items():
        spec.tag({"name": name, "description": description})
    for name, scheme in SECURITY_SCHEMES.items():
        spec.components.security_scheme(name, scheme)
    schemas: tuple[type[Schema], ...] = (ProblemResponse, *components.SCHEMAS)
    for schema in schemas:
        spec.components.schema(components.name_of(schema), schema=schema)
    for name, definition in components.definitions().items():
        spec.components.schema(name, definition)
    for name, header in HEADERS.items():
        spec.components.parameter(name, "header", header)
    return spec


def referring(_: Any, field: Field, **__: Any) -> dict[str, Any]:
    """A field that holds something with a name."""
    if not isinstance(field, Component):
        return {}
    found = reference(field.component)
    return {"anyOf": [found, {"type": "null"}]} if field.nullable else found


def counting(converter: Any, field: Field, ret: dict[str, Any], **_: Any) -> dict[str, Any]:
    """The names and the number of the fields of a dictionary: what has a length elsewhere."""
    if not isinstance(field, Dict):
        return {}
    bounds = {f"{bound}Properties": ret.pop(f"{bound}Length") for bound in ("min", "max") if f"{bound}Length" in ret}
    names = field.key_field and converter.field2property(field.key_field)
    return {**bounds, "propertyNames": names} if bounds else bounds


def schema_of(schema: type[Schema] | str) -> Any:
    """A schema as apispec takes it: a reference to what is described elsewhere, or the class."""
    name = schema if isinstance(schema, str) else getattr(schema, "component", "")
    return reference(name) if name else schema


def add(spec: APISpec, method: str, rule: str, view: Any, tag: str) -> None:
    """A view in the document."""
    path = template(rule)
    parts = described(view, tag)
    complete(path, method, parts)
    spec.path(path, operations={method: parts}, parameters=path_parameters(rule))


def path_parameters(rule: str) -> list[dict[str, Any]]:
    schema = {"type": "string", "minLength": 1}
    return [{"in": "path", "name": name, "required": True, "schema": schema} for name in PATH_PARAMETER.findall(rule)]


def described(view: Any, tag: str) -> dict[str, Any]:
    found: Operation = view.operation
    summary, _, description = (getdoc(view) or "").partition("\n\n")
    locations = {"header": found.headers, "query": found.query}
    parts = {
        "parameters": [{"in": location, "schema": schema} for location, schema in locations.items() if schema],
        "responses": responses(found.replies),
        "requestBody": found.body and request_body(found.body),
        "summary": summary,
        "description": description or summary,
        "tags": [tag],
        "security": getattr(view, "security", None),
    }
    return {name: part for name, part in parts.items() if part}


def request_body(body: Body) -> dict[str, Any]:
    return {"required": body.required, "content": {JSON: {"schema": schema_of(body.schema), "example": body.example}}}


TEXT = {"type": "string"}
"""What is said of content that is not JSON."""


def responses(replies: Sequence[Reply]) -> dict[str, Any]:
    """Replies of one status are one response, with several kinds of content."""
    found: dict[str, Any] = {}
    for reply in sorted(replies, key=lambda reply: reply.status):
        response = found.setdefault(str(reply.status), {})
        response["description"] = reply.description or HTTPStatus(reply.status).phrase
        if reply.schema or reply.content_type != JSON:
            example = {} if reply.example is None else {"example": reply.example}
            schema = schema_of(reply.schema) if reply.schema else TEXT
            response.setdefault("content", {})[reply.content_type] = {"schema": schema, **example}
    return found
