"""A study of Ana's that Ben and Cid write in, Eve reads, and Dan does not know."""

import pytest

from events.log.memory import MemoryLog
from replay.studies import Studies
from replay.study.commands import AddChapter, SetMember, TryMove
from replay.study.study import CONTRIBUTOR, READER


class Desk:
    """A study, and what its members do with it."""

    def __init__(self):
        self.studies = Studies(MemoryLog())
        self.id = self.studies.create("ana", "Vetoes").id
        self.do(SetMember("ana", "ben", CONTRIBUTOR))
        self.do(SetMember("ana", "cid", CONTRIBUTOR))
        self.do(SetMember("ana", "eve", READER))
        self.chapter = self.do(AddChapter("ana", "Round 5", "g1", "everything")).chapters[0].id

    def do(self, command):
        return self.studies.submit(self.id, command).after

    @property
    def study(self):
        return self.studies.load(self.id)

    @property
    def page(self):
        """The first chapter."""
        return self.study.chapters[0]

    def try_move(self, account="ana", parent="214"):
        """The id of a new tried move."""
        after = self.do(TryMove(account, self.chapter, parent, "red", {"kind": "pass"}, ({"fact": "passed"},), 3))
        return f"m{after.chapter(self.chapter).made}"

    def notes(self, node="214"):
        return self.page.notes_at(node)


@pytest.fixture
def desk():
    return Desk()


@pytest.fixture
def other_desk():
    return Desk()
