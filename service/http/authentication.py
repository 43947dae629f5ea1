"""Authentication: a program shows a token, a browser has a session.

Nothing about a game may enter: the table knows its players.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from werkzeug.http import parse_cookie
from werkzeug.wrappers import Response

from events.errors import Declined, NotPermitted
from rules.texts import one_by_one, say
from service.accounts import SESSION_LASTS, Accounts, Identity
from service.accounts.credentials import Credential, credential_of, csrf_of, is_csrf_of
from service.http.context import environ, network, services, settings

__all__ = ["Identity", "current", "needs", "optional_identity"]

View = TypeVar("View", bound=Callable[..., Any])

COOKIE = "hidalgo_session"
CSRF_HEADER = "X-CSRF-Token"
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
ASKING = "hidalgo.identity"

SECURITY_SCHEMES = {
    "token": {"type": "http", "scheme": "bearer", "description": "A personal token, `hdg_…`."},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": f"A session in a browser; a request for a change needs the header `{CSRF_HEADER}`, too.",
    },
}
"""For the description of the interface."""


class Unauthorized(Declined):
    """Only for accounts: the client must show a token or a session."""

    code = "unauthorized"


class UnknownToken(Unauthorized):
    challenge = 'Bearer error="invalid_token"'


class CsrfMissing(Declined):
    """The browser asks, but nothing shows that our page made it ask."""

    code = "csrf"


# Identities


def accounts() -> Accounts:
    return services().accounts


def current(*, fresh: bool = False) -> Identity:
    """The identity behind this request, or 401. `fresh` asks the store instead of the cache."""
    if identity := optional_identity(fresh=fresh):
        return identity
    raise Unauthorized(say("this needs a token or a session"))


def optional_identity(*, fresh: bool = False) -> Identity | None:
    """The identity behind this request, if it has one. An unknown token is refused; an old cookie is ignored."""
    asked = environ()
    if ASKING not in asked or (fresh and shown()):
        asked[ASKING] = look_up(fresh=fresh)
    found: Identity | None = asked[ASKING]
    return found


def look_up(*, fresh: bool) -> Identity | None:
    if (token := given_token()) is not None:
        identity = accounts().identity_of_token(token, fresh=fresh)
        if not identity:
            limit("reads_from_an_address")
            raise UnknownToken(say("the token is not known, or was revoked"))
        return identity
    session = given_session()
    identity = accounts().identity_of_session(session, fresh=fresh) if session else None
    if identity:
        check_csrf(session)
    return identity


def given_token() -> str | None:
    """Only from the header: addresses end up in logs and histories."""
    scheme, _, token = environ().get("HTTP_AUTHORIZATION", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def given_session() -> str:
    return parse_cookie(environ()).get(COOKIE, "")


def shown() -> str:
    """The token or session of this request."""
    return given_token() or given_session()


def credential() -> Credential | None:
    """The token or session behind this request, if it has an identity."""
    return credential_of(shown()) if optional_identity() else None


def check_csrf(session: str) -> None:
    """Any site can make a browser send a cookie; the header shows that our own page sent this request."""
    method = environ()["REQUEST_METHOD"]
    if method not in SAFE and not is_csrf_of(session, environ().get("HTTP_X_CSRF_TOKEN", "")):
        raise CsrfMissing(
            say(
                "with a session, {method} needs the header {header}, which GET /me tells",
                method=method,
                header=CSRF_HEADER,
            )
        )


# Permissions


def needs(scope: str) -> Callable[[View], View]:
    """Only for identities with the scope: `read`, `play`, `account` or `admin`.

    The cache does not count for `account` and `admin`: a revoked token loses these scopes at once.
    """

    def decorate(view: View) -> View:
        def check() -> None:
            check_scope(current(fresh=scope in ("account", "admin")), scope)

        return guarded(view, check, [{scheme: [scope]} for scheme in SECURITY_SCHEMES])

    return decorate


def by_anybody(view: View) -> View:
    """Only with a token or a session; its scopes do not matter."""
    return guarded(view, current, [{scheme: []} for scheme in SECURITY_SCHEMES])


def by_session(view: View) -> View:
    """Only with a session."""

    def check() -> None:
        if current().by != "session":
            raise NotPermitted(say("this needs a session; a token was given"))

    return guarded(view, check, [{"session": []}])


def check_scope(identity: Identity, scope: str) -> None:
    if scope not in identity.scopes:
        held = one_by_one(sorted(identity.scopes)) if identity.scopes else say("nothing")
        raise NotPermitted(
            say("this needs the scope {scope}; this session has {held}", scope=scope, held=held)
            if identity.by == "session"
            else say("this needs the scope {scope}; this token has {held}", scope=scope, held=held)
        )


def guarded(view: View, check: Callable[[], object], security: list[dict[str, list[str]]]) -> View:
    """The view behind the check; `security` is for its description."""

    @wraps(view)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        check()
        return view(*args, **kwargs)

    wrapper.security = security  # type: ignore[attr-defined]
    return cast("View", wrapper)


# Cookies


def keep_session(response: Response, secret: str) -> Response:
    response.set_cookie(COOKIE, secret, max_age=SESSION_LASTS // 1000, **cookie_settings())
    return response


def drop_session(response: Response) -> Response:
    response.delete_cookie(COOKIE, **cookie_settings())
    return response


def cookie_settings() -> dict[str, Any]:
    is_secure = environ()["wsgi.url_scheme"] == "https" or settings().secure_cookies
    return {"path": "/", "httponly": True, "samesite": "Lax", "secure": is_secure}


def csrf() -> str | None:
    """The value that a page must send along; none for a token."""
    return csrf_of(given_session()) if current().by == "session" else None


# Rate limits


def limit(name: str, whose: str | None = None) -> None:
    """Counts a try of an account or a handle, or else of the address it comes from."""
    services().limits.take(name, network() if whose is None else whose)
