"""Watch: the games that are played now, those that are over, and tables that wait for players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from flask import Blueprint, Response, request, url_for

from events.table.game import OPEN, RUNNING
from rules.catalogue import GAMES
from rules.texts import Text, say, say_many
from service.games.gallery import PicturedPage
from service.games.game_index_keys import WITH, WITHOUT, public_keys
from service.games.game_lists import GameList, ended_list, list_of, public_list
from service.http.context import services
from service.web.cards import Cards, expansion_title
from service.web.live_games import A_FEW, A_PAGE, Empty, Section, count_reading, is_partial, live_page, tag
from service.web.player_names import player_called
from service.web.study_shelf import StudyShelf, study_shelf
from service.web.visitors import visitor
from service.web.watch_query import ALL, FINISHED, LIVE, NO_EXPANSION, WAITING, WatchQuery, expansions, sizes

watch = Blueprint("watch", __name__, template_folder="templates")

TITLES = {LIVE: say("Live"), FINISHED: say("Finished"), WAITING: say("Open seats")}
COUNTED = [public_keys(RUNNING), public_keys(OPEN)]


class Found(NamedTuple):
    """A page of each list, and how many public games there are in all."""

    pages: Mapping[str, PicturedPage]
    live: int
    waiting: int


class Choice(NamedTuple):
    """A filter: what can be chosen, and what is."""

    name: str
    label: Text
    icon: str
    options: Mapping[str, Text | str]
    chosen: str


@watch.get("/watch")
def games() -> Response:
    count_reading()
    query = WatchQuery.read(request.args)
    found = find(query)
    marked = tag(found.pages, found.live, found.waiting)
    return live_page("watch.html", "live-games.html", marked, lambda: shown(query, found), lambda: studies(query))


def studies(query: WatchQuery) -> StudyShelf | None:
    return study_shelf() if query.show == ALL and not query.is_filtered else None


def find(query: WatchQuery) -> Found:
    called = player_called(query.player) if query.player else ("", None)
    names = () if not called else (LIVE, FINISHED) if query.show == ALL else (query.show,)
    account = called[0] if called else ""
    pages, lengths = services().gallery.pages([game_list(query, name, account) for name in names], COUNTED)
    return Found(dict(zip(names, pages, strict=True)), *lengths)


def game_list(query: WatchQuery, name: str, account: str) -> GameList:
    wanted = query.games(name, A_FEW if query.show == ALL else A_PAGE)
    if account:
        return list_of(account, None, wanted)
    return ended_list(wanted) if name == FINISHED else public_list(wanted)


def shown(query: WatchQuery, found: Found) -> dict[str, Any]:
    account = known.account if (known := visitor()) else None
    cards = Cards([each for page in found.pages.values() for each in page.games], account)
    return {
        "query": query,
        "lists": {ALL: say("All"), **TITLES},
        "choices": list(choices(query)),
        "address": query.address(cursor=query.cursor),
        "sections": [section(query, name, found, cards) for name in found.pages],
        "cards": cards,
        "is_partial": is_partial(found.pages),
        "counts": {LIVE: found.live, WAITING: found.waiting},
        "lead": lead(found.live),
        "is_unknown": bool(query.player) and not found.pages,
    }


def section(query: WatchQuery, name: str, found: Found, cards: Cards) -> Section:
    page, is_beginning = found.pages[name], query.show == ALL
    return Section(
        name,
        TITLES[name],
        [cards.card(each) for each in page.games],
        empty(query, name, found),
        whole=query.address(show=name) if is_beginning and page.next else "",
        newest=query.address() if query.cursor else "",
        next=query.address(cursor=page.next) if page.next and not is_beginning else "",
    )


def empty(query: WatchQuery, name: str, found: Found) -> Empty:
    if query.cursor:
        return Empty(say("No game fits these filters.") if found.pages[name].next else say("There is nothing older."))
    if query.is_filtered:
        return Empty(say("No such game."), None, WatchQuery(query.show).address(), say("Without filters"))
    if name == LIVE:
        title, text = say("No game is being played."), say("The next one appears here by itself.")
        return Empty(title, text, *(waiting_tables(found.waiting) if found.waiting else ()))
    if name == FINISHED:
        return Empty(say("No game is over yet."), say("Every game that ends stays here, to be replayed and checked."))
    how = url_for("docs.read", name="tour")
    return Empty(
        say("No table waits for players."),
        say("Open one: all who come here see it, and can sit down."),
        how,
        say("How to open a table"),
    )


def waiting_tables(count: int) -> tuple[str, Text]:
    address = WatchQuery(WAITING).address()
    return address, say_many("{count} table waits for players", "{count} tables wait for players", count)


def lead(live: int) -> Text:
    if not live:
        return say("No table plays just now.")
    return say_many("{count} table plays now.", "{count} tables play now.", live)


def any_size() -> Text:
    return say("{least}–{most} players", least=min(sizes()), most=max(sizes()))


def choices(query: WatchQuery) -> Iterator[Choice]:
    """Filters; by the game only if there are several."""
    if len(GAMES) > 1:
        titles = {name: game.title for name, game in GAMES.items()}
        yield Choice("game", say("Game"), "board", {"": say("Any game"), **titles}, query.game)
    named: dict[str, Text | str] = {"": say("Any expansion"), NO_EXPANSION: say("No expansion")}
    named |= {name: expansion_title(name) for name in expansions()}
    yield Choice("expansion", say("Expansions"), "cards", named, query.expansion)
    counts = {str(size): say("{count} players", count=size) for size in sizes()}
    yield Choice("players", say("Players"), "users", {"": any_size(), **counts}, str(query.players or ""))
    paces = {"": say("Any pace"), WITH: say("With a clock"), WITHOUT: say("Without a clock")}
    yield Choice("clock", say("Pace"), "clock", paces, query.clock)
