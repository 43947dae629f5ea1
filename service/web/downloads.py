"""Downloads of a game: its story as text, and a round as a picture that moves."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response, request

from events.table.game import Game
from rules.catalogue import game_named
from rules.kernel import Viewer
from rules.landmarks import ROUND
from rules.texts import say
from service.games import moving_pictures, replay_representations
from service.games.moving_pictures import TooLong
from service.http.authentication import count_bulk_read, count_read, limit
from service.http.context import services
from service.http.responses import conditional
from service.language import catalogue, current, rendered
from service.web.visitors import visitor

downloads = Blueprint("downloads", __name__)

TEXT = "text/plain; charset=utf-8"


@downloads.get("/games/<game>/story.txt")
def story(game: str) -> Response:
    """Every sentence of every step: a page of positions costs no more."""
    count_bulk_read(known.account if (known := visitor()) else None)
    loaded, chosen = seen(game)
    return named(Response("".join(lines(loaded, chosen)), content_type=TEXT), f"hidalgo-{game}.txt")


def lines(game: Game, chosen: Viewer) -> Iterator[str]:
    names = replay_representations.player_names(game, services().accounts.profiles)
    yield f"{game_named(game.rules).title}\n"
    for step in services().timelines.steps(game, chosen, 0, names, catalogue()):
        if any(mark.kind == ROUND for mark in step.marks):
            yield f"\n{rendered(say('Round {number}', number=step.round))}\n"
        for number, line in enumerate(step.story):
            yield f"{step.version if not number else '':>5}  {line.text}\n"


@downloads.get("/games/<game>/round.gif")
def moving_round(game: str) -> Response:
    """The round of a step, as a picture that moves: a position for every step of it."""
    loaded, chosen = seen(game)
    asked = request.args.get("step", "")
    step = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else loaded.version
    first, last = round_of(loaded, min(max(step, 1), loaded.version))
    response = conditional(f"round.{loaded.version}.{first}.{chosen}", lambda: drawn(loaded, chosen, first, last))
    return named(response, f"hidalgo-{game}-{first}.gif")


def drawn(game: Game, chosen: Viewer, first: int, last: int) -> Response:
    """The picture; the same is drawn once for all who ask for it, and counts for the first one."""
    if last - first > moving_pictures.MOST_FRAMES:
        raise TooLong(last - first)

    def make() -> bytes:
        count_read("animations", known.account if (known := visitor()) else None)
        return moving_pictures.gif(
            [services().timelines.frame(game, chosen, version) for version in range(first, last + 1)]
        )

    key = f"{game.id} {game.version} {first} {last} {chosen} {current().tag}"
    return Response(moving_pictures.kept(key, make), content_type="image/gif")


def round_of(game: Game, step: int) -> tuple[int, int]:
    """The first and the last step of the round in which a step is."""
    told = services().timelines.summary(game)
    begins = [told.first or told.last, *(mark.version for mark in told.marks if mark.kind == ROUND), told.last + 1]
    first = max((version for version in begins if version <= step), default=begins[0])
    return first, max(first, min(version for version in begins if version > first) - 1) if first < told.last else first


def seen(game: str) -> tuple[Game, Viewer]:
    """The game as the visitor may see it, through the eyes that the address names."""
    account = known.account if (known := visitor()) else None
    if not account:
        limit("reads_from_an_address")
    return services().game_service.look_back(game, account, None, request.args.get("as"))


def named(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
