"""`GET /tournaments/{id}/stream`: what happens, as it happens, for those who may know of it."""

import pytest

from tests.service.api.asking import ApiClient
from tests.service.api.live import LiveStream
from tests.service.api.tournaments.event import Event, handle_of
from tests.service.schemas import events_of

SCHEMA = "TournamentStreamData"


@pytest.fixture(autouse=True)
def quick(service, monkeypatch):
    monkeypatch.setattr("service.live.tournament_streams.SECONDS_BETWEEN_LOOKS", 0.1)
    monkeypatch.setattr(service.services.tournament_streams, "_keep_alive", 0.3)
    events_of(SCHEMA)


def live(event: Event, client: ApiClient, query: str = "", **headers: str) -> LiveStream:
    return LiveStream(f"{event.path}/stream{query}", client, SCHEMA, **headers)


def names(commit: dict) -> list[str]:
    return [fact["fact"] for fact in commit["facts"]]


def test_what_happens_arrives_at_once(event, anonymous):
    with live(event, anonymous) as stream:
        ana = event.player()
        commit = stream.next("commit")
        assert (names(commit), commit["by"]["handle"]) == (["player_registered"], handle_of(ana))


@pytest.mark.parametrize("accept", ["text/event-stream", "application/x-ndjson"])
def test_a_client_goes_on_after_what_it_has(event, accept):
    event.with_bots(3)
    with live(event, event.olga, "?after=2", Accept=accept) as stream:
        chunks = b"".join(next(stream.chunks) for _ in range(2))
    assert [b'"version":%d' % version in chunks for version in (2, 3, 4)] == [False, True, True]
    with live(event, event.olga, Last_Event_ID="3") as stream:
        assert stream.next("commit")["version"] == 4


def test_a_round_that_is_not_published_is_told_to_staff_alone(described):
    event = Event(described).started()
    arbiter = event.arbiter()
    with live(event, event.guest()) as theirs, live(event, arbiter) as ours:
        event.acted("propose_round")
        assert names(ours.next("commit")) == ["round_proposed"]
        assert theirs.silence()
        event.acted("publish_round")
        assert names(theirs.next("commit")) == ["round_published"]


def test_a_former_arbiter_hears_what_everybody_hears(described):
    event = Event(described).started()
    arbiter = event.arbiter()
    with live(event, arbiter) as stream:
        event.acted("set_staff", handle=handle_of(arbiter), role="")
        assert names(stream.next("commit")) == ["staff_set"]
        event.acted("propose_round")
        assert stream.silence()


def test_a_stream_ends_when_the_tournament_becomes_private(event, anonymous):
    with live(event, anonymous) as stream:
        event.acted("change_options", options={"visibility": "private"})
        assert stream.next("end")["version"] == 1


def test_a_stream_ends_with_the_part_of_a_player(described):
    event = Event(described, visibility="private")
    ana = event.guest()
    event.acted("register", player=handle_of(ana))
    with live(event, ana) as stream:
        event.acted("withdraw", player=handle_of(ana))
        stream.next("end")
