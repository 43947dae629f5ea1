"""Games that people name in forms, by an address or an id, and what a chapter about one is called."""

from __future__ import annotations

import re

from flask import request

from rules.catalogue import game_named
from rules.errors import Unreadable
from rules.texts import say
from service.games.replay_representations import player_names
from service.http.authentication import accounts
from service.http.context import services
from service.language import rendered

GAME = re.compile(r"(?:\S*/games/)?([A-Za-z0-9_-]{1,64})(?:/[a-z]*)?/?(?:[?#]\S*)?")
"""The id of a game, or an address of it."""

LONGEST_TITLE = 120


def game_id(text: str) -> str:
    """The game that somebody names by its address or its id; nothing if none is named.

    >>> game_id("https://hidalgo.example/games/x7Yb-31k/replay?step=9"), game_id(" x7Yb-31k "), game_id("")
    ('x7Yb-31k', 'x7Yb-31k', '')
    """
    if not text.strip():
        return ""
    if found := GAME.fullmatch(text.strip()):
        return found[1]
    raise Unreadable(say("this is not the address of a game"))


def example() -> str:
    """What an address of a game looks like."""
    return f"{request.host_url}games/…"


def title_of(game: str, account: str) -> str:
    """What a chapter is called before somebody gives it a better name: its game and the players."""
    if not game:
        return ""
    loaded = services().game_service.look(game, account)
    names = player_names(loaded, accounts().profiles).values()
    return ": ".join(filter(None, [rendered(game_named(loaded.rules).title), ", ".join(names)]))[:LONGEST_TITLE]
