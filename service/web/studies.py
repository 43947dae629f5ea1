"""The list of studies: own ones, those that others share, public ones; and a new one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, Response, request, url_for
from markupsafe import Markup

from events.submission import Submission
from events.table.game import OVER
from replay.thumbnails import Sheet
from rules.errors import Refused
from rules.texts import Text, say
from service.accounts import Identity
from service.games.gallery import Thumbnail
from service.games.game_lists import GameFilter
from service.games.game_summary import GameSummary
from service.http import study_requests
from service.http.authentication import accounts, limit, limit_account
from service.http.context import services
from service.http.forms import field
from service.studies.listed_study import ListedStudy
from service.studies.study_list import StudyFilter
from service.web.forms import form_of, go_to
from service.web.game_fields import GAME, example, game_id, title_of
from service.web.pages import page
from service.web.replay import ground_of
from service.web.visitors import member, visitor

studies = Blueprint("studies_page", __name__, template_folder="templates")

MINE, SHARED, PUBLIC = "mine", "shared", "public"
SHELVES: dict[str, Text] = {MINE: say("Yours"), SHARED: say("Shared"), PUBLIC: say("Public")}
BADGES: dict[str, Text] = {"private": say("private"), "link": say("by link"), "public": say("public")}
STUDIES_ON_A_PAGE, A_FEW = 20, 3
LONGEST_QUERY = 200
TITLES, PEOPLE = 4, 4
"""So many chapters and people of a study are named."""


@studies.get("/studies")
def listed() -> Response:
    return shown(None)


def shown(refusal: Refused | None) -> Response:
    """The list; after a refusal, with what was filled in."""
    known = visitor()
    if not known:
        limit("reads_from_an_address")
    shelf, query, game = asked(known)
    if query:
        limit_account("searches", known.account) if known else limit("searches_from_an_address")
    wanted = filter_of(shelf, known, query, game)
    found = services().study_service.find(wanted, known.account if known else None)
    sheet = Sheet()
    drawn = pictures(found.studies, sheet)
    is_first = shelf == MINE and not (found.studies or query or game)
    meanwhile = (
        services().study_service.find(StudyFilter(limit=A_FEW), known.account).studies if known and is_first else []
    )
    drawn |= pictures(meanwhile, sheet)
    return page(
        "studies.html",
        last=last_game(known.account) if known and is_first else None,
        meanwhile=rows(meanwhile, drawn),
        refusal=refusal,
        example=example(),
        trouble=say("The file could not be imported: {problem}", problem="{problem}"),
        given={"title": field("title"), "game": field("game")} if refusal else {"title": "", "game": game},
        shelves=[
            {"name": name, "label": label, "address": url_for("studies_page.listed", show=name)}
            for name, label in SHELVES.items()
        ],
        shelf=shelf,
        query=query,
        game=game,
        studies=rows(found.studies, drawn),
        grounds=Markup(sheet.shared()),
        next=url_for("studies_page.listed", show=shelf, query=query or None, game=game or None, cursor=found.next)
        if found.next
        else "",
    )


class LastGame(NamedTuple):
    """The game that an account has finished last."""

    id: str
    title: str
    result: Text | None
    day: str
    ended_at: int


def last_game(account: str) -> LastGame | None:
    found = services().lobby.games_of(account, account, GameFilter(OVER, limit=1)).games
    if not found:
        return None
    [game] = found
    day = datetime.fromtimestamp(game.ended_at / 1000, UTC).date().isoformat()
    return LastGame(game.id, title_of(game.id, account), result(game, account), day, game.ended_at)


def result(game: GameSummary, account: str) -> Text | None:
    """How the account has done there."""
    seat = next((seat for seat, player in game.seats.items() if player == account), "")
    if seat not in game.places:
        return None
    points, place, count = game.scores[seat], game.places[seat], len(game.players)
    return say("{points} points, place {place} of {count}", points=points, place=place, count=count)


def asked(known: Identity | None) -> tuple[str, str, str]:
    """The shelf, the words and the game of the address. Whoever has no account looks at public studies."""
    shelf = request.args.get("show", MINE if known and not request.args.get("game") else PUBLIC)
    game = request.args.get("game", "")
    return (
        shelf if shelf in SHELVES and known else PUBLIC,
        request.args.get("query", "")[:LONGEST_QUERY],
        game if GAME.fullmatch(game) else "",
    )


def filter_of(shelf: str, known: Identity | None, query: str, game: str) -> StudyFilter:
    account = known.account if known else ""
    return StudyFilter(
        query=query,
        owner=account if shelf == MINE else "",
        member=account if shelf == SHARED else "",
        game=game,
        limit=STUDIES_ON_A_PAGE,
        cursor=request.args.get("cursor", ""),
    )


def pictures(found: Sequence[ListedStudy], sheet: Sheet) -> dict[str, Markup]:
    """The first game of each study as the public sees it, by its id."""
    games = services().study_service.accesses.summaries(study.chapters[0].game for study in found if study.chapters)
    return {
        game.id: Markup(sheet.add(ground_of(game), thumbnail.drawing, ""))
        for game in games.values()
        if (thumbnail := thumbnail_of(game))
    }


def thumbnail_of(game: GameSummary) -> Thumbnail | None:
    kept = services().gallery.thumbnails
    return kept.known(game) or kept.draw(services().games.load(game.id))


def rows(found: Sequence[ListedStudy], drawn: Mapping[str, Markup]) -> list[dict[str, Any]]:
    handles = accounts().handle_of({account for study in found for account in (*people(study), *study.writing_now)})
    return [row(study, handles, drawn) for study in found]


def people(study: ListedStudy) -> list[str]:
    """Those who are shown beside a study: who writes just now comes first."""
    return list(dict.fromkeys([*study.writing_now, study.owner, *study.members]))[:PEOPLE]


def row(study: ListedStudy, handles: Mapping[str, str | None], drawn: Mapping[str, Markup]) -> dict[str, Any]:
    writing = [handle for account in study.writing_now if (handle := handles.get(account))]
    owner = handles.get(study.owner)
    return {
        "address": url_for("studio.opened", study=study.id),
        "title": study.title,
        "owner": owner,
        "role": study.role,
        "visibility": study.visibility,
        "badge": BADGES[study.visibility],
        "chapters": len(study.chapters),
        "titles": [chapter.title for chapter in study.chapters if chapter.title][:TITLES],
        "comments": study.comments,
        "tried": study.tried,
        "updated_at": study.updated_at,
        "day": datetime.fromtimestamp(study.updated_at / 1000, UTC).date().isoformat(),
        "people": [handle for account in people(study) if (handle := handles.get(account))],
        "writing_now": writing,
        "picture": drawn.get(study.chapters[0].game) if study.chapters else None,
    }


@studies.post("/studies")
@form_of(shown)
def begin() -> Response:
    """A new study, empty or with a game; from a step of the replay page, at that step."""
    known = member()
    game = game_id(field("game"))
    title = field("title").strip() or title_of(game, known.account)
    access = study_requests.begin(
        known.account,
        title,
        Submission(known.account),
        game=game,
        viewer=field("as"),
        chapter_title=title_of(game, known.account),
    )
    step = field("step")
    place = {"node": step, "as": field("as"), "try": "1"} if step.isascii() and step.isdigit() else {}
    return go_to(f"{url_for('studio.opened', study=access.study.id)}{'?' if place else ''}{urlencode(place)}")
