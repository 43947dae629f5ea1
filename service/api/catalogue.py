"""Which games can be played, and what they are made of."""

from __future__ import annotations

from typing import Any

from flask import Response
from werkzeug.exceptions import NotFound

from rules.catalogue import GAMES, game_named, rules_named
from rules.errors import Unreadable
from rules.game import Game
from rules.kernel import RuleSet
from service.api.blueprint import Blueprint
from service.api.schemas import Catalogue, RuleBook
from service.http.responses import answer

blueprint = Blueprint("rules", __name__, description="Which games can be played, and what they are made of.")


@blueprint.route("/rules")
@blueprint.response(200, Catalogue)
def games() -> Response:
    """All games."""
    return answer({"games": [summary(game) for game in GAMES.values()]})


@blueprint.route("/rules/<rules>")
@blueprint.response(200, RuleBook)
def game(rules: str) -> Response:
    """One game, alone or with expansions, such as el_grande+anniversary."""
    return answer(rule_book(known(rules)))


def known(name: str) -> RuleSet:
    try:
        return rules_named(name)
    except Unreadable as unknown:
        raise NotFound(unknown.sentence) from None


def summary(game: Game) -> dict[str, Any]:
    return {
        "game": game.name,
        "title": game.title,
        "expansions": list(game.expansions),
        "players": game.players,
        "options": game.options,
    }


def rule_book(rules: RuleSet) -> dict[str, Any]:
    """What all games tell of themselves, and the material of this one."""
    game = game_named(rules.name)
    return summary(game) | {"rules": rules.name, "seats": game.seats} | game.rulebook(rules)
