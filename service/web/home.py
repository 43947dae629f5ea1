"""The front page: your tables, tables that wait for players, what goes on; and whether the service is well."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, NamedTuple

from flask import Blueprint, Response, url_for

from events.submission import new_id
from events.table.game import OPEN, RUNNING
from rules.bots import STRENGTHS
from rules.errors import Refused
from rules.texts import Text, say, say_many
from service.games.gallery import PicturedGame, PicturedPage
from service.games.game_index_keys import public_keys
from service.games.game_lists import GameFilter, ended_list, list_of, public_list
from service.http.context import application, services
from service.language import rendered
from service.web.cards import Cards, expansion_title
from service.web.live_games import count_reading, is_partial, live_page, tag
from service.web.pages import page
from service.web.start_form import WITH_BOTS, WITH_FRIENDS, Start, choices
from service.web.study_shelf import study_shelf
from service.web.tournaments.lists import for_home
from service.web.visitors import visitor
from service.web.watch_query import WAITING, WatchQuery

home = Blueprint("home", __name__, template_folder="templates")

MINE, MINE_OPEN, WAITING_TABLES, LIVE, ENDED = "mine", "mine-open", "open", "live", "finished"
MOST = {MINE: 8, MINE_OPEN: 4, WAITING_TABLES: 5, LIVE: 4, ENDED: 4}


class Found(NamedTuple):
    pages: Mapping[str, PicturedPage]
    waiting: int

    @property
    def turns(self) -> list[PicturedGame]:
        """The games in which the visitor is asked."""
        known = visitor()
        mine = self.pages[MINE].games if MINE in self.pages else []
        return [each for each in mine if known and known.account in map(each.game.seats.get, each.game.asked)]


class Hero(NamedTuple):
    """The title, the end of which stands out; and the line below it."""

    before: str
    stress: str
    lead: Text


@home.get("/")
def front_page() -> Response:
    """Where no store is configured there are no tables, and the page says so."""
    if not application().wired:
        return page("home.html", found=None, hero=promise())
    count_reading()
    return live(find(), start_form(usual_start()))


def shown_again(start: Start, refusal: Refused) -> Response:
    """The page, after its start form was refused."""
    return live(find(), start_form(start, refusal))


def live(found: Found, form: Mapping[str, Any]) -> Response:
    marked = tag(found.pages, found.waiting)
    return live_page("home.html", "home-games.html", marked, lambda: shown(found), study_shelf, lambda: form)


def start_form(start: Start, refusal: Refused | None = None) -> dict[str, Any]:
    return {
        "form": choices(start),
        "refusal": refusal,
        "key": new_id(),
        "strengths": STRENGTHS,
        "expansion_title": expansion_title,
    }


def usual_start() -> Start:
    """A newcomer meets bots first."""
    known = visitor()
    return Start(company=WITH_FRIENDS if known and known.role != "guest" else WITH_BOTS)


def find() -> Found:
    known = visitor()
    lists = {
        WAITING_TABLES: public_list(GameFilter(OPEN, limit=MOST[WAITING_TABLES])),
        LIVE: public_list(GameFilter(RUNNING, limit=MOST[LIVE])),
        ENDED: ended_list(GameFilter(limit=MOST[ENDED])),
    }
    if known:
        lists[MINE] = list_of(known.account, known.account, GameFilter(RUNNING, limit=MOST[MINE]))
        lists[MINE_OPEN] = list_of(known.account, known.account, GameFilter(OPEN, limit=MOST[MINE_OPEN]))
    pages, [waiting] = services().gallery.pages(list(lists.values()), [public_keys(OPEN)])
    return Found(dict(zip(lists, pages, strict=True)), waiting)


def shown(found: Found) -> dict[str, Any]:
    cards = Cards(
        [each for page in found.pages.values() for each in page.games], known.account if (known := visitor()) else None
    )
    drawn = {name: [cards.card(each) for each in page.games] for name, page in found.pages.items()}
    hero = title(found)
    others = {name: [card for card in drawn[name] if not card.is_mine] for name in (WAITING_TABLES, LIVE, ENDED)}
    return {
        "address": url_for("home.front_page"),
        "tournaments": for_home,
        "found": found,
        "cards": cards,
        "is_partial": is_partial(found.pages),
        "hero": hero,
        "lead": hero.lead,
        "mine_open": drawn.get(MINE_OPEN, []),
        "mine": sorted(drawn.get(MINE, []), key=lambda card: not card.is_my_turn),
        "open": others[WAITING_TABLES],
        "watched": others[LIVE] or drawn[ENDED],
        "is_live": bool(others[LIVE]),
        "all_open": WatchQuery(WAITING).address() if found.pages[WAITING_TABLES].next else "",
    }


def title(found: Found) -> Hero:
    """What goes on at the table that waits for the visitor; a promise for all others."""
    known, turns = visitor(), found.turns
    if not known:
        return promise()
    mine = turns or found.pages[MINE].games
    thumbnail = mine[0].thumbnail if mine else None
    if not thumbnail:
        return promise()._replace(lead=say("You sit at no table, {handle}.", handle=known.handle))
    before, stress, after = rendered(thumbnail.headline.text).partition(rendered(thumbnail.headline.stress))
    return Hero(before, stress + after, turns_of(known.handle, len(turns)))


def turns_of(handle: str, count: int) -> Text:
    if not count:
        return say("No table waits for you, {handle}.", handle=handle)
    return say_many(
        "{count} table waits for you, {handle}.", "{count} tables wait for you, {handle}.", count, handle=handle
    )


def promise() -> Hero:
    about = say(
        "El Grande and El Caballero, the board games of caballeros and intrigue in Spain, in your browser: two to five "
        "players at a table, and the service knows the rules."
    )
    return Hero(rendered(say("Win Spain,")) + " ", rendered(say("region by region.")), about)


@home.get("/healthz")
def health():
    """This process answers. It names the store's trouble, which starting this process anew does not mend."""
    trouble = application().wired and application().services.heartbeat.trouble
    return {"status": "ok", "version": version("hidalgo"), "store": trouble.code if trouble else "ok"}


@home.get("/readyz")
def readiness():
    """Moves can be made: the store answers and takes writes."""
    services().store.ping()
    services().heartbeat.beat()
    return {"status": "ready"}
