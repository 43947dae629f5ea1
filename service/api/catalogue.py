"""The catalogue of games, and the material of each."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response
from werkzeug.exceptions import NotFound

from rules.catalogue import GAMES, Game, rules_named
from rules.el_grande.extension import Rules
from rules.el_grande.names import power_card
from rules.el_grande.regions import LANGUAGES, NAMES
from rules.errors import Unreadable
from service.api.operation import Reply, operation
from service.api.schemas.catalogue import CatalogueResponse, RuleBookResponse
from service.http.responses import json_response

blueprint = Blueprint("rules", __name__)


@blueprint.get("/rules")
@operation(Reply(200, CatalogueResponse))
def games() -> Response:
    """All games."""
    return json_response({"games": [summary(name, game) for name, game in GAMES.items()]})


@blueprint.get("/rules/<rules>")
@operation(Reply(200, RuleBookResponse))
def game(rules: str) -> Response:
    """One game, alone or with expansions, such as el_grande+anniversary."""
    return json_response(rule_book(known(rules)))


def known(name: str) -> Rules:
    try:
        return rules_named(name)
    except Unreadable as unknown:
        raise NotFound(unknown.sentence) from None


def summary(name: str, game: Game) -> dict[str, Any]:
    return {
        "game": name,
        "title": game.title,
        "expansions": list(game.expansions),
        "players": game.players,
        "options": game.options,
    }


def rule_book(rules: Rules) -> dict[str, Any]:
    name = rules.name.partition("+")[0]
    return summary(name, GAMES[name]) | {
        "rules": rules.name,
        "seats": GAMES[name].seats,
        "regions": [region(rules, name) for name in rules.regions],
        "castillo": rules.castillo_points,
        "scoreboards": rules.scoreboards,
        "rounds": rules.rounds,
        "scoring_rounds": rules.scoring_rounds,
        "cards": [
            {"id": card, "stack": row.stack, "title": str(row.title), "text": str(row.text), "copies": row.copies}
            for card, row in rules.cards.items()
        ],
        "power_cards": [
            {"value": value, "caballeros": count, "text": str(power_card(count))}
            for value, count in rules.power_cards.items()
        ],
    }


def region(rules: Rules, name: str) -> dict[str, Any]:
    found = rules.regions[name]
    return {
        "id": name,
        "names": dict(zip(LANGUAGES, NAMES[name], strict=True)),
        "points": found.points,
        "neighbours": found.neighbours,
        "coastal": found.coastal,
    }
