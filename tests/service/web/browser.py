"""A real browser without a screen, spoken to over a pipe in its own protocol: what it shows, what it complains of."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
]
SECONDS = 60


class Page:
    """One page of the browser, and all that went wrong in it."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self.to_browser, self.from_browser = to_browser, from_browser
        self.numbers = count(1)
        self.rest = b""
        self.session = ""
        self.complaints: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def open(self, url: str, width: int, until: str) -> None:
        """Load the page in a window of this width, until an expression is true in it."""
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
        self.ask("Page.navigate", url=url)
        deadline = time.monotonic() + SECONDS
        while not self.value(f"document.readyState == 'complete' && !!({until})"):
            assert time.monotonic() < deadline, f"never so: {until}; {self.complaints}"

    def wait_for_complaint(self, words: str) -> None:
        deadline = time.monotonic() + SECONDS
        while not any(words in complaint for complaint in self.complaints):
            assert time.monotonic() < deadline, f"no complaint of {words}: {self.complaints}"
            self.value("0")

    def value(self, expression: str) -> Any:
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self.numbers)
        question = {"id": number, "method": method, "params": params}
        os.write(
            self.to_browser,
            json.dumps(question | ({"sessionId": self.session} if self.session else {})).encode() + b"\0",
        )
        while (message := self.next_message()).get("id") != number:
            self.listen(message)
        assert "error" not in message, message
        return message["result"]

    def next_message(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            assert select.select([self.from_browser], [], [], SECONDS)[0], "the browser says nothing"
            output = os.read(self.from_browser, 65536)
            assert output, "the browser has ended"
            self.rest += output
        message, _, self.rest = self.rest.partition(b"\0")
        return json.loads(message)

    def listen(self, message: dict[str, Any]) -> None:
        """Note errors and warnings in the console, exceptions, and requests that failed."""
        about = message.get("params", {})
        match message.get("method"):
            case "Runtime.exceptionThrown":
                self.complaints.append(str(about["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if about["type"] in ("error", "warning", "assert"):
                self.complaints.append(str(about["args"]))
            case "Log.entryAdded" if about["entry"]["level"] in ("error", "warning"):
                self.complaints.append(f"{about['entry']['text']} {about['entry'].get('url', '')}")
            case "Network.loadingFailed":
                self.complaints.append(f"{about['errorText']} {about.get('blockedReason', '')}")
            case "Network.responseReceived" if about["response"]["status"] >= 400:
                self.complaints.append(f"{about['response']['status']} {about['response']['url']}")


@contextmanager
def browsing() -> Iterator[Page]:
    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("chromium is not installed")
    with tempfile.TemporaryDirectory(prefix="hidalgo-browser-", ignore_cleanup_errors=True) as folder:
        # The browser reads from its file 3 and writes to its file 4.
        reads, to_browser = os.pipe()
        from_browser, writes = os.pipe()
        command = f'exec "$0" "$@" 3<&{reads} 4>&{writes}'
        with subprocess.Popen(
            ["bash", "-c", command, chromium, *FLAGS, f"--user-data-dir={folder}"],
            pass_fds=(reads, writes),
            stderr=subprocess.DEVNULL,
        ) as process:
            os.close(reads)
            os.close(writes)
            try:
                yield Page(to_browser, from_browser)
            finally:
                process.kill()
                os.close(to_browser)
                os.close(from_browser)
