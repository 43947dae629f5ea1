"""What the decorator of the views does with a request and with what a view returns."""

import pytest
from flask import Response
from marshmallow import EXCLUDE, RAISE, Schema, fields

from service.api.operation import Body, Reply, operation
from service.http import problems, request_bodies
from service.http.application import Application
from service.settings import Settings


class Query(Schema):
    class Meta:
        unknown = RAISE

    limit = fields.Integer(load_default=20)


class Headers(Schema):
    class Meta:
        unknown = EXCLUDE

    last_seen = fields.Integer(data_key="Last-Event-ID", load_default=None)


class Request(Schema):
    name = fields.String(required=True)


class Answer(Schema):
    name = fields.String(required=True)


@pytest.fixture
def client():
    app = Application(Settings())
    request_bodies.register(app)
    problems.register(app)

    @app.post("/api/everything/<path>")
    @operation(Reply(200), query=Query, headers=Headers, body=Body(Request, {"name": "ana"}))
    def everything(query, headers, body, path):
        return [query, headers, body, path]

    @app.get("/api/value")
    @operation(Reply(201, Answer), Reply(200, Answer))
    def value():
        return {"name": "ana", "secret": "of the view"}

    @app.get("/api/response")
    @operation(Reply(201, Answer))
    def response():
        return Response("as it is", 202)

    @app.get("/api/nothing")
    @operation(Reply(204))
    def nothing():
        return None

    return app.test_client()


def test_a_view_gets_query_headers_body_and_path_in_this_order(client):
    answer = client.post("/api/everything/here?limit=3", json={"name": "ana"}, headers={"last-event-id": "7"})
    assert answer.get_json() == [{"limit": 3}, {"last_seen": 7}, {"name": "ana"}, "here"]


def test_parameters_that_are_left_out_have_their_defaults(client):
    answer = client.post("/api/everything/here", json={"name": "ana"})
    assert answer.get_json()[:2] == [{"limit": 20}, {"last_seen": None}]


def test_a_view_may_change_its_query_without_changing_the_defaults(client):
    app = client.application

    @app.get("/api/changing")
    @operation(Reply(200), query=Query)
    def changing(query):
        return query.pop("limit")

    assert [client.get("/api/changing").get_json() for _ in range(2)] == [20, 20]


def test_the_first_of_two_equal_parameters_counts(client):
    assert client.post("/api/everything/x?limit=1&limit=2", json={"name": "a"}).get_json()[0] == {"limit": 1}


@pytest.mark.parametrize(
    ("query", "headers", "body", "errors"),
    [
        ("?limit=many", {}, {"name": "a"}, {"query": {"limit": ["Not a valid integer."]}}),
        ("?more=1", {}, {"name": "a"}, {"query": {"more": ["Unknown field."]}}),
        ("", {"Last-Event-ID": "last"}, {"name": "a"}, {"headers": {"Last-Event-ID": ["Not a valid integer."]}}),
        ("", {}, {}, {"json": {"name": ["Missing data for required field."]}}),
    ],
)
def test_a_wrong_argument_is_refused_by_place_and_field(client, query, headers, body, errors):
    answer = client.post(f"/api/everything/x{query}", json=body, headers=headers)
    assert (answer.status_code, answer.get_json()["code"]) == (422, "invalid")
    assert answer.get_json()["errors"] == errors


def test_a_value_is_answered_as_the_first_reply_with_the_fields_of_its_schema(client):
    answer = client.get("/api/value")
    assert (answer.status_code, answer.get_json()) == (201, {"name": "ana"})


def test_a_response_is_answered_as_it_is(client):
    answer = client.get("/api/response")
    assert (answer.status_code, answer.text) == (202, "as it is")


def test_a_reply_without_content_is_empty(client):
    answer = client.get("/api/nothing")
    assert (answer.status_code, answer.data) == (204, b"")
