"""The news that a process answers: a line for people, and a word to systemd."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from threading import Thread
from time import sleep
from urllib.parse import urlsplit

import click

SECONDS_FOR_AN_ANSWER = 5.0
SECONDS_BETWEEN = 0.05


def announce(line: str, notify_socket: str | None) -> None:
    """The process is ready: said once."""
    click.echo(line)
    if notify_socket:
        notify(notify_socket, "READY=1")


def when_it_answers(url: str, work: Callable[[], None]) -> None:
    """Do some work, in a thread, as soon as the first worker answers at this address."""

    def wait() -> None:
        while not answers(url):
            sleep(SECONDS_BETWEEN)
        work()

    Thread(target=wait, name="readiness", daemon=True).start()


def answers(url: str) -> bool:
    parts = urlsplit(url)
    connection = HTTPConnection(str(parts.hostname), parts.port, timeout=SECONDS_FOR_AN_ANSWER)
    with suppress(OSError, HTTPException):
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    connection.close()
    return False


def notify(address: str, state: str) -> None:
    """Tell systemd. An address that begins with `@` is no file but a name in the system."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as speaking, suppress(OSError):
        speaking.sendto(state.encode(), "\0" + address[1:] if address.startswith("@") else address)
