"""The context of a request: the services behind the views, and the account that asks."""

from __future__ import annotations

from service.games.game_service import GameService
from service.games.lobby import Lobby
from service.games.representations import Handles
from service.http import authentication
from service.http.context import services
from service.notifications.inbox import Inboxes
from service.notifications.webhooks import Webhooks


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


def current_account() -> str:
    """The account that asks."""
    return authentication.current().account


def limited_account(kind: str) -> str:
    """The account that asks, counted by two rate limits: by the account, and by the address it asks from."""
    account = current_account()
    authentication.limit(f"{kind}_of_an_account", account)
    authentication.limit(f"{kind}_from_an_address")
    return account


def optional_account(*, fresh: bool = False) -> str | None:
    """The account that asks, if any: its token needs the scope `read`. Requests without one are counted by address."""
    identity = authentication.optional_identity(fresh=fresh)
    if not identity:
        authentication.limit("reads_from_an_address")
        return None
    authentication.check_scope(identity, "read")
    return identity.account
