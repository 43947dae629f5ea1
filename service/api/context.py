"""The context of a request: the services behind the views, and the account that asks."""

from __future__ import annotations

from service.accounts.audit_log import AuditLog
from service.games.game_service import GameService
from service.games.lobby import Lobby
from service.games.representations import Profiles
from service.games.timelines import Timelines
from service.http import authentication
from service.http.context import services
from service.notifications.inbox import Inboxes
from service.notifications.webhooks import Webhooks
from service.studies.positions import StudyPositions
from service.studies.study_service import StudyService
from service.tournaments.tournament_service import TournamentService


def game_service() -> GameService:
    return services().game_service


def lobby() -> Lobby:
    return services().lobby


def timelines() -> Timelines:
    return services().timelines


def study_service() -> StudyService:
    return services().study_service


def tournament_service() -> TournamentService:
    return services().tournament_service


def study_positions() -> StudyPositions:
    return services().study_positions


def inboxes() -> Inboxes:
    return services().inboxes


def webhooks() -> Webhooks:
    return services().webhooks


def audit_log() -> AuditLog:
    return services().audit_log


def profiles() -> Profiles:
    return authentication.accounts().profiles


def current_account() -> str:
    """The account that asks."""
    return authentication.current().account


def limited_account(kind: str) -> str:
    """The account that asks, counted by two rate limits: by the account, and by the address it asks from."""
    account = current_account()
    authentication.limit_account(kind, account)
    return account


def optional_account(*, fresh: bool = False) -> str | None:
    """The account that asks, if any: its token needs the scope `read`. Requests without one are counted by address."""
    identity = authentication.optional_identity(fresh=fresh)
    if not identity:
        authentication.limit("reads_from_an_address")
        return None
    authentication.check_scope(identity, "read")
    return identity.account
