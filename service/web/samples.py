"""A request of each operation, ready to be copied: for a shell, and by the clients for Python and JavaScript.

Names in capitals (a shell) or as they are stand for the reader's own values.
"""

from __future__ import annotations

import json
import re
from pprint import pformat
from typing import Any, NamedTuple

PREFIX = "/api/v1"
WIDTH = 88
STREAMS = {
    "/games/{game}/stream": ("stream(game)", "stream(game)"),
    "/games/{game}/chat/stream": ("chat.stream(game)", "chat.stream(game)"),
    "/me/inbox/stream": ("inbox_stream()", "inboxStream()"),
    "/studies/{study}/stream": ("studies.stream(study)", "studies.stream(study)"),
    "/tournaments/{tournament}/stream": ("tournaments.stream(tournament)", "tournaments.stream(tournament)"),
}
"""Streams are followed by methods of their own, which go on where a connection broke."""


class Sample(NamedTuple):
    language: str
    text: str


def samples(method: str, path: str, body: Any, *, needs_token: bool) -> tuple[Sample, ...]:
    """`body` is the example of one; None if there is none."""
    return (
        Sample("sh", curl(method, path, body, needs_token=needs_token)),
        Sample("python", python(method, path, body, needs_token=needs_token)),
        Sample("js", javascript(method, path, body, needs_token=needs_token)),
    )


def curl(method: str, path: str, body: Any, *, needs_token: bool) -> str:
    """
    >>> print(curl("POST", "/api/v1/games/{game}/start", {}, needs_token=True))
    curl -sS --json '{}' \\
      -H "Authorization: Bearer $TOKEN" \\
      "$SERVICE/api/v1/games/$GAME/start"
    """
    words = ["curl -sS"]
    if body is not None:
        words[0] += " --json '" + json.dumps(body, ensure_ascii=False).replace("'", "'\\''") + "'"
    if method != ("GET" if body is None else "POST"):
        words[0] += f" -X {method}"
    if needs_token:
        words.append('-H "Authorization: Bearer $TOKEN"')
    words.append(f'"$SERVICE{variables(path)}"')
    return " \\\n  ".join(words)


def variables(path: str) -> str:
    """
    >>> variables("/games/{game}")
    '/games/$GAME'
    """
    return re.sub(r"{(\w+)}", lambda found: f"${found[1].upper()}", path)


def python(method: str, path: str, body: Any, *, needs_token: bool) -> str:
    """
    >>> print(python("PUT", "/api/v1/me/bot", {"bot": True}, needs_token=True))
    from hidalgo_client import Hidalgo
    <BLANKLINE>
    hidalgo = Hidalgo(service, token)
    print(hidalgo.request("PUT", "/me/bot", {'bot': True}))
    """
    name = path.removeprefix(PREFIX)
    opening = f"from hidalgo_client import Hidalgo\n\nhidalgo = Hidalgo(service{', token' if needs_token else ''})\n"
    if name in STREAMS:
        return f"{opening}for event in hidalgo.{STREAMS[name][0]}:\n    print(event)"
    words = [json.dumps(method), ("f" if "{" in name else "") + json.dumps(name)]
    if body is not None:
        words.append(pformat(body, width=WIDTH, sort_dicts=False))
    return f"{opening}print(hidalgo.request({', '.join(words)}))"


def javascript(method: str, path: str, body: Any, *, needs_token: bool) -> str:
    """
    >>> print(javascript("GET", "/api/v1/games/{game}", None, needs_token=False))
    import { Hidalgo } from "./hidalgo.mjs";
    <BLANKLINE>
    const hidalgo = new Hidalgo(service);
    console.log((await hidalgo.request("GET", `/games/${game}`)).text);
    """
    name = path.removeprefix(PREFIX)
    settings = ", { token }" if needs_token else ""
    opening = f'import {{ Hidalgo }} from "./hidalgo.mjs";\n\nconst hidalgo = new Hidalgo(service{settings});\n'
    if name in STREAMS:
        return f"{opening}for await (const event of hidalgo.{STREAMS[name][1]}) console.log(event);"
    words = [json.dumps(method), f"`{name.replace('{', '${')}`" if "{" in name else json.dumps(name)]
    if body is not None:
        words.append(f"{{ body: {json.dumps(body, ensure_ascii=False)} }}")
    return f"{opening}console.log((await hidalgo.request({', '.join(words)})).text);"
