"""The catalogue of games, and the material of each."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from events.errors import NoSuchGame
from rules.catalogue import GAMES, game_named, rules_named
from rules.errors import Unreadable
from rules.game import Game
from rules.kernel import RuleSet
from service.api.operation import Reply, operation
from service.api.schemas.catalogue import CatalogueResponse, RuleBookResponse
from service.http.responses import json_response
from service.language import catalogue

blueprint = Blueprint("rules", __name__)


@blueprint.get("/rules")
@operation(Reply(200, CatalogueResponse))
def games() -> Response:
    """All games."""
    return json_response({"games": [summary(game) for game in GAMES.values()]})


@blueprint.get("/rules/<rules>")
@operation(Reply(200, RuleBookResponse))
def game(rules: str) -> Response:
    """One game, alone or with expansions, such as el_grande+anniversary."""
    return json_response(rule_book(rules_of(rules)))


def rules_of(name: str) -> RuleSet:
    try:
        return rules_named(name)
    except Unreadable as unknown:
        raise NoSuchGame(unknown.text) from None


def summary(game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "title": game.title,
        "expansions": list(game.expansions),
        "players": game.players,
        "options": game.options,
    }


def rule_book(rules: RuleSet) -> dict[str, Any]:
    """The fields that all games share, and the material of this one."""
    game = game_named(rules.name)
    return summary(game) | {"rules": rules.name, "seats": game.seats} | game.rulebook(rules, catalogue())
