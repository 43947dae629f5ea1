"""OAuth 2 for apps: the page on which an account allows one, and the addresses to which apps send codes and tokens."""

from __future__ import annotations

from urllib.parse import urlsplit

from authlib.oauth2.rfc6749 import OAuth2Error
from authlib.oauth2.rfc6749.grants import BaseGrant
from flask import Blueprint, Response, jsonify, request

from rules.errors import Unreadable
from rules.texts import Text, say
from service.accounts import Identity
from service.accounts.authorizations import APP_SCOPES
from service.http.authentication import accounts, limit, limit_account
from service.http.context import services
from service.http.forms import field, form, own_form
from service.http.headers import PAGES
from service.web.oauth_server import SERVER, Asked, Consent, authorization_request, form_request, metadata
from service.web.pages import page
from service.web.visitors import member

oauth = Blueprint("oauth", __name__, template_folder="templates")

DURATIONS: dict[str, tuple[int, Text]] = {
    "day": (1, say("1 day")),
    "season": (90, say("90 days")),
    "open": (0, say("until I end it")),
}
"""For how long an account may allow an app, in days; 0: until it is ended."""
ALLOWING: dict[str, Text] = {
    "day": say("Allow for 1 day"),
    "season": say("Allow for 90 days"),
    "open": say("Allow until I end it"),
}
USUAL = "season"


@oauth.get("/oauth/authorize")
def consent() -> Response:
    """The page on which an account allows the app, or not. A request that is no good never gets this far."""
    grant = SERVER.get_consent_grant(authorization_request())
    return consent_page(grant, member())


def consent_page(grant: BaseGrant, identity: Identity) -> Response:
    app = grant.request.client.app
    asked = grant.request.scope.split()
    response = page(
        "consent.html",
        app=app,
        owner=accounts().handle_of([app.owner])[app.owner],
        host=urlsplit(grant.redirect_uri).netloc,
        asked=asked,
        refused_scopes=sorted(APP_SCOPES - set(asked)),
        allowed=services().authorizations.grant(identity.account, app.id),
        durations={name: label for name, (_, label) in DURATIONS.items()},
        allowing=ALLOWING,
        usual=USUAL,
        initials=initials(app.name),
        query=request.query_string.decode(),
    )
    response.headers["Content-Security-Policy"] = policy(grant.redirect_uri)
    response.headers["Cache-Control"] = "no-store"
    return response


def initials(name: str) -> str:
    """
    >>> initials("Mesa Stats"), initials("torneo")
    ('MS', 'to')
    """
    words = name.split()
    return words[0][0] + words[1][0] if len(words) > 1 else name[:2]


def policy(redirect_uri: str) -> str:
    """That of our pages; the answer to the form leads to the app, and browsers look at that, too."""
    parts = urlsplit(redirect_uri)
    form_action = f"form-action 'self' {parts.scheme}://{parts.netloc}"
    return PAGES["Content-Security-Policy"].replace("form-action 'self'", form_action)


@oauth.post("/oauth/authorize")
def decide() -> Response:
    own_form()
    grant, identity = SERVER.get_consent_grant(authorization_request()), member()
    given = consent_of(grant.request, identity) if field("decision") == "allow" else None
    response: Response = SERVER.create_authorization_response(request=grant.request, grant_user=given, grant=grant)
    return response


def consent_of(asked: Asked, identity: Identity) -> Consent:
    """What the account allows of what the app asks for; something of it."""
    scopes = set(asked.scope.split()) & set(form().get("scopes", []))
    days, _ = DURATIONS.get(field("duration"), (None, None))
    if not scopes or days is None:
        raise Unreadable(say("the form cannot be read"))
    limit_account("grants", identity.account)
    services().reserve.check()
    return Consent(identity.account, sorted(scopes), days)


# For apps


@oauth.post("/oauth/token")
def token() -> Response:
    limit("grants_from_an_address")
    response: Response = SERVER.create_token_response(form_request())
    return response


@oauth.post("/oauth/revoke")
def revoke() -> Response:
    limit("grants_from_an_address")
    response: Response = SERVER.create_endpoint_response("revocation", form_request())
    return response


@oauth.get("/.well-known/oauth-authorization-server")
def described() -> Response:
    return jsonify(metadata())


@oauth.errorhandler(OAuth2Error)
def refused(error: OAuth2Error) -> Response:
    """To the app, if its address is verified; before that nothing is sent to any address, and people are told."""
    if error.redirect_uri or request.endpoint != "oauth.consent":
        response: Response = SERVER.handle_error_response(None, error)
        return response
    return page("app-refused.html", 400, error=error)
