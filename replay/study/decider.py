"""Studies as a decider: what `events.repository` and `events.history` ask of them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from events.decider import Context, Decided
from events.errors import Damaged, NotNow
from events.log import NO_CHANGE
from events.log.codec import Commit, Reader
from replay.study.commands import COMMITS_IN_RESERVE, MOST_BYTES, MOST_COMMITS, StudyCommand
from replay.study.facts import STUDY_FACTS, ChangeRedone, ChangeUndone, StudyCreated, StudyFact
from replay.study.narration import concerns
from replay.study.study import CHANGES_KEPT, UNTOUCHED, Change, Place, Study, Touched
from rules.codec import encode
from rules.texts import say

BYTES_AROUND = 500
"""Of a commit, beside its facts: its header, hashes, and its command in the list of commands."""

VERSION = 1
"""Of the rules by which commands are decided."""


class StudyDecider:
    """See `events.decider.Decider`."""

    def __init__(self) -> None:
        self._reader = Reader(STUDY_FACTS, {})

    def read(self, entry: bytes, state: Study | None) -> Commit:
        return self._reader.read(entry)

    def created(self, commit: Commit) -> Study:
        [fact] = commit.facts
        if not isinstance(fact, StudyCreated):
            raise Damaged("the first commit of a study does not create it")
        return Study(
            id=fact.study,
            version=commit.header.version,
            head=commit.hash,
            commitment=fact.commitment,
            at=commit.header.at,
            title=fact.title,
            owner=fact.owner,
            visibility=fact.visibility,
            created_at=commit.header.at,
            size=size_of([fact]),
            touched={(): Touched(1, commit.header.at)},
        )

    def after(self, state: Study, commit: Commit) -> Study:
        return self.committed(after_facts(state, commit.header.by, study_facts(commit)), commit)

    def committed(self, state: Study, commit: Commit) -> Study:
        header, place = commit.header, concerns(study_facts(commit))
        touched = {**state.touched, place: state.touched.get(place, UNTOUCHED).again(header.at)}
        return replace(state, version=header.version, head=commit.hash, at=header.at, touched=touched)

    def permit(self, state: Study, command: StudyCommand) -> None:
        command.permit(state)

    def decide(self, state: Study, command: StudyCommand, context: Context) -> Decided[Study]:
        facts = command.decide(state)
        after = after_facts(state, command.account, facts)
        check_room(state, after, command)
        return Decided(command.account, facts, after)

    def rules_version(self, state: Study) -> int:
        return VERSION

    def deadline(self, state: Study) -> int:
        return NO_CHANGE


def check_room(before: Study, after: Study, command: StudyCommand) -> None:
    """Refuses what would make a study too long or too large."""
    if before.version >= MOST_COMMITS + (0 if command.grows else COMMITS_IN_RESERVE):
        raise NotNow(say("this study was changed very often: begin another one with a copy of it"))
    if after.size > MOST_BYTES and command.grows:
        most = MOST_BYTES // 1_000_000
        raise NotNow(say("a study has {most} megabytes at most: begin another one with a copy of it", most=most))


def size_of(facts: Sequence[StudyFact]) -> int:
    """About so many bytes a commit of these facts has."""
    return BYTES_AROUND + sum(len(encode(fact)) for fact in facts)


def study_facts(commit: Commit) -> tuple[StudyFact, ...]:
    facts = tuple(fact for fact in commit.facts if isinstance(fact, StudyFact))
    assert len(facts) == len(commit.facts), "a study has no other facts"
    return facts


def after_facts(study: Study, by: str, facts: Sequence[StudyFact]) -> Study:
    """The study after these facts of one author, which remembers how to undo them."""
    inverse, places, after = list[StudyFact](), list[Place](), replace(study, size=study.size + size_of(facts))
    for fact in facts:
        if place := fact.place(after):
            places.append(place)
            inverse.insert(0, fact.inverse(after))
        after = fact.change(after)
    if not places or isinstance(facts[0], UNDOING):
        return after
    version = study.version + 1
    change = Change(version, by, tuple(facts), tuple(inverse), tuple(places), version)
    return replace(after, changes=(*after.changes, change)[-CHANGES_KEPT:])


UNDOING = (ChangeUndone, ChangeRedone)
STUDY = StudyDecider()
