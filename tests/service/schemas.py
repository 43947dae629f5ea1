"""Holds what clients receive against the schemas that the service serves. Fields that are not described are faults."""

import json
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from rules.codec import encode
from service.app import create_app
from service.settings import Settings
from tests.service.described import close


def check(name: str, value: Any) -> None:
    """Raises if the value, as it is sent, does not fit the schema of this name."""
    validator(name).validate(json.loads(encode(value)))


def check_event(name: str, event: str, data: str) -> None:
    """Raises if the data of a server-sent event of a stream do not fit its schema."""
    events = events_of(name)
    assert event in events, f"{name} says nothing of the event {event}"
    validator(events[event]).validate(json.loads(data))


@cache
def events_of(name: str) -> dict[str, str]:
    """The schemas of the events of a stream."""
    events: dict[str, str] = schema(name)["$defs"][name]["x-events"]
    return events


@cache
def validator(name: str) -> Any:
    closed = schema(name)
    close(closed["$defs"])
    return Draft202012Validator(closed)


def schema(name: str) -> Any:
    answer = service().get(f"/api/v1/schemas/{name}")
    assert answer.status_code == 200, answer.text
    return answer.get_json()


@cache
def service() -> Any:
    return create_app(Settings(access_log=False)).test_client()
