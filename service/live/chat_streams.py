"""The chat of a table, live: every message of a room as soon as it is written.

What an account may read changes while it listens: a spectator sits down, a game ends. So the room is looked at again
every few seconds, and a stream ends with the right to read it: the client comes again, and gets what it may read now.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from threading import Event
from time import monotonic

from events.errors import NoSuchGame, NotPermitted, StoreError
from events.workers.hub import Closed, Hub, Listener
from rules.codec import encode
from service.chat.chat_service import ChatService, Room
from service.chat.rooms import Message
from service.language import in_this_language
from service.live.streams import LONGEST_STREAM, Form, Stopping, Stream
from service.live.threads import Threads

SECONDS_BETWEEN_LOOKS = 4.0


class ChatStreams:
    """All streams of chats of this process."""

    def __init__(self, service: ChatService, *, threads: Threads, keep_alive: float) -> None:
        self._service = service
        self._threads = threads
        self._keep_alive = keep_alive
        self._messages = Hub(service.chat)
        self._stopping = False

    def close(self) -> None:
        self._stopping = True
        self._messages.close()

    def of_room(self, room: Room, after: int, form: Form, network: str) -> Stream:
        """The messages after a number, until the stream ends."""
        if self._stopping:
            raise Stopping
        with ExitStack() as entered:
            entered.enter_context(self._threads.stream(network, *([room.account] if room.account else [])))
            messages = entered.enter_context(self._messages.listening(room.topic, after))
            ending = entered.pop_all()
        reader = _Reader(self._service, room, messages, form, self._keep_alive)
        return Stream(form.content_type, in_this_language(reader.chunks()), ending.close, messages.end)


@dataclass
class _Reader:
    """One client."""

    service: ChatService
    room: Room
    messages: Listener[Message]
    form: Form
    keep_alive: float

    def __post_init__(self) -> None:
        self.news = Event()
        self.messages.called = self.news.set

    def chunks(self) -> Iterator[bytes]:
        end, last = monotonic() + LONGEST_STREAM, monotonic()
        yield self.form.opening
        self.news.set()
        while monotonic() < end:
            self._wait()
            try:
                # What the account may read now.
                self.room = self.service.room(self.room.game.id, self.room.account, self.room.name)
                chunk = self._told(self.messages.heard())
            except StoreError:
                continue
            except (NoSuchGame, NotPermitted, Closed):
                break
            if chunk or monotonic() - last >= self.keep_alive:
                last = monotonic()
                yield chunk or self.form.keep_alive
        yield self.form.last("bye", {"id": self.messages.number})

    def _wait(self) -> None:
        if not self.news.wait(min(SECONDS_BETWEEN_LOOKS, self.keep_alive)):
            # Hints can be lost.
            self.messages.look()
        self.news.clear()

    def _told(self, messages: list[Message]) -> bytes:
        shown = self.service.shown(self.room, messages)
        return b"".join(self.form.item("message", each["id"], encode(each)) for each in shown)
