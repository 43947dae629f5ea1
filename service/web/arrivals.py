"""Visitors who sit down without an account become guests on the way: nobody is asked for anything first."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flask import Response

from service.http import account_requests
from service.http.authentication import accounts, keep_session
from service.web.visitors import visitor

Answer = Callable[[Response], Response]


class Arrival(NamedTuple):
    """The account that acts, and what its answer needs besides."""

    account: str
    is_bot: bool = False
    welcomed: Answer = lambda response: response
    """Gives the browser of a new guest its session."""


def arrive() -> Arrival:
    """The visitor, or else a new guest."""
    if known := visitor():
        return Arrival(known.account, known.bot)
    guest = account_requests.make_guest()
    session = accounts().sessions.open(guest.id)
    return Arrival(guest.id, welcomed=lambda response: keep_session(response, session.secret))
