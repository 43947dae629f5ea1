"""The inbox, read and followed by a client; and what a receiver of webhooks needs."""

import hmac
import json
from itertools import islice
from time import time

import pytest

from service.client import Unauthorized, verify_signature
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


def test_where_no_stream_is_to_spare_it_asks():
    full = Say(503, {"code": "too_many_streams"}, {"Retry-After": "60"})
    with fake(page(1), page(2), stream=full) as server:
        stream = server.client("t").inbox_stream(pause=0.01)
        assert [found.id for found in islice(stream, 2)] == [1, 2]
        stream.close()


def test_nobody_has_no_inbox():
    with fake(problem(401, "unauthorized")) as server, pytest.raises(Unauthorized):
        next(server.client().inbox_stream())


@pytest.mark.usefixtures("described")
def test_a_real_service_tells_what_concerns_a_player(service):
    with guests(service.url, 2) as (ana, ben):
        stream = ana.inbox_stream()
        game = ana.create_game(players=2)
        ben.join(game)
        ana.start(game)
        told = list(islice(stream, 3))
        stream.close()
        assert [found.kind for found in told] == ["seat_taken", "seat_taken", "game_started"]
        assert told[1].text == "somebody has taken the seat blue; all seats are taken"
        assert list(islice(ana.inbox(), 3)) == told
        assert {found.game for found in told} == {game.id}
    assert 'hidalgo_notices_total{kind="game_started"}' in service.get("/metrics"), "counted by the first process"


# Signatures

SECRET = "hdw_secret"


def signature(secret: str, at: int, body: bytes) -> str:
    return hmac.digest(secret.encode(), b"%d.%b" % (at, body), "sha256").hex()


def signed(body: bytes, at: int, *secrets: str) -> dict[str, str]:
    signatures = [f"v1={signature(secret, at, body)}" for secret in secrets or (SECRET,)]
    return {"hidalgo-signature": ",".join([f"t={at}", *signatures])}


def test_what_was_signed_just_now_by_the_secret_is_believed():
    now = int(time())
    assert verify_signature(SECRET, signed(b"{}", now), b"{}")
    assert verify_signature(SECRET, signed(b"{}", now, "hdw_new", SECRET), b"{}")


def test_what_is_old_or_from_the_future_is_not_believed():
    at = 1_800_000_000
    headers = signed(b"{}", at)
    assert verify_signature(SECRET, headers, b"{}", now=at + 300)
    assert not verify_signature(SECRET, headers, b"{}", now=at + 301)
    assert not verify_signature(SECRET, headers, b"{}", now=at - 301)
    assert verify_signature(SECRET, headers, b"{}", now=at + 301, tolerance=400)


def test_what_was_changed_is_not_believed():
    now = int(time())
    headers = signed(b"{}", now)
    assert not verify_signature(SECRET, headers, b"{ }")
    assert not verify_signature("hdw_other", headers, b"{}")
    later = headers["hidalgo-signature"].replace(f"t={now}", f"t={now + 1}")
    assert not verify_signature(SECRET, {"Hidalgo-Signature": later}, b"{}")


@pytest.mark.parametrize(
    "said", ["", "t=1", "v1=" + "0" * 64, "t=x,v1=" + "0" * 64, "t=1,v1=ñ", "t=1,v1=" + "0" * 63, "t=1,v0=1"]
)
def test_what_is_no_signature_is_not_believed(said):
    assert not verify_signature(SECRET, {"Hidalgo-Signature": said}, b"{}", now=1)
    assert not verify_signature(SECRET, {}, b"{}", now=1)
