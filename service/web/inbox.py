"""The notices of the visitor, the newest first."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, url_for

from service.http.authentication import accounts, cookie_settings
from service.http.context import services
from service.notifications.notice_names import names_of
from service.notifications.notices import representation
from service.web.addresses import table_address
from service.web.pages import page
from service.web.unread import COOKIE, seen_by
from service.web.visitors import member
from service.web.waiting import titles

inbox = Blueprint("inbox_page", __name__, template_folder="templates")

A_PAGE = 50
YEAR = 366 * 24 * 3600


@inbox.get("/inbox")
def notices() -> Response:
    account = member().account
    newest = services().inboxes.newest(account)
    found = services().inboxes.read(account, max(0, newest - A_PAGE), A_PAGE)[::-1]
    names = names_of(accounts().profiles, found)
    seen = seen_by(account)
    shown = [representation(notice, names) for notice in found]
    tables = titles(services().lobby.games_named([notice["game"] for notice in shown if notice["game"]], account).games)
    response = page(
        "inbox.html",
        unread=0,
        notices=[
            each | {"address": address(each), "is_new": each["id"] > seen, "table": tables.get(each["game"])}
            for each in shown
        ],
    )
    response.set_cookie(COOKIE, f"{account}.{newest}", max_age=YEAR, **cookie_settings())
    return response


def address(notice: dict[str, Any]) -> str:
    """The page that a notice is about; empty: there is none."""
    if notice.get("invitation"):
        return url_for("invited.invitation", game=notice["game"], word=notice["invitation"])
    if notice["game"]:
        return table_address(notice["game"])
    return url_for("tournaments_page.event", tournament=notice["tournament"]) if notice["tournament"] else ""
