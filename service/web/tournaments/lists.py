"""The lists of tournaments: the reader's own first, then those that run, are open, or are over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from flask import Response, request, url_for

from rules.texts import Text, Value, say
from service.http.context import services
from service.tournaments.tournament_service import TournamentFilter, TournamentPage
from service.web.cards import Badge
from service.web.live_games import Empty, count_reading
from service.web.pages import page
from service.web.times import day
from service.web.tournaments import words
from service.web.tournaments.blueprint import pages
from service.web.tournaments.people import Names
from service.web.tournaments.standings_rows import standings
from service.web.visitors import visitor
from service.web.watch_query import LONGEST_CURSOR
from tournaments.tournament import CANCELLED, FINISHED, OPEN, RUNNING, Tournament

ALL = "all"
MINE = "mine"
SHOWN: dict[str, Text] = {
    ALL: say("All"),
    RUNNING: say("Running"),
    OPEN: say("Open"),
    FINISHED: say("Finished"),
}
TITLES = {MINE: say("Yours"), RUNNING: say("Running"), OPEN: say("Open for players"), FINISHED: say("Finished")}
A_FEW, A_PAGE, FOR_HOME = 8, 24, 4


class Listed(NamedTuple):
    """A tournament in a list."""

    id: str
    title: str
    address: str
    game: str
    facts: list[Text]
    owner: Value
    badge: Badge
    at: int
    """Its start, if that is known beforehand; else 0."""
    is_private: bool


class Section(NamedTuple):
    name: str
    title: Text
    listed: list[Listed]
    empty: Empty | None
    whole: str = ""
    next: str = ""


@pages.get("/tournaments", endpoint="listed")
def whole_list() -> Response:
    count_reading()
    show = request.args.get("show", ALL)
    show = show if show in SHOWN else ALL
    return page(
        "tournaments/list.html",
        show=show,
        shown=SHOWN,
        sections=[section for section in sections(show) if section.listed or section.empty],
    )


def sections(show: str) -> Iterable[Section]:
    known = visitor()
    if show != ALL:
        yield section(show, find((show,), limit=A_PAGE, cursor=request.args.get("cursor", "")[:LONGEST_CURSOR]), show)
        return
    if known:
        yield section(MINE, find((RUNNING, OPEN), known.account, A_FEW), show)
    for status in (RUNNING, OPEN, FINISHED):
        yield section(status, find((status,), limit=A_FEW), show)


def find(statuses: tuple[str, ...], account: str = "", limit: int = A_FEW, cursor: str = "") -> TournamentPage:
    known = visitor()
    wanted = TournamentFilter(statuses, account, limit, cursor)
    return services().tournament_service.find(wanted, known.account if known else None)


def section(name: str, found: TournamentPage, show: str) -> Section:
    following = url_for("tournaments_page.listed", show=name, cursor=found.next) if found.next else ""
    is_whole = show == name
    whole = url_for("tournaments_page.listed", show=name) if found.next and not is_whole and name != MINE else ""
    return Section(name, TITLES[name], listed(found.tournaments), empty(name), whole, following if is_whole else "")


def empty(name: str) -> Empty | None:
    if name == RUNNING:
        return Empty(say("No tournament is played just now."), say("One that begins appears here."))
    if name == OPEN:
        new = url_for("tournaments_page.new")
        return Empty(say("No tournament is open for players."), None, new, say("Open one"))
    return Empty(say("No tournament is over yet.")) if name == FINISHED else None


def listed(found: Iterable[Tournament]) -> list[Listed]:
    shown = list(found)
    return [of_list(each) for each in shown]


def of_list(tournament: Tournament) -> Listed:
    options = tournament.options
    known = visitor()
    names = Names(tournament, (), [tournament.owner])
    facts = [words.progress(tournament), say("tables {sizes}", sizes=words.sizes(options)), words.time(options)]
    if known and (own := own_place(tournament, known.account)):
        facts.insert(1, own)
    return Listed(
        tournament.id,
        options.title,
        url_for("tournaments_page.event", tournament=tournament.id),
        words.game_title(options),
        facts,
        names.account(tournament.owner).name,
        badge(tournament),
        options.schedule.starts_at if tournament.status == OPEN else 0,
        options.visibility != "public",
    )


def own_place(tournament: Tournament, account: str) -> Text | None:
    """The place of the reader, where that may be known."""
    player = tournament.player_of(account)
    if not player or tournament.status not in (RUNNING, FINISHED) or not tournament.rounds:
        return None
    if tournament.options.hides_standings and tournament.status != FINISHED:
        return None
    place = next(row.place for row in standings(tournament) if row.player == player)
    return say("you are in place {place}", place=place)


def badge(tournament: Tournament) -> Badge:
    if tournament.status == RUNNING:
        return Badge(say("paused"), "warn", "pause") if tournament.is_paused else Badge(say("live"), "good live")
    if tournament.status == OPEN:
        starts_at = tournament.options.schedule.starts_at
        return Badge(say("from {day}", day=day(starts_at))) if starts_at else Badge(say("open"))
    return Badge(say("cancelled"), "bad") if tournament.status == CANCELLED else Badge(say("finished"))


# On the home page


def for_home() -> list[Listed]:
    """The reader's own, then others that run or are open."""
    known = visitor()
    own = find((RUNNING, OPEN), known.account, FOR_HOME).tournaments if known else ()
    others = (*find((RUNNING,), limit=FOR_HOME).tournaments, *find((OPEN,), limit=FOR_HOME).tournaments)
    unique = {each.id: each for each in (*own, *others)}
    return listed(list(unique.values())[:FOR_HOME])
