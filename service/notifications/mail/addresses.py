"""Addresses: of the plain kind that every server takes. No comments, no quotes, no line breaks, so that nothing of a
header can be in them."""

from __future__ import annotations

import re

from rules.errors import Unreadable
from rules.texts import say

LONGEST = 254
LONGEST_LOCAL = 64
ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
ADDRESS = re.compile(rf"(?P<local>{ATOM}(?:\.{ATOM})*)@(?P<domain>{LABEL}(?:\.{LABEL})+)")


def is_address(text: str) -> bool:
    r"""
    >>> [is_address(text) for text in ("ana@mail.example", "a.b+c@x.co", "ana@example", "ana@x.co\nBcc: b@x.co")]
    [True, True, False, False]
    """
    found = ADDRESS.fullmatch(text)
    return found is not None and len(text) <= LONGEST and len(found["local"]) <= LONGEST_LOCAL


def check_address(text: str) -> None:
    if not is_address(text):
        raise Unreadable(say("this is not a mail address"))


def domain_of(address: str) -> str:
    """
    >>> domain_of("hidalgo@mail.example")
    'mail.example'
    """
    return address.rpartition("@")[2]


def mailbox_of(address: str) -> str:
    """The mailbox behind an address, for counting: a tag, dots and capitals lead to the same one with many providers.

    >>> mailbox_of("Ana.Diaz+games@Mail.example") == mailbox_of("anadiaz@mail.example")
    True
    """
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0].replace('.', '')}@{domain}"
