"""A tournament from its beginning to its end, over HTTP."""

from typing import Any

import pytest

from service.tournaments.presets import PRESETS
from tests.service.api.asking import problem
from tests.service.api.tournaments.event import Event, guest, handle_of


def test_a_tournament_runs_from_the_registration_to_the_last_place(event):
    ana = event.player()
    event.with_bots(7).acted("start")
    assert event.read("/players")["total"] == 8
    event.play(2)
    finished = event.acted("finish")
    assert [fact["fact"] for fact in finished["facts"]] == ["tournament_finished"]
    standings = event.read("/standings", by=ana)
    assert next(row["place"] for row in standings["rows"]) == 1
    assert standings["round"] == 2
    assert event.read(by=ana)["status"] == "finished"
    assert event.read("/crosstable")["lines"][0]["cells"][0]["kind"] == "played"


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_makes_a_tournament(described, preset):
    made = guest(described).post("/tournaments", {"title": "Ours", "game": "el_grande", "preset": preset})
    assert made.status_code == 201, made.text
    assert made.headers["Location"] == f"/api/v1/tournaments/{made.get_json()['id']}"


def test_given_fields_count_more_than_a_preset(described):
    wanted = {"title": "Ours", "game": "el_grande", "preset": "casual-evening", "size": 3, "sizes": []}
    options = guest(described).post("/tournaments", wanted | {"entry": {"fewest": 9}}).get_json()["options"]
    assert (options["size"], options["entry"]["fewest"], options["entry"]["late_until"]) == (3, 9, 2)


def test_a_repeated_creation_makes_one_tournament(described):
    olga, wanted = guest(described), {"title": "Ours", "game": "el_grande"}
    answers = [olga.post("/tournaments", wanted, Idempotency_Key="one") for _ in range(2)]
    assert answers[0].data == answers[1].data
    assert len(olga.get("/tournaments?mine=true").get_json()["tournaments"]) == 1


def test_a_repeated_action_is_answered_byte_by_byte(event):
    ana = event.guest()
    path, body = f"{event.path}/actions", {"kind": "register"}
    first = ana.post(path, body, Idempotency_Key="one")
    event.acted("announce", text="Welcome")
    assert ana.post(path, body, Idempotency_Key="one").data == first.data
    assert problem(ana.post(path, {"kind": "withdraw"}, Idempotency_Key="one")) == (422, "key_reused")
    assert problem(ana.post(path, body)) == (409, "not_now")


def test_a_repeated_action_about_a_player_who_is_gone_is_answered_alike(event, service):
    body = {"kind": "withdraw", "player": handle_of(event.player())}
    first = event.olga.post(f"{event.path}/actions", body, Idempotency_Key="one")
    kept = [key for primary in service.services.store.primaries().values() for key in primary.keys("*:answers")]
    for primary in service.services.store.primaries().values():
        primary.delete(*kept)
    again = event.olga.post(f"{event.path}/actions", body, Idempotency_Key="one")
    assert (again.status_code, again.data) == (201, first.data)


def test_an_action_for_another_version_is_refused(event):
    etag = event.olga.get(event.path).headers["ETag"]
    event.acted("announce", text="Welcome")
    answer = event.olga.post(f"{event.path}/actions", {"kind": "announce", "text": "Again"}, If_Match=etag)
    assert problem(answer) == (412, "precondition_failed")


def test_what_a_client_has_is_not_sent_again(event):
    for path in ("", "/players", "/standings", "/crosstable", "/rulings"):
        etag = event.olga.get(event.path + path).headers["ETag"]
        assert event.olga.get(event.path + path, If_None_Match=etag).status_code == 304, path


def test_players_are_named_by_their_handles(event):
    ana, ben = event.player(), event.player()
    event.acted("forbid_pair", one=handle_of(ana), other=handle_of(ben))
    event.acted("withdraw", player=handle_of(ben))
    assert [player["handle"] for player in event.read("/players")["players"]] == [handle_of(ana)]
    assert problem(event.act("withdraw", player="nobody-knows")) == (404, "not_found")
    assert problem(event.act("withdraw", player=handle_of(event.guest()))) == (404, "not_found")


def test_sentences_name_people_by_their_handles(event):
    ana = event.player()
    event.with_bots(7).acted("start")
    event.acted("withdraw", by=ana)
    assert event.read("/history")["commits"][0]["facts"][0]["text"] == f"{handle_of(ana)} is withdrawn"


def test_lists_have_parts(event):
    event.with_bots(7)
    first = event.read("/players?limit=5")
    rest = event.read(f"/players?limit=5&begin={first['next']}")
    assert [player["handle"] for player in first["players"] + rest["players"]] == [f"greedy {n}" for n in range(1, 8)]
    assert rest["next"] is None
    assert first["total"] == 7
    assert event.read("/players?query=greedy%207")["total"] == 1
    event.acted("start")
    event.draw()
    assert event.read("/rounds/1?limit=1")["next"] == 1
    assert len(event.read("/rounds/1?limit=1&begin=1")["tables"]) == 1
    assert len(event.read("/rounds/1?player=bot:greedy:7")["tables"]) == 1
    assert event.read("/standings?limit=3&begin=6")["next"] is None


def test_standings_can_be_read_as_they_were_after_a_round(described):
    event = Event(described).started().play(2)
    after = event.read("/standings?round=1")
    assert after["round"] == 1
    assert {row["points"] for row in after["rows"]} == {"24", "16", "8", "0"}
    assert problem(event.olga.get(f"{event.path}/standings?round=3")) == (404, "not_found")


def test_a_table_says_why_its_players_sit_there(described):
    event = Event(described).started().play(1)
    event.draw()
    table = event.read("/rounds/2/tables/1")
    assert table["round"] == 2
    assert table["why"]
    for path in ("/rounds/2/tables/9", "/rounds/2/tables/-1", "/rounds/2/tables/x", "/rounds/9", "/rounds/01"):
        assert problem(event.olga.get(event.path + path)) == (404, "not_found"), path


def test_a_ruling_can_be_looked_at_before_it_is_made(described):
    event = Event(described).started().play(1)
    ruling: dict[str, Any] = {
        "kind": "adjudicate",
        "round": 1,
        "table": 0,
        "result": {"places": [4, 3, 2, 1]},
        "reason": "Misread",
    }
    answer = event.olga.post(f"{event.path}/actions/preview", ruling)
    assert answer.status_code == 200, answer.text
    preview, before = answer.get_json(), event.read("/standings")
    points = {(change["points"], change["points_after"]) for change in preview["changes"]}
    assert {(was, then) for was, then in points if was != then} == {("0", "24"), ("8", "16"), ("16", "8"), ("24", "0")}
    assert event.read("/standings") == before
    made = event.acted(**ruling)
    assert made["ruling"] == event.read("/rulings")["rulings"][0]["id"]
    places = {row["player"]: row["place"] for row in event.read("/standings")["rows"]}
    assert all(places[change["player"]] == change["place_after"] for change in preview["changes"])
    event.acted("reverse", ruling=made["ruling"], reason="It was right")
    assert event.read("/standings")["rows"] == before["rows"]


def test_a_plan_tells_what_an_organiser_must_know(event):
    plan = event.olga.post("/tournaments/plan", {"players": 16, "size": 4, "rounds": 7}).get_json()
    assert (plan["sizes"], plan["repeat_free_rounds"], plan["repeats"]) == ([4, 4, 4, 4], 5, 48)
    assert len(plan["warnings"]) == 2


def test_options_are_changed_in_part(event):
    event.acted("change_options", options={"size": 3, "schedule": {"notice_ms": 5}})
    options = event.read()["options"]
    assert (options["size"], options["schedule"]["notice_ms"], options["schedule"]["rule"]) == (3, 5, "by-hand")
    assert problem(event.act("change_options", options={"game": "mystery"})) == (400, "unreadable")
