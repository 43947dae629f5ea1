"""The application. Around every request it adds an id, headers, a line in the log and a count.

This is done outside of Flask, where it costs little, and where no view can leave it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from time import perf_counter
from typing import Any

from flask import Flask, Response, request
from werkzeug.exceptions import NotFound

from events.errors import StoreUnavailable
from rules.texts import say
from service.http import access_log, cors, direct, headers
from service.http.accept_language import preferred
from service.http.context import APPLICATION, Environ, answering
from service.http.direct import DirectView
from service.http.request_ids import HEADER, name_of
from service.http.responses import PlainResponse
from service.language import IN_ENGLISH, installed, speaking
from service.live.threads import Threads
from service.operations import metrics
from service.services import Services
from service.settings import Settings

StartResponse = Callable[..., Any]


class Application(Flask):
    """Where no services are wired it has rules and pages to show, and nothing else."""

    def __init__(self, settings: Settings, wired: Services | None = None) -> None:
        super().__init__("service.app", static_folder=None)
        # What is at one address is not at another: a redirect would lead to whatever host the client has named.
        self.url_map.merge_slashes = False
        self.before_request(refuse_two_slashes)
        self.wire(settings, wired)
        self.direct_views: Sequence[DirectView] = ()
        """Views that are called without Flask's dispatch."""

    def wire(self, settings: Settings, wired: Services | None) -> None:
        """Everything that is not the same in all applications."""
        self.settings = settings
        self.wired = wired
        self.threads = wired.threads if wired else Threads(settings.threads)
        self.languages = installed(settings.locale)

    @property
    def services(self) -> Services:
        if self.wired:
            return self.wired
        raise StoreUnavailable(say("no store is configured"), "start with `hidalgo serve`, or set REDIS_URL")

    def make_response(self, rv: Any) -> Response:
        return super().make_response(rv.for_flask() if isinstance(rv, PlainResponse) else rv)

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """All of our functions are plain ones; Flask would look at each of them again for every request."""
        return func

    def wsgi_app(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        began = perf_counter()
        name = name_of(environ)
        language = preferred(environ.get("HTTP_ACCEPT_LANGUAGE", ""), self.languages)

        def begin_answer(status: str, answer_headers: list[tuple[str, str]], *problem: Any) -> Any:
            answer_headers += headers.missing(environ, answer_headers)
            answer_headers.append((HEADER, name))
            if language is not IN_ENGLISH:
                answer_headers.append(("Content-Language", language.tag))
            written = start_response(status, answer_headers, *problem)
            seconds = perf_counter() - began
            metrics.answered(environ, status[:3], seconds)
            if self.settings.access_log:
                access_log.answered(environ, int(status[:3]), seconds)
            return written

        if (allowed := cors.preflight(environ)) is not None:
            environ[metrics.ENDPOINT] = "preflight"
            begin_answer("204 No Content", allowed)
            return []
        environ[APPLICATION] = self
        with answering(environ), speaking(language):
            if (answer := direct.answer(self.direct_views, environ, begin_answer)) is not None:
                return answer
            return super().wsgi_app(environ, begin_answer)


def refuse_two_slashes() -> None:
    """The web framework would take `//healthz` for `/healthz`, and we would not; nor no path at all for `/`."""
    path = request.environ["PATH_INFO"]
    if not path or path.startswith("//"):
        raise NotFound
