"""A game replayed from its exported file. It is told in the answer, and not kept: not in a list, not in a log."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from types import SimpleNamespace
from typing import Any, TypeVar

from flask import Blueprint, Response, request
from msgspec import to_builtins
from werkzeug.exceptions import BadRequest
from werkzeug.formparser import FormDataParser
from werkzeug.wsgi import get_input_stream

from events.errors import Declined
from events.history import replay
from events.table.decider import GAME
from events.table.game import OVER
from replay.recording import CANNOT_HAPPEN, NotGenuine, Recording, read_recording
from replay.story import with_players
from replay.summary import summary
from replay.timeline import Frame, Moment, frame, moment_after, steps
from rules.catalogue import game_named, rules_named
from rules.errors import Unreadable
from rules.kernel import Viewer
from rules.texts import say
from service.games import replay_representations
from service.http.authentication import limit
from service.http.context import environ
from service.http.forms import FORM
from service.http.request_bodies import TooLarge, declared_length
from service.http.responses import json_response, no_store
from service.language import catalogue, rendered
from service.web.pages import page
from service.web.replay import SEEN_BY, WHOLE_WINDOW, controls, drawn
from service.web.replay_texts import texts

file_replay = Blueprint("file_replay", __name__, template_folder="templates")

T = TypeVar("T")

MOST_BYTES = 2_000_000
MOST_COMMITS = 4_000
"""Eight times as much as a long game: 500 commits are read and told in 0.2 s of the processor."""


class Broken(Declined):
    """The file is no exported game, or was changed."""

    code = "not_genuine"


@file_replay.get("/replay")
def drop() -> Response:
    """Where a file is dropped."""
    return page("drop.html", problem="")


@file_replay.post("/replay")
def shown() -> Response:
    """The viewer of the file that was dropped; or what is wrong with it."""
    limit("files_from_an_address")
    try:
        file = uploaded()
        told = telling(lambda: values(file, opened(file)))
    except Declined as problem:
        return no_store(page("drop.html", 422, problem=problem.text))
    return no_store(page("file-replay.html", **told))


@file_replay.post("/replay/told")
def told() -> Response:
    """The steps of a posted file as one viewer saw them; or, at a version, the position in words."""
    limit("files_from_an_address")
    recording = opened(received())
    chosen = recording.viewer(request.args.get("viewer"))
    asked = request.args.get("version", "")
    if asked:
        return no_store(json_response({"words": telling(lambda: words(recording, chosen, asked))}))
    return no_store(json_response({"steps": telling(lambda: told_steps(recording, chosen))}))


# Reading


def uploaded() -> bytes:
    """The file of the form, which is held in memory alone."""
    check_length()
    parser = FormDataParser(lambda *_, **__: BytesIO(), max_content_length=MOST_BYTES + 10_000)
    _, fields, files = parser.parse_from_environ(environ())
    if "csrf" in fields:
        environ()[FORM] = {"csrf": fields.getlist("csrf")}
    if "file" not in files:
        raise Broken(say("choose a file first"))
    return bounded(files["file"].read())


def received() -> bytes:
    check_length()
    return bounded(get_input_stream(environ(), max_content_length=MOST_BYTES + 1).read())


def check_length() -> None:
    if declared_length(environ()) > MOST_BYTES + 10_000:
        raise TooLarge(say("a body has {most} bytes at most", most=MOST_BYTES))


def bounded(file: bytes) -> bytes:
    if len(file) > MOST_BYTES:
        raise TooLarge(say("a body has {most} bytes at most", most=MOST_BYTES))
    return file


def opened(file: bytes) -> Recording:
    try:
        recording = read_recording(file)
    except NotGenuine as problem:
        raise Broken(say("this is not a genuine game: {reason}", reason=str(problem))) from problem
    except (Unreadable, UnicodeError, RecursionError) as problem:
        raise Broken(say("this is not an exported game")) from problem
    if len(recording.commits) > MOST_COMMITS:
        raise Broken(say("a file has {most} commits at most", most=MOST_COMMITS))
    return recording


# Telling


def telling(told: Callable[[], T]) -> T:
    """What a file tells. If it was made up, with hashes that fit, there may be no words for it."""
    try:
        return told()
    except CANNOT_HAPPEN as problem:
        raise Broken(say("what this file tells cannot happen in a game")) from problem


def moments(recording: Recording) -> list[Moment]:
    found: list[Moment] = []
    for transition in replay(GAME, recording.commits):
        found.append(moment_after(found[-1] if found else None, transition))
    return found


def told_steps(recording: Recording, chosen: Viewer) -> list[dict[str, Any]]:
    return [
        replay_representations.told(recording.rules, step) for step in steps(recording.commits, chosen, {}, catalogue())
    ]


def words(recording: Recording, chosen: Viewer, asked: str) -> list[str]:
    reached = moments(recording)
    if not (asked.isascii() and asked.isdigit() and len(asked) < 9 and 1 <= int(asked) <= len(reached)):
        raise BadRequest
    seen = frame(reached[int(asked) - 1], chosen)
    return replay_representations.words(seen, with_players(recording.rules, {}))


def values(file: bytes, recording: Recording) -> dict[str, Any]:
    """What the page shows first: as every replay page, but from the file."""
    reached, chosen = moments(recording), recording.viewer(None)
    game, about = reached[-1].game, summary(recording.commits)
    first = about.first or about.last
    step = first if game.status == OVER else about.last
    seen = frame(reached[step - 1], chosen)
    rules = rules_named(game.rules)
    outline = replay_representations.outline(game, about, recording.viewers, {})
    return {
        "game": SimpleNamespace(id=""),
        "title": game_named(game.rules).title,
        "told": about,
        "first": first,
        "step": step,
        "viewer": chosen,
        "players": {seat: rules.names[seat] for seat in game.players},
        "scores": seen.moment.game.state.board.scores,
        "final": game.state.board.scores if game.status == OVER else {},
        "board": drawn(game, seen),
        "words": position_in_words(recording, seen),
        "story": [],
        "controls": controls(step, about, lambda version: f"?step={version}"),
        "choices": [choice(recording, eyes) for eyes in recording.viewers],
        "texts": texts(),
        "is_public": False,
        "given": to_builtins({"outline": outline, "ground": replay_representations.ground(rules)}),
        "file": {"text": file.decode(), "viewer": chosen, "steps": to_builtins(told_steps(recording, chosen))},
        "body_class": WHOLE_WINDOW,
    }


def position_in_words(recording: Recording, seen: Frame) -> list[str]:
    return replay_representations.words(seen, with_players(recording.rules, {}))


def choice(recording: Recording, eyes: Viewer) -> dict[str, Any]:
    label = SEEN_BY.get(eyes) or rules_named(recording.rules).names[eyes]
    return {"viewer": eyes, "label": rendered(label), "is_seat": eyes in recording.players}
