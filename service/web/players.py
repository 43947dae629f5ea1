"""The page of a player: the games that they play, and those that they have played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from flask import Blueprint, Response, request, url_for
from werkzeug.exceptions import NotFound

from events.table.facts import BOT_PREFIX
from events.table.game import OVER, RUNNING
from rules.bots import BOTS
from rules.texts import Text, say, say_many
from service.games.gallery import PicturedPage
from service.games.game_index_keys import player_keys
from service.games.game_lists import GameFilter, list_of
from service.http.context import services
from service.web.cards import Cards
from service.web.forms import go_to
from service.web.live_games import A_FEW, A_PAGE, Empty, Section, count_reading, is_partial, live_page, tag
from service.web.player_names import PlayerName, player_called
from service.web.rating_chart import rating_charts
from service.web.study_shelf import study_shelf
from service.web.visitors import visitor
from service.web.watch_query import LONGEST_CURSOR

players = Blueprint("players_page", __name__, template_folder="templates")

TITLES = {RUNNING: say("At the table"), OVER: say("Finished")}


class Found(NamedTuple):
    account: str
    name: PlayerName
    cursor: str
    pages: Mapping[str, PicturedPage]
    all: int
    """Of all public games of the player."""

    @property
    def is_me(self) -> bool:
        return self.account == asking()


def asking() -> str | None:
    return known.account if (known := visitor()) else None


@players.get("/players/<name>")
def player(name: str) -> Response:
    count_reading()
    if not (called := player_called(name)):
        raise NotFound
    account, known = called
    if known.page != name:
        return go_to(url_for("players_page.player", name=known.page))
    found = find(account, known, request.args.get("cursor", "")[:LONGEST_CURSOR])
    marked = tag(found.pages, found.all)
    return live_page(
        "player.html",
        "live-games.html",
        marked,
        lambda: shown(found),
        lambda: study_shelf(account),
        lambda: {"ratings": rating_charts(account, asking())},
    )


def find(account: str, name: PlayerName, cursor: str) -> Found:
    """Private games are only for the player."""
    wanted = {} if cursor else {RUNNING: GameFilter(RUNNING, limit=A_FEW)}
    wanted[OVER] = GameFilter(OVER, cursor=cursor, limit=A_PAGE)
    lists = [list_of(account, asking(), each) for each in wanted.values()]
    pages, [count] = services().gallery.pages(lists, [player_keys(account)])
    return Found(account, name, cursor, dict(zip(wanted, pages, strict=True)), count)


def shown(found: Found) -> dict[str, Any]:
    cards = Cards([each for page in found.pages.values() for each in page.games], asking())
    return {
        "player": found.name,
        "is_me": found.is_me,
        "about": about(found),
        "address": address(found, found.cursor),
        "sections": [section(found, status, cards) for status in found.pages],
        "cards": cards,
        "is_partial": is_partial(found.pages),
    }


def address(found: Found, cursor: str | None = None) -> str:
    return url_for("players_page.player", name=found.name.page, cursor=cursor or None)


def about(found: Found) -> Text:
    if found.account.startswith(BOT_PREFIX):
        return BOTS[found.account.removeprefix(BOT_PREFIX)].about
    return say_many("{count} public game", "{count} public games", found.all)


def section(found: Found, status: str, cards: Cards) -> Section:
    page = found.pages[status]
    return Section(
        status,
        TITLES[status],
        [cards.card(each) for each in page.games],
        empty(found, status),
        newest=address(found) if found.cursor else "",
        next=address(found, page.next) if page.next and status == OVER else "",
    )


def empty(found: Found, status: str) -> Empty:
    on, name = (url_for("watch.games"), say("Watch others")), found.name.name
    if status == RUNNING:
        return Empty(
            say("You sit at no table.") if found.is_me else say("{name} sits at no table.", name=name), None, *on
        )
    return Empty(say("No game of yours is over.") if found.is_me else say("No game of {name} is over.", name=name))
