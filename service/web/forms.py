"""Forms of pages: after a refusal the page is shown again, with the sentence; after a success another page is."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import quote

from flask import Response

from events.errors import StoreError
from rules.errors import Refused
from service.http import problems
from service.http.forms import own_form

OWN_PATH = re.compile(r"/(?![/\\])[\x21-\x7e]*")
"""A path of this site, and no address of another one that looks like it."""

LONGEST_PATH = 2000

View = Callable[..., Response]


def form_of(show: Callable[[Refused], Response]) -> Callable[[View], View]:
    """The view answers a form of one of our pages; `show` is that page with a refusal in it."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(**path: Any) -> Response:
            own_form()
            try:
                return view(**path)
            except StoreError:
                raise
            except Refused as refusal:
                return refused(show(refusal), refusal)

        return wrapper

    return decorate


def refused(response: Response, refusal: Refused) -> Response:
    response.status_code = problems.STATUSES[refusal.code]
    response.headers.update(problems.headers(refusal))
    return response


def go_to(path: str) -> Response:
    """On to another page of this site: the form is not sent again by looking at it."""
    return Response(status=303, headers={"Location": path})


def own_path(given: str, otherwise: str = "/") -> str:
    r"""The path that a link or a form names, if it is one of ours.

    >>> own_path("/account?done=password"), own_path("https://evil.example/"), own_path("//evil.example")
    ('/account?done=password', '/', '/')
    >>> own_path("/\\evil.example"), own_path("/a\nb"), own_path("javascript:alert(1)"), own_path("")
    ('/', '/', '/', '/')
    """
    return given if len(given) <= LONGEST_PATH and OWN_PATH.fullmatch(given) else otherwise


def with_next(path: str, following: str) -> str:
    """
    >>> with_next("/sign-in", "/oauth/authorize?client_id=c&state=s")
    '/sign-in?next=/oauth/authorize%3Fclient_id%3Dc%26state%3Ds'
    """
    return path if following == "/" else f"{path}?next={quote(following)}"
