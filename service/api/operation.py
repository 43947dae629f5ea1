"""The decorator of every view below `/api/v1`: it names the arguments of the view, and its replies.

    @blueprint.post("/games/<game>/seats")
    @operation(Reply(200, GameResponse), body=Body(SeatRequest, example={"seat": "blue"}))
    def join(body, game): ...

Requests are read and checked by it, and `service.api.openapi` describes the view by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any

from flask import Response, jsonify, request
from marshmallow import Schema, ValidationError
from werkzeug.exceptions import UnprocessableEntity

from service.http.context import environ
from service.http.request_bodies import BODY
from service.http.responses import JSON, PlainResponse

Read = Callable[[], Any]


@dataclass(frozen=True)
class Body:
    """The JSON object of a request. One that is not required may be left out: then it is empty."""

    schema: type[Schema]
    example: Any
    required: bool = True


@dataclass(frozen=True)
class Reply:
    """A response of a view; by default described by the name of its status."""

    status: int
    schema: type[Schema] | str | None = None
    """A schema, or the name of something that `service.api.components` describes."""
    example: Any = None
    content_type: str = JSON
    description: str = ""


@dataclass(frozen=True)
class Operation:
    replies: Sequence[Reply]
    query: type[Schema] | None
    headers: type[Schema] | None
    body: Body | None


class Invalid(UnprocessableEntity):
    """The request does not fit its schema; `messages` holds the reasons, by location and field."""

    def __init__(self, location: str, messages: Any) -> None:
        super().__init__()
        self.data = {"messages": {location: messages}}


def operation(
    *replies: Reply,
    query: type[Schema] | None = None,
    headers: type[Schema] | None = None,
    body: Body | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Gives a view its query, headers and body, in this order, and then the names in its path.

    A view returns a response; or else a value, which is answered as the first reply.
    """
    described = Operation(replies, query, headers, body)
    reads = tuple(readers(described))
    status, schema = replies[0].status, replies[0].schema
    dump = schema().dump if isinstance(schema, type) else lambda value: value

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(view)
        def wrapper(**path: str) -> Response | PlainResponse:
            result = view(*[read() for read in reads], **path)
            if isinstance(result, Response | PlainResponse):
                return result
            response = jsonify(dump(result))
            response.status_code = status
            return response

        wrapper.operation = described  # type: ignore[attr-defined]
        return wrapper

    return decorate


# Reading


def readers(operation: Operation) -> Iterator[Read]:
    """A function for each part of the request, with one schema for all requests."""
    if operation.query:
        yield query_reader(operation.query())
    if operation.headers:
        yield headers_reader(operation.headers())
    if operation.body:
        yield body_reader(operation.body.schema())


def query_reader(schema: Schema) -> Read:
    defaults = schema.load({})

    def read() -> Any:
        return load(schema, request.args.to_dict(), "query") if environ().get("QUERY_STRING") else dict(defaults)

    return read


def headers_reader(schema: Schema) -> Read:
    names = [field.data_key or name for name, field in schema.fields.items()]

    def read() -> Any:
        return load(schema, {name: request.headers[name] for name in names if name in request.headers}, "headers")

    return read


def body_reader(schema: Schema) -> Read:
    return lambda: load(schema, environ()[BODY], "json")


def load(schema: Schema, given: Mapping[str, Any], location: str) -> Any:
    try:
        return schema.load(given)
    except ValidationError as error:
        raise Invalid(location, error.messages) from None
