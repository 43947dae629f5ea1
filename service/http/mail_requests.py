"""Requests about the mail of an account, the same for programs and for pages: counted first, then done."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from service.accounts import Identity
from service.http.authentication import limit, limit_account
from service.http.context import services
from service.notifications.mail.mail_service import MailService


def change(identity: Identity, request: Mapping[str, Any]) -> None:
    """New choices, and a letter to an address that is new."""
    limit_account("mail", identity.account)
    services().reserve.check()
    mail().change(identity.account, identity.handle, request, partial(limit, "letters_to_confirm_an_address"))


def confirm(account: str, code: str) -> None:
    limit_account("mail", account)
    mail().confirm(account, code)


def retry(account: str) -> None:
    """What was parked is written anew."""
    limit_account("mail", account)
    mail().retry(account)


def mail() -> MailService:
    return services().mail
