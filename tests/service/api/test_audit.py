"""The audit log over the interface: what administrators do at tables of others, for administrators to read."""

from typing import Any

import pytest

from service.accounts import SCOPES
from tests.service.api.asking import ApiClient, begun
from tests.service.api.tournaments.event import Event

BLITZ = {"bank_ms": 300_000}


@pytest.fixture
def staff(described, service) -> ApiClient:
    accounts = service.services.accounts
    account = accounts.register("El_Cid", "tizona y colada")
    accounts.set_role("El_Cid", "admin")
    return ApiClient(described, accounts.tokens.create(account.id, "staff", SCOPES["admin"]).secret, account.id)


def entries(staff: ApiClient) -> list[dict]:
    return staff.get("/audit").get_json()["entries"]


def test_a_pause_by_an_administrator_is_told_with_its_reason(ana, ben, staff):
    game = begun(ana, ben, time=BLITZ)
    assert staff.post(f"/games/{game}/pause", {"reason": "a dispute"}).status_code == 200
    assert staff.post(f"/games/{game}/resume").status_code == 200
    last, first = entries(staff)
    assert (first["action"], first["about"], first["reason"], first["refused"]) == ("pause", game, "a dispute", "")
    assert (last["action"], last["about"], last["reason"]) == ("resume", game, "")
    assert {(entry["by"], entry["handle"]) for entry in (first, last)} == {(staff.account, "El_Cid")}


def test_an_action_that_is_refused_is_told_as_refused(ana, ben, staff):
    game = begun(ana, ben, time=BLITZ)
    assert staff.post(f"/games/{game}/resume").status_code == 409
    refused, asked = entries(staff)
    assert (asked["refused"], bool(refused["refused"])) == ("", True)


def test_what_players_do_is_no_action_of_staff(ana, ben, staff):
    game = begun(ana, ben, time=BLITZ)
    ana.post(f"/games/{game}/pause", {"reason": "tea"})
    own = staff.makes(time=BLITZ)
    staff.post(f"/games/{own}/pause")
    assert entries(staff) == []


RULING: dict[str, Any] = {"round": 1, "table": 0, "result": {"places": [4, 3, 2, 1]}, "reason": "A power failure"}


def test_rulings_and_pauses_of_a_tournament_are_told_with_their_reasons(described, staff):
    event = Event(described).started()
    event.draw()
    arbiter = event.arbiter()
    event.acted("adjudicate", by=arbiter, **RULING)
    event.acted("pause", reason="Lunch")
    event.acted("resume")
    [made] = event.read("/rulings")["rulings"]
    event.acted("reverse", ruling=made["id"], reason="It was no power failure")
    told = [(entry["action"], entry["about"], entry["reason"], entry["by"]) for entry in reversed(entries(staff))]
    assert told == [
        ("adjudicate", event.id, "A power failure", arbiter.account),
        ("pause", event.id, "Lunch", event.olga.account),
        ("resume", event.id, "", event.olga.account),
        ("reverse", event.id, "It was no power failure", event.olga.account),
    ]


def test_a_ruling_that_is_refused_is_told_as_refused_and_one_by_a_stranger_not_at_all(described, staff, ana):
    event = Event(described).started()
    assert event.act("adjudicate", by=ana, **RULING).status_code == 403
    assert entries(staff) == []
    assert event.act("adjudicate", **RULING).status_code == 409
    refused, asked = entries(staff)
    assert (asked["refused"], bool(refused["refused"])) == ("", True)


def test_a_repeated_ruling_is_told_once(described, staff):
    event = Event(described).started()
    event.draw()
    body = {"kind": "adjudicate", **RULING}
    for _ in range(2):
        assert event.olga.post(f"{event.path}/actions", body, Idempotency_Key="once").status_code == 201
    assert len(entries(staff)) == 1


def test_a_page_leads_to_the_entries_before_it(ana, ben, staff):
    game = begun(ana, ben, time=BLITZ)
    for _ in range(2):
        staff.post(f"/games/{game}/pause")
        staff.post(f"/games/{game}/resume")
    first = staff.get("/audit?limit=3").get_json()
    second = staff.get(f"/audit?limit=3&before={first['next']}").get_json()
    assert [entry["action"] for entry in first["entries"]] == ["resume", "pause", "resume"]
    assert ([entry["action"] for entry in second["entries"]], second["next"]) == (["pause"], None)


def test_a_reason_has_a_limit(ana, ben, staff):
    game = begun(ana, ben, time=BLITZ)
    assert staff.post(f"/games/{game}/pause", {"reason": "x" * 501}).status_code == 422
    assert entries(staff) == []
