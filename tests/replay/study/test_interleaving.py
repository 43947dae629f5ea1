"""Two members write at the same time: whatever comes first, no accepted edit is lost."""

from random import Random

import pytest

from events.errors import NotNow, NotPermitted
from events.history import fold
from replay.study.commands import (
    Draw,
    Redo,
    RemoveComment,
    RemoveMoves,
    RenameChapter,
    SetGlyph,
    TryMove,
    Undo,
    WriteComment,
)
from replay.study.decider import STUDY
from replay.study.study import GLYPHS
from tests.replay.study.conftest import Desk

ACCOUNTS = ("ben", "cid")
STEPS = ("7", "8")


class Editor:
    """A member who sees the study as it was some time ago."""

    def __init__(self, account, desk, chance):
        self.account, self.desk, self.chance = account, desk, chance
        self.seen = desk.study

    def look(self):
        self.seen = self.desk.study

    def act(self):
        """One edit, made from what was last seen; refused or accepted."""
        page = self.seen.chapters[0]
        node = self.chance.choice([*STEPS, *page.moves])
        try:
            return self.desk.do(self._edit(page, node))
        except (NotNow, NotPermitted):
            return None

    def _edit(self, page, node):
        chance, page_id, seen = self.chance, page.id, self.seen.version
        comments = page.notes_at(node).comments
        edits = [
            WriteComment(self.account, page_id, node, f"{self.account} {chance.random()}"),
            SetGlyph(self.account, page_id, node, chance.choice([*GLYPHS["move"], *GLYPHS["observation"]])),
            TryMove(self.account, page_id, node, "red", {"n": chance.random()}, (), 3),
            Draw(self.account, page_id, node, "highlight", "aragon"),
            RenameChapter(self.account, page_id, f"{self.account} {chance.random()}", seen),
            Undo(self.account),
            Redo(self.account),
        ]
        if comments:
            comment = chance.choice(comments).id
            edits.append(WriteComment(self.account, page_id, node, f"{self.account} {chance.random()}", comment, seen))
            edits.append(RemoveComment(self.account, page_id, node, comment, seen))
        if node in page.moves:
            edits.append(RemoveMoves(self.account, page_id, node, seen))
        return chance.choice(edits)


def texts(study):
    """Every comment and title that is shown, and every tried move."""
    page = study.chapters[0]
    comments = {(comment.id, comment.text) for notes in page.notes.values() for comment in notes.comments}
    return comments | {("title", page.title)} | {("move", id) for id in page.moves}


def session(seed, edits=40):
    chance, desk = Random(seed), Desk()
    editors = [Editor(account, desk, chance) for account in ACCOUNTS]
    for _ in range(edits):
        editor = chance.choice(editors)
        if chance.random() < 0.4:
            editor.look()
        before = desk.study
        if after := editor.act():
            check_nothing_unseen_is_lost(before, after, editor)
    return desk


def check_nothing_unseen_is_lost(before, after, editor):
    """What an edit removes or replaces, its author has seen, or wrote."""
    for lost in texts(before) - texts(after):
        own = any(change.by == editor.account and str(lost[0]) in repr(change.facts) for change in before.changes)
        assert lost in texts(editor.seen) or own, f"{editor.account} removed {lost} without seeing it"


@pytest.mark.parametrize("sessions", [100, pytest.param(1000, marks=pytest.mark.long)])
def test_no_edit_is_lost_when_two_write_at_once(sessions):
    for seed in range(sessions):
        desk = session(seed)
        folded = fold(STUDY, desk.studies.log.read(desk.id))
        assert folded == desk.study
