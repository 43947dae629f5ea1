"""Requests that make tournaments, the same for programs and for pages: counted first, then done."""

from __future__ import annotations

from events.submission import Submission
from service.http.authentication import limit_account
from service.http.context import services
from tournaments.options import Options
from tournaments.tournament import Tournament


def begin(account: str, options: Options, sent: Submission) -> Tournament:
    """A new tournament."""
    limit_account("tournaments", account)
    services().reserve.check()
    return services().tournament_service.create(account, options, sent)
