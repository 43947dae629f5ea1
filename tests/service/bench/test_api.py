"""`hidalgo bench api`."""

import json
import socket
from contextlib import ExitStack

import pytest
from click.testing import CliRunner

from service.bench.api import MOVES_ALONE, bare_peers
from service.bench.clients import Hall, Plan, Room, read_answer
from service.bench.command import bench
from service.bench.layers import DOORS, timed


@pytest.mark.parametrize("alone", [30, pytest.param(MOVES_ALONE, marks=pytest.mark.long)])
def test_real_games_are_played_and_measured_against_bare_endpoints(monkeypatch, alone):
    monkeypatch.setattr("service.bench.api.MOVES_ALONE", alone)
    few = ["--tables", "2", "--seconds", "0.1", "--rounds", "2"]
    answer = CliRunner().invoke(bench, ["api", *few, "--no-scheduler", "--no-limits", "--json"])
    assert answer.exit_code == 0, answer.output
    figures = {figure["name"]: figure for figure in json.loads(answer.output)["figures"]}
    assert figures["moves to bare requests"]["at_least"] == 0.8
    assert figures["the server's processor, move to bare"]["at_most"] == 1.3
    assert figures["a move to a bare request: 99 %"]["at_most"] == 1.5
    assert figures["accepted moves"]["value"] > 0
    assert figures["round trips to the store, a move"]["value"] >= 1
    assert figures["round trips to the store, a move"]["at_most"] == 2
    for name in ("requests to bare FastAPI", "moves to bare FastAPI requests", "a bare FastAPI request: 99 %"):
        assert figures[name]["value"] > 0
        assert "kept" not in figures[name]
    shares = [figure["value"] for figure in figures.values() if figure["unit"] == "%"]
    assert len(shares) == len(DOORS) + 2
    assert sum(shares) == pytest.approx(100, abs=0.01)


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_a_move_goes_through_the_door_of_every_layer(store):
    assert all(timed(store.url, Hall(store).play_alone(5)).values())


def test_without_fastapi_the_rest_is_measured(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("service.bench.api.has_fastapi", lambda: False)
    with ExitStack() as until_the_end:
        assert bare_peers(Room(tmp_path, Plan(workers=1, tables=1, seconds=0.1, rounds=1), until_the_end)) == {}
    [line] = capsys.readouterr().err.splitlines()
    assert line.endswith("-m pip install -c constraints.txt -e '.[bench]'")


def test_a_server_that_hangs_up_ends_the_measurement():
    client, server = socket.socketpair()
    with client, server:
        server.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhal")
        server.shutdown(socket.SHUT_WR)
        with pytest.raises(AssertionError, match="closed the connection"):
            read_answer(client)
