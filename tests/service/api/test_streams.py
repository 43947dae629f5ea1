"""`GET /games/{id}/stream`: what arrives, for whom, and what does not."""

import json
import random
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from events.games import Games
from events.table.commands import Abort, Join, Leave, Play, RemovePlayer, Start
from events.table.game import redact
from rules.codec import encode
from rules.kernel import EVERYTHING, SPECTATOR
from rules.simulation import random_answer, random_decision
from service.accounts import Identity
from service.app import create_app
from service.client.stream_parsers import Event, parser
from service.http.authentication import ASKING
from service.live import streams
from service.live.streams import Frames, Streams
from service.settings import THREADS_WITHOUT_STREAM, Settings
from tests.service.streaming import path, payloads


@pytest.fixture
def app(running_stores):
    with running_stores.opened("embedded") as store:
        app = create_app(Settings(store_url=store.url))
        app.services.streams.keep_alive = 0.2
        yield app
        app.services.close()


@pytest.fixture
def games(app) -> Games:
    return app.services.games


@pytest.fixture
def open_streams(app) -> Streams:
    return app.services.streams


@pytest.fixture
def client(app) -> FlaskClient:
    return app.test_client()


def get(
    client: FlaskClient, game: str, account: str = "", query: str = "", address: str = "127.0.0.1", **headers: str
) -> TestResponse:
    """The answer, of which nothing is read yet."""
    identity = Identity(account, account, "player", frozenset({"read", "play"}), "token") if account else None
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.get(path(game) + query, headers=sent, environ_overrides={ASKING: identity, "REMOTE_ADDR": address})


def code(response: TestResponse) -> str:
    return json.loads(response.data)["code"]


def events(response: TestResponse) -> Iterator[Event]:
    """What arrives, as it arrives."""
    assert response.status_code == 200, response.data
    reading = parser(response.content_type)
    for chunk in response.iter_encoded():
        yield from reading.feed(chunk)


def table(games: Games, players: int = 2, visibility: str = "public") -> str:
    """An open table at which ana is red and bea is blue."""
    game = games.create("el_grande", players, {"game_length": "short"}, owner="ana", visibility=visibility).id
    for account in ("ana", "bea", "cai")[:players]:
        games.submit(game, Join(account, invited=True))
    return game


def played(games: Games, moves: int | None = None, players: int = 2) -> str:
    """A game of so many random moves, or to its end."""
    game = table(games, players)
    games.submit(game, Start("ana"))
    pick = random.Random(7).randrange
    while moves is None or moves > 0:
        state = games.load(game).state
        if state.is_over:
            break
        games.submit(game, Play(random_answer(state, random_decision(state, pick), pick)))
        moves = None if moves is None else moves - 1
    return game


# What arrives


def test_a_finished_game_arrives_whole_and_ends(client, games):
    game = played(games)
    *commits, end = events(get(client, game))
    last = games.load(game).version
    assert [int(event.id) for event in commits] == list(range(1, last + 1))
    assert {event.name for event in commits} == {"commit"}
    assert (end.name, json.loads(end.data)) == ("end", {"status": "over", "version": last})


def test_events_look_as_in_the_list_of_events(client, games):
    game = played(games, moves=20)
    listed = client.get(f"/api/v1/games/{game}/events?limit=1000").json["events"]
    response = get(client, game)
    arriving = events(response)
    assert [json.loads(next(arriving).data) for _ in listed] == listed
    response.close()


def test_commits_arrive(client, games):
    game = table(games)
    response = get(client, game, query="?after=3")
    arriving = events(response)
    games.submit(game, Start("ana"))
    event = next(arriving)
    assert (event.id, event.name) == ("4", "commit")
    assert json.loads(event.data)["facts"][0] == {"fact": "game_started"}
    response.close()


def test_a_cleared_table_ends_the_stream(client, games):
    game = games.create("el_grande", 2).id
    response = get(client, game, query="?after=1")
    games.submit(game, Abort("ana"))
    aborted, end = events(response)
    assert (aborted.id, end.name, json.loads(end.data)["status"]) == ("2", "end", "aborted")


def test_a_client_goes_on_after_the_last_event_it_has(client, games):
    game = played(games)
    last = games.load(game).version
    assert [event.id for event in events(get(client, game, Last_Event_ID=str(last - 2)))][:2] == [
        str(last - 1),
        str(last),
    ]


def test_the_last_event_counts_more_than_the_address(client, games):
    game = played(games)
    last = games.load(game).version
    first, *_ = events(get(client, game, query="?after=2", Last_Event_ID=str(last - 1)))
    assert first.id == str(last)


def test_a_client_that_has_all_of_a_finished_game_gets_its_end(client, games):
    game = played(games)
    [end] = events(get(client, game, query=f"?after={games.load(game).version}"))
    assert end.name == "end"


def test_a_browser_that_comes_back_after_the_end_is_asked_to_stay_away(client, games):
    game = played(games)
    response = get(client, game, Last_Event_ID=str(games.load(game).version))
    assert (response.status_code, response.data) == (204, b"")


def test_one_event_a_line(client, games):
    game = played(games)
    response = get(client, game, Accept="application/x-ndjson")
    assert response.content_type == "application/x-ndjson"
    lines = [json.loads(line) for line in response.data.split(b"\n") if line]
    assert lines == payloads(list(events(get(client, game))))


def test_silence_is_broken_by_keep_alives(client, games):
    game = table(games)
    response = get(client, game, query="?after=3")
    chunks = response.iter_encoded()
    assert [next(chunks) for _ in range(3)] == [b"retry: 2000\n\n", b":\n\n", b":\n\n"]
    response.close()
    lines = get(client, game, query="?after=3", Accept="application/x-ndjson")
    chunks = lines.iter_encoded()
    assert [next(chunks), next(chunks)] == [b"\n", b"\n"]
    lines.close()


def test_no_proxy_keeps_the_stream_or_holds_it_back(client, games):
    response = get(client, table(games), Accept_Encoding="gzip")
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["X-Accel-Buffering"] == "no"
    assert "Content-Encoding" not in response.headers
    response.close()


@pytest.mark.parametrize(
    ("query", "headers"),
    [("?after=-1", {}), ("?after=x", {}), ("?after=9999999999999", {}), ("", {"Last_Event_ID": "seven"})],
    ids=["negative", "no number", "too long", "no number in the header"],
)
def test_a_wrong_version_is_refused(client, games, query, headers):
    response = get(client, table(games), query=query, **headers)
    assert (response.status_code, code(response)) == (422, "invalid")


# For whom


def test_every_viewer_gets_its_own_facts(client, games):
    game = played(games, moves=60, players=3)
    count = games.load(game).version
    streams_of = {}
    for account, viewer in (("ana", "red"), ("bea", "blue"), ("zoe", SPECTATOR), ("", SPECTATOR)):
        response = get(client, game, account)
        arriving = events(response)
        streams_of[account] = payloads([next(arriving) for _ in range(count)])
        response.close()
        expected = [json.loads(encode(redact(commit, viewer))) for commit in games.commits(game)]
        assert [event["facts"] for event in streams_of[account]] == expected, account
    assert streams_of["ana"] != streams_of["bea"] != streams_of["zoe"]
    assert streams_of["zoe"] == streams_of[""]


def test_a_spectator_hears_no_secret(client, games):
    """Every fact that hides something: what is hidden is in the player's stream, and not in the spectator's."""
    game = played(games, moves=60, players=3)
    commits = games.commits(game)
    hidden = [
        encode(fact)
        for commit in commits
        for fact in commit.facts
        if fact.seen_by(SPECTATOR) != fact and fact.seen_by("red") == fact
    ]
    assert hidden
    heard = {}
    for account in ("ana", "zoe"):
        response = get(client, game, account)
        chunks = response.iter_encoded()
        heard[account] = b""
        while f"id: {commits[-1].header.version}\n".encode() not in heard[account]:
            heard[account] += next(chunks)
        response.close()
    assert all(fact in heard["ana"] for fact in hidden)
    assert not any(fact in heard["zoe"] for fact in hidden)
    assert games.log.secret(game).hex().encode() not in heard["ana"] + heard["zoe"]


def test_after_the_end_everything_is_open(client, games):
    game = played(games)
    everything = [json.loads(encode(redact(commit, EVERYTHING))) for commit in games.commits(game)]
    assert [event["facts"] for event in payloads(list(events(get(client, game))))] == everything


def test_a_player_may_listen_as_a_spectator_but_not_as_another(client, games):
    game = table(games)
    response = get(client, game, "ana", query="?viewer=spectator")
    assert response.status_code == 200
    response.close()
    assert get(client, game, "ana", query="?viewer=blue").status_code == 403
    assert get(client, game, "ana", query="?viewer=everything").status_code == 409


def test_a_private_game_does_not_exist_for_strangers(client, games):
    game = table(games, visibility="private")
    for account in ("zoe", ""):
        response = get(client, game, account)
        assert (response.status_code, code(response)) == (404, "not_found")
    response = get(client, game, "bea")
    assert response.status_code == 200
    response.close()
    assert get(client, "nowhere").status_code == 404


def test_a_player_who_stands_up_hears_nothing_more_of_that_seat(client, games):
    """Or they would hear the secrets of the next player on that seat."""
    game = table(games)
    response = get(client, game, "bea", query="?after=3")
    arriving = events(response)
    games.submit(game, Leave("bea"))
    games.submit(game, Join("zoe", seat="blue", invited=True))
    games.submit(game, Start("ana"))
    left, bye = arriving
    assert (left.id, bye.name, json.loads(bye.data)) == ("4", "bye", {"version": 4})


def test_a_stream_does_not_skip_the_moment_of_standing_up(client, games):
    """What is not there yet was not seen, whatever the client says."""
    game = table(games)
    arriving = events(get(client, game, "bea", query="?after=20"))
    games.submit(game, Leave("bea"))
    games.submit(game, Join("zoe", seat="blue", invited=True))
    assert [event.name for event in arriving] == ["commit", "bye"]


def test_a_player_who_leaves_a_private_table_hears_nothing_more(client, games):
    game = table(games, visibility="private")
    arriving = events(get(client, game, "bea", query="?viewer=spectator&after=3"))
    games.submit(game, Leave("bea"))
    games.submit(game, Join("zoe", seat="blue", invited=True))
    assert [event.name for event in arriving] == ["commit", "bye"]
    assert get(client, game, "bea", Last_Event_ID="4").status_code == 404


def test_a_player_who_is_removed_from_a_private_table_hears_nothing_more(client, games):
    game = table(games, visibility="private")
    arriving = events(get(client, game, "bea", query="?after=3"))
    games.submit(game, RemovePlayer("ana", "bea"))
    games.submit(game, Join("zoe", seat="blue", invited=True))
    assert [event.name for event in arriving] == ["commit", "bye"]
    assert get(client, game, "bea", Last_Event_ID="4").status_code == 404


def test_a_spectator_who_sits_down_must_come_back_as_a_player(client, games):
    game = games.create("el_grande", 2).id
    response = get(client, game, "zoe", query="?after=1")
    arriving = events(response)
    games.submit(game, Join("zoe", invited=True))
    sat_down, bye = arriving
    assert (sat_down.id, bye.name) == ("2", "bye")
    again = get(client, game, "zoe", Last_Event_ID="1")
    assert next(events(again)).id == "2"
    again.close()


# How many


def test_the_number_of_streams_is_limited_and_leaving_makes_room(client, games, open_streams):
    game = table(games)
    open_streams.threads.total = THREADS_WITHOUT_STREAM + 2
    first, second = get(client, game), get(client, game, address="127.0.0.2")
    refused = get(client, game, address="127.0.0.3")
    assert (refused.status_code, code(refused)) == (503, "too_many_streams")
    assert refused.headers["Retry-After"] == "5"
    assert refused.content_type == "application/problem+json"
    first.close()
    third = get(client, game, address="127.0.0.3")
    assert third.status_code == 200
    second.close()
    third.close()


HOLDERS = {
    "an address": [("", "192.0.2.1"), ("", "192.0.2.1")],
    "an IPv6 network": [("", "2001:db8::1"), ("", "2001:db8::2")],
    "an account": [("ana", "192.0.2.1"), ("ana", "192.0.2.2")],
}


@pytest.mark.parametrize("holders", HOLDERS.values(), ids=HOLDERS)
def test_one_of_many_has_half_of_the_streams_that_the_others_leave(client, games, open_streams, holders):
    game = table(games)
    open_streams.threads.total = THREADS_WITHOUT_STREAM + 4
    held = [get(client, game, account, address=address) for account, address in holders]
    account, address = holders[0]
    refused = get(client, game, account, address=address)
    assert (refused.status_code, code(refused)) == (503, "too_many_streams")
    assert "your address or account has its share" in json.loads(refused.data)["detail"]
    held += [get(client, game, "bea", address="192.0.2.9"), get(client, game, address="192.0.2.10")]
    assert [response.status_code for response in held] == [200] * 4
    for response in held:
        response.close()


def test_asking_for_the_headers_takes_no_room(client, games, open_streams):
    game = table(games)
    open_streams.threads.total = THREADS_WITHOUT_STREAM + 1
    for _ in range(3):
        with client.head(path(game)) as response:
            assert (response.status_code, response.content_type) == (200, "text/event-stream")


def test_a_stopping_service_says_goodbye_and_opens_no_stream(client, games, open_streams):
    game = table(games)
    response = get(client, game, query="?after=2")
    arriving = events(response)
    assert next(arriving).id == "3"
    open_streams.close()
    [bye] = arriving
    assert (bye.name, json.loads(bye.data)) == ("bye", {"version": 3})
    refused = get(client, game)
    assert (refused.status_code, code(refused), refused.headers["Retry-After"]) == (503, "stopping", "1")


def test_after_a_long_time_a_client_must_authenticate_again(client, games, monkeypatch):
    monkeypatch.setattr(streams, "LONGEST_STREAM", 0.05)
    game = table(games)
    assert [event.name for event in events(get(client, game))] == ["commit", "commit", "commit", "bye"]


def test_frames_are_kept_within_bounds(client, games, open_streams):
    game = played(games)
    open_streams._frames = Frames(most_bytes=5000)
    *commits, _ = events(get(client, game))
    assert [int(event.id) for event in commits] == list(range(1, games.load(game).version + 1))
    assert 0 < sum(map(len, open_streams._frames._made.values())) <= 5000


# Figures


def figure(client: FlaskClient, name: str) -> float:
    lines = client.get("/metrics").text.splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


def test_figures_for_operators(client, games):
    game = table(games)
    open_before, sent_before = (
        figure(client, "hidalgo_streams_open"),
        figure(client, "hidalgo_stream_lag_seconds_count"),
    )
    response = get(client, game, query="?after=2")
    arriving = events(response)
    assert next(arriving).id == "3"
    assert figure(client, "hidalgo_streams_open") == open_before + 1
    for _ in range(3):
        games.submit(game, Leave("bea"))
        assert next(arriving).name == "commit"
        games.submit(game, Join("bea", invited=True))
        assert next(arriving).name == "commit"
    assert figure(client, "hidalgo_stream_lag_seconds_count") > sent_before
    assert figure(client, "hidalgo_stream_deliveries_total") > 0
    response.close()
    assert figure(client, "hidalgo_streams_open") == open_before
