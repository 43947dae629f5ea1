"""A player of a running game learns nothing from a study of it.

Two worlds have the same study; in each, other members do other things in the chapter of the game that Ana plays, and in
a chapter of a private game. Whatever Ana can see is the same, bit for bit, also what her own edits answer.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.games import Games
from events.log.memory import MemoryLog
from events.store import Store
from events.submission import Submission
from events.table.commands import Join, Resign, Start
from replay.studies import Studies
from replay.study import json_format, text_format
from replay.study.commands import (
    AddChapter,
    Draw,
    MoveChapter,
    Redo,
    RemoveChapter,
    RemoveComment,
    Rename,
    RenameChapter,
    SetGlyph,
    SetMember,
    StudyCommand,
    TryMove,
    Undo,
    WriteComment,
    redoable,
    undoable,
)
from rules.errors import Refused
from service.studies.access import StudyAccess
from service.studies.study_list import StudyFilter
from tests.service.studies.club import Club

OPEN, CLOSED, HIDDEN = "k1", "k2", "k3"
WORDS = ("aragon", "granada", "sevilla")
STUDY = "study"


@cache
def games() -> tuple[Games, dict[str, str]]:
    """A game that is over, one in which Ana and Ben play, and a private one of Ben and Eve."""
    found, tables = Games(MemoryLog()), {}
    for name, players, visibility in (
        (OPEN, ("dan", "eve"), "public"),
        (CLOSED, ("ana", "ben"), "public"),
        (HIDDEN, ("ben", "eve"), "private"),
    ):
        game = found.create("el_grande", 2, owner=players[0], visibility=visibility, game=name).id
        for account in players:
            found.submit(game, Join(account, invited=True))
        found.submit(game, Start(players[0]))
        if name != CLOSED:
            found.submit(game, Resign(players[0]))
        tables[name] = game
    return found, tables


class World:
    """A study, whose edits are made at moments that depend on what Ana may know alone."""

    def __init__(self, store: Store) -> None:
        found, tables = games()
        self.known, self.unknown = 0, 0
        self.club = Club(store, studies=Studies(MemoryLog(), self.now), games=found)
        self.club.worker.put(self.club.studies.create("cid", "Club games", "public", study=STUDY))
        for command in (
            *(SetMember("cid", member, "contributor") for member in ("ana", "ben", "dan")),
            AddChapter("cid", "Open", tables[OPEN], "everything"),
            AddChapter("cid", "Blue is lost", tables[CLOSED], "spectator"),
        ):
            self.do(command, is_known=True)
        self.do(AddChapter("ben", "Sealed", tables[HIDDEN], "everything"), is_known=False)

    def now(self) -> int:
        return 1_700_000_000_000 + 1000 * self.known + self.unknown

    def do(self, command: StudyCommand, *, is_known: bool) -> object:
        """What an edit answers Ana, if it is hers."""
        self.known, self.unknown = self.known + is_known, 0 if is_known else self.unknown + 1
        service, access = self.club.service, self.access(command.account)
        try:
            edited = service.submit(access, command, Submission())
            answer: object = edited.access.version, service.known(edited.access, edited.commit)
        except Refused as refused:
            answer = type(refused).__name__, str(refused)
        return answer if command.account == "ana" else None

    def access(self, account: str) -> StudyAccess:
        return self.club.service.look(STUDY, account)

    def visit(self, account: str, chapter: str, *, is_writing: bool) -> None:
        self.club.service.enter(self.access(account), chapter, "2", is_writing=is_writing)

    def seen_by_ana(self) -> dict[str, object]:
        service, access = self.club.service, self.access("ana")
        undo, redo = (find(access.study, "ana", access.closed_chapters) for find in (undoable, redoable))
        return {
            "version": (access.version, access.at, access.role, access.study.title),
            "chapters": [
                (chapter.id, access.title(chapter), chapter.game, access.is_closed(chapter.id))
                for chapter in access.chapters
            ],
            "undo": [change and service.shown(access, change.version) for change in (undo, redo)],
            "json": json_format.written(access.readable),
            "text": text_format.written(access.readable),
            "history": service.history(access, None, 100)[:-1],
            "page": service.history(access, 4, 2),
            "stream": service.commits(access, 3, 100),
            "presence": service.present(access),
            "lists": [self.found(query, limit) for query in ("", *WORDS, "blue", "sealed club") for limit in (1, 20)],
        }

    def found(self, query: str, limit: int) -> object:
        return self.club.service.find(StudyFilter(query=query, limit=limit), "ana")


# What members do

Act = Callable[[World], object]


def edit(make: Callable[..., StudyCommand], *given: st.SearchStrategy, is_known: bool) -> st.SearchStrategy[Act]:
    return st.tuples(*given).map(lambda values: lambda world: world.do(make(*values), is_known=is_known))


def seen_by(author: str, version: int) -> int:
    """Others know more than Ana, and what they have seen is not the same in both worlds: so they have seen it all."""
    return version if author == "ana" else 10**6


def anywhere(author: st.SearchStrategy, chapter: str, *, is_known: bool) -> st.SearchStrategy[Act]:
    """Edits inside of one chapter."""
    at = author, st.just(chapter), st.sampled_from(["2", "3"])
    number, seen, text = st.integers(1, 6), st.integers(0, 40), st.sampled_from(WORDS)

    def reworded(by: str, chapter: str, node: str, text: str, comment: int, seen: int) -> StudyCommand:
        return WriteComment(by, chapter, node, text, f"c{comment}", seen_by(by, seen))

    def removed(by: str, chapter: str, node: str, comment: int, seen: int) -> StudyCommand:
        return RemoveComment(by, chapter, node, f"c{comment}", seen_by(by, seen))

    def renamed(by: str, chapter: str, title: str, seen: int) -> StudyCommand:
        return RenameChapter(by, chapter, title, seen_by(by, seen))

    return st.one_of(
        edit(WriteComment, *at, text, is_known=is_known),
        edit(reworded, *at, text, number, seen, is_known=is_known),
        edit(removed, *at, number, seen, is_known=is_known),
        edit(renamed, *at[:2], text, seen, is_known=is_known),
        edit(SetGlyph, *at, st.sampled_from(["!", "?!"]), st.booleans(), is_known=is_known),
        edit(Draw, *at, st.just("highlight"), text, is_known=is_known),
    )


TRIED: Any = ("2", "red", {}, ({"fact": "x"},), 3)
KNOWN = st.one_of(
    anywhere(st.sampled_from(["cid", "ana"]), OPEN, is_known=True),
    edit(Rename, st.just("ana"), st.sampled_from(WORDS), st.integers(0, 40), is_known=True),
    edit(AddChapter, st.just("cid"), st.just("One more"), st.just(OPEN), st.just("spectator"), is_known=True),
    edit(MoveChapter, st.just("ana"), st.sampled_from([OPEN, CLOSED]), st.integers(0, 3), is_known=True),
    edit(RemoveChapter, st.just("ana"), st.sampled_from([CLOSED, HIDDEN, "k4"]), st.integers(0, 40), is_known=True),
    edit(WriteComment, st.just("ana"), st.sampled_from([CLOSED, HIDDEN]), st.just("2"), st.just("mine"), is_known=True),
    edit(Undo, st.just("ana"), is_known=True),
    edit(Redo, st.just("ana"), is_known=True),
    st.just(lambda world: world.visit("cid", OPEN, is_writing=True)),
    edit(lambda by: TryMove(by, OPEN, *TRIED), st.sampled_from(["cid", "ana"]), is_known=True),
)
UNKNOWN = st.one_of(
    anywhere(st.just("dan"), CLOSED, is_known=False),
    anywhere(st.just("ben"), HIDDEN, is_known=False),
    edit(Undo, st.sampled_from(["dan", "ben"]), is_known=False),
    edit(Redo, st.sampled_from(["dan", "ben"]), is_known=False),
    edit(lambda by: TryMove(by, HIDDEN, *TRIED), st.just("ben"), is_known=False),
)
"""Ben and Dan write nowhere else, so that what they undo is not known either."""

PLACES = st.tuples(st.sampled_from([CLOSED, ""]), st.booleans())


@pytest.fixture(scope="module")
def stores(running_stores):
    return running_stores


@contextmanager
def world(running_stores) -> Iterator[World]:
    with running_stores.opened("embedded") as store:
        yield World(store)


@settings(max_examples=settings().max_examples // 5)
@given(
    st.lists(st.tuples(KNOWN, st.lists(UNKNOWN, max_size=3), st.lists(UNKNOWN, max_size=3)), min_size=1, max_size=8),
    PLACES,
    PLACES,
)
def test_what_a_player_may_not_know_changes_nothing_for_the_player(stores, acts, here, there):
    seen = []
    for number, place in ((1, here), (2, there)):
        with world(stores) as one:
            answers = list[object]()
            for act in acts:
                for unknown in act[number]:
                    unknown(one)
                answers.append(act[0](one))
            one.visit("dan", place[0], is_writing=place[1])
            seen.append((answers, msgspec.to_builtins(one.seen_by_ana(), enc_hook=repr)))
    assert seen[0] == seen[1]
