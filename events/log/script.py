"""Scripts that run on the server, all or nothing: nothing else is done while one runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha1
from typing import Any

from redis.exceptions import NoScriptError


class Script:
    """A script that the server knows by its digest, and is sent again to a server that has forgotten it."""

    def __init__(self, say: Callable[..., Any], text: str) -> None:
        self._say, self._text = say, text
        self._digest = sha1(text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: Sequence[str], *args: Any) -> Any:
        try:
            return self._say("EVALSHA", self._digest, len(keys), *keys, *args)
        except NoScriptError:
            return self._say("EVAL", self._text, len(keys), *keys, *args)
