"""A contributor who plays in a running game learns nothing from a study of it: whatever others write there, the player
gets the same bytes."""

import re

import pytest
from werkzeug.test import TestResponse

from tests.service.api.studies.desk import Desk
from tests.service.api.studies.test_live import Live, quick
from tests.service.api.studies.test_reading import handle

__all__ = ["quick"]

NODE = "14"
MOVE = {"seat": "red", "move": {"decision": "1-red", "kind": "stop"}}

DIGEST = re.compile(r"\.[0-9a-f]{16}")
"""Of the whole body, in which the id of the study is another each time."""

HIDDEN = {
    "nothing": lambda desk: None,
    "a comment": lambda desk: desk.write("Red must score Aragon: zarzuela", NODE),
    "many comments": lambda desk: [desk.write(f"Number {number}", NODE) for number in range(4)],
    "a comment that is gone": lambda desk: [desk.write("Aha", NODE), desk.edited("undo")],
    "a glyph": lambda desk: desk.edited("set_glyph", chapter=desk.chapter, node=NODE, glyph="??"),
    "an arrow": lambda desk: desk.edited(
        "draw", chapter=desk.chapter, node=NODE, kind_of_mark="arrow", source="aragon", target="granada"
    ),
    "another title": lambda desk: desk.edited("rename_chapter", chapter=desk.chapter, title="Zarzuela", seen=99),
    "somebody who writes": lambda desk: desk.owner.post(
        f"{desk.path}/presence", {"chapter": desk.chapter, "node": NODE, "is_writing": True}
    ),
}
"""What others do in the chapter that is closed to the player."""

READS = (
    "",
    "/history",
    "/history?limit=1",
    "/export?format=json",
    "/export?format=text",
    "/chapters/{chapter}",
    "/chapters/{chapter}?around=" + NODE,
    "/chapters/{chapter}/nodes/" + NODE,
    "/chapters/{chapter}/nodes/m1",
    "/chapters/{chapter}/nodes/" + NODE + "/board.svg",
)
LISTS = ("?owner={owner}", "?member=me", "?query=zarzuela", "?query=vetoes", "?game={game}&limit=100")
WRITES = (
    ("/edits", {"kind": "write_comment", "chapter": "{chapter}", "node": NODE, "text": "Mine"}),
    ("/edits", {"kind": "remove_comment", "chapter": "{chapter}", "node": NODE, "comment": "c1", "seen": 99}),
    ("/edits", {"kind": "set_glyph", "chapter": "{chapter}", "node": NODE, "glyph": "??"}),
    ("/edits", {"kind": "erase", "chapter": "{chapter}", "node": NODE, "mark": "d1"}),
    ("/edits", {"kind": "remove_chapter", "chapter": "{chapter}", "seen": 3}),
    ("/edits", {"kind": "rename_chapter", "chapter": "{chapter}", "title": "Mine", "seen": 3}),
    ("/edits", {"kind": "undo"}),
    ("/edits", {"kind": "undo", "change": 3}),
    ("/edits", {"kind": "undo", "change": 4}),
    ("/edits", {"kind": "redo"}),
    ("/presence", {"chapter": "{chapter}", "node": NODE}),
    ("/chapters/{chapter}/nodes/" + NODE + "/guess", MOVE),
    ("/chapters/{chapter}/nodes/" + NODE + "/preview", MOVE),
    ("/edits", {"kind": "rename", "title": "A title of the player's", "seen": 3}),
)


@pytest.fixture
def at_once(service, monkeypatch):
    """Everything happens at the same moment."""
    moment = service.services.studies.now() + 60_000
    monkeypatch.setattr(service.services.studies, "now", lambda: moment)


def studied(described, running, owner, player, hidden) -> Desk:
    """A study of the running game, to which its player contributes, with something that others did there."""
    desk = Desk.of(described, running, owner)
    desk.joined_by(player)
    HIDDEN[hidden](desk)
    return desk


def answered(desk: Desk, response: TestResponse) -> tuple[int, str, str]:
    """Status, ETag and body, whichever study it is and whichever request it was."""
    body = response.get_data(as_text=True).replace(desk.study, "STUDY")
    if response.is_json and "request_id" in (told := response.get_json()):
        body = body.replace(told["request_id"], "REQUEST")
    return response.status_code, DIGEST.sub("", response.headers.get("ETag", "")), body


def filled(desk: Desk, value):
    if isinstance(value, dict):
        return {name: filled(desk, part) for name, part in value.items()}
    return value.replace("{chapter}", desk.chapter) if isinstance(value, str) else value


def everything_told(desk: Desk, player, game: str) -> list:
    """All that the player can learn over HTTP."""
    reads = [answered(desk, player.get(desk.path + filled(desk, path))) for path in READS]
    names = {"{owner}": handle(desk.owner), "{game}": game}
    lists = list(LISTS)
    for name, value in names.items():
        lists = [query.replace(name, value) for query in lists]
    listed = [answered(desk, player.get(f"/studies{query}")) for query in lists]
    written = [answered(desk, player.post(desk.path + filled(desk, path), filled(desk, body))) for path, body in WRITES]
    return [*reads, *listed, *written, *(answered(desk, player.get(desk.path + path)) for path in ("", "/history"))]


@pytest.mark.usefixtures("at_once")
def test_what_others_write_in_a_closed_chapter_changes_no_byte_for_its_player(described, running, players):
    owner, player = Desk.guest(described), players[0]
    told = {}
    for hidden in HIDDEN:
        desk = studied(described, running, owner, player, hidden)
        told[hidden] = everything_told(desk, player, running)
        assert owner.delete(desk.path).status_code == 204
    for hidden in HIDDEN:
        if hidden == "somebody who writes":
            continue  # That the owner has the study open is no secret; where, is: see below.
        for mine, plain in zip(told[hidden], told["nothing"], strict=True):
            assert mine == plain, hidden


def test_a_player_is_not_told_where_somebody_is_in_a_closed_chapter(described, running, players):
    desk = studied(described, running, Desk.guest(described), players[0], "somebody who writes")
    [present] = desk.read(players[0])["presence"]
    assert (present["chapter"], present["node"], present["is_writing"]) == (None, None, False)
    [listed] = players[0].get(f"/studies?owner={handle(desk.owner)}").get_json()["studies"]
    assert listed["writing_now"] == []


@pytest.mark.usefixtures("at_once", "quick")
def test_a_stream_is_the_same_to_the_byte(described, running, players):
    owner = Desk.guest(described)

    def heard(hidden) -> list:
        desk = studied(described, running, owner, players[0], "nothing")
        with Live(desk, players[0]) as live:
            HIDDEN[hidden](desk)
            desk.edited("rename", title="A sign", seen=99)
            chunks: list[bytes] = []
            while not any(b"A sign" in chunk for chunk in chunks):
                chunks.append(next(live.chunks))
        owner.delete(desk.path)
        return [chunk.replace(desk.study.encode(), b"STUDY") for chunk in chunks if b"event: edit" in chunk]

    expected = heard("nothing")
    assert expected
    for hidden in ("a comment", "many comments", "a glyph", "another title"):
        assert heard(hidden) == expected


def test_a_reader_who_does_not_play_learns_it_all(described, running):
    desk = Desk.of(described, running, visibility="public")
    desk.write("Red must score Aragon: zarzuela", NODE)
    eve = Desk.guest(described)
    assert desk.page(eve)["notes"][NODE]["comments"]
