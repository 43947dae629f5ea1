"""Preconditions of a write: the versions that it is meant for (If-Match)."""

from __future__ import annotations

import re

from werkzeug.http import parse_etags

from service.http.context import environ
from service.http.responses import version_of

VERSION = re.compile(r"[1-9][0-9]{0,17}")


def expected_versions() -> frozenset[int] | None:
    """The versions that the client names, whichever viewer it has seen them as; None: any."""
    if "HTTP_IF_MATCH" not in environ() or (given := parse_etags(environ()["HTTP_IF_MATCH"])).star_tag:
        return None
    named = (version_of(etag) for etag in given if etag)
    return frozenset(int(version) for version in named if VERSION.fullmatch(version))
