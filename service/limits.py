"""The limits on requests that cost work or room: how many at once, and how many again after a while.

`service.accounts.rate_limits` counts by them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

MOST_AT_ONCE = 1_000_000
LONGEST_REST = 366 * 86_400
"""Seconds. Neither is a limit to anybody; beyond them, the store could not count."""


@dataclass(frozen=True)
class Limit:
    """So many at once; after `seconds` of rest, so many again."""

    burst: int
    seconds: float

    def __post_init__(self) -> None:
        if not (1 <= self.burst <= MOST_AT_ONCE and 1e-3 <= self.seconds <= LONGEST_REST):
            raise ValueError(f"{self.burst} in {self.seconds} seconds is no limit")

    def __str__(self) -> str:
        return f"{self.burst}/{plain(self.seconds)}"


LIMITS: dict[str, tuple[Limit, str]] = {
    "sign_ins_of_a_handle": (Limit(20, 600), "sign-ins under one handle"),
    "passwords_of_an_account": (Limit(20, 600), "passwords given by one account that has a token or a session"),
    "sign_ins_from_an_address": (Limit(200, 600), "sign-ins from one address"),
    "accounts_from_an_address": (Limit(100, 3600), "accounts registered from one address"),
    "guests_from_an_address": (Limit(1000, 3600), "guests made from one address"),
    "reads_from_an_address": (Limit(6000, 60), "reads without an account, and unknown tokens, from one address"),
    "bulk_reads_of_an_account": (
        Limit(120, 60),
        "pages of positions, long timelines and whole stories read by one account",
    ),
    "bulk_reads_from_an_address": (
        Limit(240, 60),
        "pages of positions, long timelines and whole stories read from one address",
    ),
    "lists_of_an_account": (Limit(300, 60), "pages with lists of games opened or kept up to date by one account"),
    "lists_from_an_address": (Limit(900, 60), "pages with lists of games opened or kept up to date from one address"),
    "images_of_an_account": (Limit(90, 60), "pictures of 600 pixels drawn as PNG for one account"),
    "images_from_an_address": (Limit(150, 60), "pictures of 600 pixels drawn as PNG for one address"),
    "files_from_an_address": (Limit(60, 60), "exported games replayed from their files, from one address"),
    "animations_of_an_account": (Limit(4, 60), "rounds drawn as moving pictures for one account"),
    "animations_from_an_address": (Limit(6, 60), "rounds drawn as moving pictures for one address"),
    "tables_of_an_account": (Limit(200, 3600), "tables made by one account"),
    "tables_from_an_address": (Limit(1000, 3600), "tables made from one address"),
    "seats_of_an_account": (Limit(1000, 3600), "seats taken or left, and invitations written, by one account"),
    "seats_from_an_address": (Limit(5000, 3600), "seats taken or left, and invitations written, from one address"),
    "bots_of_an_account": (Limit(60, 3600), "bots seated by one account"),
    "bots_from_an_address": (Limit(300, 3600), "bots seated from one address"),
    "messages_of_an_account": (Limit(20, 60), "messages written or removed by one account"),
    "messages_from_an_address": (Limit(120, 60), "messages written or removed from one address"),
    "complaints_of_an_account": (Limit(20, 3600), "complaints about messages by one account"),
    "complaints_from_an_address": (Limit(100, 3600), "complaints about messages from one address"),
    "changes_of_an_account": (Limit(600, 3600), "pauses, returns, vacations and moves taken back, by one account"),
    "changes_from_an_address": (Limit(3000, 3600), "pauses, returns, vacations and moves taken back, from one address"),
    "studies_of_an_account": (Limit(200, 3600), "studies made or imported by one account"),
    "studies_from_an_address": (Limit(1000, 3600), "studies made or imported from one address"),
    "edits_of_an_account": (Limit(3000, 3600), "edits of studies by one account"),
    "edits_from_an_address": (Limit(15_000, 3600), "edits of studies from one address"),
    "presence_of_an_account": (Limit(120, 60), "reports of an account's place in studies"),
    "presence_from_an_address": (Limit(1200, 60), "reports of places in studies from one address"),
    "searches_of_an_account": (Limit(120, 60), "searches for studies by one account"),
    "searches_from_an_address": (Limit(240, 60), "searches for studies from one address"),
    "tournaments_of_an_account": (Limit(60, 3600), "tournaments made or imported by one account"),
    "tournaments_from_an_address": (Limit(300, 3600), "tournaments made or imported from one address"),
    "actions_of_an_account": (Limit(12_000, 3600), "actions in tournaments by one account"),
    "actions_from_an_address": (Limit(30_000, 3600), "actions in tournaments from one address"),
    "previews_of_an_account": (Limit(120, 60), "rulings of tournaments looked at before they are made, by one account"),
    "previews_from_an_address": (
        Limit(600, 60),
        "rulings of tournaments looked at before they are made, from one address",
    ),
    "reports_from_an_address": (Limit(60, 60), "whole tournaments written as files for one address"),
    "tokens_of_an_account": (Limit(100, 3600), "tokens made by one account"),
    "tokens_from_an_address": (Limit(500, 3600), "tokens made from one address"),
    "apps_of_an_account": (Limit(60, 3600), "apps registered or changed by one account"),
    "apps_from_an_address": (Limit(300, 3600), "apps registered or changed from one address"),
    "grants_of_an_account": (Limit(200, 3600), "apps allowed by one account"),
    "grants_from_an_address": (Limit(6000, 3600), "apps allowed, and codes and tokens of apps shown, from one address"),
    "webhooks_of_an_account": (Limit(100, 3600), "webhooks made or changed, deliveries repeated, by one account"),
    "webhooks_from_an_address": (
        Limit(500, 3600),
        "webhooks made or changed, deliveries repeated, from one address",
    ),
    "mail_of_an_account": (
        Limit(20, 3600),
        "changes of mail settings, and codes to confirm an address, by one account",
    ),
    "mail_from_an_address": (
        Limit(100, 3600),
        "changes of mail settings, and codes to confirm an address, from one address",
    ),
    "letters_to_confirm_an_address": (Limit(3, 86_400), "letters that ask one mailbox for a confirmation"),
    "webhook_tests_of_an_account": (Limit(10, 60), "webhooks tested by one account"),
    "webhook_tests_from_an_address": (Limit(60, 60), "webhooks tested from one address"),
}
"""Moves are not among them: a client that plays never has to wait. Nor is what ends a game or clears a table."""

DEFAULT_LIMITS: Mapping[str, Limit | None] = {name: limit for name, (limit, _) in LIMITS.items()}
LIMIT = "HIDALGO_LIMIT_"
OFF = "off"
WRITTEN_LIMIT = re.compile(r"([0-9]{1,9})/([0-9]{1,9}(?:\.[0-9]{1,9})?)")


def parse_limit(text: str) -> Limit | None:
    """`5/60` is five in a minute; `off` is no limit.

    >>> parse_limit("5/60"), parse_limit("off")
    (Limit(burst=5, seconds=60.0), None)
    """
    if text == OFF:
        return None
    if not (found := WRITTEN_LIMIT.fullmatch(text)):
        raise ValueError(text)
    return Limit(int(found[1]), float(found[2]))


def limit_variable(name: str) -> str:
    """
    >>> limit_variable("tables_of_an_account")
    'HIDALGO_LIMIT_TABLES_OF_AN_ACCOUNT'
    """
    return LIMIT + name.upper()


def plain(number: float) -> str:
    """
    >>> plain(60.0), plain(0.5)
    ('60', '0.5')
    """
    return str(number).removesuffix(".0")
