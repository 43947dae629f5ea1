"""`GET /me/inbox` and its stream: the notices of one account, in order."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import pytest
from werkzeug.test import TestResponse

from service.accounts import Accounts
from service.client.stream_parsers import Event, parser
from service.notifications.inbox import CHANNEL
from service.settings import THREADS_WITHOUT_STREAM
from tests.events.servers import eventually
from tests.service.api.asking import PREFIX, ApiClient, begun, problem
from tests.service.notifications.harness import Harness
from tests.service.schemas import check_event

STREAM = f"{PREFIX}/me/inbox/stream"


@pytest.fixture
def harness(service) -> Harness:
    service.services.streams.keep_alive = 0.2
    return Harness(service.services.store)


@contextmanager
def stream(client: ApiClient, query: str = "", **headers: str) -> Iterator[TestResponse]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    response = client.http.get(STREAM + query, headers={"Authorization": f"Bearer {client.token}", **sent})
    try:
        yield response
    finally:
        response.close()


def events(response: TestResponse) -> Iterator[Event]:
    assert response.status_code == 200, response.data
    reading = parser(response.content_type)
    for chunk in response.iter_encoded():
        for event in reading.feed(chunk):
            if response.mimetype == "text/event-stream":
                check_event("InboxStreamData", event.name, event.data)
            yield event


def inbox(client: ApiClient, query: str = ""):
    return client.get(f"/me/inbox{query}").get_json()


def test_the_inbox_is_read_page_by_page(ana, ben, harness):
    begun(ana, ben)
    harness.notify()
    whole = inbox(ana)
    assert whole["next"] is None
    assert [notice["kind"] for notice in whole["notices"]][:3] == ["seat_taken", "seat_taken", "game_started"]
    first = inbox(ana, "?limit=2")
    assert first == {"notices": whole["notices"][:2], "next": 2}
    assert inbox(ana, f"?after={first['next']}")["notices"] == whole["notices"][2:]
    assert inbox(ana, "?after=1000") == {"notices": [], "next": None}


def test_an_inbox_is_its_owners_alone(ana, ben, eve, anonymous, guest, harness):
    begun(ana, ben, visibility="private")
    harness.notify()
    assert inbox(eve) == {"notices": [], "next": None}
    assert problem(anonymous.get("/me/inbox")) == (401, "unauthorized")
    assert problem(guest("play").get("/me/inbox")) == (403, "forbidden")
    for path in (f"/players/{ana.account}/inbox", f"/me/inbox?account={ana.account}"):
        assert problem(eve.get(path))[0] in (404, 422)
    with stream(eve) as response:
        chunks = response.iter_encoded()
        assert [next(chunks) for _ in range(3)] == [b"retry: 2000\n\n", b":\n\n", b":\n\n"]
    with stream(anonymous) as response:
        assert response.status_code == 401
    with stream(guest("play")) as response:
        assert response.status_code == 403


def test_a_stream_has_the_old_notices_and_the_new_ones(ana, ben, harness):
    game = ana.makes()
    harness.notify()
    with stream(ana) as response:
        arriving = events(response)
        first = next(arriving)
        assert (first.id, first.name, json.loads(first.data)["game"]) == ("1", "notice", game)
        ben.post(f"/games/{game}/seats")
        harness.notify()
        assert json.loads(next(arriving).data) == inbox(ana)["notices"][1]


def test_one_notice_a_line(ana, ben, harness):
    begun(ana, ben)
    harness.notify()
    received = inbox(ana)["notices"]
    with stream(ana, Accept="application/x-ndjson") as response:
        assert response.content_type == "application/x-ndjson"
        arriving = (json.loads(event.data) for event in events(response))
        assert list(islice(arriving, len(received))) == received


def test_a_stream_that_is_cut_again_and_again_loses_and_doubles_nothing(ana, ben, harness):
    received: list[int] = []
    for number in range(12):
        begun(ana, ben)
        harness.notify()
        back = {"Last_Event_ID": str(received[-1])} if received else {}
        with stream(ana, "?after=0", **back) as response:
            newest = inbox(ana, f"?after={received[-1] if received else 0}")["notices"]
            count = len(newest) if number % 3 else 1
            received += [int(event.id) for event in islice(events(response), count)]
    assert received == list(range(1, len(received) + 1))
    assert len(received) > 12


def test_a_number_that_is_not_there_yet_counts_as_the_newest(ana, ben, harness):
    game = ana.makes()
    harness.notify()
    with stream(ana, Last_Event_ID="999") as response:
        arriving = events(response)
        ben.post(f"/games/{game}/seats")
        harness.notify()
        assert next(arriving).id == "2"


def test_a_stopping_service_says_goodbye(ana, service, harness):
    ana.makes()
    harness.notify()
    with stream(ana) as response:
        arriving = events(response)
        assert next(arriving).id == "1"
        service.services.streams.close()
        [bye] = arriving
        assert (bye.name, json.loads(bye.data)) == ("bye", {"id": 1})
    with stream(ana) as response:
        assert response.status_code == 503


def test_streams_of_games_and_inboxes_share_one_limit(ana, service, harness):
    game = ana.makes()
    service.services.threads.total = THREADS_WITHOUT_STREAM + 1
    with stream(ana) as response:
        assert response.status_code == 200
        refused = ana.http.get(f"{PREFIX}/games/{game}/stream")
        assert (refused.status_code, refused.get_json()["code"]) == (503, "too_many_streams")
    with stream(ana) as response:
        assert response.status_code == 200


def test_listeners_share_one_connection(ana, ben, harness):
    with stream(ana) as one, stream(ana) as two, stream(ben):
        eventually(lambda: connections(harness) == 1)
        ana.makes()
        harness.notify()
        assert [next(events(response)).name for response in (one, two)] == ["notice", "notice"]
        assert connections(harness) == 1


def connections(harness: Harness) -> int:
    """How many connections hear of notices."""
    [(_, count)] = harness.store.commands.pubsub_numsub(CHANNEL)
    return int(count)


def test_a_token_that_was_just_revoked_opens_no_stream(ana, service):
    """Even where the token is still remembered."""
    game = ana.makes()
    study = ana.post("/studies", {"title": "Club games", "visibility": "public"}).get_json()["id"]
    event = ana.post("/tournaments", {"title": "Club evening", "game": "el_grande"}).get_json()["id"]
    elsewhere = Accounts(service.services.store, cached_for=0)
    elsewhere.tokens.revoke(ana.account, elsewhere.tokens.of(ana.account)[0].id)
    places = ("/me/inbox", f"/games/{game}", f"/games/{game}/chat", f"/studies/{study}", f"/tournaments/{event}")
    for place in places:
        assert ana.get("/me/inbox").status_code == 200, "believed for a while"
        with ana.http.get(f"{PREFIX}{place}/stream", headers={"Authorization": f"Bearer {ana.token}"}) as opened:
            assert opened.status_code == 401, place


@pytest.mark.parametrize("query", ["?after=-1", "?after=x", "?limit=0", "?limit=1001", "?more=1"])
def test_a_query_that_does_not_fit_is_refused(ana, query):
    assert problem(ana.get(f"/me/inbox{query}")) == (422, "invalid")
