"""Deprecations: operations and fields that will go, and what to use instead. `docs/api.md` has the policy.

A row here is all there is to do: the description is marked (`deprecated`), and answers carry the headers `Deprecation`
(RFC 9745), `Sunset` (RFC 8594) and a `Link` to the documentation. A test asks for a line in `docs/api.md` and in the
changelog.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from flask import Flask, Response, current_app, request
from werkzeug.http import http_date

from service.api.components import name_of
from service.api.openapi_shared import operation_id, template
from service.http.context import environ
from service.http.request_bodies import BODY

PAGE = "/docs"
"""The page that the header `Link` leads to."""


@dataclass(frozen=True)
class Deprecation:
    """Since when something should not be used any more, when it will be gone, and what to use instead."""

    since: date
    gone: date | None
    instead: str

    def __post_init__(self) -> None:
        assert not self.gone or self.gone > self.since, "clients need time"

    @property
    def sentence(self) -> str:
        end = f", gone on {self.gone.isoformat()}" if self.gone else ""
        return f"Deprecated since {self.since.isoformat()}{end}: {self.instead}."


DEPRECATIONS: Mapping[str, Deprecation] = {}
"""By the operationId of an operation; or by the name of a schema, a full stop and a field: `Game.scores`."""


def register(app: Flask) -> None:
    app.after_request(announce)


def announce(response: Response) -> Response:
    """Tells the client that its request meets something deprecated."""
    if DEPRECATIONS and (found := [DEPRECATIONS[name] for name in names() if name in DEPRECATIONS]):
        for name, value in headers(found):
            response.headers.add(name, value)
    return response


def headers(found: Iterable[Deprecation]) -> list[tuple[str, str]]:
    """Of the first that was deprecated, and of the first that will be gone."""
    since = midnight(min(each.since for each in found))
    lines = [("Deprecation", f"@{int(since.timestamp())}"), ("Link", f'<{PAGE}>; rel="deprecation"; type="text/html"')]
    if ends := [each.gone for each in found if each.gone]:
        lines += [("Sunset", http_date(midnight(min(ends)))), ("Link", f'<{PAGE}>; rel="sunset"; type="text/html"')]
    return lines


def names() -> list[str]:
    """The operation of this request, and the fields of its body."""
    if not request.url_rule:
        return []
    operation = operation_id(template(request.url_rule.rule), request.method.lower())
    described = getattr(current_app.view_functions[request.url_rule.endpoint], "operation", None)
    if not described or not described.body:
        return [operation]
    return [operation, *(f"{name_of(described.body.schema)}.{field}" for field in environ().get(BODY) or ())]


def midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


# In the description


def mark(document: dict[str, Any]) -> None:
    """Marks what is deprecated in the OpenAPI document."""
    parts = {part["operationId"]: part for item in document["paths"].values() for part in operations(item)}
    for name, schema in named_schemas(document).items():
        parts |= {f"{name}.{field}": part for field, part in schema.get("properties", {}).items()}
    for name, deprecation in DEPRECATIONS.items():
        parts[name]["deprecated"] = True
        parts[name]["description"] = f"{parts[name].get('description', '')}\n\n{deprecation.sentence}".strip()


def operations(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [part for part in item.values() if isinstance(part, dict) and "operationId" in part]


def named_schemas(document: dict[str, Any]) -> dict[str, Any]:
    bodies = document["components"]["requestBodies"]
    contents = {name: next(iter(body["content"].values()))["schema"] for name, body in bodies.items()}
    return {**document["components"]["schemas"], **contents}
