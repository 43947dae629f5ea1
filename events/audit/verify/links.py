"""Second station: the chain. Every link follows the one before, and its hash is that of its contents. Knows no game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import asdict

from events.audit.verify.format import Link
from events.audit.verify.report import NotGenuine
from events.log import chain
from events.log.codec import SCHEMA


def check_links(links: Sequence[Link]) -> None:
    """Every commit stands where it says, and follows the one before."""
    if not links:
        raise NotGenuine(0, "there is no commit")
    check_link(1, links[0], chain.NO_HASH)
    for number, (before, link) in enumerate(pairwise(links), start=2):
        if link.header.game != before.header.game:
            raise NotGenuine(number, f"it belongs to game {link.header.game}, not {before.header.game}")
        check_link(number, link, before.hash)


def check_link(number: int, link: Link, previous: str) -> None:
    header = link.header
    if header.version != number:
        raise NotGenuine(number, f"it says that it is version {header.version}")
    if header.previous != previous:
        raise NotGenuine(number, "it does not follow the commit before it: the hashes differ")
    if not 1 <= header.schema <= SCHEMA:
        raise NotGenuine(number, f"its schema is {header.schema}: this program reads 1 to {SCHEMA}")
    if chain.commit_hash(asdict(header), [leaf.bound for leaf in link.leaves]) != link.hash:
        raise NotGenuine(number, "its hash is not that of its contents: something in it was changed")
