"""The shelf: studies that made-up people have written about the games on the stage, every move in them by the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from events.submission import Submission
from replay.studies import Studies
from replay.study.commands import AddChapter, Draw, SetGlyph, SetMember, StudyCommand, WriteComment
from replay.study.facts import MovesAdded
from replay.study.study import CONTRIBUTOR, PRIVATE
from replay.study.variations import assumption, trial
from rules.bots import BOTS, answer
from rules.codec import encode
from rules.fairness import Chance
from rules.kernel import EVERYTHING, decision_id, waiting
from service.services import Services
from service.studies.positions import Page
from service.studies.study_service import Edited, StudyService

SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000

VETO = 99
"""The step of the game `toledo` at which the holder of the veto is asked."""

QUESTION = "Takes the sting out of Pilar’s **best regions** before the last scoring. Was it worth his veto?"


@dataclass(frozen=True)
class Writing:
    """A study to be written: about which games, by whom, and how long ago it was begun."""

    name: str
    owner: str
    title: str
    chapters: Mapping[str, str]
    """Their titles, and the names of the games."""
    members: Sequence[str] = ()
    visibility: str = PRIVATE
    ago: int = DAY
    notes: Sequence[str] = ()
    """Written at the beginnings of rounds, one chapter after the other."""


STUDIES = (
    Writing(
        "duels",
        "Noor",
        "Two players: when to leave the King",
        {"He stays where he is": "duel-1", "He walks": "harbour"},
        visibility="public",
        ago=9 * DAY,
        notes=("Nobody fights for what the King guards.", "Now or never: two rounds are left.", "A long way home."),
    ),
    Writing(
        "lesson",
        "Ines",
        "Lesson for the club evening",
        {"Find the move for Bruno": "final", "Why not the castillo?": "evening"},
        ("Klara",),
        visibility="public",
        ago=6 * DAY,
        notes=("What would you play here?", "Count the castillo before you read on."),
    ),
    Writing(
        "openings",
        "Ines",
        "Openings: where the first Grande goes",
        {"Four at the table": "final", "Three": "harbour", "Five, short game": "evening"},
        ("Daan", "Klara"),
        visibility="link",
        ago=3 * DAY,
        notes=("Close to the King, far from the others.", "Catalonia pays at once.", "Too early.", "The usual answer."),
    ),
    Writing(
        "mine",
        "Ines",
        "Autumn, my own games",
        {"Against Noor": "duel-1", "The last table": "final"},
        ago=5 * HOUR,
        notes=("I hesitated here for four minutes.",),
    ),
    Writing(
        "veto",
        "Ines",
        "The veto before the scoring",
        {"Held to the end": "final", "Five want it": "evening", "Rafael spends it": "toledo", "Nobody asks": "harbour"},
        ("Bruno", "Chiara", "Noor"),
        visibility="public",
        ago=26 * MINUTE,
        notes=("She could have had it for a 4.", "From here on everybody counts with it."),
    ),
)


def write_all(wired: Services, accounts: Mapping[str, str]) -> None:
    for writing in STUDIES:
        desk = Desk(wired, writing, accounts)
        desk.begin()
        if writing.name == "veto":
            write_about_the_veto(desk)


def write_about_the_veto(desk: Desk) -> None:
    """The third chapter: what if the scoring had not been stopped?"""
    at = str(VETO)
    desk.do(WriteComment, "Bruno", at, QUESTION)
    desk.do(SetGlyph, "Bruno", at, "!?")
    desk.do(Draw, "Bruno", at, "arrow", "castilla_la_nueva", "granada")
    passed = desk.try_move("Chiara", at, {"kind": "veto_response", "answer": "allow"})
    drawn = desk.try_move("Chiara", passed)
    taken = desk.try_move("Chiara", drawn)
    desk.do(SetGlyph, "Chiara", passed, "?!")
    desk.do(WriteComment, "Chiara", passed, "Only a few points for her, and the veto stays.")
    assumed = desk.assume("Ines", drawn, "order_of_cards", 7)
    tried = desk.try_move("Ines", assumed)
    desk.do(SetGlyph, "Ines", tried, "!")
    desk.do(Draw, "Ines", tried, "arrow", "valencia", "aragon")
    desk.do(Draw, "Ines", tried, "highlight", "aragon")
    desk.do(WriteComment, "Noor", taken, "And if he takes the King?")


class Desk:
    """The one study that is written, from edit to edit half a minute later."""

    def __init__(self, wired: Services, writing: Writing, accounts: Mapping[str, str]) -> None:
        self.wired, self.writing, self.accounts = wired, writing, accounts
        self.at, self.chapter = wired.games.now() - writing.ago, "k3"
        studies = Studies(wired.studies.log, self.now)
        self.service: StudyService = replace(wired.study_service, studies=studies)
        self.chance = Chance(writing.name.encode())
        self.id = f"picture-{writing.name}"

    def now(self) -> int:
        return self.at

    def begin(self) -> None:
        """With its members, its chapters, and a note here and there."""
        writing, owner = self.writing, self.accounts[self.writing.owner]
        study = self.service.studies.create(owner, writing.title, writing.visibility, study=self.id)
        self.service.worker.put(study)
        for member in writing.members:
            self.submit(SetMember(owner, self.accounts[member], CONTRIBUTOR))
        for title, game in writing.chapters.items():
            self.submit(AddChapter(owner, title, f"picture-{game}", EVERYTHING))
        for number, text in enumerate(writing.notes):
            chapter = f"k{1 + number % len(writing.chapters)}"
            self.submit(WriteComment(owner, chapter, str(10 + 20 * number), text))

    def do(self, command: Callable[..., StudyCommand], name: str, *given: str) -> None:
        """An edit inside of the present chapter."""
        self.submit(command(self.accounts[name], self.chapter, *given))

    def submit(self, command: StudyCommand) -> Edited:
        self.at += 30 * SECOND
        return self.service.submit(self.service.look(self.id, command.account), command, Submission())

    # Trying

    def try_move(self, name: str, parent: str, given: Mapping[str, Any] | None = None) -> str:
        """The node of a move; without one given, of the move that a bot of the service would make."""
        state = self.wired.study_positions.moment(self.page, parent).game.state
        seat = waiting(state)[0]
        wanted = given or msgspec.json.decode(encode(answer(BOTS["greedy"], state, seat, self.chance)))
        move = {"decision": decision_id(state, seat), **wanted}
        facts, _ = self.wired.study_positions.tried(self.page, parent, seat, move)
        return self.added(trial(self.accounts[name], self.chapter, parent, seat, move, facts))

    def assume(self, name: str, parent: str, what: str, value: Any) -> str:
        facts, _ = self.wired.study_positions.assumed(self.page, parent, what, value)
        return self.added(trial(self.accounts[name], self.chapter, parent, "", assumption(what, value), facts))

    @property
    def page(self) -> Page:
        chapter = self.service.look(self.id, self.accounts[self.writing.owner]).chapter(self.chapter)
        return Page(self.id, chapter, self.wired.games.load(chapter.game))

    def added(self, command: StudyCommand) -> str:
        [fact] = (fact for fact in self.submit(command).commit.facts if isinstance(fact, MovesAdded))
        return fact.moves[0].id
