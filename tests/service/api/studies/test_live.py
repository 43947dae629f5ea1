"""`GET /studies/{id}/stream`: edits and people as they come, for those who may know of them."""

import json

import pytest

from tests.service.api.asking import ApiClient
from tests.service.api.live import LiveStream
from tests.service.api.studies.desk import Desk
from tests.service.api.studies.test_reading import handle
from tests.service.schemas import events_of

SCHEMA = "StudyStreamData"


@pytest.fixture(autouse=True)
def quick(service, monkeypatch):
    monkeypatch.setattr("service.live.study_streams.SECONDS_BETWEEN_LOOKS", 0.1)
    monkeypatch.setattr(service.services.study_streams, "_keep_alive", 0.3)
    events_of(SCHEMA)


class Live(LiveStream):
    """An open stream of a study."""

    def __init__(self, desk: Desk, client: ApiClient, query: str = "", **headers: str) -> None:
        super().__init__(f"{desk.path}/stream{query}", client, SCHEMA, **headers)

    def next(self, name: str = "edit") -> dict:
        return super().next(name)


def test_edits_arrive_as_they_are_made(desk, described):
    ben = desk.joined_by(Desk.guest(described))
    with Live(desk, ben) as live:
        desk.write()
        edit = live.next()
        assert (edit["kind"], edit["chapter"], edit["node"], edit["by"]) == (
            "write_comment", desk.chapter, "20", handle(desk.owner),
        )  # fmt: skip
        tried = desk.try_move()
        assert (live.next()["node"], tried["kind"]) == (tried["node"]["id"], "try_move")


def test_a_client_goes_on_after_the_last_edit_it_has(desk):
    for _ in range(3):
        desk.write()
    with Live(desk, desk.owner, Last_Event_ID="3") as live:
        assert [live.next()["version"] for _ in range(2)] == [4, 5]
    with Live(desk, desk.owner, query="?after=4") as live:
        assert live.next()["version"] == 5


def test_members_are_seen_to_come_and_to_write(desk, described):
    ben = desk.joined_by(Desk.guest(described))
    with Live(desk, desk.owner) as live:
        ben.post(f"{desk.path}/presence", {"chapter": desk.chapter, "node": "20", "is_writing": True})
        while not (told := live.next("presence"))["members"]:
            pass
        assert told["members"] == [{"handle": handle(ben), "chapter": desk.chapter, "node": "20", "is_writing": True}]


def test_one_item_a_line(desk):
    desk.write()
    with Live(desk, desk.owner, query="?after=2", Accept="application/x-ndjson") as live:
        lines = (json.loads(event.data) for event in live.events if event)
        assert next(line for line in lines if "version" in line)["kind"] == "write_comment"


def test_a_reader_by_link_listens_with_the_key(desk, anonymous):
    desk.edited("set_visibility", visibility="link")
    key = desk.read()["link"].partition("?key=")[2]
    with Live(desk, anonymous, query=f"?key={key}") as live:
        desk.write()
        assert live.next()["kind"] == "write_comment"
        desk.edited("set_visibility", visibility="private")
        assert live.next("end")


def test_a_member_who_is_removed_hears_nothing_more(desk, described):
    ben = desk.joined_by(Desk.guest(described))
    with Live(desk, ben) as live:
        desk.edited("set_member", handle=handle(ben), role="")
        desk.write("Not for Ben")
        assert [event.name for event in live.events if event] in (["end"], ["presence", "end"])


def test_a_study_that_is_deleted_ends_its_streams(desk):
    with Live(desk, desk.owner) as live:
        desk.owner.delete(desk.path)
        assert live.next("end")


def test_a_player_of_a_running_game_hears_nothing_of_what_is_closed(described, running, players):
    desk = Desk.of(described, running, visibility="public")
    with Live(desk, players[0]) as live, Live(desk, desk.owner) as open_to_all:
        desk.write("Red must score Aragon", "14")
        assert open_to_all.next()["kind"] == "write_comment"
        list(zip(live.events, range(1), strict=False))
        assert live.silence()
        desk.edited("rename", title="Another title", seen=9)
        assert live.next()["kind"] == "rename"


def test_the_numbers_of_edits_tell_nothing_of_those_that_are_closed(described, running, players):
    desk = Desk.of(described, running, visibility="public")
    with Live(desk, players[0]) as live:
        for _ in range(3):
            desk.write("Red must score Aragon", "14")
        desk.edited("rename", title="Another title", seen=9)
        assert live.next()["version"] == 3
    assert desk.read(players[0])["version"] == 3
    assert desk.read()["version"] == 6
