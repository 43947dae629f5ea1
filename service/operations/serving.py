"""`hidalgo serve`: the application behind a real HTTP server, until Ctrl-C or SIGTERM."""

import errno
import multiprocessing
import os
import shutil
import signal
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import Thread

import click

from events.errors import StoreError
from events.store import Store, open_store
from events.store.durability import durability_warnings
from service.app import DEFAULT_THREADS, PROXIES, SHARED_METRICS, STORE_URL, THREADS, create_worker
from service.operations import logs

# Streams leave some threads to all other requests, so there must be more than those.
FEWEST_THREADS = 32
# Connections without a request hold no thread, but the server counts them as well.
IDLE_CONNECTIONS = 1024
# A client that does not read would otherwise keep a stopping server alive.
SECONDS_TO_STOP = 5


@click.command()
@click.option("--host", default="127.0.0.1", envvar="HIDALGO_HOST", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=8000,
    type=click.IntRange(0, 65535),
    envvar="HIDALGO_PORT",
    show_default=True,
    help="Port to listen on; 0 takes a free one.",
)
@click.option(
    "--workers",
    default=1,
    type=click.IntRange(1),
    envvar="HIDALGO_WORKERS",
    show_default=True,
    help="Processes that answer.",
)
@click.option(
    "--threads",
    default=DEFAULT_THREADS,
    type=click.IntRange(FEWEST_THREADS),
    envvar=THREADS,
    show_default=True,
    help="Requests that a process answers at once; all but 16 may be open event streams.",
)
@click.option(
    "--proxies",
    default=0,
    type=click.IntRange(0),
    envvar=PROXIES,
    show_default=True,
    help="Proxies of yours that every request comes through; 0: clients come directly.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    help="Directory of the embedded store.  [default: HIDALGO_DATA, or this user's data directory]",
)
@click.option(
    "--scheduler/--no-scheduler",
    default=True,
    help="Also look after deadlines, notices and webhooks; without it, run 'hidalgo scheduler' somewhere.",
)
def serve(
    host: str,
    port: int,
    workers: int,
    threads: int,
    proxies: int,
    data: Path | None,
    scheduler: bool,
) -> None:
    """Start the service on this machine, until Ctrl-C.

    Games are kept in a store of its own that is started and stopped with it, or in the one at REDIS_URL.
    """
    address, port = listening_address(host, port)
    with opened_store(data) as store, tempfile.TemporaryDirectory(prefix="hidalgo-metrics-") as metrics:
        # Workers are started anew, and find the store where this process has found it.
        os.environ |= {STORE_URL: store.url, THREADS: str(threads), SHARED_METRICS: metrics}
        os.environ[PROXIES] = str(proxies)
        click.echo(f"Hidalgo is at {url(address, port)} (Ctrl-C stops it)")
        with scheduling_beside(store) if scheduler else nullcontext():
            run_server(address, port, workers, threads)
    click.echo("Hidalgo has stopped")


def scheduling_beside(store: Store) -> AbstractContextManager[object]:
    """A scheduler in this process. It is imported late, so that it counts where the workers count."""
    from service.operations.scheduler import scheduling

    return scheduling(store)


@contextmanager
def opened_store(data: Path | None) -> Iterator[Store]:
    """The store, which answers and keeps what it promises; if it does not, the operator is told."""
    try:
        store, close = open_store(os.environ.get("REDIS_URL"), data, report=lambda line: click.echo(line, err=True))
    except StoreError as trouble:
        raise click.ClickException(trouble.sentence) from trouble
    try:
        for warning in durability_warnings(store):
            click.echo(f"warning: {warning}", err=True)
        yield store
    except StoreError as trouble:
        raise click.ClickException(trouble.sentence) from trouble
    finally:
        close()


def listening_address(host: str, port: int) -> tuple[str, int]:
    """The address as the server wants it, after making sure that it is free.

    The server itself would share a port with another instance of itself, silently.
    """
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            address, port = probe.getsockname()[:2]
            return address, port
    except OSError as error:
        raise click.ClickException(why_not(error, host, port)) from error


def why_not(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {port} of {host} is in use; stop what uses it, or choose another with --port"
        case errno.EACCES:
            return f"no permission to use port {port}; choose one above 1023 with --port"
        case errno.EADDRNOTAVAIL | socket.EAI_NONAME:
            return f"{host} is not an address of this machine; choose another with --host"
    return f"cannot listen on port {port} of {host}: {error.strerror}"


def url(address: str, port: int) -> str:
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)
    return f"http://[{reachable}]:{port}/" if ":" in reachable else f"http://{reachable}:{port}/"


def run_server(
    address: str, port: int, workers: int, threads: int, target: str = "service.operations.serving:application"
) -> None:
    """Serve what the function named by `target` makes in every worker, until told to stop."""
    from granian.constants import HTTPModes, Interfaces
    from granian.log import LogLevels
    from granian.server import Server

    # A worker that was forked would have the locks of other threads of this process, and nobody to unlock them.
    multiprocessing.set_start_method("spawn", force=True)
    Server(
        target,
        factory=True,
        interface=Interfaces.WSGI,
        address=address,
        port=port,
        workers=workers,
        blocking_threads=threads,
        backpressure=threads + IDLE_CONNECTIONS,
        workers_kill_timeout=SECONDS_TO_STOP,
        respawn_failed_workers=True,
        http=HTTPModes.http1,
        websockets=False,
        log_level=LogLevels.error,
        log_dictconfig=logs.THROUGH_OURS,
    ).serve()


def application():
    """The web application in a worker, which ends when the process that started it is killed.

    A worker left behind would keep the port.
    """
    # Until the worker serves, SIGTERM would run the handler of its parent, and the worker would stay.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if parent := multiprocessing.parent_process():
        Thread(target=end_with, args=(parent,), daemon=True).start()
    app = create_worker()
    if streams := app.extensions.get("streams"):
        when_told_to_stop(streams.close)
    return app


def when_told_to_stop(work: Callable[[], None]) -> None:
    """The server will set its own handlers of signals, so this listens beside them."""
    heard, told = os.pipe()
    os.set_blocking(told, False)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)

    def wait() -> None:
        while os.read(heard, 1)[0] not in (signal.SIGTERM, signal.SIGINT):
            pass
        work()

    Thread(target=wait, name="stopping", daemon=True).start()


def end_with(parent) -> None:
    parent.join()
    shutil.rmtree(os.environ.get(SHARED_METRICS, ""), ignore_errors=True)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(SECONDS_TO_STOP)
    os._exit(1)
