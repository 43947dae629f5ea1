"""The language of responses: whatever leaves the service in words is rendered here.

Every response is English today. A language of the request would be chosen in `catalogue`; bytes that are kept for many
clients, as frames of streams are, would then be kept by language.
"""

from __future__ import annotations

from rules.texts import ENGLISH, Catalogue, Names, Value, shown


def catalogue() -> Catalogue:
    """The catalogue of the client's language."""
    return ENGLISH


def rendered(text: Value, names: Names = lambda _: None) -> str:
    """The text for the client, with ids called by their names where they have one."""
    return shown(text, catalogue(), names)
