"""The entries of the navigation: a page that people should find adds its row here."""

from __future__ import annotations

from typing import NamedTuple

from rules.texts import Text, say


class Entry(NamedTuple):
    endpoint: str
    label: Text
    icon: str = ""
    """A symbol of `static/icons.svg`."""
    others: tuple[str, ...] = ()
    """Blueprints whose pages belong here as well."""

    def is_current(self, endpoint: str | None) -> bool:
        """Whether this page, or one that belongs to it, is shown."""
        blueprints = (self.endpoint.partition(".")[0], *self.others)
        return endpoint is not None and endpoint.partition(".")[0] in blueprints


NAVIGATION = (
    Entry("home.front_page", say("Play"), "board"),
    Entry("tournaments_page.listed", say("Tournaments"), "trophy"),
    Entry("watch.games", say("Watch"), "eye", ("replay_page", "players_page")),
    Entry("studies_page.listed", say("Studio"), "tree", ("studio",)),
)
"""At the top of every page, and at the thumb on a telephone."""

FOR_STAFF = (Entry("staff_page.complaints", say("Staff"), "scales"),)
"""Beside those, for administrators."""

FOOT = (
    Entry("docs.contents", say("Documentation")),
    Entry("docs.description", say("The interface")),
    Entry("description.openapi", say("OpenAPI document")),
)
