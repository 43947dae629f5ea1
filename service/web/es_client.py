"""The client for JavaScript, which any site may import from here: one file, joined from the modules in `client/`.

In a module, names for everybody are exported where they are declared, those for its siblings by a list at its end.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from service.web.files import CLIENT, content, sent_body

es_client = Blueprint("es_client", __name__)

FOLDER = CLIENT
MODULES = (
    "hidalgo",
    "types",
    "chat",
    "connection",
    "streams",
    "studies",
    "tournaments",
    "problems",
    "etags",
    "pauses",
    "random",
    "sampling",
    "oauth",
)
BETWEEN_MODULES = re.compile(rb'^(?:import|export) \{[^}]*\}(?: from "[^"]+")?;\n+', re.MULTILINE)

FOR_ALL_SITES = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}


@es_client.get("/client/<name>")
def file(name: str) -> Response:
    """The module, a part of it, or its types. Deno finds the types by the header."""
    match name:
        case "hidalgo.js":
            response = sent_body(joined(), "text/javascript; charset=utf-8")
        case _ if name.removesuffix(".js") in MODULES:  # Our own pages need a part of it alone.
            response = sent_body(content(FOLDER / name), "text/javascript; charset=utf-8")
        case "hidalgo.d.ts":
            response = sent_body(content(FOLDER / name), "application/typescript; charset=utf-8")
        case _:
            raise NotFound
    response.headers.update(FOR_ALL_SITES | {"X-TypeScript-Types": "./hidalgo.d.ts"})
    return response


@cache
def joined() -> bytes:
    """All modules as one, which exports what is for everybody."""
    modules = (BETWEEN_MODULES.sub(b"", content(FOLDER / f"{name}.js")).strip() for name in MODULES)
    return b"\n\n".join(modules) + b"\n"


def write(folder: Path = FOLDER) -> None:
    """The joined file, for the compiler that makes its types."""
    (folder / "dist").mkdir(exist_ok=True)
    (folder / "dist/hidalgo.js").write_bytes(joined())
