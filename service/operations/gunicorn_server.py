"""The application behind gunicorn, for those who would rather run what they know: `hidalgo serve --server gunicorn`."""

from __future__ import annotations

import os
import signal
import sys
from threading import Thread
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.workers.gthread import ThreadWorker

from service.app import create_worker

# What a proxy in front of it would expect.
SECONDS_KEPT_ALIVE = 75


def run(address: str, port: int, workers: int, threads: int, idle_connections: int, seconds_to_stop: int) -> None:
    """Serve until told to stop."""
    place = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    settings = {
        "bind": [place],
        "workers": workers,
        "worker_class": StreamingWorker,
        "threads": threads,
        "worker_connections": threads + idle_connections,
        "graceful_timeout": seconds_to_stop,
        "keepalive": SECONDS_KEPT_ALIVE,
        "loglevel": "error",
    }
    try:
        PatientArbiter(Configured(settings)).run()
    except SystemExit as ended:
        if ended.code:
            raise


class Configured(BaseApplication):
    """The application with settings that no file and no environment changes."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        super().__init__()

    def load_config(self) -> None:
        for name, value in self.settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        return create_worker()


class PatientArbiter(Arbiter):
    """Ctrl-C lets streams end as any other end does, and a worker's end is not that of what started it."""

    def handle_int(self) -> None:
        self.handle_term()

    def spawn_worker(self) -> int:
        try:
            pid: int = super().spawn_worker()
            return pid
        except SystemExit as ended:
            # Only a worker comes here: a copy of this process, that must not do what this one does in the end.
            sys.stderr.flush()
            os._exit(ended.code if isinstance(ended.code, int) else 1)


class StreamingWorker(ThreadWorker):
    """Requests are finished when it is told to stop; streams are told goodbye, or they would never be."""

    wsgi: Any = None
    """The application, once it is loaded: a worker can be told to stop before."""

    def init_signals(self) -> None:
        super().init_signals()
        signal.signal(signal.SIGINT, self.handle_exit)

    def handle_exit(self, sig: int, frame: Any) -> None:
        super().handle_exit(sig, frame)
        if streams := getattr(self.wsgi, "extensions", {}).get("streams"):
            Thread(target=streams.close, name="stopping").start()
