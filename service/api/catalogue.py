"""Which games can be played, and what they are made of."""

from __future__ import annotations

from typing import Any

from flask import Response
from werkzeug.exceptions import NotFound

from rules.catalogue import GAMES, rules_named
from rules.el_grande.extension import Rules
from rules.el_grande.names import power_card
from rules.el_grande.regions import LANGUAGES, NAMES
from rules.errors import Unreadable
from rules.game import Game
from service.api.blueprint import Blueprint
from service.api.schemas import Catalogue, RuleBook
from service.http.responses import answer

blueprint = Blueprint("rules", __name__, description="Which games can be played, and what they are made of.")


@blueprint.route("/rules")
@blueprint.response(200, Catalogue)
def games() -> Response:
    """All games."""
    return answer({"games": [summary(name, game) for name, game in GAMES.items()]})


@blueprint.route("/rules/<rules>")
@blueprint.response(200, RuleBook)
def game(rules: str) -> Response:
    """One game, alone or with expansions, such as el_grande+anniversary."""
    return answer(rule_book(known(rules)))


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
