"""Requests that make studies, the same for programs and for pages: counted first, then done."""

from __future__ import annotations

from msgspec.structs import replace

from events.submission import Submission
from replay.study.commands import AddChapter
from replay.study.study import PRIVATE
from rules.kernel import EVERYTHING, SPECTATOR, Viewer
from service.games.access import viewer_for
from service.http.authentication import limit_account
from service.http.context import services
from service.studies.access import StudyAccess


def begin(
    account: str,
    title: str,
    sent: Submission,
    *,
    visibility: str = PRIVATE,
    game: str = "",
    viewer: str = "",
    chapter_title: str = "",
) -> StudyAccess:
    """A new study; with a game, that is its first chapter."""
    limit_account("studies", account)
    services().reserve.check()
    eyes = chapter_viewer(game, account, viewer) if game else ""
    study = services().study_service.create(account, title, visibility, sent)
    access = services().study_service.look(study.id, account)
    if not eyes:
        return access
    adding = replace(sent, key=f"{sent.key} chapter" if sent.key else "", expected=None)
    return _with_chapter(access, AddChapter(account, chapter_title or title, game, eyes), adding)


def add_chapter(access: StudyAccess, account: str, title: str, game: str, sent: Submission) -> StudyAccess:
    """A game at the end of a study."""
    limit_account("edits", account)
    return _with_chapter(access, AddChapter(account, title, game, chapter_viewer(game, account, "")), sent)


def _with_chapter(access: StudyAccess, chapter: AddChapter, sent: Submission) -> StudyAccess:
    return services().study_service.submit(access, chapter, sent).access


def chapter_viewer(game: str, account: str, wanted: str) -> Viewer:
    """Through whose eyes a new chapter is seen: everything lies open when the game is over, and not before."""
    loaded = services().game_service.look(game, account)
    if not loaded.started or loaded.is_running:
        return viewer_for(loaded, None, wanted or SPECTATOR)
    return viewer_for(loaded, account, wanted or EVERYTHING)
