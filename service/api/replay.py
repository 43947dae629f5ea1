"""Looking back: timelines, outlines, scenes, and pictures of positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from flask import Blueprint, Response, request

from events.table.game import Game
from replay.study.study import Mark
from replay.timeline import Frame
from rules.kernel import Player, Viewer
from rules.texts import say
from service.api.catalogue import rules_of
from service.api.context import game_service, optional_account, profiles, timelines
from service.api.operation import Reply, operation
from service.api.schemas.moves import StateQuery
from service.api.schemas.replay import (
    GroundResponse,
    ImageQuery,
    OutlineResponse,
    PictureQuery,
    SceneResponse,
    TimelineQuery,
    TimelineResponse,
    TimelineStepResponse,
)
from service.games import pictures, replay_representations, representations
from service.games.timelines import viewers
from service.http.authentication import count_bulk_read, count_image
from service.http.chunked import chunked_response
from service.http.responses import JSON, conditional, conditional_response, encode
from service.language import catalogue, in_this_language, rendered

blueprint = Blueprint("replay", __name__)

LINES = "application/x-ndjson"
SVG = "image/svg+xml"
PNG = "image/png"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""An image brings its style along, and nothing else."""

FEW_STEPS = 50
"""A longer part of a timeline costs as much as many reads."""


@blueprint.get("/games/<game>/timeline")
@operation(
    Reply(200, TimelineResponse),
    Reply(200, TimelineStepResponse, content_type=LINES, description="A page of steps, or all of them, one a line."),
    query=TimelineQuery,
)
def timeline(query: dict[str, Any], game: str) -> Response:
    """Everything that happened, step by step, with what it changed on the board.

    In pages; with `Accept: application/x-ndjson` all of it, one step a line. Take the scene at `after` and apply the
    changes in order: you have every position, as the viewer saw it then.
    """
    account = optional_account()
    loaded, viewer = game_service().look_back(game, account, None, query["viewer"])
    steps = told(loaded, viewer, query["after"], replay_representations.player_names(loaded, profiles()))
    is_whole = request.accept_mimetypes.best_match([JSON, LINES]) == LINES
    if min(loaded.version - query["after"], loaded.version if is_whole else query["limit"]) > FEW_STEPS:
        count_bulk_read(account)
    if is_whole:
        return chunked_response(in_this_language(encode(step) + b"\n" for step in steps), LINES)
    return conditional_response(
        representations.etag(loaded, viewer), lambda: page(loaded, viewer, list(islice(steps, query["limit"])))
    )


def told(game: Game, viewer: Viewer, after: int, names: Mapping[Player, str]) -> Iterator[dict[str, Any]]:
    for step in timelines().steps(game, viewer, after, names, catalogue()):
        yield replay_representations.told(game.rules, step)


def page(game: Game, viewer: Viewer, steps: list[dict[str, Any]]) -> dict[str, Any]:
    last = steps[-1]["version"] if steps else game.version
    about = {"version": game.version, "viewer": viewer, "status": game.status}
    return about | {"steps": steps, "next": last if last < game.version else None}


@blueprint.get("/games/<game>/outline")
@operation(Reply(200, OutlineResponse))
def outline(game: str) -> Response:
    """A game at a glance: its rounds and scorings, the scores round by round, the time that each player took."""
    account = optional_account()
    loaded = game_service().look(game, account)
    eyes = viewers(loaded, account)
    return conditional_response(
        representations.etag(loaded, eyes[0]),
        lambda: replay_representations.outline(
            loaded, timelines().summary(loaded), eyes, replay_representations.player_names(loaded, profiles())
        ),
    )


@blueprint.get("/games/<game>/scene")
@operation(Reply(200, SceneResponse), query=StateQuery)
def scene(query: dict[str, Any], game: str) -> Response:
    """The position now or at an earlier version, ready to be drawn, and in words."""
    loaded, viewer = game_service().look_back(game, optional_account(), None, query["viewer"])
    seen = timelines().frame(loaded, viewer, query["version"])
    names = replay_representations.player_names(loaded, profiles())
    return conditional_response(
        representations.etag(seen.moment.game, viewer), lambda: replay_representations.scene(seen, viewer, names)
    )


@blueprint.get("/games/<game>/board.svg")
@operation(Reply(200, content_type=SVG, description="The picture."), query=PictureQuery)
def board(query: dict[str, Any], game: str) -> Response:
    """The position now or at an earlier version, as a picture."""
    loaded, viewer = game_service().look_back(game, optional_account(), None, query["viewer"])
    return conditional(
        f"{query['version'] or loaded.version}.{viewer}.{query['theme']}", lambda: drawn(loaded, viewer, query)
    )


def drawn(game: Game, viewer: Viewer, query: Mapping[str, Any]) -> Response:
    return picture(timelines().frame(game, viewer, query["version"]), (), query["theme"])


def picture(seen: Frame, marks: Sequence[Mark], theme: str) -> Response:
    """A position as an image, with what was drawn on it."""
    label = rendered(say("The board after step {version}", version=seen.moment.game.version))
    ground, sprites = pictures.parts(seen)
    headers = {"Content-Security-Policy": POLICY}
    return Response(pictures.image(ground, sprites, theme, label, marks), headers=headers, content_type=SVG)


@blueprint.get("/games/<game>/board.png")
@operation(Reply(200, content_type=PNG, description="The picture."), query=ImageQuery)
def board_png(query: dict[str, Any], game: str) -> Response:
    """The same as PNG, so many pixels wide."""
    account = optional_account()
    loaded, viewer = game_service().look_back(game, account, None, query["viewer"])
    return conditional(
        f"{query['version'] or loaded.version}.{viewer}.{query['theme']}.{query['width']}",
        lambda: rastered(loaded, viewer, account, query),
    )


def rastered(game: Game, viewer: Viewer, account: str | None, query: Mapping[str, Any]) -> Response:
    count_image(account, query["width"])
    ground, sprites = pictures.parts(timelines().frame(game, viewer, query["version"]))
    return Response(pictures.raster(ground, sprites, query["theme"], query["width"]), content_type=PNG)


@blueprint.get("/rules/<rules>/ground")
@operation(Reply(200, GroundResponse))
def ground(rules: str) -> Response:
    """What lies under all scenes of a game with these rules, and the symbols they are made of."""
    found = rules_of(rules)
    return conditional_response(f"ground.{found.name}", lambda: replay_representations.ground(found))
