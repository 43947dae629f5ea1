"""Directories for figures: one for each service that lives, and none for those that are gone."""

import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

import pytest

from service.operations.metrics_directory import LOCK, PREFIX, metrics_directory
from tests.running import running

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))
AN_OWNER = (
    "from service.operations.metrics_directory import metrics_directory as made\n"
    "with made() as directory:\n"
    "    print(directory, flush=True)\n"
    "    input()\n"
)


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """A directory for temporary files of our own."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def age(directory: Path) -> None:
    an_hour_ago = time.time() - 3600
    os.utime(directory, (an_hour_ago, an_hour_ago))


def left_behind(place: Path) -> Path:
    """The directory of a process that was killed."""
    with subprocess.Popen(
        [sys.executable, "-c", AN_OWNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout
        directory = Path(owner.stdout.readline().strip())
        owner.kill()
    assert directory.parent == place
    age(directory)
    return directory


def test_it_ends_with_its_service(place):
    with metrics_directory() as directory:
        (directory / "counter_1.db").touch()
    assert list(place.iterdir()) == []


def test_what_a_killed_service_left_behind_is_swept_by_the_next(place):
    gone = left_behind(place)
    (gone / "counter_1.db").touch()
    older = place / f"{PREFIX}without-a-lock"
    older.mkdir()
    for directory in (gone, older):
        age(directory)
    with metrics_directory() as ours:
        assert list(place.iterdir()) == [ours]


def test_the_directory_of_a_service_that_lives_stays(place):
    with metrics_directory() as first:
        age(first)
        with metrics_directory() as second:
            assert {first, second} == set(place.iterdir())
        assert (first / LOCK).exists()


def test_a_directory_that_was_just_made_stays(place):
    beginning = place / f"{PREFIX}beginning"
    beginning.mkdir()
    with metrics_directory():
        assert beginning.exists()


def test_a_service_sweeps_when_it_starts(place, tmp_path):
    gone = left_behind(place)
    with running([HIDALGO, "serve"], cwd=tmp_path) as service:
        assert not gone.exists()
        assert service.stop(signal.SIGTERM) == 0
    assert not list(place.glob(f"{PREFIX}*"))
