"""A table as its page needs it: all that may change with a commit, in one answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import to_builtins
from msgspec.structs import asdict

from events.table.commands.moves import way_back
from events.table.game import Game
from replay.story import with_players
from replay.timeline import Frame
from rules.catalogue import game_named, rules_named
from rules.guide import ANYTHING, Lesson
from rules.kernel import Player, Viewer
from service.games import replay_representations, representations
from service.games.access import seat_of
from service.games.answers_ahead import KeptAnswer
from service.games.broadcast import broadcast_delay
from service.games.representations import Moment
from service.language import rendered

SEATED, AUTOMATIC, FORFEITED = "seated", "automatic", "forfeited"
SEAT_STATES = (SEATED, AUTOMATIC, FORFEITED)


def own_eyes(game: Game, account: str | None) -> Viewer:
    """The viewer at a table: the own seat, also after the end, else a spectator."""
    return seat_of(game, account) or "spectator"


def table(
    seen: Frame, viewer: Viewer, names: Mapping[Player, str], now: Moment, kept: Iterable[KeptAnswer] = ()
) -> dict[str, Any]:
    """The table now, as this viewer may know it, without the steps that led there."""
    game = seen.moment.game
    own = viewer if viewer in game.players else ""
    delay_ms = broadcast_delay(game, game.seats.get(viewer))
    return {
        "version": game.version,
        "viewer": viewer,
        "status": game.status,
        "asked": {"kind": asked_kind(game), "seats": list(game.asked)},
        "seats": [seat(game, player, names) for player in game.players],
        "clock": representations.clocks(game, now, delay_ms),
        "outlook": outlook(game),
        "places": game.places,
        "take_back": {"by": list(game.take_back), "may": way_back(game, own) if own else ""},
        "may_resign": bool(own and game.is_running and game.may_resign and own not in game.forfeited),
        "decisions": representations.decisions(game, own)["decisions"] if own else [],
        "ahead": ahead(kept),
        "spaces": replay_representations.spaces(seen, with_players(game.rules, names)),
        "cells": to_builtins(seen.scene.places),
    }


def ahead(kept: Iterable[KeptAnswer]) -> list[dict[str, Any]]:
    """What the player has answered ahead: for nobody else."""
    return [{"decision": each.decision, "answer": each.answer, "every": each.every} for each in kept]


def offers(rules: str) -> list[dict[str, Any]]:
    """What can be answered ahead."""
    return [
        asdict(offer) | {"text": rendered(offer.text), "short": rendered(offer.short), "about": rendered(offer.about)}
        for offer in game_named(rules).ahead
    ]


def asked_kind(game: Game) -> str:
    """What the players are asked now: no secret, as the answers are."""
    return game.state.agenda[0].asks(game.state) if game.asked else ""


def seat(game: Game, player: Player, names: Mapping[Player, str]) -> dict[str, Any]:
    called = rules_named(game.rules).names
    state = FORFEITED if player in game.forfeited else AUTOMATIC if player in game.unattended else SEATED
    return {
        "seat": player,
        "name": names.get(player) or rendered(called[player]),
        "bot": game.bots[player].name if player in game.bots else "",
        "state": state if player not in game.bots else SEATED,
    }


def outlook(game: Game) -> Mapping[Player, int]:
    """How the players would stand if everything that all of them see were scored now; nothing if it goes on no more."""
    if not game.is_running:
        return {}
    board = game.state.board
    points = game_named(game.rules).outlook(board)
    return {player: points[player] for player in game.players}


def guide(rules: str) -> dict[str, dict[str, str]]:
    """What people are told about each kind of decision; under the empty name, about any other."""
    lessons: Mapping[str, Lesson] = {**game_named(rules).guide, "": ANYTHING}
    return {
        kind: {"others": rendered(each.others), "title": rendered(each.title), "text": rendered(each.text)}
        for kind, each in lessons.items()
    }


def page(table: dict[str, Any], steps: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The table with a page of the steps that led there."""
    last = steps[-1]["version"] if steps else table["version"]
    return table | {"steps": list(steps), "next": last if last < table["version"] else None}
