"""Apps that an account has registered, and apps that it allows to act for it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint
from msgspec.structs import asdict

from service.accounts.apps import App, Apps
from service.accounts.authorizations import Grant
from service.api.context import current_account, limited_account
from service.api.operation import Body, Reply, operation
from service.api.schemas.apps import (
    AppChangeRequest,
    AppResponse,
    AppsResponse,
    AuthorizationsResponse,
    NewAppRequest,
)
from service.http.authentication import needs
from service.http.context import services
from service.http.idempotency import given_key
from service.http.responses import no_store

blueprint = Blueprint("apps", __name__)
blueprint.after_request(no_store)

A_NEW_APP = {"name": "Club site", "redirect_uris": ["https://club.example/back"]}
AN_ID = "c_mZ4rk0Qb2sVxW9cDk7q2xm4pTzQ0"
AN_APP = A_NEW_APP | {"id": AN_ID, "created_at": 1767225600000}
AN_AUTHORIZATION = {
    "app": AN_ID,
    "name": "Club site",
    "scopes": ["play", "read"],
    "created_at": 1767225600000,
    "until": 1775001600000,
}


def registered() -> Apps:
    return services().apps


@blueprint.get("/me/apps")
@needs("account")
@operation(Reply(200, AppsResponse, {"apps": [AN_APP]}))
def apps() -> dict[str, Any]:
    """The apps that you have registered, oldest first."""
    return {"apps": registered().of(current_account())}


@blueprint.post("/me/apps")
@needs("account")
@operation(Reply(201, AppResponse, AN_APP), body=Body(NewAppRequest, A_NEW_APP))
def register(body: dict[str, Any]) -> App:
    """Register an app: a page on another site, or a program, that others may allow to act for them (OAuth 2).

    It has no secret. `docs/accounts.md` shows how it gets tokens.
    """
    account = limited_account("apps")
    return registered().register(account, body["name"], body["redirect_uris"], once=given_key() or "")


@blueprint.get("/me/apps/<app>")
@needs("account")
@operation(Reply(200, AppResponse, AN_APP))
def look(app: str) -> App:
    """An app that you have registered."""
    return registered().owned(current_account(), app)


@blueprint.patch("/me/apps/<app>")
@needs("account")
@operation(Reply(200, AppResponse, AN_APP), body=Body(AppChangeRequest, {"name": "Club site"}))
def change(body: dict[str, Any], app: str) -> App:
    """Change the name or the redirect URIs of an app; what is left out stays."""
    return registered().change(limited_account("apps"), app, body.get("name"), body.get("redirect_uris"))


@blueprint.delete("/me/apps/<app>")
@needs("account")
@operation(Reply(204))
def delete(app: str) -> None:
    """Delete an app. Everything that accounts have allowed it ends, tokens and open streams too."""
    registered().delete(current_account(), app)


@blueprint.get("/me/authorizations")
@needs("account")
@operation(Reply(200, AuthorizationsResponse, {"authorizations": [AN_AUTHORIZATION]}))
def authorizations() -> dict[str, Any]:
    """The apps that you allow to act for you, oldest first."""
    return {"authorizations": [described(grant) for grant in services().authorizations.grants(current_account())]}


def described(grant: Grant) -> dict[str, Any]:
    return asdict(grant) | {"until": grant.until or None}


@blueprint.delete("/me/authorizations/<app>")
@needs("account")
@operation(Reply(204))
def end(app: str) -> None:
    """End what you allow an app: its tokens end now, its open streams within five seconds."""
    services().authorizations.end(current_account(), app)
