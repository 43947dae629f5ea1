"""The service is killed in the middle of a game; the bots go on, and nothing is done twice."""

import os
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from service.client import Game, Hidalgo
from tests.running import running
from tests.service.client.tables import HIDALGO, checked, guests, seated, short


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_until_free(port: int) -> None:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return
        time.sleep(0.05)
    raise AssertionError(f"port {port} is still in use")


@pytest.mark.timeout(120)
def test_bots_survive_a_service_that_is_killed(tmp_path):
    port = free_port()
    settings = os.environ | {"HIDALGO_PORT": str(port), "HIDALGO_DATA": str(tmp_path / "data")}
    with ExitStack() as stack:
        service = stack.enter_context(running([HIDALGO, "serve"], tmp_path, settings))
        players = stack.enter_context(guests(service.url, 3))
        spectator = stack.enter_context(Hidalgo(service.url))
        play = seated(players, ["sampler", "random", "greedy"], options=short())
        end = stack.enter_context(ThreadPoolExecutor(1)).submit(play.to_the_end, pace=0.01)
        for version in (20, 50):
            wait_for_version(spectator, play.game, version)
            service.stop(signal.SIGKILL)
            wait_until_free(port)
            service = stack.enter_context(running([HIDALGO, "serve"], tmp_path, settings))
            assert spectator.game(play.game).status == "running"
        assert checked(spectator, end.result()) > 50


def wait_for_version(hidalgo: Hidalgo, game: Game, version: int) -> None:
    while hidalgo.game(game).version < version:
        time.sleep(0.01)
