"""A game on pages of other sites: a frame with the board and its steps, its address for oEmbed, and its preview.

Nobody is signed in here: no cookie is read, and nothing is shown but what the public may see.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from flask import Blueprint, Response, render_template, request, url_for
from markupsafe import Markup
from werkzeug.exceptions import HTTPException, NotFound
from werkzeug.routing import RequestRedirect

from events.table.game import OVER, Game
from rules.catalogue import game_named, rules_named
from rules.kernel import Player, Viewer
from rules.texts import say
from service.games import pictures, replay_representations
from service.http.authentication import count_image, limit
from service.http.context import application, services
from service.http.responses import conditional, json_response
from service.language import rendered
from service.web.replay import asked_step, shown

embed = Blueprint("embed", __name__, template_folder="templates")

SIZE = (720, 760)
SMALLEST = (240, 300)
"""What a frame has room for, in pixels."""
PNG = "image/png"
OEMBED_FORMAT = "json"
SECONDS_TO_KEEP = 300


class OnlyJson(HTTPException):
    code = 501
    description = "only format=json is known"


@embed.get("/games/<game>/embed")
def frame(game: str) -> Response:
    """The base view with a caption bar, for a frame of any site."""
    limit("reads_from_an_address")
    loaded, chosen = public(game)
    told = services().timelines.summary(loaded)
    names = replay_representations.player_names(loaded, services().accounts.profiles)
    values = shown(loaded, told, asked_step(loaded, told), chosen, names, None)
    return Response(
        render_template("embed.html", **values),
        headers={"Cache-Control": "public, no-cache", "Vary": "Accept-Language"},
    )


def public(game: str) -> tuple[Game, Viewer]:
    """A game as the public may see it, through the eyes that the address names."""
    return services().game_service.look_back(game, None, None, request.args.get("as"))


@embed.get("/games/<game>/card.png")
def card(game: str) -> Response:
    """The image that other sites show beside a link to this step."""
    loaded, chosen = public(game)
    told = services().timelines.summary(loaded)
    step = asked_step(loaded, told)
    response = conditional(f"card.{loaded.version}.{step}.{chosen}", lambda: drawn_card(loaded, chosen, step))
    response.headers["Cache-Control"] = f"public, max-age={SECONDS_TO_KEEP}"
    response.headers["Vary"] = "Accept-Language"  # Its caption is translated.
    return response


def drawn_card(game: Game, chosen: Viewer, step: int) -> Response:
    count_image(None, pictures.CARD[0])
    seen = services().timelines.frame(game, chosen, step)
    ground, sprites = pictures.parts(seen)
    scores = seen.moment.game.state.board.scores
    caption = rendered(say("Step {step} of {count}", step=step, count=game.version))
    title = game_named(game.rules).title
    return Response(pictures.card(ground, sprites, "light", title, caption, standing(game, scores)), content_type=PNG)


def standing(game: Game, scores: Any) -> list[pictures.Player]:
    names = replay_representations.player_names(game, services().accounts.profiles)
    called = rules_named(game.rules).names

    def name(seat: Player) -> str:
        return names.get(seat) or rendered(called[seat])

    return [pictures.Player(seat, name(seat), scores.get(seat, 0)) for seat in game.players]


@embed.get("/oembed")
def oembed() -> Response:
    """How a page of ours is shown inside of another one (oembed.com)."""
    limit("reads_from_an_address")
    if request.args.get("format", OEMBED_FORMAT) != OEMBED_FORMAT:
        raise OnlyJson
    game, query = named_game(request.args.get("url", ""))
    loaded, _ = services().game_service.look_back(game, None, None, query.get("as"))
    width, height = (within(name, most) for name, most in zip(("maxwidth", "maxheight"), SIZE, strict=True))
    address = url_for("embed.frame", game=game, _external=True, **query)
    title = rendered(say("{game}: replay", game=game_named(loaded.rules).title))
    frame = (
        '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" style="border:0" allowfullscreen></iframe>'
    )
    answer = json_response(
        {
            "version": "1.0",
            "type": "rich",
            "provider_name": "Hidalgo",
            "provider_url": url_for("home.front_page", _external=True),
            "title": title,
            "width": width,
            "height": height,
            "html": str(Markup(frame).format(address, width, height, title)),
            "thumbnail_url": url_for("embed.card", game=game, _external=True, **query),
            "thumbnail_width": pictures.CARD[0],
            "thumbnail_height": pictures.CARD[1],
            "cache_age": SECONDS_TO_KEEP if loaded.status != OVER else 86_400,
        }
    )
    answer.headers["Access-Control-Allow-Origin"] = "*"
    return answer


def named_game(address: str) -> tuple[str, dict[str, str]]:
    """The game that an address of ours names, and at which step; other addresses are not ours to embed."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or parts.netloc != request.host:
        raise NotFound
    try:
        endpoint, values = application().url_map.bind(request.host).match(parts.path, "GET")
    except (HTTPException, RequestRedirect) as unknown:
        raise NotFound from unknown
    if endpoint not in ("replay_page.viewer", "embed.frame"):
        raise NotFound
    asked = parse_qs(parts.query)
    return values["game"], {name: asked[name][0] for name in ("step", "as") if name in asked}


def within(name: str, most: int) -> int:
    """The size that a site has room for, as far as it makes sense."""
    least = dict(zip(("maxwidth", "maxheight"), SMALLEST, strict=True))[name]
    asked = request.args.get(name, "")
    return max(least, min(most, int(asked))) if asked.isascii() and asked.isdigit() and len(asked) < 6 else most
