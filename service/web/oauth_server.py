"""The OAuth 2 server: Authlib checks requests and writes answers, `service.accounts.authorizations` keeps what follows.

Apps are public clients (RFC 8252, RFC 9700): no secret, a proof key always (RFC 7636, S256 alone), redirect URIs as
they were registered to the letter, the issuer in every answer (RFC 9207), refresh tokens that are used once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from authlib.common.urls import add_params_to_uri
from authlib.oauth2.rfc6749 import (
    AuthorizationServer,
    ClientMixin,
    InvalidGrantError,
    InvalidRequestError,
    InvalidScopeError,
    OAuth2Error,
    OAuth2Payload,
    OAuth2Request,
)
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, RefreshTokenGrant
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from flask import Response, jsonify, request

from rules.errors import Unreadable
from rules.texts import say
from service.accounts.apps import App
from service.accounts.authorizations import APP_SCOPES, Authorizations, Code, Issued
from service.accounts.errors import ScopeNotHeld
from service.http.context import services, settings
from service.http.forms import form

QUOTABLE = re.compile(r"[ !#-\[\]-~]*")
"""Characters that may stand in the description of an error (RFC 6749, 4.1.2.1)."""
VISIBLE = re.compile(r"[ -~]*")
CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
LONGEST = 1000
DEFAULT_SCOPE = "read"

Values = Mapping[str, Sequence[str]]


def authorizations() -> Authorizations:
    return services().authorizations


def issuer() -> str:
    """The name of this server for apps: its address, without a path."""
    url = urlsplit(settings().public_url or request.host_url)
    return f"{url.scheme}://{url.netloc}"


# Requests


class Payload(OAuth2Payload):
    def __init__(self, values: Values) -> None:
        self._values = values

    @property
    def data(self) -> dict[str, str]:
        return {name: values[-1] for name, values in self._values.items() if values and values[-1]}

    @property
    def datalist(self) -> defaultdict[str, list[str]]:
        return defaultdict(list, {name: list(values) for name, values in self._values.items()})


class Asked(OAuth2Request):
    """A request of an app, or of a browser that an app has sent to us."""

    def __init__(self, method: str, values: Values) -> None:
        # Whether the way to us is encrypted is known to the operator's proxy; Authlib would believe the address.
        super().__init__(method, "https://hidalgo", headers={})
        self.payload = Payload(values)

    @property
    def args(self) -> dict[str, str]:
        return self.payload.data

    @property
    def form(self) -> dict[str, str]:
        return self.payload.data


def authorization_request() -> Asked:
    """The query of this request, whichever method it has: the form of the consent is ours, not the app's."""
    values = request.args.to_dict(flat=False)
    for name, given in values.items():
        fitting = VISIBLE if name == "state" else QUOTABLE
        if any(len(value) > LONGEST or not fitting.fullmatch(value) for value in given):
            raise Unreadable(say("the app has asked in a way that cannot be read: {name}", name=name[:30]))
    return Asked("GET", values)


def form_request() -> Asked:
    """What an app sends without a browser."""
    values = form()
    if any(len(given) > 1 for given in values.values()):
        raise InvalidRequestError("A parameter was sent twice.")
    if any(len(given[0]) > LONGEST for given in values.values()):
        raise InvalidRequestError("A parameter is too long.")
    return Asked("POST", values)


# Clients


class Client(ClientMixin):
    """An app, as Authlib asks for it."""

    def __init__(self, app: App) -> None:
        self.app = app

    def get_client_id(self) -> str:
        return self.app.id

    def get_default_redirect_uri(self) -> None:
        return None

    def get_allowed_scope(self, scope: str | None) -> str:
        return " ".join(sorted(set((scope or DEFAULT_SCOPE).split())))

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return redirect_uri in self.app.redirect_uris

    def check_client_secret(self, client_secret: str) -> bool:
        return False

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == "none"

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in GRANT_TYPES


# Grants


@dataclass(frozen=True)
class Consent:
    """What an account allows an app."""

    account: str
    scopes: list[str]
    days: int


@dataclass(frozen=True)
class ShownCode:
    secret: str
    code: Code
    code_challenge_method = "S256"

    @property
    def code_challenge(self) -> str:
        return self.code.challenge

    def get_redirect_uri(self) -> str:
        return self.code.redirect_uri

    def get_scope(self) -> str:
        return " ".join(self.code.scopes)


class CodeGrant(AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def generate_authorization_code(self) -> str:
        consent: Consent = self.request.user
        app: App = self.request.client.app
        asked = self.request.payload
        challenge = asked.data["code_challenge"]
        return authorizations().allow(
            consent.account, app.id, app.name, consent.scopes, consent.days, asked.redirect_uri, challenge
        )

    def save_authorization_code(self, code: str, request: Asked) -> None:
        """It is kept already."""

    def query_authorization_code(self, code: str, client: Client) -> ShownCode | None:
        found = authorizations().code(code, client.app.id)
        return ShownCode(code, found) if found else None

    def authenticate_user(self, authorization_code: ShownCode) -> Issued | None:
        """The tokens stand for the account. Of two requests with one code, one gets them."""
        return authorizations().redeem(authorization_code.secret, self.request.client.app.id)

    def delete_authorization_code(self, authorization_code: ShownCode) -> None:
        """It is marked already."""


class ProofKey(CodeChallenge):
    """PKCE, always, and never by a challenge that shows the key."""

    def validate_code_challenge(self, grant: CodeGrant, redirect_uri: str) -> None:
        asked = grant.request.payload
        if asked.data.get("code_challenge_method") != "S256":
            raise InvalidRequestError("Send a 'code_challenge' with 'code_challenge_method=S256'.")
        if not CHALLENGE.fullmatch(asked.data.get("code_challenge", "")):
            raise InvalidRequestError("A 'code_challenge' is the SHA-256 of the verifier in base64url.")
        super().validate_code_challenge(grant, redirect_uri)


class RefreshGrant(RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def _validate_request_token(self, client: Client) -> str:
        if secret := self.request.form.get("refresh_token"):
            return str(secret)
        raise InvalidRequestError("Missing 'refresh_token' in request.")

    def _validate_token_scope(self, token: str) -> None:
        """When it is used: only then it is looked at."""

    def authenticate_user(self, refresh_token: str) -> Issued:
        wanted = (self.request.payload.scope or "").split()
        try:
            issued = authorizations().refresh(refresh_token, self.request.client.app.id, wanted)
        except ScopeNotHeld:
            raise InvalidScopeError() from None
        if not issued:
            raise InvalidGrantError()
        return issued

    def issue_token(self, user: Issued, refresh_token: str) -> dict[str, Any]:
        return token_response(user=user)

    def revoke_old_credential(self, refresh_token: str) -> None:
        """It was replaced by its successor already."""


def token_response(*, user: Issued, **_: Any) -> dict[str, Any]:
    return {
        "token_type": "Bearer",
        "access_token": user.access,
        "expires_in": user.seconds,
        "refresh_token": user.refresh,
        "scope": " ".join(user.scopes),
    }


@dataclass(frozen=True)
class ShownToken:
    secret: str

    def check_client(self, client: Client) -> bool:
        """A token of another app is left alone, and nothing is said of it."""
        return True


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none"]

    def query_token(self, token_string: str, token_type_hint: str | None) -> ShownToken:
        return ShownToken(token_string)

    def revoke_token(self, token: ShownToken, request: Asked) -> None:
        authorizations().revoke(token.secret, request.client.app.id)


GRANT_TYPES = (CodeGrant.GRANT_TYPE, RefreshGrant.GRANT_TYPE)


# The server


class Server(AuthorizationServer):
    def __init__(self) -> None:
        super().__init__(scopes_supported=sorted(APP_SCOPES))
        self.register_grant(CodeGrant, [ProofKey(required=True)])
        self.register_grant(RefreshGrant)
        self.register_endpoint(Revocation)
        self.register_token_generator("default", token_response)

    def query_client(self, client_id: str) -> Client | None:
        found = services().apps.find(client_id)
        return Client(found) if found else None

    def save_token(self, token: Mapping[str, Any], request: Asked) -> None:
        """It is kept already: with the code or the refresh token that it follows from, or not at all."""

    def create_oauth2_request(self, request: Asked) -> Asked:
        return request

    def send_signal(self, name: str, *args: Any, **kwargs: Any) -> None:
        """Nothing listens."""

    def handle_response(self, status: int, body: Any, headers: Sequence[tuple[str, str]]) -> Response:
        response = jsonify(body) if isinstance(body, dict) else Response(body)
        response.status_code = status
        response.headers.update(headers)
        if "Location" in response.headers:
            # After a form, a browser must not send it on to the app.
            response.status_code = 303
            response.headers["Location"] = add_params_to_uri(response.headers["Location"], [("iss", issuer())])
            response.headers["Cache-Control"] = "no-store"
        return response


SERVER = Server()


def metadata() -> dict[str, Any]:
    """What an app needs to know of this server (RFC 8414)."""
    at = issuer()
    return {
        "issuer": at,
        "authorization_endpoint": f"{at}/oauth/authorize",
        "token_endpoint": f"{at}/oauth/token",
        "revocation_endpoint": f"{at}/oauth/revoke",
        "scopes_supported": sorted(APP_SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": list(GRANT_TYPES),
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "revocation_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": True,
        "service_documentation": f"{at}/docs",
    }


__all__ = ["SERVER", "Consent", "OAuth2Error"]
