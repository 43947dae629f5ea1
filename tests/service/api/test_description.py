"""The interface describes itself, and the description is true and complete."""

import re

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from service.app import create_app
from service.http.problems import CODES, STATUSES

SCHEMAS = """
CalendarWish Card Catalogue Clock Credentials Decision Decisions DeliveryPage DeliveryTold Event EventPage Export
Fact Farewell FreshToken Game GamePage GameRules Invitation InvitationWish KeptToken KeptTokens Ledger LedgerRow Me
Move Moved NewGame NewPerson NewWebhook Nothing Notice NoticePage PasswordChange Person Player PlayerPage PowerCard
Preview Problem Region Registration RuleBook Seat SeatTime SeatWish SignedIn State TakeBack TestResult TimeWish
TokenWish VacationWish Webhook WebhookChange WebhookList WebhookWish
"""


@pytest.fixture(scope="module")
def app():
    return create_app()


@pytest.fixture(scope="module")
def document(app):
    return app.test_client().get("/api/v1/openapi.json").get_json()


def operations(document):
    return [
        (f"{method} {path}", operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


def test_it_is_openapi_3_1(document):
    assert document["openapi"].startswith("3.1.")
    assert document["info"]["title"] == "Hidalgo"
    assert set(document["components"]["securitySchemes"]) == {"token", "session"}


def test_every_view_of_the_interface_is_described(app, document):
    rules = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/v1/")]
    paths = {re.sub("<(.*?)>", r"{\1}", rule.rule) for rule in rules} - {"/api/v1/openapi.json"}
    assert set(document["paths"]) == paths


def test_every_body_has_an_example_that_fits(document):
    for name, operation in operations(document):
        if body := operation.get("requestBody"):
            content = body["content"]["application/json"]
            schema = {**content["schema"], "components": document["components"]}
            assert "example" in content, name
            Draft202012Validator(schema).validate(content["example"])


def test_every_operation_has_a_name_of_its_own_a_sentence_and_its_problems(document):
    names = [operation["operationId"] for _, operation in operations(document)]
    assert len(set(names)) == len(names)
    for name, operation in operations(document):
        assert operation["summary"], name
        assert {"400", "405", "422", "429", "500", "503"} <= set(operation["responses"]), name


def test_every_reference_leads_somewhere(document):
    references = set(re.findall(r"'\$ref': '#/([^']+)'", repr(document)))
    assert references
    for reference in references:
        found = document
        for part in reference.split("/"):
            found = found[part]


def test_every_link_leads_to_an_operation_with_all_its_parameters(document):
    paths = {operation["operationId"]: path for path, item in document["paths"].items() for operation in named(item)}
    links = [
        link
        for _, operation in operations(document)
        for response in operation["responses"].values()
        for link in response.get("links", {}).values()
    ]
    assert len(links) > 20
    for link in links:
        assert set(link.get("parameters", {})) == set(re.findall(r"{(\w+)}", paths[link["operationId"]]))


def named(item):
    return [operation for method, operation in item.items() if method != "parameters"]


def test_every_schema_is_one(document):
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_operation_names_its_security(document):
    security = {operation["operationId"]: operation.get("security") for _, operation in operations(document)}
    assert security["post_tokens"] == [{"token": ["account"]}, {"session": ["account"]}]
    assert security["delete_sessions"] == [{"session": []}]
    assert security["get_me"] == [{"token": []}, {"session": []}]
    assert security["get_games"] == [{}, {"token": []}, {"session": []}]
    assert security["post_accounts"] is None


NEVER_ANSWERED = ("lease_lost", "store_not_started", "store_trouble")
"""Refusals that reach no client."""


def test_every_code_of_a_problem_is_named_with_its_status(document):
    found = {*CODES.items(), *((status, code) for code, status in STATUSES.items() if code not in NEVER_ANSWERED)}
    for status, code in found:
        assert f"`{code}`" in document["components"]["responses"][str(status)]["description"], (status, code)


def test_every_default_fits_its_schema(document):
    parameters = [each for _, operation in operations(document) for each in operation.get("parameters", ())]
    schemas = [each["schema"] for each in parameters if "schema" in each]
    schemas += [each for schema in document["components"]["schemas"].values() for each in schema["properties"].values()]
    defaults = [schema for schema in schemas if "default" in schema]
    assert len(defaults) > 20
    for schema in defaults:
        Draft202012Validator({**schema, "components": document["components"]}).validate(schema["default"])


def test_schemas_keep_the_names_that_clients_know(document):
    assert sorted(document["components"]["schemas"]) == SCHEMAS.split()


def test_a_move_may_have_any_further_fields(document):
    move = document["components"]["schemas"]["Move"]
    assert move["required"] == ["decision", "kind"]
    assert move["additionalProperties"] is True


def test_the_description_is_sent_once(app):
    client = app.test_client()
    first = client.get("/api/v1/openapi.json")
    again = client.get("/api/v1/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


def test_without_a_store_the_rules_can_still_be_read(app):
    client = app.test_client()
    assert client.get("/api/v1/rules").status_code == 200
    answer = client.get("/api/v1/games")
    assert (answer.status_code, answer.get_json()["code"]) == (503, "store_away")


def test_the_page_about_the_interface_needs_nothing_from_elsewhere(app):
    client = app.test_client()
    page = client.get("/docs")
    assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"].partition("style-src")[0]
    assert "<script>" not in page.text
    links = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(links) == 4
    for link in links:
        assert link.startswith("/docs/")
        with client.get(link) as answer:
            assert answer.status_code == 200
    assert client.get("/docs/../app.py").status_code == 404
    assert client.get("/docs/index.css").status_code == 404
