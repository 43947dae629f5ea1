"""Lists of studies, their history, their members who are there, and their end."""

import json

import pytest

from tests.service.api.asking import problem
from tests.service.api.studies.desk import Desk
from tests.service.api.studies.test_reading import a_power_card, handle


def found(client, query="") -> list[str]:
    answer = client.get(f"/studies{query}")
    assert answer.status_code == 200, answer.text
    return [study["id"] for study in answer.get_json()["studies"]]


# Lists


def test_a_list_holds_what_one_may_see(desk, described, anonymous):
    eve = Desk.guest(described)
    assert desk.study in found(desk.owner)
    assert desk.study not in found(eve, "?limit=100")
    desk.edited("set_visibility", visibility="public")
    assert desk.study in found(eve)
    assert desk.study in found(anonymous)


def test_a_list_tells_of_each_study(desk, over):
    desk.write()
    desk.try_move()
    [study] = desk.owner.get("/studies?owner=me").get_json()["studies"]
    assert (study["title"], study["owner"], study["role"]) == ("Vetoes", handle(desk.owner), "owner")
    assert (study["chapters"], study["comments"], study["tried"]) == (1, 1, 1)
    assert study["picture"] == f"/api/v1/games/{over}/board.svg"
    assert study["writing_now"] == []


def test_studies_are_found_by_owner_member_and_game(desk, described, over, anonymous):
    ben = desk.joined_by(Desk.guest(described))
    assert found(ben, "?member=me") == [desk.study]
    assert found(ben, "?owner=me") == []
    assert found(ben, f"?owner={handle(desk.owner)}") == [desk.study]
    assert desk.study in found(ben, f"?game={over}")
    assert found(anonymous, "?owner=me") == found(anonymous, "?owner=nobody-is-this") == []


def test_studies_are_found_by_what_is_written_in_them(desk, described):
    desk.edited("set_visibility", visibility="public")
    desk.write("The zarzuela gambit")
    eve = Desk.guest(described)
    assert found(eve, "?query=ZARZUELA") == [desk.study]
    assert found(eve, "?query=zarzuela+opening") == []


def test_a_list_comes_in_pages(described):
    ana = Desk.guest(described)
    made = [ana.post("/studies", {"title": f"Study {number}"}).get_json()["id"] for number in range(3)]
    first = ana.get("/studies?owner=me&limit=2").get_json()
    rest = ana.get(f"/studies?owner=me&limit=2&cursor={first['next']}").get_json()
    assert sorted(study["id"] for study in first["studies"] + rest["studies"]) == sorted(made)
    assert (len(first["studies"]), rest["next"]) == (2, None)


# History


def test_the_history_tells_every_change_the_newest_first(desk):
    desk.write()
    desk.edited("undo")
    edits = desk.owner.get(f"{desk.path}/history").get_json()["edits"]
    assert [edit["kind"] for edit in edits] == ["undo", "write_comment", "add_chapter", "create"]
    assert [edit["is_undone"] for edit in edits] == [False, True, False, False]
    assert edits[1]["text"] == f"{handle(desk.owner)} writes about step 20 in “Round 5”"
    assert (edits[1]["chapter"], edits[1]["node"], edits[1]["by"], edits[1]["is_mine"]) == (
        desk.chapter, "20", handle(desk.owner), True,
    )  # fmt: skip


def test_the_history_names_tried_moves_by_their_places_in_variations(desk):
    first = desk.try_move("20")["node"]["id"]
    second = desk.try_move(first)["node"]["id"]
    desk.write(node=second)
    told = desk.owner.get(f"{desk.path}/history?limit=2").get_json()["edits"]
    assert [edit["brief"] for edit in told] == ["note at A, move 2", "move tried after A, move 1"]
    assert told[0]["text"].endswith("writes about A, move 2 in “Round 5”")
    desk.edited("remove_moves", chapter=desk.chapter, node=first, seen=99)
    told = desk.owner.get(f"{desk.path}/history?limit=2").get_json()["edits"]
    assert told[1]["brief"] == "note at a move that is gone"


def test_the_history_comes_in_pages(desk):
    for _ in range(5):
        desk.write()
    page, versions = desk.owner.get(f"{desk.path}/history?limit=3").get_json(), []
    while True:
        versions += [edit["version"] for edit in page["edits"]]
        if page["next"] is None:
            break
        page = desk.owner.get(f"{desk.path}/history?limit=3&before={page['next']}").get_json()
    assert versions == list(range(7, 0, -1))


def test_undo_and_redo_say_whether_they_can(desk):
    desk.write()
    assert (desk.read()["can_undo"], desk.read()["can_redo"]) == (True, False)
    desk.edited("undo")
    assert desk.page()["notes"] == {}
    assert desk.read()["can_redo"]
    desk.edited("redo")
    assert desk.page()["notes"]["20"]["comments"]


# Links


def test_a_link_opens_a_study_to_those_who_have_it(desk, anonymous):
    desk.edited("set_visibility", visibility="link")
    link = desk.read()["link"]
    key = link.partition("?key=")[2]
    assert link.startswith(f"/studies/{desk.study}?key=")
    assert desk.read(anonymous, f"?key={key}")["link"] is None
    assert desk.page(anonymous, f"?key={key}")["title"] == "Round 5"
    assert desk.position("20", anonymous, f"?key={key}")["node"] == "20"
    assert problem(anonymous.get(desk.path)) == (404, "not_found")
    assert problem(anonymous.get(f"{desk.path}?key=another")) == (404, "not_found")
    assert desk.study not in found(anonymous, "?limit=100")


def test_a_reader_by_link_edits_nothing(desk, described):
    desk.edited("set_visibility", visibility="link")
    key = desk.read()["link"].partition("?key=")[2]
    answer = Desk.guest(described).post(f"{desk.path}/edits?key={key}", {"kind": "undo"})
    assert problem(answer) == (403, "forbidden")


# Presence


def test_members_see_who_is_there_and_where(desk, described):
    ben = desk.joined_by(Desk.guest(described))
    told = ben.post(f"{desk.path}/presence", {"chapter": desk.chapter, "node": "20", "is_writing": True})
    assert told.status_code == 204
    assert desk.read()["presence"] == [
        {"handle": handle(ben), "chapter": desk.chapter, "node": "20", "is_writing": True}
    ]
    [study] = desk.owner.get("/studies?owner=me").get_json()["studies"]
    assert study["writing_now"] == [handle(ben)]


def test_nobody_is_present_in_a_study_that_is_not_there(desk, described):
    assert problem(Desk.guest(described).post(f"{desk.path}/presence", {})) == (404, "not_found")


# The end


def test_its_owner_deletes_a_study(desk, described):
    ben = desk.joined_by(Desk.guest(described))
    assert problem(ben.delete(desk.path)) == (403, "forbidden")
    assert desk.owner.delete(desk.path).status_code == 204
    assert problem(desk.owner.get(desk.path)) == (404, "not_found")
    assert found(desk.owner, "?owner=me") == []


# Pictures


def test_a_picture_of_a_node_shows_its_marks(desk):
    plain = desk.owner.get(f"{desk.node_path('20')}/board.svg")
    desk.edited("draw", chapter=desk.chapter, node="20", kind_of_mark="arrow", source="aragon", target="granada")
    desk.edited("draw", chapter=desk.chapter, node="20", kind_of_mark="highlight", source="sevilla")
    drawn = desk.owner.get(f"{desk.node_path('20')}/board.svg?theme=dark")
    assert (plain.mimetype, drawn.mimetype) == ("image/svg+xml", "image/svg+xml")
    assert b'class="mark-arrow mark-note"' not in plain.data
    assert b'class="mark-arrow mark-note"' in drawn.data
    assert b'class="region-note"' in drawn.data
    assert "script" not in drawn.text


def test_a_picture_of_a_tried_move_is_that_of_its_position(desk):
    node = desk.try_move()["node"]["id"]
    assert desk.owner.get(f"{desk.node_path(node)}/board.svg").status_code == 200


@pytest.mark.parametrize("space", ["nowhere", "../x", '"><script>', "a" * 41])
def test_marks_lie_between_places_of_the_board(desk, space):
    answer = desk.edit("draw", chapter=desk.chapter, node="20", kind_of_mark="highlight", source=space)
    assert problem(answer) == (400, "unreadable")


# Quiz


def guess(desk, node, move):
    answer = desk.owner.post(f"{desk.node_path(node)}/guess", move)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def test_a_guess_says_whether_it_was_played(desk, over, anonymous):
    version, played = a_power_card(anonymous, over)
    told = guess(desk, str(version - 1), played)
    assert told["is_played"]
    assert told["played"]["story"]
    assert told["variation"] is None


def test_a_guess_says_what_the_study_thinks_of_it(desk):
    tried = desk.try_move("20")["node"]
    desk.write("A blunder", tried["id"])
    desk.edited("set_glyph", chapter=desk.chapter, node=tried["id"], glyph="??")
    told = guess(desk, "20", {"seat": tried["seat"], "move": tried["move"]})
    assert (told["variation"]["node"], told["variation"]["label"]) == (tried["id"], "A")
    assert (told["variation"]["glyphs"], told["variation"]["comments"][0]["text"]) == (["??"], "A blunder")


def test_a_guess_that_the_rules_forbid_is_refused(desk):
    move = desk.example("20") | {"move": {"decision": "9999-red", "kind": "stop"}}
    assert problem(desk.owner.post(f"{desk.node_path('20')}/guess", move)) == (409, "not_your_decision")


def test_nothing_is_guessed_while_a_game_runs(described, running):
    desk = Desk.of(described, running)
    move = {"seat": "red", "move": {"decision": "1-red", "kind": "stop"}}
    assert problem(desk.owner.post(f"{desk.node_path('14')}/guess", move)) == (409, "not_now")


# Comments


def test_markdown_is_shown_before_it_is_written(desk, anonymous):
    answer = desk.owner.post("/studies/markdown", {"text": "**Aha** <b>"})
    assert answer.get_json() == {"html": "<p><strong>Aha</strong> &lt;b&gt;</p>"}
    assert json.loads(anonymous.post("/studies/markdown", {"text": "x"}).data)["status"] == 401


def test_the_methods_of_an_address_are_its_own(desk):
    """`/studies/import` is no study."""
    refused = desk.owner.ask("PUT", "/studies/import")
    assert problem(refused) == (405, "method_not_allowed")
    asked = desk.owner.http.options("/api/v1/studies/import")
    for answer in (refused, asked):
        assert set(answer.headers["Allow"].split(", ")) == {"POST", "OPTIONS"}
