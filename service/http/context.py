"""The request that this thread answers, its client, and the application that answers it.

All of it is in the WSGI environment of the request. What views call asks here, not Flask, so that it also works where
Flask's dispatch is left out (`service.http.direct`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from service.accounts.rate_limits import network_of

if TYPE_CHECKING:
    from service.http.application import Application
    from service.services import Services
    from service.settings import Settings

Environ = dict[str, Any]

APPLICATION = "hidalgo.application"

_answered: ContextVar[Environ] = ContextVar("hidalgo.environ")


@contextmanager
def answering(environ: Environ) -> Iterator[None]:
    """Inside, this request is the one that is answered."""
    token = _answered.set(environ)
    try:
        yield
    finally:
        _answered.reset(token)


def environ() -> Environ:
    """The WSGI environment of the request."""
    return _answered.get()


def application() -> Application:
    found: Application = environ()[APPLICATION]
    return found


def settings() -> Settings:
    return application().settings


def services() -> Services:
    return application().services


def network() -> str:
    """The network of the client, for everything that is counted by address."""
    return network_of(environ().get("REMOTE_ADDR"))


def waiting() -> AbstractContextManager[None]:
    """While this thread waits: for the client, or for something that the client makes it wait for."""
    return application().threads.waiting(network())
