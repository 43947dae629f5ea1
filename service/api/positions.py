"""Many games at once, each with its position: for programs that look after many tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

from flask import Blueprint, Response, request

from events.table.game import Game
from service.api.context import lobby, optional_account, profiles
from service.api.games import now
from service.api.moves import LINES
from service.api.operation import Reply, operation
from service.api.schemas.positions import GameWithPositionResponse, PositionsQuery, PositionsResponse
from service.games import representations
from service.games.access import seat_of, viewer_for
from service.games.game_lists import GameFilter
from service.games.lobby import ManyGames
from service.games.representations import Moment, Profiles
from service.http import authentication
from service.http.chunked import chunked_response
from service.http.responses import JSON, conditional_response, encode
from service.language import in_this_language

blueprint = Blueprint("positions", __name__)


@blueprint.get("/positions")
@operation(
    Reply(200, PositionsResponse),
    Reply(200, GameWithPositionResponse, content_type=LINES, description="A page of games, one a line."),
    query=PositionsQuery,
)
def positions(query: dict[str, Any]) -> Response:
    """Many games with their positions, by their ids or page by page; with `Accept: application/x-ndjson` one a line.

    Each is shown as your seat may see it, or a spectator. Games that are not there for you are `missing`.
    """
    account = optional_account()
    authentication.count_bulk_read(account)
    found = chosen(query, account)
    if request.accept_mimetypes.best_match([JSON, LINES]) == LINES:
        return chunked_response(in_this_language(lines(found.games, account, profiles(), now())), LINES)
    return conditional_response(etag(found, account), lambda: page(found, account))


def chosen(query: dict[str, Any], account: str | None) -> ManyGames:
    names, player = query.pop("games"), query.pop("player")
    if names:
        return lobby().games_named(names.split(","), account)
    return lobby().whole_games(player, account, GameFilter(**query))


def page(found: ManyGames, account: str | None) -> dict[str, Any]:
    shown = list(items(found.games, account, profiles(), now()))
    return {"positions": shown, "missing": found.missing, "next": found.next}


def items(games: Sequence[Game], account: str | None, profiles: Profiles, now: Moment) -> Iterator[dict[str, Any]]:
    """With one query for the profiles of all players."""
    known = profiles({seated for game in games for seated in game.seats.values()})
    for game in games:
        about = representations.game_resource(game, account, lambda _: known, now)
        yield {"game": about, "position": representations.position(game, viewer_for(game, account), now)}


def lines(games: Sequence[Game], account: str | None, profiles: Profiles, now: Moment) -> Iterator[bytes]:
    for item in items(games, account, profiles, now):
        yield encode(item) + b"\n"


def etag(found: ManyGames, account: str | None) -> str:
    """Of all games on the page, as this account sees them."""
    games = [f"{game.id}.{representations.etag(game, seat_of(game, account))}" for game in found.games]
    return sha256("\0".join([*games, *found.missing, found.next or ""]).encode()).hexdigest()[:24]
