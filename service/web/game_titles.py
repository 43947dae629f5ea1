"""What a game is called where it is shown."""

from __future__ import annotations

from collections.abc import Sequence

from events.table.game import Game
from rules.catalogue import game_named
from rules.texts import Value, say
from service.games.game_summary import GameSummary


def game_title(game: Game | GameSummary) -> Value:
    """As its owner or its tournament calls it; else what is played."""
    return own_title(game) or game_named(game.rules).title


def table_title(game: Game | GameSummary, players: Sequence[Value], owner: Value | None) -> Value:
    """The same; but without a title of its own, who plays against whom, or whose table it is."""
    if title := own_title(game):
        return title
    if len(players) == len(game.players) == 2:
        return say("{one} against {other}", one=players[0], other=players[1])
    return say("Table of {owner}", owner=owner) if owner else game_title(game)


def own_title(game: Game | GameSummary) -> Value:
    if game.tournament and game.title:
        return say("{tournament}, table {number}", tournament=game.title, number=game.tournament.table + 1)
    return game.title
