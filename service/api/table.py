"""The table: one request for all that a page needs after a commit."""

from __future__ import annotations

from itertools import islice
from typing import Any

from flask import Blueprint, Response

from events.errors import NotNow
from events.table.game import Game
from replay.timeline import Moment, frame
from rules.texts import say
from service.api.context import game_service, limited_account, optional_account, profiles
from service.api.games import now
from service.api.operation import Body, Reply, operation
from service.api.replay import told
from service.api.schemas.table import AheadResponse, AnswerAheadRequest, TableQuery, TableResponse
from service.games import replay_representations, table_representations
from service.http.authentication import needs
from service.http.context import services
from service.http.responses import json_response

blueprint = Blueprint("table", __name__)

STEPS_AT_ONCE = 250
AN_ANSWER = {"answer": {"kind": "veto_response", "answer": "allow"}, "every": True}


@blueprint.get("/games/<game>/table")
@operation(Reply(200, TableResponse), query=TableQuery)
def table(query: dict[str, Any], game: str) -> Response:
    """The table now: your decisions, all clocks, what would be scored, and the steps since a version."""
    account = optional_account()
    loaded = game_service().look(game, account)
    return json_response(representation(loaded, account, query["after"]))


@blueprint.put("/games/<game>/ahead/<decision>")
@needs("play")
@operation(Reply(200, AheadResponse), body=Body(AnswerAheadRequest, AN_ANSWER))
def answer_ahead(body: dict[str, Any], game: str, decision: str) -> Response:
    """Answer a kind of question before it is asked: the next time, or until you say otherwise. Only you know."""
    loaded, seat = game_service().at_the_table(game, limited_account("changes"))
    if not loaded.is_running:
        raise NotNow(say("only in a game that is being played can questions be answered ahead"))
    services().ahead.keep(loaded, seat, decision, body["answer"], every=body["every"])
    return kept(loaded, seat)


@blueprint.delete("/games/<game>/ahead/<decision>")
@needs("play")
@operation(Reply(200, AheadResponse))
def forget_ahead(game: str, decision: str) -> Response:
    """Be asked again."""
    loaded, seat = game_service().at_the_table(game, limited_account("changes"))
    services().ahead.forget(loaded, seat, decision)
    return kept(loaded, seat)


def kept(game: Game, seat: str) -> Response:
    return json_response({"ahead": table_representations.ahead(services().ahead.kept(game, seat))})


def representation(game: Game, account: str | None, after: int | None = None) -> dict[str, Any]:
    viewer = table_representations.own_eyes(game, account)
    names = replay_representations.player_names(game, profiles())
    own = services().ahead.kept(game, viewer) if viewer in game.players and game.is_running else ()
    shown = table_representations.table(frame(Moment(game), viewer), viewer, names, now(), own)
    steps = () if after is None else islice(told(game, viewer, after, names), STEPS_AT_ONCE)
    return table_representations.page(shown, list(steps))
