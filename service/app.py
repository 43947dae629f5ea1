"""The web application: everything that answers a request, put together."""

from __future__ import annotations

from werkzeug.middleware.proxy_fix import ProxyFix

from events.store import connect
from service import api, web
from service.http import access_log, authentication, compression, direct, problems, request_bodies
from service.http.application import Application
from service.http.direct import direct_views
from service.services import Services, services
from service.settings import Settings


def create_app(settings: Settings | None = None, wired: Services | None = None) -> Application:
    """The web application, as plain WSGI; any server can run it.

    Without settings the environment counts; services that are wired already are used as they are.
    """
    settings = settings or Settings.from_env()
    if not wired and settings.store_url:
        store = connect(settings.store_url, settings.archive_place(), settings.buckets)
        wired = services(store, settings, serving=True)
    app = Application(settings, wired)
    app.before_request(direct.raise_again)
    app.before_request(authentication.refuse_foreign_writes)
    for part in (access_log, compression, request_bodies, problems, web, api):
        part.register(app)
    if wired:
        app.direct_views = direct_views(app, api.direct_endpoints())
    else:
        app.before_request(api.refuse_without_store)
    if proxies := settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=proxies, x_proto=proxies)  # type: ignore[method-assign]
    return app
