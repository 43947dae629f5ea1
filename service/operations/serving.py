"""The HTTP server around the web application, until Ctrl-C or SIGTERM."""

from __future__ import annotations

import errno
import multiprocessing
import socket

import click

from service.operations import logs
from service.operations.open_files import most_connections
from service.settings import Settings

# A client that sends no request, or only the beginning of one.
SECONDS_OF_SILENCE = 10
# The head of a request; the address alone may have nearly 64 kB.
MOST_BYTES_OF_A_HEAD = 72 * 1024
# A client that does not read would otherwise keep a stopping server alive.
SECONDS_TO_STOP = 5

APPLICATION = "service.operations.worker:application"


def listening_address(host: str, port: int, options: str = "--") -> tuple[str, int]:
    """The address as the server wants it, after making sure that it is free. `options` begin like this.

    The server itself would share a port with another instance of itself, silently.
    """
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
            address, port = probe.getsockname()[:2]
            return address, port
    except UnicodeError:
        raise WrongAddress(f"{host!a} is not an address") from None
    except OSError as error:
        refusal = click.ClickException if error.errno == errno.EADDRINUSE else WrongAddress
        raise refusal(why_not(error, host, port, options)) from error


class WrongAddress(click.ClickException):
    """It is not free later either."""

    exit_code = 2


def why_not(error: OSError, host: str, port: int, options: str) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {port} of {host} is in use; stop what uses it, or choose another with {options}port"
        case errno.EACCES:
            return f"no permission to use port {port}; choose one above 1023 with {options}port"
        case errno.EADDRNOTAVAIL | socket.EAI_NONAME:
            return f"{host} is not an address of this machine; choose another with {options}host"
    return f"cannot listen on port {port} of {host}: {error.strerror}"


def url(address: str, port: int) -> str:
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)
    return f"http://[{reachable}]:{port}/" if ":" in reachable else f"http://{reachable}:{port}/"


def run_server(address: str, port: int, settings: Settings, target: str = APPLICATION) -> None:
    """Serve until a signal ends it. `target` names the function that makes the application in every worker."""
    from granian.constants import HTTPModes, Interfaces
    from granian.http import HTTP1Settings
    from granian.log import LogLevels
    from granian.server import Server

    # A worker that was forked would have the locks of other threads of this process, and no thread to unlock them.
    multiprocessing.set_start_method("spawn", force=True)
    Server(
        target,
        factory=True,
        interface=Interfaces.WSGI,
        address=address,
        port=port,
        workers=settings.workers,
        blocking_threads=settings.threads,
        backpressure=most_connections(settings.threads),
        http1_settings=HTTP1Settings(
            header_read_timeout=SECONDS_OF_SILENCE * 1000, max_buffer_size=MOST_BYTES_OF_A_HEAD
        ),
        workers_kill_timeout=SECONDS_TO_STOP,
        respawn_failed_workers=True,
        http=HTTPModes.http1,
        websockets=False,
        log_level=LogLevels.error,
        log_dictconfig=logs.THROUGH_OURS,
    ).serve()
