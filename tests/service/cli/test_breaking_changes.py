"""Which changes of the description clients survive, and which they do not."""

import json
from copy import deepcopy
from typing import Any

import pytest

from service.cli.breaking_changes import breaking_changes, is_new_interface
from tests.repository.checkout import ROOT

PERSON = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "role": {"type": "string", "enum": ["guest", "player"]},
        "games": {"type": "array", "items": {"$ref": "#/components/schemas/Game"}},
        "points": {"type": "integer"},
        "seat": {"type": ["string", "null"]},
    },
    "required": ["id", "role", "games", "points", "seat"],
}
RED = {"type": "object", "properties": {"fact": {"const": "red"}, "count": {"type": "integer"}}, "required": ["fact"]}
BLUE = {"type": "object", "properties": {"fact": {"const": "blue"}}, "required": ["fact"]}
GAME = {
    "type": "object",
    "properties": {
        "again": {"anyOf": [{"$ref": "#/components/schemas/Game"}, {"type": "null"}]},
        "facts": {"type": "array", "items": {"oneOf": [RED, BLUE]}},
    },
    "required": ["facts"],
}
WISH = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 20},
        "kind": {"type": "string", "enum": ["long", "short"]},
        "size": {"type": ["integer", "null"], "minimum": 1},
    },
    "required": ["name"],
    "additionalProperties": False,
}


def json_content(schema):
    return {"application/json": {"schema": schema}}


DOCUMENT = {
    "security": [{"token": []}],
    "paths": {
        "/people/{person}": {
            "parameters": [{"in": "path", "name": "person", "required": True, "schema": {"type": "string"}}],
            "post": {
                "operationId": "make_person",
                "parameters": [{"in": "query", "name": "limit", "schema": {"type": "integer", "maximum": 100}}],
                "requestBody": {"content": json_content({"$ref": "#/components/schemas/Wish"})},
                "responses": {
                    "200": {"content": json_content({"$ref": "#/components/schemas/Person"}), "headers": {"ETag": {}}},
                    "404": {"description": "There is none."},
                },
            },
        }
    },
    "webhooks": {
        "told": {
            "post": {
                "operationId": "told",
                "requestBody": {"required": True, "content": json_content({"$ref": "#/components/schemas/Person"})},
                "responses": {"204": {}},
            }
        }
    },
    "components": {"schemas": {"Person": PERSON, "Game": GAME, "Wish": WISH}},
}


def changed(*path, to=None):
    """The description with another value at this place, or without it."""
    document = deepcopy(DOCUMENT)
    *outer, last = path
    part: Any = document
    for name in outer:
        part = part[name]
    if to is None:
        del part[last]
    else:
        part[last] = to
    return document


OPERATION = ("paths", "/people/{person}", "post")
SCHEMAS = ("components", "schemas")

BREAKING: dict[str, tuple[tuple[Any, ...], Any, str]] = {
    "a removed path": (("paths", "/people/{person}"), None, "the operation is gone"),
    "a removed operation": (OPERATION, None, "the operation is gone"),
    "another name of an operation": ((*OPERATION, "operationId"), "person", "operationId"),
    "a removed parameter": ((*OPERATION, "parameters"), [], "limit (query) is gone"),
    "a narrower parameter": ((*OPERATION, "parameters", 0, "schema", "maximum"), 50, "maximum is 50, and was 100"),
    "a new required parameter": (
        (*OPERATION, "parameters", 0, "required"),
        True,
        "limit (query) is required now",
    ),
    "a body that is required": ((*OPERATION, "requestBody", "required"), True, "a body is required"),
    "a removed success": ((*OPERATION, "responses", "200"), None, "not answered with 200"),
    "a removed kind of content": ((*OPERATION, "responses", "200", "content"), {"text/plain": {}}, "json is gone"),
    "a removed header": ((*OPERATION, "responses", "200", "headers"), {}, "the header ETag is gone"),
    "another security": (("security",), [{"session": []}], "token is not enough"),
    "a scope more": ((*OPERATION, "security"), [{"token": ["admin"]}], "token is not enough"),
    "a removed field of an answer": ((*SCHEMAS, "Person", "properties", "points"), None, ".points: the field is gone"),
    "a field that may be missing": ((*SCHEMAS, "Person", "required"), ["id", "role", "games", "seat"], "be missing"),
    "a removed value of an answer": ((*SCHEMAS, "Person", "properties", "role", "enum"), ["guest"], "'player' is gone"),
    "values that are not enumerated": (
        (*SCHEMAS, "Person", "properties", "role"),
        {"type": "string"},
        "not enumerated any more",
    ),
    "another type in an answer": ((*SCHEMAS, "Person", "properties", "id"), {"type": "integer"}, "was type string"),
    "a wider number": ((*SCHEMAS, "Person", "properties", "points"), {"type": "number"}, "was type integer"),
    "nothing where there was something": (
        (*SCHEMAS, "Person", "properties", "id"),
        {"type": ["string", "null"]},
        "can be type null",
    ),
    "a removed fact": ((*SCHEMAS, "Game", "properties", "facts", "items", "oneOf"), [RED], "fact 'blue' is gone"),
    "a removed field of a fact": (
        (*SCHEMAS, "Game", "properties", "facts", "items", "oneOf", 0, "properties", "count"),
        None,
        ".count: the field is gone",
    ),
    "a new required field": ((*SCHEMAS, "Wish", "required"), ["name", "kind"], ".kind: the field is required"),
    "a field that is not taken": ((*SCHEMAS, "Wish", "properties", "kind"), None, ".kind: the field is gone"),
    "a value that is not taken": ((*SCHEMAS, "Wish", "properties", "kind", "enum"), ["long"], "'short' is gone"),
    "a shorter text": ((*SCHEMAS, "Wish", "properties", "name", "maxLength"), 10, "maxLength is 10, and was 20"),
    "a new pattern": ((*SCHEMAS, "Wish", "properties", "name", "pattern"), "^a", "pattern is ^a"),
    "nothing is not taken": ((*SCHEMAS, "Wish", "properties", "size", "type"), "integer", "type null is gone"),
    "only some texts": ((*SCHEMAS, "Wish", "properties", "name", "enum"), ["a"], "only some values"),
    "a removed webhook": (("webhooks", "told"), None, "the operation is gone"),
}

HARMLESS: dict[str, tuple[tuple[Any, ...], Any]] = {
    "a new path": (("paths", "/games"), {"get": {"operationId": "games", "responses": {}}}),
    "a new field of an answer": ((*SCHEMAS, "Person", "properties", "born"), {"type": "integer"}),
    "a new value of an answer": ((*SCHEMAS, "Person", "properties", "role", "enum"), ["guest", "player", "admin"]),
    "a narrower answer": ((*SCHEMAS, "Person", "properties", "id"), {"type": "string", "maxLength": 10}),
    "something where there may have been nothing": (
        (*SCHEMAS, "Person", "properties", "seat"),
        {"type": "string"},
    ),
    "a new fact": (
        (*SCHEMAS, "Game", "properties", "facts", "items", "oneOf"),
        [RED, BLUE, {"type": "object", "properties": {"fact": {"const": "green"}}}],
    ),
    "a new field that may be left out": ((*SCHEMAS, "Wish", "properties", "colour"), {"type": "string"}),
    "a field that need not be there": ((*SCHEMAS, "Wish", "required"), []),
    "a new value to choose": ((*SCHEMAS, "Wish", "properties", "kind", "enum"), ["long", "short", "middle"]),
    "a longer text": ((*SCHEMAS, "Wish", "properties", "name", "maxLength"), 30),
    "a way in more": (("security",), [{"token": []}, {"session": []}]),
    "a new problem": ((*OPERATION, "responses", "409"), {"description": "Not now."}),
    "a problem less": ((*OPERATION, "responses", "404"), None),
    "another description": ((*SCHEMAS, "Person", "description"), "A player."),
    "another name of a schema": ((*OPERATION, "responses", "200", "content"), json_content(PERSON)),
}


@pytest.mark.parametrize("name", BREAKING)
def test_clients_do_not_survive(name):
    path, to, expected = BREAKING[name]
    found = breaking_changes(DOCUMENT, changed(*path, to=to))
    assert any(expected in change for change in found), found


@pytest.mark.parametrize("name", HARMLESS)
def test_clients_bear(name):
    path, to = HARMLESS[name]
    assert breaking_changes(DOCUMENT, changed(*path, to=to)) == []


def positions(*games, **gone):
    """A description of positions: of these games, each with a field of its own, known by their rules."""
    schemas = {
        game: {"type": "object", "properties": {"rules": {"enum": [game]}, **({} if game in gone else {game: {}})}}
        for game in games
    }
    members = [{"$ref": f"#/components/schemas/{game}"} for game in games]
    union = {"oneOf": members, "discriminator": {"propertyName": "rules"}}
    answer = {"operationId": "look", "responses": {"200": {"content": json_content(union)}}}
    return {"paths": {"/position": {"get": answer}}, "components": {"schemas": schemas}}


def test_clients_bear_a_second_game():
    assert breaking_changes(positions("spain"), positions("sea", "spain", "stars")) == []


def test_what_goes_from_one_of_two_games_is_found():
    [change] = breaking_changes(positions("sea", "spain"), positions("sea", "spain", spain=True))
    assert "spain: the field is gone" in change


def test_schemas_that_hold_themselves_are_compared_once():
    inner = changed(*SCHEMAS, "Game", "properties", "facts", to={"type": "string"})
    found = breaking_changes(DOCUMENT, inner)
    assert found == ["POST /people/{person}, 200.games[].facts: it was type array, and is type string"]


def test_a_removed_field_of_the_real_description_is_found():
    kept = json.loads((ROOT / "docs/openapi.json").read_text())
    assert breaking_changes(kept, kept) == []
    without = deepcopy(kept)
    del without["components"]["schemas"]["Game"]["properties"]["status"]
    assert any(".status: the field is gone" in change for change in breaking_changes(kept, without))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [("1.0.0", "2.0.0", True), ("1.9.0", "1.10.0", False), ("0.9.0", "0.9.1", False), ("0.9.1", "1.0.0", True)],
)
def test_a_new_interface_has_a_new_first_number(old, new, expected):
    assert is_new_interface(old, new) == expected
