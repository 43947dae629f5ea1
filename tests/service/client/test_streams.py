"""Streams: read as they come, resumed where they broke, replaced by asking where there are none."""

import json
from itertools import islice

import pytest

from service.client import NotFound
from service.client.stream_parsers import Event, JsonLines, ServerSentEvents, parser
from tests.service.client.fake import Say, commit, event, fake, game, problem

SOME = (
    b"\xef\xbb\xbf: a comment\n\nid: 1\nevent: commit\ndata: {\ndata: }\n\n"
    b": heartbeat\n\ndata:no space, no event\r\n\r\nretry: 1500\nevent: nothing\n\n"
    b"id: 2\rdata: caballero de Le\xc3\xb3n\r\rdata: never finished"
)
EVENTS = [
    Event("commit", "{\n}", "1"),
    Event("message", "no space, no event", "1"),
    Event("message", "caballero de León", "2"),
]


def test_comments_several_lines_and_every_line_end_are_read():
    stream = ServerSentEvents()
    assert [*stream.feed(SOME)] == EVENTS
    assert stream.retry == 1.5


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_bytes_may_be_cut_anywhere(size):
    stream = ServerSentEvents()
    chunks = [SOME[at : at + size] for at in range(0, len(SOME), size)]
    assert [found for chunk in chunks for found in stream.feed(chunk)] == EVENTS


def test_an_unfinished_event_is_not_parsed():
    assert [*ServerSentEvents().feed(b"id: 1\ndata: {}\n")] == []


def test_json_lines_are_read_as_well():
    stream = parser("application/x-ndjson; charset=utf-8")
    assert isinstance(stream, JsonLines)
    line = json.dumps(commit(4)).encode()
    assert [*stream.feed(b"\n" + line[:9])] == []
    assert [found.id for found in stream.feed(line[9:] + b"\n\n")] == ["4"]


# Following


def versions(server, **how):
    return [commit.version for commit in server.client(retry_for=5).stream("g", pause=0.01, **how)]


def asked(server, word):
    return [sent for sent in server.heard if sent.path.partition("?")[0].endswith(f"/{word}")]


def test_a_stream_is_followed_to_the_end_of_the_game():
    chunks = [b": hello\n\n", event(1)[:20], event(1)[20:] + event(2), event(3)]
    with fake(Say(chunks=chunks), game(3, "over")) as server:
        assert versions(server) == [1, 2, 3]


def test_a_stream_that_breaks_goes_on_where_it_broke():
    broken = Say(chunks=[event(1), event(2), event(3)[:15]], hang_up=True)
    with fake(broken, game(2), Say(chunks=[event(3)]), game(3, "over")) as server:
        assert versions(server) == [1, 2, 3]
        again = asked(server, "stream")[1]
    assert again.headers["Last-Event-ID"] == "2"
    assert again.path == "/games/g/stream?after=2"


def test_commits_missed_between_two_streams_are_polled():
    missed = Say(body={"events": [commit(2), commit(3)], "next": None})
    with fake(Say(chunks=[event(1)]), game(3), missed, Say(chunks=[event(3), event(4)]), game(4, "over")) as server:
        assert versions(server) == [1, 2, 3, 4]


def test_without_a_stream_to_spare_the_client_polls():
    full = Say(503, {"code": "too_many_streams"}, {"Retry-After": "60"})
    first = Say(body={"events": [commit(1)], "next": None})
    second = Say(body={"events": [commit(2)], "next": None})
    with fake(full, game(1), first, game(1), game(1), game(2, "over"), second, game(2, "over")) as server:
        assert versions(server) == [1, 2]
        assert len(asked(server, "stream")) == 1


def test_it_streams_again_after_retry_after():
    full = problem(503, "too_many_streams")
    with fake(full, game(0), Say(chunks=[event(1)]), game(1, "over")) as server:
        assert versions(server) == [1]


def test_a_stream_can_begin_anywhere():
    with fake(Say(chunks=[event(6)]), game(6, "over")) as server:
        assert versions(server, after=5) == [6]
        assert asked(server, "stream")[0].path == "/games/g/stream?after=5"


def test_a_commit_that_comes_twice_is_given_once():
    with fake(Say(chunks=[event(1), event(1), event(2)]), game(2, "over")) as server:
        assert versions(server) == [1, 2]


def test_a_game_that_is_not_there_has_no_stream():
    with fake(problem(404, "no_such_game")) as server, pytest.raises(NotFound):
        versions(server)


def test_a_stream_that_is_no_longer_wanted_is_closed():
    with fake(stream=Say(chunks=[event(1), event(2)])) as server:
        stream = server.client().stream("g")
        assert [commit.version for commit in islice(stream, 1)] == [1]
        stream.close()
