"""The study service: what views call with the account that asks and what it wants.

Rights are decided on the very study that an edit is appended to, in `replay.study.commands`. What an account may know
of a study is its `StudyAccess`: versions, chapters, history and presence leave the service through it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from events.errors import NoSuchGame as NoSuchStudy
from events.errors import NotNow, NotPermitted
from events.log.codec import Commit
from events.log.service_secret import ServiceSecret
from events.submission import Submission
from replay.studies import Studies
from replay.study.commands import AddChapter, MoveChapter, Redo, SetMember, StudyCommand, TryMove, Undo
from replay.study.study import OWNER, Study
from rules.texts import Text, say
from service.accounts import Accounts
from service.accounts.errors import NoSuchAccount
from service.accounts.mutes import Mutes
from service.studies.access import StudyAccess, StudyAccessReader
from service.studies.chapters import ChapterRules
from service.studies.index_worker import IndexWorker
from service.studies.indexed_study import member_key, owner_key
from service.studies.known_commits import KnownCommit, known_commit
from service.studies.link_keys import link_key, opens
from service.studies.numbering import Numbering
from service.studies.presence import Presence, Visitor
from service.studies.study_index import StudyIndex
from service.studies.study_list import StudyFilter, StudyList, StudyPage

STUDY_ID_BYTES = 12
MOST_STUDIES = 500
"""Of one owner; and as many an account can join."""
MOST_OF_ANOTHER = 50
"""So many studies of one owner an account is a member of: nobody takes all the room that another one has."""


class Edited(Struct, frozen=True):
    """An edit was accepted: the study after it, and the commit that it made."""

    access: StudyAccess
    commit: Commit
    repeated: bool = False


@dataclass(frozen=True)
class StudyService:
    studies: Studies
    accounts: Accounts
    secret: ServiceSecret
    accesses: StudyAccessReader
    chapters: ChapterRules
    numbering: Numbering
    index: StudyIndex
    worker: IndexWorker
    lists: StudyList
    presence: Presence
    mutes: Mutes

    # Writing

    def create(self, account: str, title: str, visibility: str, submission: Submission) -> Study:
        """A study without chapters. The same submission makes the same study, once."""
        id = self.secret.id("study", submission.id, STUDY_ID_BYTES) if submission.key else ""
        if not (id and self.studies.log.version(id)):
            self._check_room(owner_key(account), say("you have {most} studies already", most=MOST_STUDIES))
        study = self.studies.create(account, title, visibility, study=id, submission=submission)
        self.worker.put(study)
        return study

    def submit(self, access: StudyAccess, command: StudyCommand, submission: Submission) -> Edited:
        """Decide an edit of the account that has this access of the study, and store what follows."""
        if not access.role:
            raise NotPermitted(command.refusal)
        accepted = self.studies.submit(
            access.study.id, self._understood(access, command), self._expecting(access, submission)
        )
        self.worker.put(accepted.after)
        return Edited(self.accesses.of(accepted.after, access.account), accepted.commit, accepted.repeated)

    def _understood(self, access: StudyAccess, command: StudyCommand) -> StudyCommand:
        """The command of an account that may not know everything, as it is meant. Closed chapters take none."""
        changes: dict[str, Any] = {}
        if chapter := getattr(command, "chapter", ""):
            access.open_chapter(chapter)
        if seen := getattr(command, "seen", 0):
            changes["seen"] = self.numbering.true(access.study, access.unknown, seen)
        match command:
            case Undo() | Redo():
                changes["closed"] = access.closed_chapters
                if shown := getattr(command, "change", 0):
                    known = self.numbering.known(access.study, access.unknown, shown - 1, 1)
                    changes["change"] = known[0] if known else access.study.version + 1
            case MoveChapter():
                changes["index"] = access.true_index(command.chapter, command.index)
            case AddChapter():
                self.chapters.check_new(access, command)
            case TryMove():
                self.chapters.check_over(access.chapter(command.chapter).game)
            case SetMember() if command.role and command.member not in access.study.members:
                self._check_welcome(str(access.account), command.member)
                joined = say("this account has joined {most} studies already", most=MOST_STUDIES)
                self._check_room(member_key(command.member), joined)
        return replace(command, **changes) if changes else command

    def _expecting(self, access: StudyAccess, submission: Submission) -> Submission:
        if submission.expected is None:
            return submission
        true = (self.numbering.true(access.study, access.unknown, version) for version in submission.expected)
        return replace(submission, expected=frozenset(true))

    def _check_room(self, key: str, refusal: Text) -> None:
        if self.index.count(key) >= MOST_STUDIES:
            raise NotNow(refusal)

    def _check_welcome(self, owner: str, member: str) -> None:
        """Accounts that somebody has muted do not put studies on their shelf."""
        if owner in self.mutes.of(member):
            raise NotPermitted(say("this account joins studies by their link, if it wants to"))
        if self.index.common(owner_key(owner), member_key(member)) >= MOST_OF_ANOTHER:
            raise NotNow(say("this account has joined {most} studies of yours already", most=MOST_OF_ANOTHER))

    def delete(self, study: str, account: str) -> None:
        """The study is gone. A removal that is interrupted is finished by a worker."""
        if self.look(study, account).role != OWNER:
            raise NotPermitted(say("only the owner of this study may delete it"))
        self.worker.remove(study)

    def account_of(self, handle: str) -> str:
        if found := self.accounts.account_named(handle):
            return found.id
        raise NoSuchAccount(say("there is no account with the handle {handle}", handle=handle))

    # Reading

    def look(self, study: str, account: str | None, key: str = "") -> StudyAccess:
        """The study now, if this account may see it, or has the key of its link."""
        found = self.studies.load(study)
        has_link = bool(key) and opens(found, self.studies.secret_of(study), key)
        if not found.is_visible_to(account, has_link=has_link):
            raise NoSuchStudy(self.studies.not_found(study))
        return self.accesses.of(found, account)

    def find(self, wanted: StudyFilter, account: str | None) -> StudyPage:
        return self.lists.page(wanted, account)

    def link_key(self, study: Study) -> str:
        return link_key(study, self.studies.secret_of(study.id))

    # History

    def history(self, access: StudyAccess, before: int | None, limit: int) -> list[KnownCommit]:
        """Commits before a version, newest first."""
        last = access.version if before is None else min(before - 1, access.version)
        return self.commits(access, max(0, last - limit), min(limit, last))[::-1]

    def commits(self, access: StudyAccess, after: int, limit: int) -> list[KnownCommit]:
        """Commits after a version."""
        study, unknown = access.study, access.unknown
        versions = self.numbering.known(study, unknown, after, limit)
        if not versions:
            return []
        read = self.studies.commits(study.id, versions[0] - 1, versions[-1])
        return [known for commit in read if (known := self.known(access, commit))]

    def known(self, access: StudyAccess, commit: Commit) -> KnownCommit | None:
        """A commit as the account may know it; None: it may not."""
        return known_commit(access, commit, partial(self.shown, access))

    def shown(self, access: StudyAccess, version: int) -> int:
        """The number that a version has for the account."""
        return self.numbering.shown(access.study, access.unknown, version)

    # Presence

    def enter(self, access: StudyAccess, chapter: str = "", node: str = "", *, is_writing: bool = False) -> None:
        """A member has the study open. Other readers are not seen by anybody."""
        if access.account and access.role:
            if chapter:
                access.open_chapter(chapter)
            self.presence.enter(access.study.id, Visitor(access.account, chapter, node, is_writing))

    def present(self, access: StudyAccess) -> Collection[Visitor]:
        """Members who have the study open; where, only if the account may know the chapter."""
        return access.seen_visitors(self.presence.present(access.study.id).visitors)
