"""A worker of the HTTP server: a process that answers, and ends with the one that started it."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Thread

from service.app import create_app
from service.http.application import Application
from service.operations.connections import start_closing
from service.operations.serving import SECONDS_TO_STOP
from service.settings import Settings


def application() -> Application:
    """The web application in a worker. One left behind by a parent that was killed would keep the port."""
    # Until the worker serves, SIGTERM would run the handler of its parent, and the worker would stay.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    settings = Settings.from_env()
    if parent := multiprocessing.parent_process():
        Thread(target=end_with, args=(parent, settings.shared_metrics), daemon=True).start()
    app = create_app(settings)
    start_closing(settings)
    if app.wired:
        app.wired.heartbeat.start()
        on_stop(app.wired.streams.close, app.wired.heartbeat.stop)
    return app


def on_stop(*works: Callable[[], None]) -> None:
    """The server will set its own handlers of signals, so this listens beside them."""
    signals, wakeup = os.pipe()
    os.set_blocking(wakeup, False)
    signal.set_wakeup_fd(wakeup, warn_on_full_buffer=False)

    def wait() -> None:
        while os.read(signals, 1)[0] not in (signal.SIGTERM, signal.SIGINT):
            pass
        for work in works:
            work()

    Thread(target=wait, name="stopping", daemon=True).start()


def end_with(parent: BaseProcess, shared_metrics: Path | None) -> None:
    parent.join()
    if shared_metrics:
        shutil.rmtree(shared_metrics, ignore_errors=True)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(SECONDS_TO_STOP)
    os._exit(1)
