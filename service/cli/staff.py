"""Commands of staff: every one is told in the audit log, with its reason."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from events.errors import Declined
from service.accounts.audit_log import LONGEST_REASON, OPERATOR, AuditEntry
from service.services import Services


class Reason(click.ParamType):
    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if len(str(value)) > LONGEST_REASON:
            self.fail(f"a reason has at most {LONGEST_REASON} characters", param, ctx)
        return str(value)


reason = click.option("--reason", type=Reason(), default="", help="Why it is done; kept in the audit log.")


@contextmanager
def recorded(wired: Services, action: str, about: str, reason: str = "") -> Iterator[None]:
    """Around an action; one that is declined ends the command with a sentence."""
    account = wired.accounts.account_named(about)
    entry = AuditEntry(
        action, operator(), account.id if account else about, reason, "", account.handle if account else ""
    )
    try:
        with wired.audit_log.recording(entry):
            yield
    except Declined as problem:
        raise click.ClickException(str(problem)) from None


def operator() -> str:
    """The user of this machine."""
    try:
        return f"{OPERATOR} {pwd.getpwuid(os.getuid()).pw_name}"
    except KeyError:
        return f"{OPERATOR} {os.getuid()}"
