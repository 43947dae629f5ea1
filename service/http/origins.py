"""Other sites: a browser tells which site made it send a request.

The cookie of a session counts for our own pages only. A script of another site shows a token, or reads what is public.
"""

from __future__ import annotations

from events.errors import Declined
from service.http.context import Environ

SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class ForeignSite(Declined):
    """A page of another site has made the browser send this."""

    code = "csrf"


def is_foreign(asked: Environ) -> bool:
    """Whether a page of another site made the browser send this. A link to one of our pages is no such request."""
    site = asked.get("HTTP_SEC_FETCH_SITE")
    if site is None:
        origin = asked.get("HTTP_ORIGIN")
        return origin is not None and not is_own(origin, asked.get("HTTP_HOST", ""))
    return site in ("cross-site", "same-site") and not is_followed_link(asked)


def is_followed_link(asked: Environ) -> bool:
    return asked.get("HTTP_SEC_FETCH_MODE") == "navigate" and asked["REQUEST_METHOD"] in SAFE


def is_own(origin: str, host: str) -> bool:
    """For browsers that tell no more than the origin.

    >>> is_own("https://hidalgo.example", "hidalgo.example"), is_own("http://[::1]:8000", "[::1]:8000")
    (True, True)
    >>> is_own("https://hidalgo.example.evil", "hidalgo.example"), is_own("null", "null"), is_own("http://a", "a:80")
    (False, False, True)
    """
    scheme, _, named = origin.lower().partition("://")
    default = DEFAULT_PORTS.get(scheme, "")
    return bool(default) and named.removesuffix(default) == host.lower().removesuffix(default)
