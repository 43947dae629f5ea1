"""A program that edits studies and says what was acknowledged: `python -m tests.faults.study_editor URL SEED STUDY...`.

Every line it prints is a promise of the service: this edit is on disk. It never gives up an edit it has begun: while
the store is away it tries again with the same key. Every comment has words of its own, so that one that was written
twice would be found.
"""

import random
import sys
from itertools import count

from events.store import connect
from events.submission import Submission
from replay.study.commands import Redo, RemoveComment, SetGlyph, StudyCommand, Undo, WriteComment
from rules.errors import Refused
from service.services import services
from service.settings import Settings
from service.studies.access import StudyAccess
from service.studies.study_service import Edited, StudyService
from tests.faults.writer import patiently

OWNER, EDITOR = "ana", "ben"
"""The owner has made the chapter, so that no editor can undo that."""
STEPS = ("2", "3", "5")


def main(url: str, seed: str, *studies: str) -> None:
    service, chance = services(patiently(lambda: connect(url)), Settings()).study_service, random.Random(seed)
    for number in count():
        study = chance.choice(studies)
        if edited := edit(service, study, chance, f"{seed}-{number}"):
            header = edited.commit.header
            print(study, header.version, header.command, edited.commit.hash, flush=True)


def edit(service: StudyService, study: str, chance: random.Random, key: str) -> Edited | None:
    """One edit, tried until it is accepted or refused for good."""
    command = command_for(patiently(lambda: service.look(study, EDITOR)), chance, key)
    submission = Submission(EDITOR, key)
    try:
        # Each try looks anew, as a request that is sent again does.
        return patiently(lambda: service.submit(service.look(study, EDITOR), command, submission))
    except Refused:
        return None


def command_for(access: StudyAccess, chance: random.Random, key: str) -> StudyCommand:
    step, seen = chance.choice(STEPS), access.version
    comments = access.study.chapters[0].notes_at(step).comments
    if len(comments) > 20:
        return RemoveComment(EDITOR, "k1", step, chance.choice(comments).id, seen)
    match chance.randrange(8):
        case 0:
            return Undo(EDITOR)
        case 1:
            return Redo(EDITOR)
        case 2:
            return SetGlyph(EDITOR, "k1", step, chance.choice("!?"), chance.random() < 0.5)
    return WriteComment(EDITOR, "k1", step, f"edit {key}")


if __name__ == "__main__":
    main(*sys.argv[1:])
