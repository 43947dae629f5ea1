"""The inbox, read and followed by a client."""

import json
from itertools import islice

import pytest

from service.client import Unauthorized
from tests.service.client.fake import Say, fake, problem
from tests.service.client.tables import guests


def notice(number: int) -> dict:
    return {"id": number, "kind": "your_turn", "text": "it is your turn", "at": 1, "game": "g", "version": number}


def event(number: int) -> bytes:
    return f"id: {number}\nevent: notice\ndata: {json.dumps(notice(number))}\n\n".encode()


def page(*numbers: int, more: int | None = None) -> Say:
    return Say(body={"notices": [notice(number) for number in numbers], "next": more})


def test_an_inbox_is_read_page_by_page():
    with fake(page(3, 4, more=4), page(5)) as server:
        assert [found.id for found in server.client("t").inbox(after=2, limit=2)] == [3, 4, 5]
        assert [heard.path for heard in server.heard] == ["/me/inbox?after=2&limit=2", "/me/inbox?after=4&limit=2"]


def test_a_stream_that_breaks_goes_on_where_it_broke():
    broken = Say(chunks=[event(1), event(2), event(3)[:15]], hang_up=True)
    with fake(broken, page(3), Say(chunks=[b":\n\n", event(3), event(4)]), page()) as server:
        stream = server.client("t").inbox_stream(pause=0.01)
        assert [found.id for found in islice(stream, 4)] == [1, 2, 3, 4]
        stream.close()
        assert [heard.headers.get("Last-Event-ID") for heard in server.heard] == ["0", None, "3"]


def test_without_a_stream_to_spare_the_client_polls():
    full = Say(503, {"code": "too_many_streams"}, {"Retry-After": "60"})
    with fake(page(1), page(2), stream=full) as server:
        stream = server.client("t").inbox_stream(pause=0.01)
        assert [found.id for found in islice(stream, 2)] == [1, 2]
        stream.close()


def test_a_client_without_an_account_has_no_inbox():
    with fake(problem(401, "unauthorized")) as server, pytest.raises(Unauthorized):
        next(server.client().inbox_stream())


@pytest.mark.usefixtures("described")
def test_a_real_service_gives_a_player_its_notices(service):
    with guests(service.url, 2) as (ana, ben):
        stream = ana.inbox_stream()
        game = ana.create_game(players=2)
        ben.join(game)
        ana.start(game)
        notices = list(islice(stream, 3))
        stream.close()
        assert [found.kind for found in notices] == ["seat_taken", "seat_taken", "game_started"]
        assert notices[1].text == "a player has taken the seat blue; all seats are taken"
        assert list(islice(ana.inbox(), 3)) == notices
        assert {found.game for found in notices} == {game.id}
    assert 'hidalgo_notices_total{kind="game_started"}' in service.get("/metrics"), "counted by the first process"
