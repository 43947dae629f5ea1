"""Players, and their games."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from events.table.facts import BOT_PREFIX
from rules.bots import BOTS
from rules.texts import say
from service.accounts.errors import NoSuchAccount
from service.api.context import lobby, optional_account, profiles
from service.api.games import page
from service.api.operation import Reply, operation
from service.api.schemas.games import GamePageResponse, PageQuery
from service.api.schemas.players import PlayerPageResponse, RatingPageResponse, RatingsQuery
from service.games.game_lists import GameFilter
from service.games.representations import player_resource
from service.http.context import services
from service.http.responses import json_response

blueprint = Blueprint("players", __name__)


@blueprint.get("/players/<player>")
@operation(Reply(200, PlayerPageResponse))
def look(player: str) -> Response:
    """The public profile of a player."""
    optional_account()
    more = {"games": lobby().count_of(player), "ratings": services().rating_history.ratings(player)}
    return json_response(known_player(player) | more)


@blueprint.get("/players/<player>/games")
@operation(Reply(200, GamePageResponse), query=PageQuery)
def games(query: dict[str, Any], player: str) -> Response:
    """The games of a player, the newest first; your own private ones, too."""
    account = optional_account()
    return page(lobby().games_of(player, account, GameFilter(**query)), account)


@blueprint.get("/players/<player>/ratings")
@operation(Reply(200, RatingPageResponse), query=RatingsQuery)
def ratings(query: dict[str, Any], player: str) -> Response:
    """The rating of a player after each rated game, the newest first."""
    account = optional_account()
    known_player(player)
    history = services().rating_history
    return json_response(history.page(player, query["game"], account, query["before"], query["limit"]))


def known_player(player: str) -> dict[str, Any]:
    """A player, also one whose account is gone but whose games are not, or a bot of the service."""
    profile = profiles()([player]).get(player)
    if profile is None and not is_service_bot(player) and not lobby().count_of(player):
        raise NoSuchAccount(say("there is no player {player}", player=player))
    return player_resource(player, profile)


def is_service_bot(player: str) -> bool:
    return player.startswith(BOT_PREFIX) and player.removeprefix(BOT_PREFIX) in BOTS
