"""Authentication: a program shows a token, a browser has a session.

Nothing about a game may enter: the table knows its players.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from msgspec.structs import replace
from werkzeug.http import dump_cookie, parse_cookie
from werkzeug.wrappers import Response

from events.errors import Declined, NotPermitted
from rules.texts import one_by_one, say
from service.accounts import SESSION_LASTS, Accounts, Identity
from service.accounts.authorizations import APP_SCOPES
from service.accounts.credentials import Credential, credential_of, csrf_of, is_csrf_of
from service.http.context import environ, network, services, settings
from service.http.forms import FORM
from service.http.origins import SAFE, ForeignSite, is_foreign
from service.http.request_bodies import API

__all__ = ["Identity", "current", "needs", "optional_identity"]

View = TypeVar("View", bound=Callable[..., Any])
Answer = TypeVar("Answer", bound=Response)

COOKIE = "hidalgo_session"
CSRF_HEADER = "X-CSRF-Token"
ASKING = "hidalgo.identity"
PIXELS_OF_AN_IMAGE = 600
"""The width of a picture that counts once; one that is twice as wide counts four times."""

SECURITY_SCHEMES: dict[str, dict[str, Any]] = {
    "token": {"type": "http", "scheme": "bearer", "description": "A personal token, `hdg_…`."},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": f"A session in a browser; a request for a change needs the header `{CSRF_HEADER}`, too.",
    },
    "oauth2": {
        "type": "oauth2",
        "description": "An app that the account allows; with a proof key (PKCE, S256).",
        "flows": {
            "authorizationCode": {
                "authorizationUrl": "/oauth/authorize",
                "tokenUrl": "/oauth/token",
                "refreshUrl": "/oauth/token",
                "scopes": {"read": "See what the account sees.", "play": "Play for the account."},
            }
        },
    },
}
"""For the description of the interface."""

ANY_SCOPE: list[dict[str, list[str]]] = [{scheme: []} for scheme in SECURITY_SCHEMES]


def security_of(scope: str) -> list[dict[str, list[str]]]:
    """How a client may show that it has the scope. No app has the scopes of accounts and administrators."""
    schemes = [scheme for scheme in SECURITY_SCHEMES if scheme != "oauth2" or scope in APP_SCOPES]
    return [{scheme: [scope]} for scheme in schemes]


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
        identity = accounts().tokens.identity(token, fresh=fresh)
        if not identity:
            limit("reads_from_an_address")
            raise UnknownToken(say("the token is not known, or was revoked"))
        return identity
    session = given_session()
    identity = accounts().sessions.identity(session, fresh=fresh) if session else None
    if identity:
        check_csrf(session)
    return identity


def given_token() -> str | None:
    """Only from the header: addresses end up in logs and histories."""
    scheme, _, token = environ().get("HTTP_AUTHORIZATION", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def given_session() -> str:
    """Only from our own pages: whatever cookie a browser sends along for another site counts for nothing."""
    asked = environ()
    return "" if is_foreign(asked) else parse_cookie(asked).get(COOKIE, "")


def shown() -> str:
    """The token or session of this request."""
    return given_token() or given_session()


def credential() -> Credential | None:
    """The token or session behind this request, if it has an identity."""
    identity = optional_identity()
    found = credential_of(shown()) if identity else None
    return replace(found, app=identity.app) if found and identity else None


def check_csrf(session: str) -> None:
    """Any site can make a browser send a cookie; the header shows that our own page sent this request."""
    method = environ()["REQUEST_METHOD"]
    if method not in SAFE and not is_csrf_of(session, given_csrf()):
        raise CsrfMissing(
            say(
                "with a session, {method} needs the header {header}, which GET /me tells",
                method=method,
                header=CSRF_HEADER,
            )
        )


def given_csrf() -> str:
    """From the header; in forms of our pages it is a field."""
    asked = environ()
    if FORM in asked:
        return str(asked[FORM].get("csrf", [""])[-1])
    return str(asked.get("HTTP_X_CSRF_TOKEN", ""))


def refuse_foreign_writes() -> None:
    """A page of another site changes nothing without a token, neither for a visitor who is signed in nor as a guest."""
    asked = environ()
    if asked["REQUEST_METHOD"] in SAFE or not asked["PATH_INFO"].startswith(API) or not is_foreign(asked):
        return
    if given_token() is None:
        raise ForeignSite(say("a page of another site needs a token for this, in the header Authorization"))
    current()


# Permissions


def needs(scope: str) -> Callable[[View], View]:
    """Only for identities with the scope: `read`, `play`, `account` or `admin`.

    The cache does not count for `account` and `admin`: a revoked token loses these scopes at once.
    """

    def decorate(view: View) -> View:
        def check() -> None:
            check_scope(current(fresh=scope in ("account", "admin")), scope)

        return guarded(view, check, security_of(scope))

    return decorate


def by_anybody(view: View) -> View:
    """Only with a token or a session; its scopes do not matter."""
    return guarded(view, current, ANY_SCOPE)


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


def keep_session(response: Answer, secret: str) -> Answer:
    # Without the time of day: a repeated sign-in is answered alike.
    cookie = dump_cookie(COOKIE, secret, max_age=SESSION_LASTS // 1000, sync_expires=False, **cookie_settings())
    response.headers.add("Set-Cookie", cookie)
    return response


def drop_session(response: Answer) -> Answer:
    response.delete_cookie(COOKIE, **cookie_settings())
    return response


def cookie_settings() -> dict[str, Any]:
    is_secure = environ()["wsgi.url_scheme"] == "https" or settings().secure_cookies
    return {"path": "/", "httponly": True, "samesite": "Lax", "secure": is_secure}


def csrf() -> str | None:
    """The value that a page must send along; none for a token."""
    return csrf_of(given_session()) if current().by == "session" else None


# Rate limits


def limit(name: str, whose: str | None = None, tries: int = 1) -> None:
    """Counts tries of an account or a handle, or else of the address they come from."""
    services().limits.take(name, network() if whose is None else whose, tries)


def count_read(kind: str, account: str | None, tries: int = 1) -> None:
    """A read that costs as much as many: by the account, if there is one, and by the address."""
    if account:
        limit(f"{kind}_of_an_account", account, tries)
    limit(f"{kind}_from_an_address", None, tries)


def count_bulk_read(account: str | None) -> None:
    count_read("bulk_reads", account)


def count_image(account: str | None, width: int) -> None:
    """A picture drawn as PNG: by its pixels."""
    count_read("images", account, max(1, round((width / PIXELS_OF_AN_IMAGE) ** 2)))


def limit_account(kind: str, account: str) -> None:
    """Counts a try twice: by the account, and by the address it comes from."""
    limit(f"{kind}_of_an_account", account)
    limit(f"{kind}_from_an_address")
