"""The catalogue of games, and the material of each."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from events.errors import NoSuchGame
from rules.bots import BOTS
from rules.catalogue import GAMES, game_named, rules_named
from rules.errors import Unreadable
from rules.game import Game
from rules.kernel import RuleSet
from rules.schemas import GameRules, SelectionOf
from service.api.operation import Reply, operation
from service.api.schemas.catalogue import CatalogueResponse
from service.http.responses import json_response
from service.language import catalogue, rendered

blueprint = Blueprint("rules", __name__)


@blueprint.get("/rules")
@operation(Reply(200, CatalogueResponse))
def games() -> Response:
    """All games, and the bots that can be seated at them."""
    bots = [
        {"name": bot.name, "title": bot.title, "strength": bot.strength, "text": rendered(bot.about)}
        for bot in BOTS.values()
    ]
    return json_response({"games": [summary(game) for game in GAMES.values()], "bots": bots})


@blueprint.get("/rules/<rules>")
@operation(Reply(200, "RuleBook"))
def game(rules: str) -> Response:
    """One game, alone or with expansions, such as el_grande+anniversary."""
    return json_response(rule_book(rules_of(rules)))


def rules_of(name: str) -> RuleSet:
    try:
        return rules_named(name)
    except Unreadable as unknown:
        raise NoSuchGame(unknown.text) from None


def summary(game: Game) -> GameRules:
    return {
        "game": game.name,
        "title": game.title,
        "expansions": list(game.expansions),
        "about": {
            name: {"title": rendered(about.title), "text": rendered(about.text)} for name, about in game.about.items()
        },
        "apart": [{"expansions": sorted(names), "reason": rendered(reason)} for names, reason in game.apart.items()],
        "warned": [{"expansions": sorted(names), "reason": rendered(reason)} for names, reason in game.warned.items()],
        "players": game.players,
        "options": game.options,
        "options_of": {name: options_of(game, name) for name in game.expansions},
        "selections_of": {name: selections_of(game, name) for name in game.expansions},
    }


def options_of(game: Game, expansion: str) -> dict[str, tuple[str, ...]]:
    """What can be agreed because of an expansion."""
    return {name: values for name, values in game.options_with((expansion,)).items() if name not in game.options}


def selections_of(game: Game, expansion: str) -> dict[str, SelectionOf]:
    """What is chosen from among many things because of an expansion."""
    return {
        name: {
            "size": selection.size,
            "things": [
                {"number": number, "title": rendered(thing.title), "text": rendered(thing.text)}
                for number, thing in enumerate(selection.things, start=1)
            ],
        }
        for name, selection in game.selections_with((expansion,)).items()
    }


def rule_book(rules: RuleSet) -> dict[str, Any]:
    """The fields that all games share, and the material of this one."""
    game = game_named(rules.name)
    return {**summary(game), "rules": rules.name, "seats": game.seats, **game.rulebook(rules, catalogue())}
