"""The kind of blueprint that all of the interface is made of, and what its views share."""

from __future__ import annotations

from typing import Any

import flask_smorest
from flask import current_app
from marshmallow import Schema

from service import auth
from service.bodies import BodyParser
from service.herald.inbox import Inboxes
from service.herald.webhooks import Webhooks
from service.lobby import Lobby
from service.play import Play
from service.seeing import Handles


class Blueprint(flask_smorest.Blueprint):
    ARGUMENTS_PARSER = BodyParser()

    def arguments(self, schema: type[Schema], **about: Any) -> Any:
        """One schema for all requests: the library would make a new one for each."""
        return super().arguments(schema(), **about)


def play() -> Play:
    return _wired("play")


def lobby() -> Lobby:
    return _wired("lobby")


def inboxes() -> Inboxes:
    return _wired("inboxes")


def webhooks() -> Webhooks:
    return _wired("webhooks")


def handles() -> Handles:
    return auth.accounts().handle_of


def me() -> str:
    """The account that asks."""
    return auth.current().account


def me_at_most(limit: str) -> str:
    """The account that asks, which may do this only so often."""
    auth.limit(limit, me())
    return me()


def me_if_known() -> str | None:
    """The account that asks, if anybody: a token must hold the scope `read`. Who has none is counted by address."""
    identity = auth.current_or_none()
    if not identity:
        auth.limit("reads_from_an_address")
        return None
    auth.check_scope(identity, "read")
    return identity.account


def _wired(name: str) -> Any:
    return current_app.extensions[name]
