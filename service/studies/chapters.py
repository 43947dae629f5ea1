"""Which games a study may show, and as whom.

A game that everybody may see can be shown while it runs, as a spectator sees it, and nothing is tried in it: a study
must not help those who play. When it is over, it is shown as any viewer.
"""

from __future__ import annotations

from dataclasses import dataclass

from events.errors import NotNow
from events.games import Games
from events.table.commands import check_visible
from events.table.game import OVER, PUBLIC, Game
from replay.study.commands import AddChapter
from replay.study.variations import check_open
from rules.kernel import SPECTATOR
from rules.texts import say
from service.games.access import viewer_for
from service.games.broadcast import Broadcast, broadcast_delay
from service.games.game_summary import summary
from service.studies.access import HIDDEN, StudyAccess, chapter_access

MOST_UNFINISHED = 8
"""Chapters of one study that show games which have not ended: those are looked up whenever the study is."""

MOST_HIDDEN = 8
"""Chapters of one study that its owner may not see, and so not remove: they must not fill it."""


@dataclass(frozen=True)
class ChapterRules:
    games: Games
    broadcast: Broadcast

    def check_new(self, access: StudyAccess, command: AddChapter) -> None:
        """Refuses a chapter that the account may not add."""
        game = self.games.load(command.game)
        check_visible(game, access.account)
        _check_hidden(access, game)
        game = self.broadcast.shown(game, None)
        viewer_for(game, access.account, command.viewer)
        if command.variations:
            check_open(game)
        if game.status != OVER:
            _check_unfinished(access, game, command.viewer)

    def check_over(self, game: str) -> None:
        """Refuses a game in which nothing may be tried yet."""
        check_open(self.broadcast.shown(self.games.load(game), None))


def _check_hidden(access: StudyAccess, game: Game) -> None:
    owner, shown = access.study.owner, (access.games.get(chapter.game) for chapter in access.study.chapters)
    if (
        chapter_access(summary(game), owner) == HIDDEN
        and sum(chapter_access(each, owner) == HIDDEN for each in shown) >= MOST_HIDDEN
    ):
        raise NotNow(say("a study shows {most} games at most that its owner may not see", most=MOST_HIDDEN))


def _check_unfinished(access: StudyAccess, game: Game, viewer: str) -> None:
    if game.visibility != PUBLIC:
        raise NotNow(say("a private game can be shown in a study when it is over"))
    if broadcast_delay(game, None):
        raise NotNow(say("a game that spectators see with a delay can be shown in a study when it is over for them"))
    if viewer != SPECTATOR:
        raise NotNow(say("until a game is over, a study shows it as a spectator sees it"))
    shown = [access.games.get(chapter.game) for chapter in access.study.chapters]
    if sum(not other or not other.has_ended for other in shown) >= MOST_UNFINISHED:
        raise NotNow(say("a study shows {most} games that are not over at most", most=MOST_UNFINISHED))
