"""Tables: make one, find one, sit down, begin, look."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, url_for

from events.table.commands import Abort, Leave, Start, TableCommand
from events.table.game import Game
from rules.catalogue import DEFAULT
from service.api.context import current_account, game_service, limited_account, lobby, optional_account, profiles
from service.api.operation import Body, Reply, operation
from service.api.schemas.fields import NO_FIELDS
from service.api.schemas.games import (
    GamePageResponse,
    GameResponse,
    GamesQuery,
    InvitationRequest,
    InvitationResponse,
    NewGameRequest,
    SeatRequest,
)
from service.games import access, representations
from service.games.game_lists import GameFilter, Page
from service.games.representations import Moment
from service.http.authentication import current, needs
from service.http.context import services
from service.http.idempotency import submission
from service.http.responses import conditional_response, json_response

blueprint = Blueprint("games", __name__)

NEW_GAME = {
    "rules": DEFAULT,
    "expansions": [],
    "players": 2,
    "options": {"game_length": "short"},
    "visibility": "public",
    "time": {"bank_ms": 1_200_000, "increment_ms": 15_000, "cap_ms": 1_200_000, "strikes": 2, "policy": "bot"},
    "join": True,
    "nonce": "a word of mine",
}


@blueprint.post("/games")
@needs("play")
@operation(Reply(201, GameResponse), body=Body(NewGameRequest, NEW_GAME))
def create(body: dict[str, Any]) -> Response:
    """Make a table. You own it, and sit on its first seat unless you say otherwise."""
    account = limited_account("tables")
    services().reserve.check()
    game = game_service().create(account, body, submission(account), is_bot=current(fresh=True).bot)
    return game_response(game, 201, location=url_for("games.look", game=game.id))


@blueprint.get("/games")
@operation(Reply(200, GamePageResponse), query=GamesQuery)
def find(query: dict[str, Any]) -> Response:
    """Public games, the newest first; those of one player with `player`."""
    player, account = query.pop("player"), optional_account()
    game_filter = GameFilter(**query)
    found = lobby().games_of(player, account, game_filter) if player else lobby().public_games(game_filter)
    return page(found, account)


@blueprint.get("/games/<game>")
@operation(Reply(200, GameResponse))
def look(game: str) -> Response:
    """A game: its agreements, its seats, and its progress."""
    account = optional_account()
    loaded = game_service().look(game, account)
    etag = representations.etag(loaded, access.seat_of(loaded, account))
    return conditional_response(etag, lambda: representations.game_resource(loaded, account, profiles(), now()))


@blueprint.post("/games/<game>/seats")
@needs("play")
@operation(
    Reply(200, GameResponse), body=Body(SeatRequest, {"seat": "blue", "nonce": "a word of mine"}, required=False)
)
def join(body: dict[str, Any], game: str) -> Response:
    """Sit down. An invitation opens the door of a private table.

    With `bot`, the owner of the table gives the seat to a bot of the service instead.
    """
    if body["bot"]:
        return seat_bot(body, game)
    account = limited_account("seats")
    bot = current(fresh=True).bot
    return game_response(game_service().join(game, account, body, submission(account), is_bot=bot).after)


def seat_bot(body: dict[str, Any], game: str) -> Response:
    account = limited_account("bots")
    services().reserve.check()
    return game_response(game_service().seat_bot(game, account, body, submission(account)).after)


@blueprint.delete("/games/<game>/seats/mine")
@needs("play")
@operation(Reply(200, GameResponse))
def leave(game: str) -> Response:
    """Stand up again, before the game begins."""
    return submitted(game, Leave(limited_account("seats")))


@blueprint.delete("/games/<game>/players/<player>")
@needs("play")
@operation(Reply(200, GameResponse))
def remove(game: str, player: str) -> Response:
    """Make a player leave the table, before the game begins. For the owner.

    The player needs a new invitation to come back.
    """
    account = limited_account("seats")
    return game_response(game_service().remove(game, account, player, submission(account)).after)


@blueprint.post("/games/<game>/invitations")
@needs("play")
@operation(Reply(201, InvitationResponse), body=Body(InvitationRequest, {"seat": "blue"}, required=False))
def invite(body: dict[str, Any], game: str) -> Response:
    """Write an invitation: a word that lets one person sit down. It is shown only now.

    With `reusable`, it is the link of the table instead: a word that lets any number of people sit down, on any seat.
    """
    account = limited_account("seats")
    if body["reusable"]:
        invitation = game_service().link(game, account)
    else:
        invitation = game_service().invite(game, account, body["seat"], submission(account))
    url = url_for("invited.invitation", game=game, word=invitation.word, _external=True)
    return json_response({"invitation": invitation.word, "url": url, "seat": invitation.seat or None}, 201)


@blueprint.post("/games/<game>/start")
@needs("play")
@operation(Reply(200, GameResponse), body=NO_FIELDS)
def start(_: dict[str, Any], game: str) -> Response:
    """Begin, when all seats are taken: the seed is fixed and the table is set. For the owner."""
    return submitted(game, Start(current_account()))


@blueprint.post("/games/<game>/rematch")
@needs("play")
@operation(Reply(201, GameResponse), body=NO_FIELDS)
def rematch(_: dict[str, Any], game: str) -> Response:
    """After the end: a new table for the same players with the same agreements, everybody one seat further.

    The first player who asks owns it. The others get a notice with an invitation; one who asks as well sits down there.
    """
    account = limited_account("tables")
    services().reserve.check()
    table = services().rematches.ask(game, account, is_bot=current(fresh=True).bot)
    return game_response(table, 201, location=url_for("games.look", game=table.id))


@blueprint.post("/games/<game>/abort")
@needs("play")
@operation(Reply(200, GameResponse), body=NO_FIELDS)
def abort(_: dict[str, Any], game: str) -> Response:
    """Clear the table before the game begins. For the owner."""
    return submitted(game, Abort(current_account()))


def submitted(game: str, command: TableCommand) -> Response:
    """The game after a command of the account that asks."""
    return game_response(game_service().submit(game, command, submission(current_account())).after)


def game_response(game: Game, status: int = 200, location: str = "") -> Response:
    return json_response(
        representations.game_resource(game, current_account(), profiles(), now()),
        status,
        version=game.version,
        location=location,
    )


def page(found: Page, account: str | None) -> Response:
    games = representations.game_resources(found.games, account, profiles(), now())
    return json_response({"games": games, "next": found.next, "is_complete": found.is_complete})


def now() -> Moment:
    games = game_service().games
    return Moment(games.now(), tuple(games.outages()))
