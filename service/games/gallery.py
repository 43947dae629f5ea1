"""The gallery: lists of games, each with a thumbnail of its position as the public sees it.

A process keeps the thumbnails that it has drawn last. A game is read whole only if its thumbnail is not
among them, so that a page costs as many round trips as a list: two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from cachetools import LRUCache
from msgspec import Struct

from events.table.game import OVER, RUNNING, Game
from replay.thumbnails import Drawing, drawing
from rules.catalogue import game_named, rules_named
from rules.kernel import SPECTATOR
from rules.picture import Headline
from service.games.game_index_keys import Keys
from service.games.game_lists import GameList, Page
from service.games.game_summary import GameSummary
from service.games.lobby import Lobby, Needed

KEPT = 2000
"""So many thumbnails a process keeps: some megabytes."""


class Thumbnail(Struct, frozen=True):
    """A position from afar, as the public sees it."""

    version: int
    drawing: Drawing
    headline: Headline
    round: int
    last_round: int


class PicturedGame(Struct, frozen=True):
    game: GameSummary
    thumbnail: Thumbnail | None
    """Nothing before the table is set."""
    is_verified: bool = False
    """Whether its chain was checked after its end."""


class PicturedPage(Struct, frozen=True):
    games: list[PicturedGame]
    next: str | None
    is_complete: bool = True
    """Whether all games are in the lists."""


class Thumbnails:
    """Those of many games, each at one version."""

    def __init__(self, size: int = KEPT) -> None:
        self._kept: LRUCache[str, Thumbnail] = LRUCache(size)
        self._lock = Lock()

    def known(self, game: GameSummary) -> Thumbnail | None:
        """The thumbnail of the game as it is, if it was drawn."""
        with self._lock:
            kept = self._kept.get(game.id)
        return kept if kept and kept.version == game.version else None

    def has(self, game: str) -> bool:
        """Whether the game was drawn, at any version."""
        with self._lock:
            return game in self._kept

    def draw(self, game: Game) -> Thumbnail | None:
        if not game.started:
            return None
        drawn = thumbnail(game)
        with self._lock:
            self._kept[game.id] = drawn
        return drawn


def thumbnail(game: Game) -> Thumbnail:
    played = game_named(game.rules)
    seen = played.view(game.state, SPECTATOR)
    picture, scene = played.picture, played.picture.scene(seen)
    rounds = scene.rounds
    return Thumbnail(
        game.version,
        drawing(scene.framed(picture.ground(rules_named(game.rules))), picture.thumbnail(seen)),
        picture.headline(seen),
        next((each.number for each in rounds if each.state == "now"), 0),
        rounds[-1].number if rounds else 0,
    )


@dataclass(frozen=True)
class Gallery:
    lobby: Lobby
    thumbnails: Thumbnails = field(default_factory=Thumbnails)

    def pages(self, lists: Sequence[GameList], counted: Sequence[Keys] = ()) -> tuple[list[PicturedPage], list[int]]:
        """A page of each list, and the lengths of other lists."""
        pages, lengths = self.lobby.pages_and_lengths(lists, counted, Needed(self._is_new, self._is_unknown))
        return [self._pictured(page) for page in pages], lengths

    def _is_new(self, game: str) -> bool:
        return not self.thumbnails.has(game)

    def _is_unknown(self, game: GameSummary) -> bool:
        return game.status in (RUNNING, OVER) and not self.thumbnails.known(game)

    def _pictured(self, page: Page) -> PicturedPage:
        return PicturedPage([self._pictured_game(page, game) for game in page.games], page.next, page.is_complete)

    def _pictured_game(self, page: Page, game: GameSummary) -> PicturedGame:
        whole = page.whole.get(game.id)
        found = self.thumbnails.known(game) or (self.thumbnails.draw(whole) if whole else None)
        return PicturedGame(game, found, game.id in page.verified)
