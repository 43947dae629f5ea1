"""The documentation, as the service shows it: pages, links, problems, and the interface for programs."""

import re
from html import unescape

import pytest
from click.testing import CliRunner
from flask import Flask
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from service.api import openapi
from service.app import create_app
from service.cli import main
from service.http.problem_codes import PROBLEM_CODES
from service.settings import Settings
from service.web import documents
from service.web.markdown import rendered
from service.web.reference import Reference, example_of
from tests.repository.checkout import ROOT

PAGES = sorted(documents.names())


@pytest.fixture(scope="module")
def app() -> Flask:
    return create_app(Settings(access_log=False))


@pytest.fixture(scope="module")
def text(app):
    """The page at a path, read once."""
    client, read = app.test_client(), {}

    def page(path: str) -> str:
        if path not in read:
            answer = client.get(path)
            assert answer.status_code == 200, path
            read[path] = answer.text
        return read[path]

    return page


def path_of(name: str) -> str:
    return f"/docs/{documents.place(name)}"


# Pages


def test_there_is_a_page_for_every_file():
    assert set(PAGES) == {file.stem for file in (ROOT / "docs").glob("*.md")}


def test_every_page_is_listed_once_for_a_reader():
    listed = [name for group in documents.contents() for name, _ in group.pages]
    assert sorted(listed) == sorted(set(PAGES) - {"README"})


@pytest.mark.parametrize("name", PAGES)
def test_every_link_of_a_page_leads_somewhere(text, app, name):
    """Also to a section, on this page or on another."""
    html = text(path_of(name))
    article = html[html.index("<article") : html.index("</article>")]
    for link in re.findall(r'href="([^"]+)"', article):
        path, _, section = link.partition("#")
        if path.startswith("http"):
            continue
        if path.endswith((".json", ".mjs")):
            assert app.test_client().get(path).status_code == 200, link
            continue
        target = text(path or path_of(name))
        assert not section or f'id="{section}"' in target, link


@pytest.mark.parametrize("name", PAGES)
def test_links_that_lead_nowhere_outside_of_a_checkout_are_text(text, name):
    assert 'href="../' not in text(path_of(name))
    assert not re.search(r'href="[\w-]+\.md', text(path_of(name)))


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_one_title_and_no_style_of_its_own(text, name):
    html = text(path_of(name))
    assert html.count("<h1") == 1
    assert "style=" not in html
    assert "<script>" not in html
    assert 'aria-current="page"' in html


def test_html_in_a_page_is_not_passed_through():
    html = rendered("# A\n\n<script>alert(1)</script> [x](javascript:alert(1)) <b onclick=x>", lambda link: link).html
    assert "<script" not in html
    assert "<b " not in html
    assert 'href="javascript' not in html


def test_two_headings_of_one_name_are_told_apart():
    assert [section.id for section in rendered("## Mind\n\n## Mind\n").sections] == ["mind", "mind-1"]


def test_a_page_that_is_not_there_is_not_found(app):
    for path in ("/docs/nowhere", "/docs/README", "/docs/%2e%2e/pyproject.toml", "/docs/README.md"):
        assert app.test_client().get(path).status_code == 404, path


# Problems


def test_the_page_about_problems_is_made_from_the_table_of_codes():
    """./hidalgo problems > docs/problems.md"""
    assert (ROOT / "docs/problems.md").read_text() == CliRunner().invoke(main, ["problems"]).output


def test_the_type_of_a_problem_leads_to_the_section_about_its_code(app, text):
    client = app.test_client()
    problem = client.get("/api/v1/nowhere").get_json()
    path, _, section = problem["type"].partition("#")
    assert (section, path) == (problem["code"], "/docs/problems")
    assert f'<h2 id="{section}">' in text(path)


@pytest.mark.parametrize("code", PROBLEM_CODES)
def test_every_code_is_explained(text, code):
    about = PROBLEM_CODES[code]
    assert f'<h2 id="{code}">' in text("/docs/problems")
    assert about.meaning.endswith((".", ")."))
    assert about.remedy.endswith(".")


# The interface


def test_every_operation_and_every_schema_is_shown(app, text):
    document, html = app.extensions["openapi"].document, text("/docs")
    operations = [item[method] for item in document["paths"].values() for method in item if method != "parameters"]
    assert len(operations) > 40
    for operation in operations:
        assert html.count(f'id="{operation["operationId"]}"') == 1
    for name in document["components"]["schemas"]:
        assert html.count(f'id="schema-{name}"') == 1
    for link in re.findall(r'href="#(schema-\w+)"', html):
        assert f'id="{link}"' in html


def test_the_document_leads_to_the_pages(app, text):
    assert text(openapi.CONTENTS)
    assert f"]({openapi.CONTENTS})" in app.extensions["openapi"].document["info"]["description"]


ANIMALS = {
    "openapi": "3.1.0",
    "tags": [{"name": "zoo", "description": "All `animals`."}],
    "paths": {
        "/animals/{id}": {
            "parameters": [{"in": "path", "name": "id", "required": True, "schema": {"type": "string"}}],
            "put": {
                "operationId": "put_animal",
                "tags": ["zoo"],
                "summary": "Feed it.",
                "security": [{"token": ["play"]}, {"session": ["play"]}],
                "parameters": [{"$ref": "#/components/parameters/Often"}],
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {"$ref": "#/components/schemas/Animal"},
                            "examples": {"cat": {"value": {"kind": "cat", "name": "it's"}}},
                        }
                    }
                },
                "responses": {"200": {"description": "Fed."}, "404": {"$ref": "#/components/responses/NotFound"}},
            },
        }
    },
    "components": {
        "parameters": {"Often": {"in": "query", "name": "often", "schema": {"type": "integer", "minimum": 1}}},
        "responses": {"NotFound": {"description": "No such animal."}},
        "schemas": {
            "Animal": {
                "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
                "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"}},
            },
            "Named": {"type": "object", "properties": {"name": {"type": ["string", "null"], "maxLength": 9}}},
            "Cat": {
                "allOf": [{"$ref": "#/components/schemas/Named"}],
                "type": "object",
                "required": ["kind"],
                "properties": {
                    "kind": {"const": "cat"},
                    "toys": {"type": "array", "items": {"type": "object", "properties": {"of": {"enum": ["a", "b"]}}}},
                    "prey": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Animal"}},
                    "or": {"anyOf": [{"$ref": "#/components/schemas/Dog"}, {"type": "null"}]},
                },
            },
            "Dog": {"type": "object", "properties": {"kind": {"const": "dog"}}},
        },
    },
}


def read(parts) -> str:
    return "".join(part.text for part in parts)


def test_unions_and_their_discriminator_are_shown():
    animal, cat, *_ = Reference(ANIMALS).schemas
    assert [read(variant) for variant in animal.variants] == ["Cat", "Dog"]
    assert animal.told_by == "kind"
    assert {field.name: read(field.type) for field in cat.fields} == {
        "name": "string or null",
        "kind": '"cat"',
        "toys": "list of object",
        "prey": "object of Animal",
        "or": "Dog or null",
    }
    assert [field.name for field in cat.fields if field.is_required] == ["kind"]
    [toys] = [field for field in cat.fields if field.name == "toys"]
    assert [read(field.type) for field in toys.fields] == ['"a" | "b"']
    assert cat.fields[0].limits == ("at most 9 characters",)


def test_an_operation_is_shown_with_all_its_parts():
    [tag] = Reference(ANIMALS).tags
    [operation] = tag.operations
    assert tag.text == "All <code>animals</code>."
    assert [(place, field.name, field.is_required) for place, field in operation.parameters] == [
        ("path", "id", True),
        ("query", "often", False),
    ]
    assert operation.scopes == ("play",)
    assert [reply.status for reply in operation.replies] == ["200"]
    assert [(reply.status, reply.text) for reply in operation.refusals] == [("404", "No such animal.")]
    curl = unescape(dict(operation.samples)["sh"].striptags())
    assert curl.startswith("curl -sS --json '")
    assert "-X PUT" in curl
    assert "it'\\''s" in curl, "a quote inside of quotes"
    assert '"kind": "cat"' in operation.example


def test_every_example_of_a_body_fits_its_schema(app):
    """It is what the form of an operation sends if nothing is changed."""
    document = app.extensions["openapi"].document
    reference, tried = Reference(document), 0
    for path, item in document["paths"].items():
        for method, operation in item.items():
            body = {} if method == "parameters" else reference.resolved(operation.get("requestBody", {}))
            for about in body.get("content", {}).values():
                if (example := example_of(about)) is not None:
                    schema = about["schema"] | {"components": document["components"]}
                    assert Draft202012Validator(schema).is_valid(example), (method, path)
                    tried += 1
    assert tried > 10
