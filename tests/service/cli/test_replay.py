"""`hidalgo replay`: keys, eyes, files and stored games, and a real terminal."""

import os
import pty
import select
import struct
import subprocess
import sysconfig
import termios
import time
from fcntl import ioctl
from pathlib import Path

import pytest
from click.testing import CliRunner

from events.audit.export import export
from replay.recording import read_recording
from rules.kernel import EVERYTHING
from service.cli import main
from service.cli.replay import Reader
from tests.events.played import finished, running

RIGHT, LEFT, UP, DOWN, HOME, END = "\x1b[C", "\x1b[D", "\x1b[A", "\x1b[B", "\x1b[H", "\x1b[F"
PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"


def run(*arguments):
    return CliRunner().invoke(main, ["replay", *map(str, arguments)])


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.json"
    path.write_bytes(export(*finished(3), EVERYTHING))
    return path


@pytest.fixture
def reader(file) -> Reader:
    return Reader(read_recording(file.read_bytes()), EVERYTHING)


def marked(reader: Reader, *kinds: str) -> list[int]:
    return [step.version for step in reader.steps if any(mark.kind in kinds for mark in step.marks)]


def test_it_begins_where_the_table_was_set(reader):
    assert reader.at == marked(reader, "round")[0]


def test_arrows_step_and_go_from_turn_to_turn(reader):
    reader.press(RIGHT)
    assert reader.at == reader.first + 1
    reader.press(LEFT)
    reader.press(LEFT)
    assert reader.at == reader.first
    reader.press(DOWN)
    assert reader.at == marked(reader, "turn")[0]
    reader.press(UP)
    assert reader.at == reader.first


def test_pages_are_rounds_and_s_is_the_next_scoring(reader):
    reader.press(PAGE_DOWN)
    assert reader.at == marked(reader, "round")[1]
    reader.press("s")
    assert reader.at == marked(reader, "scoring")[0]
    reader.press(PAGE_UP)
    assert reader.at in marked(reader, "round")
    reader.press(END)
    assert reader.at == len(reader.steps)
    reader.press(RIGHT)
    assert reader.at == len(reader.steps)
    reader.press(HOME)
    assert reader.at == reader.first


def test_other_keys_do_nothing(reader):
    reader.press("x")
    assert reader.at == reader.first


def test_a_search_goes_on_after_the_last_step(reader):
    assert reader.search("GENERAL scoring after round 3")
    found = reader.at
    assert found == marked(reader, "scoring")[0]
    reader.press(END)
    assert reader.search("general scoring after round 3")
    assert reader.at == found
    assert not reader.search("chess")


@pytest.mark.parametrize("viewer", [EVERYTHING, "red", "spectator"])
def test_every_step_can_be_drawn(file, viewer):
    reader = Reader(read_recording(file.read_bytes()), viewer)
    for version in range(1, len(reader.steps) + 1, 9):
        reader.go(version)
        assert reader.drawn()


def test_without_a_terminal_the_story_is_printed(file, reader):
    answer = run(file)
    assert answer.exit_code == 0
    assert answer.output.splitlines() == list(reader.story())


def test_a_file_of_a_running_game_is_for_its_viewer(tmp_path):
    path = tmp_path / "running.json"
    path.write_bytes(export(*running(3, 25), "red"))
    assert run(path).exit_code == 0
    answer = run(path, "--as", "blue")
    assert (answer.exit_code, answer.output) == (1, "Error: this file can be seen as red\n")


def test_a_changed_file_is_not_shown(tmp_path, file):
    path = tmp_path / "changed.json"
    path.write_bytes(file.read_bytes().replace(b'"value":13', b'"value":12', 1))
    answer = run(path)
    assert answer.exit_code == 1
    assert "is not genuine" in answer.output


def test_a_file_that_is_not_there_is_named(tmp_path):
    answer = run(tmp_path / "nothing.json")
    assert answer.exit_code == 1
    assert "there is no file" in answer.output


class Terminal:
    """A terminal of 100 by 60 with the command in it."""

    def __init__(self, *arguments: str) -> None:
        self.screen, child = pty.openpty()
        ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 100, 0, 0))
        command = [str(Path(sysconfig.get_path("scripts"), "hidalgo")), "replay", *arguments]
        environment = os.environ | {"TERM": "xterm-256color"}
        self.process = subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=environment)
        os.close(child)
        self.shown = ""

    def until(self, words: str) -> None:
        deadline = time.monotonic() + 60
        while words not in self.shown:
            assert time.monotonic() < deadline, self.shown[-2000:]
            if select.select([self.screen], [], [], 1)[0]:
                self.shown += os.read(self.screen, 65536).decode(errors="replace")
        self.shown = self.shown.rpartition(words)[2]

    def type(self, keys: str) -> None:
        os.write(self.screen, keys.encode())

    def close(self) -> int:
        code = self.process.wait(timeout=60)
        os.close(self.screen)
        return code


def test_a_person_steps_through_a_game_in_a_terminal(file, reader):
    terminal = Terminal(str(file))
    last = len(reader.steps)
    terminal.until(f"Step {reader.first} of {last}")
    terminal.until("all cards open")
    terminal.until("Castillo")
    terminal.type(RIGHT)
    terminal.until(f"Step {reader.first + 1} of {last}")
    terminal.type(END)
    terminal.until(f"Step {last} of {last}")
    terminal.type("g20\r")
    terminal.until(f"Step 20 of {last}")
    terminal.type("/general scoring\r")
    terminal.until(f"Step {marked(reader, 'scoring')[0]} of {last}")
    terminal.type("q")
    assert terminal.close() == 0
