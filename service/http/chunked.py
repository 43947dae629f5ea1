"""Chunked answers need little memory, but each holds a thread until the client has read it, and some clients never do.
So their number is limited."""

from __future__ import annotations

from collections.abc import Iterable
from threading import BoundedSemaphore

from flask import Response

from events.errors import Busy
from rules.texts import say
from service.live.streams import Stream

MOST_ANSWERS = 8
"""Half of the threads that streams leave to the rest."""
SECONDS_TO_WAIT = 0.25
"""For a slot. A client that reads needs it for no time."""

_slots = BoundedSemaphore(MOST_ANSWERS)


def stream_response(stream: Stream) -> Response:
    """An event stream, which no proxy should hold back and no cache keep."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    response = Response(stream.chunks, headers=headers, content_type=stream.content_type)
    # Not at the end of the chunks: a generator that was never begun is never finished.
    response.call_on_close(stream.close)
    return response


def chunked_response(chunks: Iterable[bytes], content_type: str | None) -> Response:
    if not _slots.acquire(timeout=SECONDS_TO_WAIT):
        raise Busy(say("too many long answers are not being read; come back in a moment"))
    response = Response(chunks, content_type=content_type)
    # Not at the end of the chunks: a client that goes away does not get there.
    response.call_on_close(_slots.release)
    return response
