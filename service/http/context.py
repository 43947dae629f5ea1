"""The request that this thread answers, and the application that answers it, with its settings and services.

All of it is in the WSGI environment of the request. What views call asks here, not Flask, so that it also works where
Flask's dispatch is left out (`service.http.direct`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

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
