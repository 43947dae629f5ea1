"""The receivers in docs/webhooks.md are run: against a real service, and against requests that are forged."""

import os
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.client import HTTPConnection
from threading import Thread
from time import time
from typing import Any

import pytest
from standardwebhooks import Webhook

from service.client import Hidalgo
from service.client.connection import Connection
from tests.events.servers import eventually, free_port
from tests.repository.checkout import ROOT
from tests.running import running
from tests.service.client.tables import HIDALGO, guests

PAGE = (ROOT / "docs/webhooks.md").read_text()
RECEIVERS = dict(re.findall(r"^```(python|javascript)\n(import .*?)^```", PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = {
    "python": [sys.executable, "-W", "error", "-c"],
    "javascript": ["node", "--throw-deprecation", "--input-type=module", "--eval"],
}
SECRET, OTHER = (f"whsec_{b64encode(bytes([first]) * 32).decode()}" for first in b"ab")


@pytest.fixture(params=COMMANDS)
def language(request) -> str:
    if request.param == "javascript" and not shutil.which("node"):
        pytest.skip("Node.js is not installed")
    return request.param


class Running:
    def __init__(self, process: subprocess.Popen, port: int) -> None:
        self.port = port
        self.printed: list[str] = []
        self._process = process
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self.printed.append(line.strip())

    def join(self) -> None:
        """The output is read to its end, before it is closed."""
        self._reader.join(timeout=20)

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
def receiving(language: str, port: int, secret: str) -> Iterator[Running]:
    env = os.environ | {"PYTHONPATH": str(ROOT), "PORT": str(port), "WEBHOOK_SECRET": secret}
    command = [*COMMANDS[language], RECEIVERS[language]]
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        receiver = Running(process, port)
        try:
            eventually(receiver.answers)
            yield receiver
        finally:
            process.kill()
            receiver.join()


@pytest.mark.parametrize("language", COMMANDS)
def test_a_receiver_takes_at_most_thirty_lines(language):
    assert len(RECEIVERS[language].splitlines()) <= 30


def test_the_receiver_gets_the_notices_of_a_real_service(tmp_path, language):
    env = os.environ | {"HIDALGO_WEBHOOKS_TO": "127.0.0.0/8"}
    port = free_port()
    with running([HIDALGO, "serve"], tmp_path, env) as service, guests(service.url, 2) as (ana, ben):
        hook = create_webhook(service.url, ana.token, port)
        with receiving(language, port, hook["secret"]) as receiver:
            game = ana.create_game(players=2)
            ben.join(game)
            ana.start(game)
            eventually(lambda: len(notices(ana)) >= 3)
            eventually(lambda: receiver.printed == notices(ana))
            assert receiver.printed[2] == "game_started the game has begun; you are red"


def notices(hidalgo: Hidalgo) -> list[str]:
    return [f"{notice.kind} {notice.text}" for notice in hidalgo.inbox()]


def create_webhook(url: str, token: str | None, port: int) -> Any:
    connection = Connection(url, token)
    kinds = ["your_turn", "game_started", "seat_taken"]
    try:
        return connection.post("/me/webhooks", {"url": f"http://127.0.0.1:{port}/", "events": kinds}).json()
    finally:
        connection.close()


def signed(body: bytes, *secrets: str, age: float = 0, message_id: str = "w_1.1") -> dict[str, str]:
    """The headers of a request as the reference library signs it."""
    at = int(time() - age)
    when = datetime.fromtimestamp(at, tz=UTC)
    signatures = [Webhook(secret).sign(message_id, when, body.decode()) for secret in secrets]
    return {"webhook-id": message_id, "webhook-timestamp": str(at), "webhook-signature": " ".join(signatures)}


def test_the_receiver_believes_one_of_several_signatures_and_prints_a_delivery_once(language):
    body = '{"kind":"your_turn","notice":{"text":"¿dónde?"}}'.encode()
    with receiving(language, free_port(), SECRET) as receiver:
        for _ in range(2):
            assert receiver.post(body, signed(body, OTHER, SECRET)) == 204
        assert receiver.post(b'{"kind":"test"}', signed(b'{"kind":"test"}', SECRET, message_id="w_1.0")) == 204
        eventually(lambda: receiver.printed == ["your_turn ¿dónde?", "test"])


def test_the_receiver_believes_no_other_request(language):
    body, genuine = b'{"kind":"test"}', signed(b'{"kind":"test"}', SECRET)
    forged = {
        "another secret": signed(body, OTHER),
        "another id": genuine | {"webhook-id": "w_1.2"},
        "another time": genuine | {"webhook-timestamp": str(int(time()) + 1)},
        "no time": genuine | {"webhook-timestamp": ""},
        "an old one": signed(body, SECRET, age=301),
        "one from the future": signed(body, SECRET, age=-310),
        "no signature": genuine | {"webhook-signature": ""},
        "another version": genuine | {"webhook-signature": genuine["webhook-signature"].replace("v1,", "v2,")},
        "no headers": {},
    }
    with receiving(language, free_port(), SECRET) as receiver:
        assert {name: receiver.post(body, headers) for name, headers in forged.items()} == dict.fromkeys(forged, 403)
        assert receiver.post(body + b" ", genuine) == 403
        assert receiver.printed == []
        assert receiver.post(body, genuine) == 204
