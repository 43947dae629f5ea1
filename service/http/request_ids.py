"""The name of a request, the same in the answer, in a problem and in the log."""

import re
from random import Random
from typing import Any

from service.http.context import environ

HEADER = "X-Request-Id"
FITTING = re.compile(r"[\x21-\x7e]{1,64}")
GIVEN = "HTTP_X_REQUEST_ID"
NAME = "hidalgo.request_id"

_chance = Random()  # Names must differ, not be secret: to ask the system for each would give up the interpreter.


def name_of(request: dict[str, Any]) -> str:
    """The name the client or a proxy has given it, or a new one."""
    if NAME not in request:
        given = request.get(GIVEN, "")
        request[NAME] = given if FITTING.fullmatch(given) else f"{_chance.getrandbits(64):016x}"
    return str(request[NAME])


def request_id() -> str:
    """The name of the request that is being answered."""
    return name_of(environ())
