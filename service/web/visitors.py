"""The visitor of a page: the account of the browser's session. A token counts for programs only."""

from __future__ import annotations

from rules.texts import say
from service.accounts import Identity
from service.accounts.credentials import csrf_of
from service.http.authentication import Unauthorized, accounts, check_csrf, given_session
from service.http.context import application, environ

VISITOR = "hidalgo.visitor"


def visitor() -> Identity | None:
    """The account that looks at the page, if any; looked up once."""
    asked = environ()
    if VISITOR not in asked:
        asked[VISITOR] = look_up()
    return known_visitor()


def known_visitor() -> Identity | None:
    """The visitor as far as the store was asked already: for pages that tell of its trouble."""
    found: Identity | None = environ().get(VISITOR)
    return found


def member() -> Identity:
    """The account that looks at the page, asked of the store, not of the cache; without one it must sign in first."""
    environ()[VISITOR] = look_up(fresh=True)
    if found := known_visitor():
        return found
    raise Unauthorized(say("sign in first"))


def look_up(*, fresh: bool = False) -> Identity | None:
    session = given_session()
    if not session or not application().wired:
        return None
    identity = accounts().sessions.identity(session, fresh=fresh)
    if identity:
        check_csrf(session)
    return identity


def csrf() -> str:
    """The hidden field of the forms of a visitor who is signed in."""
    return csrf_of(given_session()) if known_visitor() else ""
