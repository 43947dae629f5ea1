"""Players, and their games."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from rules.texts import say
from service.accounts.errors import NoSuchAccount
from service.api.context import handles, lobby, optional_account
from service.api.games import page
from service.api.operation import Reply, operation
from service.api.schemas.games import GamePageResponse, PageQuery
from service.api.schemas.players import PlayerPageResponse
from service.games.lobby import GameFilter
from service.http.responses import json_response

blueprint = Blueprint("players", __name__)


@blueprint.get("/players/<player>")
@operation(Reply(200, PlayerPageResponse))
def look(player: str) -> Response:
    """The public profile of a player."""
    optional_account()
    return json_response({"id": player, "handle": handle(player), "games": lobby().count_of(player)})


@blueprint.get("/players/<player>/games")
@operation(Reply(200, GamePageResponse), query=PageQuery)
def games(query: dict[str, Any], player: str) -> Response:
    """The games of a player, the newest first; your own private ones, too."""
    account = optional_account()
    return page(lobby().games_of(player, account, GameFilter(**query)), account)


def handle(player: str) -> str | None:
    """The handle of a player; None if the account is gone but its games are not."""
    found = handles()([player]).get(player)
    if found is None and not lobby().count_of(player):
        raise NoSuchAccount(say("there is no player {player}", player=player))
    return found
