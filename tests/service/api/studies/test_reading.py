"""Studies, chapters and positions as they are read."""

import json
from typing import Any

import pytest

from tests.service.api.asking import problem
from tests.service.api.studies.desk import Desk


def handle(client) -> str:
    return client.get("/me").get_json()["handle"]


# Studies


def test_a_study_begins_with_the_game_that_is_named(described, over):
    ana = Desk.guest(described)
    made = ana.post("/studies", {"title": "Vetoes", "game": over})
    study = made.get_json()
    assert (made.status_code, made.headers["Location"]) == (201, f"/api/v1/studies/{study['id']}")
    assert (study["title"], study["owner"], study["role"], study["visibility"]) == (
        "Vetoes", handle(ana), "owner", "private",
    )  # fmt: skip
    [chapter] = study["chapters"]
    assert (chapter["title"], chapter["game"], chapter["viewer"], chapter["status"]) == (
        "Vetoes", over, "everything", "over",
    )  # fmt: skip
    assert ana.get(f"/studies/{study['id']}").get_json() == study


def test_a_study_may_begin_empty(described):
    study = Desk.guest(described).post("/studies", {"title": "Vetoes"}).get_json()
    assert (study["chapters"], study["version"]) == ([], 1)


def test_a_game_that_cannot_be_seen_begins_no_study(described):
    ana = Desk.guest(described)
    assert problem(ana.post("/studies", {"title": "Vetoes", "game": "nothing"})) == (404, "not_found")


def test_the_same_request_begins_one_study(described, over):
    ana, body = Desk.guest(described), {"title": "Vetoes", "game": over}
    first, second = (ana.post("/studies", body, Idempotency_Key="one") for _ in range(2))
    assert first.data == second.data


def test_a_private_study_is_not_there_for_others(desk, described, anonymous):
    eve = Desk.guest(described)
    for client in (eve, anonymous):
        for path in (desk.path, f"{desk.path}/chapters/{desk.chapter}", desk.node_path("20")):
            assert problem(client.get(path)) == (404, "not_found")
    assert problem(desk.edit("rename", title="Mine", seen=9, by=eve)) == (404, "not_found")


def test_a_public_study_is_read_by_everybody_and_changed_by_its_members(desk, described, anonymous):
    desk.edited("set_visibility", visibility="public")
    eve = Desk.guest(described)
    assert desk.read(anonymous)["role"] == ""
    assert not desk.read(eve)["can_edit"]
    assert problem(desk.edit("rename", title="Mine", seen=9, by=eve)) == (403, "forbidden")


def test_members_are_told_by_their_handles(desk, described):
    ben = desk.joined_by(Desk.guest(described), "reader")
    assert desk.read(ben)["members"] == [
        {"handle": handle(desk.owner), "role": "owner"},
        {"handle": handle(ben), "role": "reader"},
    ]


def test_a_client_that_has_a_study_is_not_sent_it_again(desk):
    for path in (desk.path, f"{desk.path}/chapters/{desk.chapter}", desk.node_path("20")):
        first = desk.owner.get(path)
        assert desk.owner.get(path, If_None_Match=first.headers["ETag"]).status_code == 304
    desk.write()
    first = desk.owner.get(desk.path)
    desk.write()
    assert desk.owner.get(desk.path, If_None_Match=first.headers["ETag"]).status_code == 200


def test_a_chapter_counts_what_is_in_it(desk):
    desk.write()
    desk.try_move()
    [chapter] = desk.read()["chapters"]
    assert (chapter["comments"], chapter["tried"]) == (1, 1)


# Chapters


def test_a_chapter_holds_what_was_written_drawn_and_tried(desk):
    desk.write("Takes the *sting* out of it", "20")
    desk.edited("set_glyph", chapter=desk.chapter, node="20", glyph="!?")
    desk.edited("draw", chapter=desk.chapter, node="20", kind_of_mark="arrow", source="aragon", target="granada")
    tried = desk.try_move("20")["node"]
    page = desk.page()
    [comment] = page["notes"]["20"]["comments"]
    [mark] = page["notes"]["20"]["marks"]
    assert (comment["by"], comment["text"], comment["html"]) == (
        handle(desk.owner), "Takes the *sting* out of it", "<p>Takes the <em>sting</em> out of it</p>",
    )  # fmt: skip
    assert page["notes"]["20"]["glyphs"] == ["!?"]
    assert (mark["kind"], mark["source"], mark["target"]) == ("arrow", "aragon", "granada")
    assert page["nodes"] == [tried]
    assert (tried["parent"], tried["label"], tried["kind"], tried["index"]) == ("20", "A", "move", 0)
    assert page["version"] == desk.read()["version"]


def test_of_very_many_tried_moves_those_around_a_node_are_told(desk, monkeypatch):
    early, late = (desk.try_move(parent)["node"] for parent in ("20", "40"))
    whole = desk.page(query="?around=20")
    assert (whole["nodes"], whole["near"], whole["variations"]) == ([early, late], None, {"20": 1, "40": 1})
    monkeypatch.setattr("replay.study.tree.MANY", 1)
    assert desk.page()["nodes"] == [early, late]
    for around, told in (("22", early), (late["id"], late)):
        part = desk.page(query=f"?around={around}")
        assert (part["nodes"], part["variations"]) == ([told], whole["variations"])
        assert part["near"]["first"] <= int(told["parent"]) <= part["near"]["last"]
    assert desk.page(query=f"?around={'9' * 16}")["nodes"] == []


def test_html_in_a_comment_is_text(desk):
    desk.write("<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1))")
    [comment] = desk.page()["notes"]["20"]["comments"]
    assert "<script" not in comment["html"]
    assert "<img" not in comment["html"]
    assert "href" not in comment["html"]


def test_the_story_of_a_tried_move_is_told_through_the_eyes_of_the_viewer(desk):
    """A secret answer is told to its own player and to those who may see everything."""
    node, seat, move = a_secret_decision(desk)
    desk.edited("try_move", chapter=desk.chapter, parent=node, seat=seat, move=move)
    told = {viewer: desk.page(query=f"?viewer={viewer}")["nodes"][0]["story"] for viewer in ("everything", "spectator")}
    assert len({json.dumps(story) for story in told.values()}) == 2


def a_secret_decision(desk) -> tuple[str, str, dict]:
    """The first step of a general scoring, which comes in every game."""
    outline = desk.owner.get(f"/games/{desk.page()['game']}/outline").get_json()
    for version in range(outline["first"], outline["last"]):
        for decision in desk.position(str(version))["decisions"]:
            if decision["kind"] == "disk_general":
                return str(version), decision["seat"], decision["example"]
    raise AssertionError("no general scoring")


# Positions


def test_a_position_of_the_game_is_that_of_its_timeline(desk, over, anonymous):
    position = desk.position("20")
    assert position["scene"] == anonymous.get(f"/games/{over}/scene?version=20").get_json()
    [step] = anonymous.get(f"/games/{over}/timeline?after=19&limit=1").get_json()["steps"]
    assert position["step"] == {name: value for name, value in step.items() if name in position["step"]}


def test_what_can_be_tried_is_asked_of_those_who_were_asked(desk, over):
    position = desk.position("20")
    assert {decision["seat"] for decision in position["decisions"]} == set(position["step"]["asked"])
    assert position["decisions"][0]["schema"]["anyOf"]


def test_the_first_and_the_last_step_have_positions_too(desk, over, anonymous):
    last = anonymous.game(over)["version"]
    assert desk.position("1")["scene"]["sprites"] == []
    assert desk.position(str(last))["decisions"] == []


@pytest.mark.parametrize("node", ["0", "99999", "m99", "nothing", "007", "-1", "1" * 60])
def test_a_node_that_is_not_there_is_not_found(desk, node):
    assert problem(desk.owner.get(desk.node_path(node))) == (404, "not_found")


def test_a_position_is_seen_through_the_eyes_of_the_viewer(desk):
    hands = {
        viewer: [
            panel.get("hand") is not None for panel in desk.position("20", query=f"?viewer={viewer}")["scene"]["panels"]
        ]
        for viewer in ("everything", "red", "spectator")
    }
    assert hands == {"everything": [True, True], "red": [True, False], "spectator": [False, False]}


def test_a_chapter_that_a_seat_sees_is_seen_so_by_default(described, over):
    desk = Desk.of(described, over, viewer="red")
    assert (desk.position("20")["viewer"], desk.page()["seen_by"]) == ("red", "red")


# Trying


def test_a_tried_move_is_answered_with_the_position_after_it(desk):
    answer = desk.try_move("20")
    assert answer["kind"] == "try_move"
    assert answer["position"] == desk.position(answer["node"]["id"])
    assert answer["node"]["story"] == answer["position"]["step"]["story"]


def test_a_move_that_was_played_leads_to_the_same_position_when_it_is_tried(desk, over, anonymous):
    version, move = a_power_card(anonymous, over)
    tried = desk.edited("try_move", chapter=desk.chapter, parent=str(version - 1), **move)
    played, line = desk.position(str(version)), tried["position"]
    assert (line["step"], line["scene"]["sprites"]) == (played["step"], played["scene"]["sprites"])


def a_power_card(client, game) -> tuple[int, dict]:
    """The version of the first power card that a player chose, and the move."""
    for event in client.get(f"/games/{game}/events?limit=1000").get_json()["events"]:
        for fact in event["facts"]:
            if fact["fact"] == "power_card_played" and event["decision"]:
                move = {"decision": event["decision"], "kind": "play_power_card", "value": fact["value"]}
                return event["version"], {"seat": event["by"], "move": move}
    raise AssertionError("no power card")


def test_a_line_goes_on_from_a_tried_move(desk):
    node = "20"
    for _ in range(3):
        node = desk.try_move(node)["node"]["id"]
    assert [each["label"] for each in desk.page()["nodes"]] == ["A", "A", "A"]


def test_the_rules_refuse_what_they_do_not_allow(desk):
    example = desk.example("20")
    wrong = {**example["move"], "decision": "9999-red"}
    assert problem(
        desk.edit("try_move", chapter=desk.chapter, parent="20", seat=example["seat"], move=wrong)
    ) == (409, "not_your_decision")  # fmt: skip
    nothing = {"decision": example["move"]["decision"], "kind": "nothing"}
    assert problem(
        desk.edit("try_move", chapter=desk.chapter, parent="20", seat=example["seat"], move=nothing)
    ) == (400, "unreadable")  # fmt: skip
    assert desk.page()["nodes"] == []


def test_a_preview_tells_what_would_follow_and_keeps_nothing(desk):
    example = desk.example("20")
    told = desk.owner.post(f"{desk.node_path('20')}/preview", example).get_json()
    assert desk.page()["nodes"] == []
    tried = desk.edited("try_move", chapter=desk.chapter, parent="20", **example)
    assert (told["scene"], told["step"]) == (tried["position"]["scene"], tried["position"]["step"])


def test_no_step_is_sent_along_with_a_power_card(desk):
    """The steps that may be: tests/rules/el_grande/test_asking.py."""
    bidding = next(node for node in map(str, range(1, 20)) if desk.position(node)["decisions"])
    told = desk.owner.post(f"{desk.node_path(bidding)}/preview", desk.example(bidding)).get_json()
    assert desk.position(bidding)["decisions"][0]["kind"] == "power"
    assert told["further"] is None


def test_a_reader_may_see_a_preview(desk, anonymous):
    desk.edited("set_visibility", visibility="public")
    assert anonymous.post(f"{desk.node_path('20')}/preview", desk.example("20")).status_code == 200


def test_an_edit_is_told_in_a_sentence(desk):
    assert desk.write()["text"] == f"{handle(desk.owner)} writes about step 20 in “Round 5”"


# Running games


def test_a_chapter_of_a_running_game_is_seen_by_a_spectator_and_nothing_is_tried_in_it(described, running):
    desk = Desk.of(described, running)
    assert desk.read()["chapters"][0]["viewer"] == "spectator"
    position = desk.position("14")
    assert position["decisions"] == []
    move: dict[str, Any] = {"seat": "red", "move": {"decision": "1-red", "kind": "stop"}}
    assert problem(desk.edit("try_move", chapter=desk.chapter, parent="14", **move)) == (409, "not_now")
    assert problem(desk.owner.post(f"{desk.node_path('14')}/preview", move)) == (409, "not_now")
    refused = desk.edit("add_chapter", title="All", game=running, viewer="everything")
    assert problem(refused) == (409, "not_now")


def test_it_is_closed_to_its_players(described, running, players):
    desk = Desk.of(described, running, visibility="public")
    desk.write("Red must score Aragon", "14")
    page = desk.page(players[0])
    assert (page["is_closed"], page["title"], page["notes"], page["nodes"]) == (True, "", {}, [])
    assert desk.read(players[0])["chapters"][0]["comments"] == 0
    assert desk.page()["notes"]["14"]["comments"]
