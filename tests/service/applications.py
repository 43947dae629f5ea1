"""Applications for tests: routes and templates are made once in a process, and shared by all that follow."""

from __future__ import annotations

from copy import copy

from flask import got_request_exception

from events.store import connect
from service.app import create_app
from service.http import access_log
from service.http.application import Application
from service.services import Services, services
from service.settings import Settings

FIRST: list[Application] = []


def application(settings: Settings, wired: Services | None = None) -> Application:
    """As `create_app` makes it, on a store of its own. A test of how it is made calls that instead."""
    assert not settings.proxies, "what is around an application is not shared"
    wired = wired or services(connect(settings.store_url or ""), settings, serving=True)
    if not FIRST:
        FIRST.append(create_app(settings, wired))
    made = copy(FIRST[0])
    made.wire(settings, wired)
    got_request_exception.connect(access_log.broken, made)
    return made
