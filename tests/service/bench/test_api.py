"""`hidalgo bench api`."""

import json
import selectors
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from click.testing import CliRunner

from service.bench.api import BARE_WSGI, MOVES_ALONE, bare_peers
from service.bench.clients import PLAYERS, Connections, Hall, Plan, Request, Room, read_answer
from service.bench.command import bench
from service.bench.layers import DOORS, timed
from service.bench.servers import OURS


def measured(*options: str) -> dict[str, dict[str, Any]]:
    """The figures by their names."""
    few = ["--tables", "2", "--seconds", "0.1", "--rounds", "2", "--no-scheduler", "--no-limits", "--json"]
    answer = CliRunner().invoke(bench, ["api", *few, *options])
    assert answer.exit_code == 0, answer.output
    return {figure["name"]: figure for figure in json.loads(answer.output)["figures"]}


@pytest.mark.parametrize("alone", [30, pytest.param(MOVES_ALONE, marks=pytest.mark.long)])
def test_real_games_are_played_and_measured_against_bare_endpoints(monkeypatch, alone):
    monkeypatch.setattr("service.bench.api.MOVES_ALONE", alone)
    figures = measured("--starts", "1", "--workers", "1")
    assert figures["moves to bare requests"]["at_least"] == 0.8
    assert figures["the server's processor, move to bare"]["at_most"] == 1.3
    assert figures["a move to a bare request: 99 %"]["at_most"] == 1.5
    assert figures["accepted moves"]["value"] > 0
    assert figures["round trips to the store, a move"]["value"] >= 1
    assert figures["round trips to the store, a move"]["at_most"] == 2
    assert figures["moves to bare WSGI requests"]["value"] > 0
    for name in ("requests to bare FastAPI", "moves to bare FastAPI requests", "a bare FastAPI request: 99 %"):
        assert figures[name]["value"] > 0
        assert "kept" not in figures[name]
    shares = [figure["value"] for figure in figures.values() if figure["unit"] == "%"]
    assert len(shares) == len(DOORS) + 2
    assert sum(shares) == pytest.approx(100, abs=0.01)


@pytest.mark.long
def test_the_same_games_are_played_with_more_workers():
    figures = measured("--starts", "2", "--workers", "1", "--workers", "2", "--workers", "4")
    assert figures["moves with 2 workers, to 1"]["value"] > 0
    assert figures["round trips to the store, a move, 2 workers"]["at_most"] == 1.2
    assert figures["the server's processor, a move, 2 workers to 1"]["at_most"] == 1.15
    assert figures["the server's processor, move to bare, 2 workers"]["at_most"] == 1.3
    assert figures["moves with 4 workers, to 1"]["value"] > 0
    assert "at_most" not in figures["the server's processor, a move, 4 workers to 1"]


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_a_move_goes_through_the_door_of_every_layer(store):
    assert all(timed(store.url, Hall(store).play_alone(5)).values())


def test_without_fastapi_the_rest_is_measured(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("service.bench.api.has_fastapi", lambda: False)
    with ExitStack() as until_the_end:
        room = Room(tmp_path, Plan(workers=[1], tables=1, seconds=0.1, rounds=1), until_the_end)
        assert list(bare_peers(room)) == [BARE_WSGI]
    [line] = capsys.readouterr().err.splitlines()
    assert line.endswith("-m pip install -c constraints.txt -e '.[bench]'")


def test_clients_go_on_with_their_games_at_a_server_that_was_started_anew(tmp_path):
    with ExitStack() as until_the_end:
        room = Room(tmp_path, Plan(workers=[1], tables=1, seconds=0.1, rounds=1), until_the_end)
        clients = room.clients(OURS)
        before = clients.server
        clients.sample(0.1)
        room.restart()
        assert clients.sample(0.1).moves > 0
        assert clients.server != before


# Servers that hang up


A_MOVE = Request(0, b"POST / HTTP/1.1\r\n\r\n")
ANSWER = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok"


def answer_of(connections: Connections) -> bytes:
    """The first one; each look may find no more than a connection that was closed."""
    for _ in range(100):
        for _table, answer in connections.answers():
            return answer
    raise AssertionError("no answer in a hundred looks")


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0), backlog=64) as listener:
        listener.settimeout(10)
        yield listener


def accepted(listener: socket.socket, until_the_end: ExitStack) -> list[socket.socket]:
    return [until_the_end.enter_context(listener.accept()[0]) for _ in range(PLAYERS)]


def serve_one_move(listener: socket.socket) -> None:
    """At the first connection that asks for one."""
    with selectors.DefaultSelector() as selector, ExitStack() as until_the_end:
        selector.register(listener, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select(timeout=10):
                ready: Any = key.fileobj
                if ready is listener:
                    client = until_the_end.enter_context(listener.accept()[0])
                    selector.register(client, selectors.EVENT_READ)
                elif ready.recv(100) == A_MOVE.sent:
                    return ready.sendall(ANSWER)


@pytest.mark.parametrize("when", ["idle", "asked"])
def test_clients_connect_again_when_a_server_hangs_up(listener, when):
    """What it has not answered is sent again."""
    with Connections(listener.getsockname(), tables=1) as connections, ExitStack() as until_the_end:
        seats = accepted(listener, until_the_end)
        if when == "idle":
            seats[0].close()
        connections.send(0, A_MOVE)
        seats[0].close()
        with ThreadPoolExecutor(1) as server:
            served = server.submit(serve_one_move, listener)
            assert answer_of(connections) == ANSWER
        served.result()


def test_a_server_that_hangs_up_on_every_request_ends_the_measurement(listener):
    with Connections(listener.getsockname(), tables=1) as connections, ExitStack() as until_the_end:
        seats = accepted(listener, until_the_end)
        connections.send(0, A_MOVE)
        seats[0].close()
        list(connections.answers())
        listener.accept()[0].close()
        with pytest.raises(AssertionError, match="hangs up on every request"):
            list(connections.answers())


def test_a_server_that_hangs_up_in_the_middle_of_an_answer_ends_the_measurement():
    client, server = socket.socketpair()
    with client, server:
        server.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhal")
        server.shutdown(socket.SHUT_WR)
        with pytest.raises(AssertionError, match="in the middle of an answer"):
            read_answer(client)
