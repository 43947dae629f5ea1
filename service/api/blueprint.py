"""The kind of blueprint that all of the interface is made of, and what its views share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import flask_smorest
from marshmallow import Schema

from service.games.game_service import GameService
from service.games.lobby import Lobby
from service.games.representations import Handles
from service.http import authentication
from service.http.context import services
from service.http.request_bodies import BodyParser
from service.notifications.inbox import Inboxes
from service.notifications.webhooks import Webhooks


class Blueprint(flask_smorest.Blueprint):
    ARGUMENTS_PARSER = BodyParser()

    def arguments(self, schema: type[Schema], *, location: str = "json", **about: Any) -> Any:
        """Described by the library, and read by us: with one schema for all requests, and little in between."""
        reader = schema()
        describe = super().arguments(reader, location=location, **about)

        def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(view)
            def with_argument(*args: Any, **kwargs: Any) -> Any:
                return view(*args, self.ARGUMENTS_PARSER.read(reader, location), **kwargs)

            with_argument._apidoc = describe(view)._apidoc  # type: ignore[attr-defined]
            return with_argument

        return decorate

    def alt_response(self, *args: Any, **about: Any) -> Any:
        """A mere description: the library would call the view through one more function."""
        describe = super().alt_response(*args, **about)

        def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
            view._apidoc = describe(view)._apidoc  # type: ignore[attr-defined]
            return view

        return decorate


def game_service() -> GameService:
    return services().game_service


def lobby() -> Lobby:
    return services().lobby


def inboxes() -> Inboxes:
    return services().inboxes


def webhooks() -> Webhooks:
    return services().webhooks


def handles() -> Handles:
    return authentication.accounts().handle_of


def me() -> str:
    """The account that asks."""
    return authentication.current().account


def me_at_most(limit: str) -> str:
    """The account that asks, which may do this only so often."""
    authentication.limit(limit, me())
    return me()


def me_if_known() -> str | None:
    """The account that asks, if anybody: a token must hold the scope `read`. Who has none is counted by address."""
    identity = authentication.current_or_none()
    if not identity:
        authentication.limit("reads_from_an_address")
        return None
    authentication.check_scope(identity, "read")
    return identity.account
