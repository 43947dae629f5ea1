"""Stores and processes that edit studies are killed at random: no edit that was acknowledged is lost or doubled."""

import random
import time
from collections import Counter

import pytest

from events.audit.verify import verify_commits
from events.buckets import USUAL
from events.log import codec
from events.store import Store, connect
from events.submission import Submission
from events.table.commands import Abort
from replay.study.commands import AddChapter, SetMember
from replay.study.facts import ChangeRedone, CommentWritten
from service.services import Services, services
from service.settings import Settings
from service.studies.study_list import StudyFilter
from tests.faults.study_editor import EDITOR, OWNER
from tests.faults.test_kills import Promise, Writer, is_kept, killable

EDITORS, STUDIES = 3, 3
PROGRAM = "tests.faults.study_editor"


def survive(kind: str, kills: int, seed: int) -> None:
    """So many kills, and then every promise is checked."""
    chance = random.Random(seed)
    with killable(kind) as (url, kill_store):
        studies, promises = new_studies(url), list[Promise]()
        editors = [Writer(url, f"{seed}-{number}", studies, PROGRAM) for number in range(EDITORS)]
        try:
            wait_for_promises(editors)
            for kill in range(kills):
                time.sleep(chance.uniform(0.0, 0.12))
                if chance.random() < 0.8:
                    kill_store()
                else:
                    promises += editors.pop(chance.randrange(EDITORS)).kill()
                    editors.append(Writer(url, f"{seed}-{EDITORS + kill}", studies, PROGRAM))
        finally:
            for editor in editors:
                promises += editor.kill()
        store = connect(url)
        check(store, studies, promises)
        store.close()


def wait_for_promises(editors: list[Writer]) -> None:
    """They take a while to start, and should not be killed before they have begun."""
    end = time.monotonic() + 60
    while not all(editor.promises for editor in editors):
        assert time.monotonic() < end, "an editor does not begin"
        time.sleep(0.05)


def new_studies(url: str) -> list[str]:
    store = connect(url)
    wired = services(store, Settings())
    game = wired.games.create("el_grande", 2, owner=OWNER).id
    wired.games.submit(game, Abort(OWNER))
    studies = [new_study(wired, game) for _ in range(STUDIES)]
    wired.close()
    return studies


def new_study(wired: Services, game: str) -> str:
    service = wired.study_service
    study = service.create(OWNER, "Under fire", "public", Submission()).id
    for command in (AddChapter(OWNER, "One", game, "spectator"), SetMember(OWNER, EDITOR, "contributor")):
        service.submit(service.look(study, OWNER), command, Submission())
    return study


def check(store: Store, studies: list[str], promises: list[Promise]) -> None:
    """Every promise is kept once, every chain is whole, and the index is as the log has it."""
    wired = services(store, Settings())
    log = wired.studies.log
    stored = {study: [codec.read_raw(entry) for entry in log.read(study)] for study in studies}
    lost = [promise for promise in promises if not is_kept(promise, stored[promise.game])]
    assert not lost, f"{len(lost)} of {len(promises)} acknowledged edits are lost, first {lost[0]}"
    for study in studies:
        verify_commits(study, log.read(study), log.secret(study))
        assert doubled(wired, study) == []
    assert len(promises) > len(studies)
    check_index(wired, studies)


def doubled(wired: Services, study: str) -> list[str]:
    """Comments that were written by two commits; one that comes back was undone before."""
    commits = wired.studies.commits(study)
    new = [commit.facts[0] for commit in commits if not isinstance(commit.facts[0], ChangeRedone)]
    counted = Counter(fact.comment.text for fact in new if isinstance(fact, CommentWritten))
    return [text for text, count in counted.items() if count > 1]


def check_index(wired: Services, studies: list[str]) -> None:
    wired.study_worker.attend(USUAL.all, seconds=60)
    assert wired.study_service.index.versions(studies) == {study: wired.studies.log.version(study) for study in studies}
    for study in wired.study_service.find(StudyFilter(query="under fire"), None).studies:
        chapter = wired.studies.load(study.id).chapters[0]
        assert study.comments == sum(len(notes.comments) for notes in chapter.notes.values())


def test_no_acknowledged_edit_is_lost_or_doubled_when_stores_and_editors_are_killed():
    survive("embedded", kills=15, seed=1)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", ["embedded", "debian"])
def test_no_acknowledged_edit_is_lost_or_doubled_in_many_kills(kind):
    survive(kind, kills=300, seed=2)
