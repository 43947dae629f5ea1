"""Studies as files: what leaves comes back, and nothing in a file is believed."""

import json
from copy import deepcopy

import pytest

from replay.study import text_format
from replay.study.json_format import ChapterFile, StudyFile
from replay.study.study import TriedMove
from service.http.request_bodies import LARGER
from tests.service.api.asking import problem
from tests.service.api.studies.desk import Desk
from tests.service.api.studies.test_reading import a_secret_decision, handle

FORMATS = ("json", "text")


@pytest.fixture
def full(desk, described) -> Desk:
    """A study with some of everything, by two people."""
    ben = desk.joined_by(Desk.guest(described))
    first = desk.try_move("20")["node"]["id"]
    second = desk.try_move(first)["node"]["id"]
    desk.edited("assume", chapter=desk.chapter, parent="20", assumption="order_of_cards", value=7)
    desk.write("A first line\n\n* and a list", "20")
    desk.write("By Ben", second, by=ben)
    desk.edited("set_glyph", chapter=desk.chapter, node=first, glyph="!?")
    desk.edited("draw", chapter=desk.chapter, node="21", kind_of_mark="arrow", source="aragon", target="granada")
    parent, seat, move = a_secret_decision(desk)
    desk.edited("try_move", chapter=desk.chapter, parent=parent, seat=seat, move=move)
    return desk


def exported(desk, format, by=None) -> str:
    answer = (by or desk.owner).get(f"{desk.path}/export?format={format}")
    assert answer.status_code == 200, answer.text
    return answer.get_data(as_text=True)


def imported(client, document, format="json", **fields):
    return client.post("/studies/import", {"format": format, "document": document, **fields})


def tree_of(desk) -> dict:
    page = desk.page()
    return {name: page[name] for name in ("title", "game", "viewer", "notes", "nodes")}


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_comes_back_as_the_same_study(full, format):
    answer = imported(full.owner, exported(full, format), format)
    assert answer.status_code == 201, answer.text
    again = Desk(full.owner, answer.get_json()["id"], answer.get_json()["chapters"][0]["id"])
    before, after = tree_of(full), tree_of(again)
    assert after["nodes"] == [{**node, "by": handle(full.owner)} for node in before["nodes"]]
    said = [comment for notes in after["notes"].values() for comment in notes["comments"]]
    assert sorted(comment["by"][:1] for comment in said) == sorted([handle(full.owner)[:1], "~"])
    assert exported(again, format) == exported(full, format)


def test_both_formats_hold_the_same(full):
    one = imported(full.owner, exported(full, "text"), "text").get_json()["id"]
    assert exported(Desk(full.owner, one), "json") == exported(full, "json")


def test_a_file_is_sent_to_be_kept(full):
    answer = full.owner.get(f"{full.path}/export?format=text")
    assert (answer.mimetype, answer.headers["Content-Disposition"]) == ("text/plain", "attachment; filename=study.txt")


def test_a_file_names_authors_who_are_nobody_here(full, described):
    """Whoever makes a file can write any name into it."""
    eve, victim = Desk.guest(described), handle(full.owner)
    answer = imported(eve, exported(full, "json"), visibility="public").get_json()
    page = Desk(eve, answer["id"], answer["chapters"][0]["id"]).page()
    assert {node["by"] for node in page["nodes"]} == {f"~{victim}"}


@pytest.mark.parametrize("format", FORMATS)
def test_what_cannot_be_read_says_where(described, format):
    document = {"json": '{"format":"hidalgo-study","schema":1,"title":3}', "text": "# One\nnonsense"}[format]
    answer = imported(Desk.guest(described), document, format)
    assert problem(answer) == (400, "unreadable")
    assert {"json": "title", "text": "line 2"}[format] in answer.get_json()["detail"]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("depth", [100, 3000, 200_000])
def test_a_file_that_is_nested_deeply_is_refused(described, format, depth):
    deep = "[" * depth + "]" * depth
    document = {
        "json": f'{{"format":"hidalgo-study","schema":1,"title":"x","chapters":{deep}}}',
        "text": f"# x\n\n## y\ngame g seen by red\n\n2\n  m1 ana red {deep}",
    }[format]
    assert problem(imported(Desk.guest(described), document, format)) == (400, "unreadable")


def test_a_file_that_is_too_large_is_refused_before_it_is_read(described, service):
    ana = Desk.guest(described)
    most = LARGER["/api/v1/studies/import"]
    assert problem(imported(ana, "x" * most)) == (413, "too_large")
    assert problem(ana.post("/studies", {"title": "x" * 70_000})) == (413, "too_large")


def test_a_chapter_whose_game_is_not_here_is_named(full):
    file = json.loads(exported(full, "json"))
    file["chapters"][0] |= {"game": "elsewhere", "title": "From elsewhere"}
    answer = imported(full.owner, json.dumps(file))
    assert problem(answer) == (400, "unreadable")
    assert "From elsewhere" in answer.get_json()["detail"]


def test_a_move_that_the_rules_do_not_allow_is_named(full):
    file = json.loads(exported(full, "json"))
    [move, *_] = file["chapters"][0]["variations"]["20"]
    move["move"] = {**move["move"], "decision": "9999-red"}
    answer = imported(full.owner, json.dumps(file))
    assert problem(answer) == (422, "rule_broken")
    assert move["id"] in answer.get_json()["detail"]


def test_what_a_file_says_followed_is_not_believed(full):
    file = json.loads(exported(full, "json"))
    for moves in file["chapters"][0]["variations"].values():
        for move in moves:
            move["facts"] = [{"fact": "points_from_nowhere"}]
    answer = imported(full.owner, json.dumps(file)).get_json()
    assert exported(Desk(full.owner, answer["id"]), "json") == exported(full, "json")


CHANGES = {
    "a step that is not there": lambda chapter: chapter["notes"].update({"99999": chapter["notes"]["20"]}),
    "a space that is not there": lambda chapter: chapter["notes"]["21"]["marks"][0].update(source="<script>"),
    "another space": lambda chapter: chapter["notes"]["21"]["marks"][0].update(source="atlantis"),
    "a glyph that is none": lambda chapter: chapter["notes"]["20"].update(glyphs=["<b>"]),
    "two ids": lambda chapter: chapter["notes"]["20"].update(comments=chapter["notes"]["20"]["comments"] * 2),
    "too many comments": lambda chapter: chapter["notes"]["20"].update(
        comments=[{"id": f"c{number}", "by": "ana", "text": "!"} for number in range(900, 960)]
    ),
    "a viewer that is none": lambda chapter: chapter.update(viewer="purple"),
    "no tree": lambda chapter: chapter["variations"].update({"m999": chapter["variations"]["20"]}),
    "control characters": lambda chapter: chapter["notes"]["20"]["comments"][0].update(text="a\u202eb"),
    "a move without a seat": lambda chapter: chapter["variations"]["20"][0].update(seat=""),
    "an author who is none": lambda chapter: chapter["variations"]["20"][0].update(by="~ana"),
    "an unknown field": lambda chapter: chapter.update(owner="ana"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_hostile_files_are_refused_whole(full, change):
    file = deepcopy(json.loads(exported(full, "json")))
    CHANGES[change](file["chapters"][0])
    before = full.owner.get("/studies?owner=me&limit=100").get_json()["studies"]
    answer = imported(full.owner, json.dumps(file))
    assert problem(answer)[0] in (400, 422)
    assert len(full.owner.get("/studies?owner=me&limit=100").get_json()["studies"]) == len(before)


def test_a_very_long_line_is_written_and_read_as_text():
    parents = ["2", *(f"m{number}" for number in range(1, 1500))]
    moves: dict[str, tuple[TriedMove, ...]] = {
        parent: (TriedMove(f"m{at}", parent, "ana", "red", {}, (), 3),) for at, parent in enumerate(parents, 1)
    }
    file = StudyFile("hidalgo-study", 1, "Long", (ChapterFile("One", "g", "red", moves),))
    assert text_format.read(text_format.text_of(file)) == file
