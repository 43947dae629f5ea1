"""Chunked answers need little memory, but each holds a thread until the client has read it, and some clients never do.
So their number is limited."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import chain, islice
from typing import Any

from flask import Response

from service.http.context import waiting
from service.http.responses import encode
from service.live.streams import Stream

ITEMS_AT_ONCE = 200


def stream_response(stream: Stream) -> Response:
    """An event stream, which no proxy should hold back and no cache keep."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    response = Response(stream.chunks, headers=headers, content_type=stream.content_type)
    # Not at the end of the chunks: a generator that was never begun is never finished.
    response.call_on_close(stream.close)
    return response


def chunked_response(chunks: Iterable[bytes], content_type: str | None) -> Response:
    """The first chunk is made before the answer begins: what goes wrong there is a problem like any other."""
    with ExitStack() as entered:
        entered.enter_context(waiting())
        rest = iter(chunks)
        first = list(islice(rest, 1))
        held = entered.pop_all()
    response = Response(chain(first, rest), content_type=content_type)
    # Not at the end of the chunks: a client that goes away does not get there.
    response.call_on_close(held.close)
    return response


def listing(about: Mapping[str, Any], name: str, items: Iterable[Any]) -> Iterator[bytes]:
    """A JSON object that ends with a long list, in pieces.

    >>> b"".join(listing({"version": 3}, "rows", range(5)))
    b'{"version":3,"rows":[0,1,2,3,4]}'
    """
    before, rest = encode(about)[:-1] + b"," + encode(name) + b":[", iter(items)
    while piece := list(islice(rest, ITEMS_AT_ONCE)):
        yield before + b",".join(map(encode, piece))
        before = b","
    yield (b"" if before == b"," else before) + b"]}"
