"""A few studies on a page that is about games."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import url_for
from markupsafe import Markup

from replay.thumbnails import Sheet
from service.http.context import services
from service.studies.study_list import StudyFilter
from service.web.studies import PUBLIC, pictures, rows
from service.web.visitors import visitor

A_FEW = 3


class StudyShelf(NamedTuple):
    rows: list[dict[str, Any]]
    grounds: Markup
    """What their thumbnails share."""
    whole: str
    """The address of all of them."""


def study_shelf(owner: str = "") -> StudyShelf:
    """Those that changed last, as far as the visitor may see them: of all, or of one owner."""
    account = known.account if (known := visitor()) else None
    found = services().study_service.find(StudyFilter(owner=owner, limit=A_FEW), account)
    sheet = Sheet("s")
    shown = rows(found.studies, pictures(found.studies, sheet))
    return StudyShelf(shown, Markup(sheet.shared()), url_for("studies_page.listed", show=PUBLIC))
