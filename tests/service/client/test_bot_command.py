"""`hidalgo bot`, as a process of its own."""

import signal
import subprocess
import time

import pytest

from service.client import Hidalgo
from tests.service.client.tables import HIDALGO, guests, short


def bot(*options: str) -> subprocess.Popen[str]:
    command = [HIDALGO, "bot", *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    with process:
        try:
            out, err = process.communicate(timeout=100)
        finally:
            process.kill()
        return process.returncode, out, err


@pytest.mark.timeout(120)
def test_bots_sit_down_play_and_leave_when_the_game_is_over(service):
    with guests(service.url, 1) as [host]:
        game = host.create_game(players=2, join=False, options=short())
        at = ["--game", game.id, "--url", service.url]
        bots = [
            bot("--as", "greedy", "--seat", "blue", *at),
            bot("--as", "random", "--seed", "7", "--seat", "red", *at),
        ]
        while host.game(game).free_seats:
            time.sleep(0.05)
        host.start(game)
        for process, seat in zip(bots, ("blue", "red"), strict=True):
            code, out, err = ended(process)
            assert (code, err) == (0, "")
            first, *_, last = out.splitlines()
            assert f"sits at {seat} in game {game.id}" in first
            assert last.startswith("the game is over: 1. ")
        assert host.game(game).status == "over"


def test_a_bot_that_is_stopped_tells_how_to_go_on(service):
    with guests(service.url, 1) as [host]:
        game = host.create_game(players=2)
        process = bot("--game", game.id, "--url", service.url)
        assert process.stdout
        assert "the game has not begun" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        code, out, err = ended(process)
        assert (code, err) == (130, "")
        token = out.rpartition(" ")[2].strip()
        with Hidalgo(service.url, token) as again:
            assert again.game(game).mine == "blue"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--game", "nowhere"], "Error: there is no game nowhere (not_found)\n"),
        (["--game", "nowhere", "--token", "hdg_wrong"], "unauthorized"),
    ],
    ids=["no such game", "wrong token"],
)
def test_a_bot_that_cannot_play_says_why(service, options, why):
    code, _, err = ended(bot("--url", service.url, *options))
    assert code == 1
    assert why in err
    assert "Traceback" not in err


def test_an_address_that_is_none_is_refused():
    code, _, err = ended(bot("--game", "g", "--url", "nowhere"))
    assert code == 2
    assert "nowhere is not the address of a service" in err
