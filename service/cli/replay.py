"""`hidalgo replay`: a game step by step in the terminal, from an exported file or from the store."""

from __future__ import annotations

import os
import re
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console, Group, RenderableType
from rich.text import Text as Styled

from events.audit.verify import NotGenuine
from events.log.codec import Commit
from replay.positions import Positions
from replay.recording import Recording, read_recording
from replay.timeline import Step, frame, steps
from rules import drawing, kernel
from rules.catalogue import game_named, rules_named
from rules.errors import Refused
from rules.kernel import EVERYTHING, SPECTATOR, Viewer
from rules.landmarks import END, ROUND, SCORING, TURN
from rules.texts import Text, say
from service.cli.play import coloured, spoken
from service.cli.stored import kept, option, with_store
from service.cli.table import printed
from service.language import catalogue, rendered, speaking
from service.settings import Settings

LINES_BEFORE = 4
"""So much of the story before the present step stays on the screen."""

KEYS = {
    **dict.fromkeys(("\x1b[C", "\x1bOC", " ", "l", "n"), "next"),
    **dict.fromkeys(("\x1b[D", "\x1bOD", "h", "p"), "previous"),
    **dict.fromkeys(("\x1b[B", "\x1bOB", "j"), "next_turn"),
    **dict.fromkeys(("\x1b[A", "\x1bOA", "k"), "previous_turn"),
    **dict.fromkeys(("\x1b[6~", "]"), "next_round"),
    **dict.fromkeys(("\x1b[5~", "["), "previous_round"),
    **dict.fromkeys(("s", "S"), "next_scoring"),
    **dict.fromkeys(("\x1b[H", "\x1bOH", "\x1b[1~", "0"), "first"),
    **dict.fromkeys(("\x1b[F", "\x1bOF", "\x1b[4~", "$"), "last"),
}
GO, SEARCH = "g", "/"
QUIT = ("\x03", "\x04", "\x1b")
"""Ctrl-C, Ctrl-D, Escape."""


@click.command(
    epilog="""\b
Examples:
  hidalgo replay game.json
  hidalgo replay game.json --as red --step 40
  hidalgo replay kT3sB0Yc9xwVQ2mH | less
Keys: arrows step and go from turn to turn, Page Up and Page Down from round to round, s goes to the next
scoring, Home and End, g to a step, / searches, q ends. Without a terminal the whole story is printed."""
)
@click.argument("game", metavar="FILE|ID")
@click.option("--as", "viewer", metavar="VIEWER", help="Through whose eyes: a seat, spectator, or everything.")
@click.option("--step", type=click.IntRange(min=1), help="Where to begin.")
@option("--language", "language")
@with_store
@click.pass_context
def replay(
    ctx: click.Context, game: str, viewer: str | None, step: int | None, language: str, settings: Settings
) -> None:
    """Watch a game again, step by step, with the board and every step in words.

    It is an exported file (`-` reads from standard input) or the id of a game in the store. A running game is shown
    as a spectator sees it; everything is open when it is over.
    """
    ctx.with_resource(speaking(spoken(language)))
    try:
        recording = recorded(game, settings)
        reader = Reader(recording, recording.viewer(viewer), step)
    except NotGenuine as problem:
        raise click.ClickException(f"{game} is not genuine: {problem}") from None
    except Refused as refusal:
        raise click.ClickException(rendered(refusal.text)) from None
    if sys.stdin.isatty() and sys.stdout.isatty():
        Screen(reader).run()
    else:
        for line in reader.story():
            click.echo(line)


def recorded(game: str, settings: Settings) -> Recording:
    """The game in a file, or in the store."""
    if game == "-" or Path(game).is_file():
        with click.open_file(game, "rb") as file:
            return read_recording(file.read())
    if not game.replace("-", "").replace("_", "").isalnum():
        raise click.ClickException(f"there is no file {game}")
    with kept(settings) as store:
        return stored(store, game)


def stored(store: Any, game: str) -> Recording:
    """Imported late: a file needs no store."""
    from events.games import Games
    from events.log.redis import RedisLog
    from service.games.timelines import viewers

    games = Games(RedisLog(store))
    loaded = games.load(game)
    return Recording(loaded.rules, loaded.players, games.commits(game), viewers(loaded, None))


class Reader:
    """A game, a viewer, and the step that is looked at."""

    def __init__(self, recording: Recording, viewer: Viewer, step: int | None = None) -> None:
        self.rules, self.viewer, self.commits = recording.rules, viewer, recording.commits
        self.positions = Positions()
        self.steps: Sequence[Step] = list(steps(self.commits, viewer, catalogue=catalogue()))
        self.first = next((step.version for step in self.steps if step.change.put), len(self.steps))
        self.at = self.first
        self.go(step or self.first)

    @property
    def step(self) -> Step:
        return self.steps[self.at - 1]

    def go(self, version: int) -> None:
        """To this step, or the nearest that there is."""
        self.at = min(max(version, self.first), len(self.steps))

    def press(self, key: str) -> None:
        if move := KEYS.get(key):
            self.go(self._moves()[move]())

    def _moves(self) -> dict[str, Callable[[], int]]:
        return {
            "first": lambda: self.first,
            "previous": lambda: self.at - 1,
            "next": lambda: self.at + 1,
            "last": lambda: len(self.steps),
            "previous_turn": lambda: self._before(TURN, ROUND),
            "next_turn": lambda: self._after(TURN, ROUND, END),
            "previous_round": lambda: self._before(ROUND),
            "next_round": lambda: self._after(ROUND, END),
            "next_scoring": lambda: self._after(SCORING, END),
        }

    def _marked(self, kinds: Sequence[str]) -> list[int]:
        return [step.version for step in self.steps if any(mark.kind in kinds for mark in step.marks)]

    def _after(self, *kinds: str) -> int:
        return next((version for version in self._marked(kinds) if version > self.at), len(self.steps))

    def _before(self, *kinds: str) -> int:
        return next((version for version in reversed(self._marked(kinds)) if version < self.at), self.first)

    def search(self, words: str) -> bool:
        """To the next step that is told with these words, from the beginning again after the last."""
        later = [*self.steps[self.at :], *self.steps[: self.at]]
        for step in later:
            if any(words.lower() in line.text.lower() for line in step.story):
                self.go(step.version)
                return True
        return False

    def story(self) -> Iterator[str]:
        """Every step in words."""
        for step in self.steps:
            for line in step.story:
                yield f"{step.version:>4}  {line.text}"

    def drawn(self) -> tuple[drawing.Block, ...]:
        """The table, as its viewer sees it."""
        moment = self.positions.moment("", self.at, lambda after, until: self._commits(after, until))
        seen = frame(moment, self.viewer).seen
        if seen is None:
            return ()
        table = game_named(self.rules).drawing.table(
            seen, "" if self.viewer in (EVERYTHING, SPECTATOR) else self.viewer
        )
        return drawing.rendered(table, catalogue(), rules_named(self.rules).names.get)

    def _commits(self, after: int, until: int) -> Sequence[Commit]:
        return self.commits[after:until]


def seen_by(viewer: Viewer) -> Text:
    match viewer:
        case kernel.EVERYTHING:
            return say("all cards open")
        case kernel.SPECTATOR:
            return say("as spectators see it")
        case _:
            return say("as {viewer} sees it", viewer=viewer)


class Keyboard:
    """The keys of a terminal, one by one, as they are pressed. None gets lost while the screen is drawn."""

    def __init__(self) -> None:
        self.pressed: list[str] = []

    def __enter__(self) -> Keyboard:
        self.before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin)
        return self

    def __exit__(self, *_: object) -> None:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self.before)

    def key(self) -> str:
        """The next key; the end of all input is Ctrl-D."""
        while not self.pressed:
            typed = os.read(sys.stdin.fileno(), 1024).decode(errors="ignore")
            self.pressed = KEY.findall(typed) if typed else [END_OF_INPUT]
        return self.pressed.pop(0)

    def line(self, echo: Callable[[str], None]) -> str:
        """Everything up to Enter; nothing after Escape."""
        typed = ""
        while (key := self.key()) not in ENTER:
            if key in QUIT:
                return ""
            typed = typed[:-1] if key in BACKSPACE else typed + key
            echo(typed)
        return typed


KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Z]|.", re.DOTALL)
END_OF_INPUT, ENTER, BACKSPACE = "\x04", ("\r", "\n"), ("\x7f", "\b")


class Screen:
    """The reader in a terminal."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.console, self.keyboard = reader, Console(highlight=False), Keyboard()
        self.note = ""

    def run(self) -> None:
        with self.console.screen(), self.keyboard:
            try:
                self.show()
                while (key := self.keyboard.key()) not in (*QUIT, "q", "Q"):
                    self.note = ""
                    self.press(key)
                    self.show()
            except KeyboardInterrupt:
                return

    def show(self) -> None:
        self.console.clear()
        self.console.print(Group(*self.lines()))

    def press(self, key: str) -> None:
        if key == GO:
            asked = self.ask(rendered(say("Step: ")))
            if asked.isascii() and asked.isdigit():
                self.reader.go(int(asked[:9]))
        elif key == SEARCH:
            words = self.ask(rendered(say("Search: "))).strip()
            if words and not self.reader.search(words):
                self.note = rendered(say("“{words}” is nowhere in the story", words=words))
        else:
            self.reader.press(key)

    def ask(self, prompt: str) -> str:
        def echo(typed: str) -> None:
            self.note = prompt + typed
            self.show()

        echo("")
        answer = self.keyboard.line(echo)
        self.note = ""
        return answer

    def lines(self) -> Iterator[RenderableType]:
        reader = self.reader
        about = say(
            "Step {step} of {last}, round {round}, {seen}",
            step=reader.at,
            last=len(reader.steps),
            round=reader.step.round,
            seen=seen_by(reader.viewer),
        )
        yield Styled(rendered(about), style="bold")
        yield printed(reader.drawn())
        for step in reader.steps[max(0, reader.at - 1 - LINES_BEFORE) : reader.at - 1]:
            yield from (Styled(f"{step.version:>4}  {line.text}", style="dim") for line in step.story)
        for line in reader.step.story:
            yield Styled(f"{reader.at:>4}  ", style="bold") + coloured(line.text)
        keys = say("arrows: step and turn   PgUp PgDn: round   s: scoring   g: go   /: search   q: end")
        yield Styled(self.note or rendered(keys), style="dim")
