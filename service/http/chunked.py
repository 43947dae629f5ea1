"""Chunked answers need little memory, but each holds a thread until the client has read it, and some clients never do.
So their number is limited."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack

from flask import Response

from service.http.context import waiting
from service.live.streams import Stream


def stream_response(stream: Stream) -> Response:
    """An event stream, which no proxy should hold back and no cache keep."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    response = Response(stream.chunks, headers=headers, content_type=stream.content_type)
    # Not at the end of the chunks: a generator that was never begun is never finished.
    response.call_on_close(stream.close)
    return response


def chunked_response(chunks: Iterable[bytes], content_type: str | None) -> Response:
    held = ExitStack()
    held.enter_context(waiting())
    response = Response(chunks, content_type=content_type)
    # Not at the end of the chunks: a client that goes away does not get there.
    response.call_on_close(held.close)
    return response
