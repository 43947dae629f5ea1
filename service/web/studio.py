"""The studio: a chapter of a study at one of its nodes. It is the replay viewer, with what was written beside it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, request, url_for
from msgspec import to_builtins

from events.submission import Submission
from events.table.game import OVER, Game
from replay.study import tree
from replay.study.study import ALL_GLYPHS, Chapter, Study, is_step
from replay.timeline import frame
from rules.catalogue import rules_named
from rules.errors import Refused
from rules.kernel import Player, Viewer
from rules.texts import say
from service.games import replay_representations
from service.games.timelines import viewers
from service.http import study_requests
from service.http.authentication import accounts, limit
from service.http.context import services
from service.http.forms import field
from service.studies import study_representations as representations
from service.studies.access import StudyAccess
from service.studies.positions import Page
from service.web.forms import form_of, go_to
from service.web.game_fields import example, game_id, title_of
from service.web.pages import page
from service.web.prompt_texts import prompt_texts
from service.web.replay import asked_step, given, ground_of
from service.web.replay import choices as perspectives
from service.web.replay import shown as viewed
from service.web.replay_texts import rendered_texts, texts
from service.web.studio_texts import GLYPHS, STUDIO, VISIBILITIES
from service.web.visitors import member, visitor

studio = Blueprint("studio", __name__, template_folder="templates")

USUAL_GLYPHS = ("!!", "!", "!?", "?!", "?", "??", "=")
"""Shown from the first; the others unfold."""

MOVES, BRANCHES = 20, 12
"""Of a line, and lines at a step, on the page before a script adds the rest."""

NOTHING: dict[str, list[Any]] = {"comments": [], "glyphs": [], "marks": []}

TOOLS = (
    ("look", "pan", say("Look")),
    ("arrow", "arrow-mark", say("Arrow")),
    ("highlight", "highlight", say("Highlight a space")),
    ("comment", "comment", say("Write a note")),
    ("undo", "undo", say("Undo my last change")),
)
HELD = ("look", "arrow", "highlight")
"""Tools that one keeps in the hand."""

PANES = (
    ("story", say("Story"), False),
    ("scores", say("Scores"), False),
    ("chapters", say("Chapters"), False),
    ("tree", say("Tree"), True),
    ("note", say("Note"), True),
    ("changes", say("Changes"), True),
)
"""What lies beside the board, and whether it is a tab in narrow windows only."""


@studio.get("/studies/<study>")
def opened(study: str) -> Response:
    """A study at the chapter and node of the address, or where it begins."""
    account = known.account if (known := visitor()) else None
    if not account:
        limit("reads_from_an_address")
    access = services().study_service.look(study, account, request.args.get("key", ""))
    chapters = access.chapters
    if not chapters:
        return empty(access)
    chapter = next((each for each in chapters if each.id == request.args.get("chapter")), chapters[0])
    game = services().game_service.look(chapter.game, account)
    told = about(access) | shown(access, chapter, game, account)
    return page("studio.html", **told, begun={name: told[name] for name in ("study", "chapter")})


def empty(access: StudyAccess, refusal: Refused | None = None) -> Response:
    """A study without chapters that the visitor may see."""
    given = field("game") if refusal else ""
    return page("study-empty.html", refusal=refusal, given_game=given, example=example(), **about(access))


@studio.post("/studies/<study>/chapters")
@form_of(lambda refusal: refused_chapter(refusal, **(request.view_args or {})))
def add_chapter(study: str) -> Response:
    """The first game of a study; others are added by a script."""
    account = member().account
    access = services().study_service.look(study, account)
    game = game_id(field("game"))
    title = field("title").strip() or title_of(game, account)
    study_requests.add_chapter(access, account, title, game, Submission(account))
    return go_to(url_for("studio.opened", study=study))


def refused_chapter(refusal: Refused, study: str) -> Response:
    return empty(services().study_service.look(study, member().account), refusal)


def about(access: StudyAccess) -> dict[str, Any]:
    """The study itself: its title, people and chapters, and whatever surrounds the board."""
    present = services().study_service.present(access)
    told = representations.study(access, accounts().profiles, link_of(access.study), present)
    key = request.args.get("key", "")
    chapters = [each | {"address": address(each["id"], key=key)} for each in told["chapters"]]
    known = visitor()
    return {
        "study": told | {"chapters": chapters},
        "key": key,
        "me": known.handle if known else None,
        "visibilities": VISIBILITIES,
        "exports": {format: exported(access.study.id, format, key) for format in ("json", "text")},
        "tools": [{"name": name, "icon": icon, "label": label, "is_held": name in HELD} for name, icon, label in TOOLS],
        "panes": [{"name": name, "label": label, "is_narrow": is_narrow} for name, label, is_narrow in PANES],
        "glyphs": [{"sign": sign, "name": GLYPHS[sign], "is_rare": sign not in USUAL_GLYPHS} for sign in ALL_GLYPHS],
    }


def link_of(study: Study) -> str:
    """The address for everyone who may read by link."""
    return url_for("studio.opened", study=study.id, key=services().study_service.link_key(study), _external=True)


def exported(study: str, format: str, key: str) -> str:
    return f"/api/v1/studies/{study}/export?{urlencode({'format': format} | ({'key': key} if key else {}))}"


def address(chapter: str, node: str = "", viewer: str = "", key: str = "") -> str:
    """A place of the same study.

    >>> address("k2", "m12", key="a&b")
    '?chapter=k2&node=m12&key=a%26b'
    """
    parts = {"chapter": chapter, "node": node, "as": viewer, "key": key}
    return f"?{urlencode({name: value for name, value in parts.items() if value})}"


def shown(access: StudyAccess, chapter: Chapter, game: Game, account: str | None) -> dict[str, Any]:
    """The board at a node, with the story up to there and what is noted."""
    viewer, told = chosen_viewer(chapter, game, account), services().timelines.summary(game)
    names = replay_representations.player_names(game, accounts().profiles)
    opened = Page(access.study.id, chapter, game)
    node = asked_node(access, chapter) or str(asked_step(game, told))
    step = min(max(int(chapter.step(node)), told.first or told.last), told.last)
    node = str(step) if is_step(node) else node
    reading = representations.Reading(opened, viewer, names)
    written = representations.chapter(access, reading, accounts().profiles, node)

    def to(node: str | int) -> str:
        return address(chapter.id, str(node), viewer, request.args.get("key", ""))

    seen = frame(services().study_positions.moment(opened, node), viewer)
    told_there = viewed(game, told, step, viewer, names, account, seen, to)
    steps = {str(each.version) for each in told_there["story"]}
    return told_there | {
        "about": data(access, chapter, node),
        "node": node,
        "chapter": written,
        "number": access.chapters.index(chapter) + 1,
        "notes": written["notes"].get(node, NOTHING),
        "noted": written["notes"],
        "nothing": NOTHING,
        "branches": branches(node, steps, written["nodes"], to),
        "note_title": note_title(chapter, node),
        "spaces": {space: rules_named(game.rules).names[space] for space in ground_of(game).spaces},
        "can_try": access.can_edit and game.status == OVER,
        "choices": choices(chapter, node, game, account, names),
        "picture": url_for("replay.board", game=game.id, version=step, _external=True),
        "given": given(game, told, names, account) | {"ground": ground(game)},
        "texts": texts() | {"studio": rendered_texts(STUDIO), "prompt": prompt_texts()},
    }


def data(access: StudyAccess, chapter: Chapter, node: str) -> dict[str, str]:
    """What the scripts of the page begin with."""
    known = visitor()
    given = {
        "study": access.study.id,
        "chapter": chapter.id,
        "chapter-viewer": chapter.viewer,
        "node": node,
        "link-key": request.args.get("key", ""),
        "me": known.handle if known else "",
    }
    return given | ({"trying": ""} if "try" in request.args else {})


def ground(game: Game) -> dict[str, Any]:
    """What the board and the prompt know of the map; its drawing is in the page already."""
    known: dict[str, Any] = to_builtins(replay_representations.ground(rules_named(game.rules)))
    return {name: part for name, part in known.items() if name != "markup"}


def asked_node(access: StudyAccess, chapter: Chapter) -> str:
    """The node in the address, if there is one: of a closed chapter, a step of the game alone."""
    node = request.args.get("node", "")
    if len(node) <= 9 and is_step(node):
        return node
    return node if not access.is_closed(chapter.id) and node in chapter.moves else ""


def chosen_viewer(chapter: Chapter, game: Game, account: str | None) -> Viewer:
    """Through whose eyes the visitor wants to look, or else as the chapter says, if that is permitted."""
    permitted = viewers(game, account)
    wanted = (request.args.get("as", ""), chapter.viewer)
    return next((viewer for viewer in wanted if viewer in permitted), permitted[0])


def choices(
    chapter: Chapter, node: str, game: Game, account: str | None, names: Mapping[Player, str]
) -> list[dict[str, Any]]:
    key = request.args.get("key", "")
    return [
        choice | {"address": address(chapter.id, node, choice["viewer"], key)}
        for choice in perspectives(game, account, names)
    ]


def branches(
    node: str, steps: Container[str], nodes: Iterable[dict[str, Any]], to: Callable[[str], str]
) -> dict[str, list[dict[str, Any]]]:
    """The lines that branch off these steps, for readers without scripts: first moves, and where the reader is."""
    roots: dict[str, str] = {}
    found: dict[str, list[dict[str, Any]]] = {}
    for (step, label), line in groupby(nodes, key=lambda each: (root(each, roots), each["label"])):
        if step in steps and len(found.setdefault(step, [])) < BRANCHES:
            shown = window(list(line), node)
            found[step].append({"label": label, "nodes": [each | {"address": to(each["id"])} for each in shown]})
    return found


def root(node: dict[str, Any], roots: dict[str, str]) -> str:
    """The step at which the line of a node begins; those of its parents are known."""
    return roots.setdefault(node["id"], roots.get(node["parent"], node["parent"]))


def window(line: list[dict[str, Any]], node: str) -> list[dict[str, Any]]:
    """The first moves of a line, or those up to the selected one."""
    at = next((index for index, each in enumerate(line) if each["id"] == node), 0)
    first = max(0, at - MOVES + 1)
    return line[first : first + MOVES]


def note_title(chapter: Chapter, node: str) -> Any:
    if is_step(node):
        return say("Note at {version}", version=node)
    found = tree.node(chapter, node)
    return say("Note in {label}, move {number}", label=found.label, number=len(chapter.line(node)))
