"""The receiver in docs/webhooks.md is run: against a real service, and against somebody who is not one."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from threading import Thread
from typing import Any

from events.submission import new_id
from service.client import Hidalgo
from service.client.connection import Connection
from tests.events.servers import eventually, free_port
from tests.repository.checkout import ROOT
from tests.running import running
from tests.service.client.tables import HIDALGO, guests

PAGE = (ROOT / "docs/webhooks.md").read_text()
[RECEIVER] = re.findall(r"^```python\n(import json\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


class Running:
    def __init__(self, process: subprocess.Popen, port: int) -> None:
        self.port = port
        self.said: list[str] = []
        self._process = process
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self.said.append(line.strip())

    def answers(self) -> bool:
        try:
            return self.post(b"{}", {}) == 403
        except ConnectionError:
            return False

    def post(self, body: bytes, headers: dict[str, str]) -> int:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request("POST", "/", body, headers)
            return connection.getresponse().status
        finally:
            connection.close()


@contextmanager
def receiving(port: int, secret: str) -> Iterator[Running]:
    env = os.environ | {"PYTHONPATH": str(ROOT), "PORT": str(port), "WEBHOOK_SECRET": secret}
    command = [sys.executable, "-W", "error", "-c", RECEIVER]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            receiver = Running(process, port)
            eventually(receiver.answers)
            yield receiver
        finally:
            process.kill()


def test_the_receiver_takes_at_most_thirty_lines():
    assert len(RECEIVER.splitlines()) <= 30


def test_the_receiver_is_told_by_a_real_service(tmp_path):
    env = os.environ | {"HIDALGO_WEBHOOKS_TO": "127.0.0.0/8"}
    port = free_port()
    with running([HIDALGO, "serve"], tmp_path, env) as service, guests(service.url, 2) as (ana, ben):
        hook = made(service.url, ana.token, port)
        with receiving(port, hook["secret"]) as receiver:
            game = ana.create_game(players=2)
            ben.join(game)
            ana.start(game)
            eventually(lambda: len(told(ana)) >= 3)
            eventually(lambda: receiver.said == told(ana))
            assert receiver.said[2] == "game_started the game has begun; you are red"


def told(hidalgo: Hidalgo) -> list[str]:
    return [f"{notice.kind} {notice.text}" for notice in hidalgo.inbox()]


def made(url: str, token: str | None, port: int) -> Any:
    connection = Connection(url, token)
    kinds = ["your_turn", "game_started", "seat_taken"]
    try:
        return connection.post("/me/webhooks", {"url": f"http://127.0.0.1:{port}/", "events": kinds}).json()
    finally:
        connection.close()


def test_the_receiver_believes_nobody_else():
    with receiving(free_port(), new_id()) as receiver:
        forged = {"Hidalgo-Signature": "t=1794835212,v1=" + "0" * 64, "Content-Length": "2"}
        assert receiver.post(b"{}", forged) == 403
        assert receiver.said == []
