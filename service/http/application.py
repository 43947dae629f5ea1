"""The application, and what surrounds every request: its name, its answer's headers, its line in the log, its count.

That is done around Flask, where it costs little, and where nothing that a view does can leave it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

from flask import Flask

from service.http import access_log, headers
from service.http.request_ids import HEADER, name_of
from service.operations import metrics


class Application(Flask):
    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """All of our functions are plain ones; Flask would look at each of them again for every request."""
        return func

    def wsgi_app(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        began = perf_counter()
        name = name_of(environ)

        def begin_answer(status: str, said: list[tuple[str, str]], *problem: Any) -> Any:
            said += headers.missing(environ, said)
            said.append((HEADER, name))
            written = start_response(status, said, *problem)
            seconds = perf_counter() - began
            metrics.answered(environ, status[:3], seconds)
            access_log.answered(self, environ, int(status[:3]), seconds)
            return written

        return super().wsgi_app(environ, begin_answer)
