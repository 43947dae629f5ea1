"""The interface describes itself, and the description is true and complete."""

import re

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from rules.shapes import members
from service.api.openapi_shared import NEVER_ANSWERED, response_name
from service.app import create_app
from service.http.problems import CODES, STATUSES

SCHEMAS = """
AgreedCalendar AgreedTime AnswerSealedFact AnsweredForPlayerFact AnswersOpenedFact App AppChange Apps AskedQuestion
AuditEntry AuditPage Authorization Authorizations Beat Bot BotAnsweredFact BotDeclaredFact BotSeatedFact Calendar
CardFace Catalogue Change Clock ClockCreditedFact ClockSetFact ClocksPausedFact ClocksResumedFact Command
CommitDelivery Decision DecisionSchema Decisions Delivery DeliveryPage DeliveryTold Document ElGrandeAction
ElGrandeActionCardTakenFact ElGrandeAward ElGrandeBeginRoundStep ElGrandeBidStep ElGrandeCaballerosDrawnFact
ElGrandeCaballerosMovedFact ElGrandeCaballerosPlacedFact ElGrandeCaballerosReleasedFact ElGrandeCaballerosReturnedFact
ElGrandeCard ElGrandeCardFaceUp ElGrandeChooseActionCardCommand ElGrandeChooseActionCardMove ElGrandeChooseCardDecision
ElGrandeDiskExpulsionDecision ElGrandeDiskGeneralDecision ElGrandeDiskRemoveAllDecision ElGrandeDiskRemoveTwoDecision
ElGrandeDiskScoringDecision ElGrandeDrawCaballerosStep ElGrandeDrawCommand ElGrandeDrawDecision ElGrandeDrawMove
ElGrandeDrawToCourtStep ElGrandeDrawToCourtStepUnderWay ElGrandeEmptyCourtsStep ElGrandeEmptyCourtsStepUnderWay
ElGrandeEndGameStep ElGrandeEndRoundStep ElGrandeEndTurnCommand ElGrandeEndTurnMove ElGrandeExpelStep
ElGrandeExpelStepUnderWay ElGrandeFirstBidderDrawnFact ElGrandeFlagPassedFact ElGrandeGameEndedFact
ElGrandeGeneralScoringBeganFact ElGrandeGrandeMovedFact ElGrandeHeldVeto ElGrandeKingMovedFact ElGrandeLayCardAsideStep
ElGrandeMarkedCaballero ElGrandeMenuDecision ElGrandeMoveCaballerosStep ElGrandeMoveCaballerosStepUnderWay
ElGrandeMoveGrandeStep ElGrandeMoveGrandeStepUnderWay ElGrandeMoveKingStep ElGrandeMoveKingStepUnderWay
ElGrandeMoveScoreboardStep ElGrandeMoveScoreboardStepUnderWay ElGrandeNextTurnStep ElGrandeOrderTurnsStep
ElGrandePassFlagCommand ElGrandePassFlagDecision ElGrandePassFlagMove ElGrandePassFlagStep ElGrandePayTheKingStep
ElGrandePayTheKingStepUnderWay ElGrandePlaceCommand ElGrandePlaceExtraStep ElGrandePlaceExtraStepUnderWay
ElGrandePlaceMove ElGrandePlayPowerCardCommand ElGrandePlayPowerCardMove ElGrandePosition ElGrandePowerCard
ElGrandePowerCardPiledFact ElGrandePowerCardPlayedFact ElGrandePowerCardRecoveredFact ElGrandePowerCards
ElGrandePowerCardsDealtFact ElGrandePowerDecision ElGrandeQuestion ElGrandeRecoverPowerCardStep
ElGrandeRecoverPowerCardStepUnderWay ElGrandeRegion ElGrandeRegionsDrawnFact ElGrandeReleaseCastilloStep
ElGrandeReturnCommand ElGrandeReturnDecision ElGrandeReturnMove ElGrandeRoundBeganFact ElGrandeRoundEndedFact
ElGrandeRuleBook ElGrandeScoreCastilloStep ElGrandeScoreChosenStep ElGrandeScoreChosenStepUnderWay
ElGrandeScoreFirstPlacesStep ElGrandeScoreFirstPlacesStepUnderWay ElGrandeScoreLeastCrowdedStep
ElGrandeScoreLeastCrowdedStepUnderWay ElGrandeScoreMostCrowdedStep ElGrandeScoreMostCrowdedStepUnderWay
ElGrandeScoreOpenCastilloStep ElGrandeScoreOpenCastilloStepUnderWay ElGrandeScoreRegionsStep ElGrandeScoreSecretlyStep
ElGrandeScoreSecretlyStepUnderWay ElGrandeScoreWorthStep ElGrandeScoreWorthStepUnderWay ElGrandeScoreboardMovedFact
ElGrandeSendHomeOneEachStep ElGrandeSendHomeOneEachStepUnderWay ElGrandeSetDiskCommand ElGrandeSetDiskMove
ElGrandeSetScoringDisksStep ElGrandeSeveralCommand ElGrandeSeveralMove ElGrandeSpaceScoredFact
ElGrandeSpecialActionAllowedFact ElGrandeSpecialActionBeganFact ElGrandeSpecialActionStep
ElGrandeSpecialActionVetoedFact ElGrandeSpecialCommand ElGrandeSpecialMove ElGrandeStacksShuffledFact
ElGrandeStepAnnouncedFact ElGrandeStepCommand ElGrandeStepDecision ElGrandeStepMove ElGrandeStopCommand
ElGrandeStopMove ElGrandeTakeActionCardStep ElGrandeTakeVetoStep ElGrandeTakeVetoStepUnderWay ElGrandeTurnBeganFact
ElGrandeTurnEndedFact ElGrandeTurnOrderSetFact ElGrandeUseCardStep ElGrandeVetoDecision ElGrandeVetoResponseCommand
ElGrandeVetoResponseMove ElGrandeVetoTakenFact ElGrandeWithdrawSecretlyStep ElGrandeWithdrawSecretlyStepUnderWay Event
EventPage Export ExportedCommit ExportedFact ExportedHeader Fact FieldSchema Figure FormSchema FreshToken Game
GameAbortedFact GameCreatedFact GameDecidedFact GameNotice GamePage GameRules GameStartedFact GameStreamBye
GameStreamData GameWithPosition Ground Hand InboxStreamBye InboxStreamData Invitation KeptToken KeptTokens Ledger
LedgerRow Letter ListedSchema Mail Mark Me Move MoveTakenBackFact Moved NewApp NewPerson NewWebhook NonceAddedFact
Notice NoticeDelivery NoticePage Outline Panel PauseWantedFact Person Player PlayerPage PlayerRemovedFact Position
Positions Preview Problem ReachedLimit Round RoundScores RuleBook Scene SchemaList SealDroppedFact Seat
SeatAutomatedFact SeatForfeitedFact SeatLeftFact SeatName SeatTakenBackFact SeatTakenFact SeatTime SecretRevealedFact
Sentence SignedIn SpaceName Sprite StandInAnsweredFact State Step StepTakenFact StreamEnd TakeBackWantedFact
TestDelivery TestResult TimeControl TimeRanOutFact Timeline TimelineStep TotalSchema VacationTakenFact Webhook
WebhookList WebhookNotice
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
    assert set(document["components"]["securitySchemes"]) == {"token", "session", "oauth2"}


def test_every_view_of_the_interface_is_described(app, document):
    rules = [rule for rule in app.url_map.iter_rules() if rule.rule.startswith("/api/v1/")]
    paths = {re.sub("<(.*?)>", r"{\1}", rule.rule) for rule in rules}
    assert set(document["paths"]) == paths


def test_every_body_has_an_example_that_fits(document):
    for name, operation in operations(document):
        if body := operation.get("requestBody"):
            if "$ref" in body:
                body = document["components"]["requestBodies"][body["$ref"].rpartition("/")[2]]
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
    assert security["get_me"] == [{"token": []}, {"session": []}, {"oauth2": []}]
    assert security["get_games"] == [{}, {"token": []}, {"session": []}, {"oauth2": ["read"]}]
    assert security["post_games_moves"] == [{"token": ["play"]}, {"session": ["play"]}, {"oauth2": ["play"]}]
    assert security["post_accounts"] == security["get_rules"] == []
    assert all(each is not None for each in security.values())
    assert document["security"] == [{"token": []}, {"session": []}]
    assert document["servers"] == [{"url": "/", "description": "This service: paths begin at its root."}]


def test_every_code_of_a_problem_is_named_with_its_status(document):
    found = {*CODES.items(), *((status, code) for code, status in STATUSES.items() if code not in NEVER_ANSWERED)}
    for status, code in found:
        response = document["components"]["responses"][response_name(status)]
        assert f"`{code}`" in response["description"], (status, code)
        [_, narrowed] = response["content"]["application/problem+json"]["schema"]["allOf"]
        assert code in narrowed["properties"]["code"]["enum"]
        assert narrowed["properties"]["status"] == {"const": status}


def test_every_default_fits_its_schema(document):
    parameters = [each for _, operation in operations(document) for each in operation.get("parameters", ())]
    schemas = [each["schema"] for each in parameters if "schema" in each]
    bodies = [
        body["content"]["application/json"]["schema"] for body in document["components"]["requestBodies"].values()
    ]
    for body in bodies:
        schemas += body["properties"].values()
        assert not {name for name, each in body["properties"].items() if "default" in each} & set(
            body.get("required", ())
        )
    defaults = [schema for schema in schemas if "default" in schema]
    assert len(defaults) > 20
    for schema in defaults:
        Draft202012Validator({**schema, "components": document["components"]}).validate(schema["default"])


def test_no_generator_takes_a_field_with_a_default_for_one_that_is_always_there(document):
    """They do so in schemas of components, which answers share; in bodies of requests it may be left out."""
    demanded = [
        f"{name}.{field}"
        for name, schema in document["components"]["schemas"].items()
        for field, about in schema.get("properties", {}).items()
        if "default" in about and name not in ("DecisionSchema", "FieldSchema", "FormSchema")
    ]
    assert demanded == []


def test_schemas_keep_the_names_that_clients_know(document):
    """The kept description has those of all others."""
    names = set(document["components"]["schemas"]) | set(document["components"]["requestBodies"])
    assert set(SCHEMAS.split()) <= names


def test_a_move_is_one_of_those_that_a_game_knows(document):
    schemas = document["components"]["schemas"]
    for move in members("Move", schemas):
        assert move["required"][:2] == ["decision", "kind"]
        assert move["additionalProperties"] is False


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
    assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"]
    assert "<script>" not in page.text
    assert "style=" not in page.text
    links = re.findall(r'<(?:script|link)[^>]+(?:src|href)="([^"]+)"', page.text)
    assert len(links) >= 5
    for link in links:
        with client.get(link) as answer:
            assert answer.status_code == 200, link
    for path in ("/docs/../app.py", "/docs/index.css", "/docs/README", "/docs/.env"):
        assert client.get(path).status_code == 404
