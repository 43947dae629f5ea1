"""An open stream of the interface, read in the test itself. Every event is held against its description."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Self

from service.client.stream_parsers import Event, parser
from tests.service.api.asking import PREFIX, ApiClient, spelled
from tests.service.schemas import check_event

SIGNS_OF_LIFE = 3
"""So many chunks without a word are waited for, at most."""


class LiveStream:
    def __init__(self, path: str, client: ApiClient, schema: str, **headers: str) -> None:
        self.schema = schema
        sent = spelled(headers) | ({"Authorization": f"Bearer {client.token}"} if client.token else {})
        self.response = client.described.app.test_client().get(PREFIX + path, headers=sent)
        assert self.response.status_code == 200, self.response.text
        self.chunks = self.response.iter_encoded()
        self.events = self._events()

    def _events(self) -> Iterator[Event | None]:
        """What arrives; nothing for a sign of life."""
        reading = parser(self.response.headers["Content-Type"])
        next(self.chunks)
        for chunk in self.chunks:
            arrived = list(reading.feed(chunk))
            for event in arrived:
                if self.response.mimetype == "text/event-stream":
                    check_event(self.schema, event.name, event.data)
                yield event
            if not arrived:
                yield None

    def next(self, name: str) -> Any:
        """The next one of this name."""
        for _ in range(50):
            event = next(self.events)
            if event and event.name == name:
                return json.loads(event.data)
        raise AssertionError(f"no {name}")

    def silence(self) -> bool:
        """Whether nothing but signs of life comes."""
        return all(event is None for event, _ in zip(self.events, range(SIGNS_OF_LIFE), strict=False))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.response.close()
