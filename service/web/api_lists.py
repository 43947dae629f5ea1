"""Lists of the interface, opened in a browser: people are led to the page that shows them, programs get JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Flask, Response, request, url_for

from service.http.authentication import accounts, given_token
from service.web.errors import prefers_html
from service.web.forms import go_to
from service.web.player_names import player_name
from service.web.tournaments.event_frame import look
from service.web.tournaments.lists import SHOWN
from service.web.watch_query import STATUSES, WatchQuery

Address = Callable[..., str]
"""The address of the page for a request with this path; empty if there is none."""


def register(app: Flask) -> None:
    app.before_request(lead_to_page)


def lead_to_page() -> Response | None:
    """A client that shows a token is a program, whatever it accepts."""
    address = PAGES.get(request.endpoint or "")
    if not address or request.method not in ("GET", "HEAD") or given_token() is not None or not prefers_html():
        return None
    page = address(**(request.view_args or {}))
    return go_to(page) if page else None


def watched() -> str:
    """Watch, with the filters of the request."""
    given = request.args
    shows = {status: show for show, status in STATUSES.items()}
    game, _, expansions = given.get("rules", "").partition("+")
    wanted = {
        "show": shows.get(given.get("status", ""), ""),
        "player": handle(given["player"]) if "player" in given else "",
        "game": given.get("game", game),
        "expansion": given.get("expansion", expansions),
        "players": given.get("players", ""),
        "clock": given.get("clock", ""),
    }
    return WatchQuery.read(wanted).address()


def player_page(player: str) -> str:
    name = handle(player)
    return url_for("players_page.player", name=name) if name else ""


def handle(account: str) -> str:
    """The name of a player's page; empty if there is none."""
    return player_name(account, accounts().profiles([account]).get(account)).page


def studies_page() -> str:
    """The list of studies, with the words that are searched."""
    query, game = (request.args.get(name) or None for name in ("query", "game"))
    return url_for("studies_page.listed", query=query, game=game)


def tournaments_page() -> str:
    """The list of tournaments; without a state it begins with those of the visitor."""
    status = request.args.get("status")
    return url_for("tournaments_page.listed", show=status if status in SHOWN else None)


def tournament_page(page: str, tournament: str) -> str:
    return url_for(f"tournaments_page.{page}", tournament=tournament)


def ranking_page(page: str, tournament: str) -> str:
    """Before there is a ranking, the page of the tournament."""
    return tournament_page(page if look(tournament).shows_standings else "event", tournament)


def account_page(section: str = "") -> str:
    return url_for("account.overview", _anchor=section or None)


def description(operation: str) -> str:
    """The operation in the documentation, where it can be tried."""
    return url_for("docs.description", _anchor=operation)


PAGES: dict[str, Address] = {
    "games.find": watched,
    "positions.positions": watched,
    "players.look": player_page,
    "players.games": player_page,
    "players.ratings": player_page,
    "accounts.me": account_page,
    "accounts.tokens": partial(account_page, "tokens"),
    "apps.apps": partial(account_page, "registered"),
    "apps.authorizations": partial(account_page, "apps"),
    "mail.look": partial(account_page, "mail"),
    "studies.find": studies_page,
    "tournaments.find": tournaments_page,
    "tournaments.presets": lambda: url_for("tournaments_page.new"),
    "tournaments.players": partial(tournament_page, "players"),
    "tournaments.standings": partial(ranking_page, "standings"),
    "tournaments.crosstable": partial(ranking_page, "crosstable"),
    "tournaments.rulings": partial(tournament_page, "log"),
    "tournaments.history": partial(tournament_page, "log"),
    "rules.games": partial(description, "get_rules"),
    "description.schemas": partial(description, "get_schemas"),
    "inbox.look": lambda: url_for("inbox_page.notices"),
    "webhooks.find": partial(description, "get_me_webhooks"),
    "audit.look": partial(description, "get_audit"),
}
"""By endpoint. A list without a page of its own is shown where it can be tried."""
