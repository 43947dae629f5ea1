"""What a new command of a table touches: its facts, itself, its row in the list, its view, its schema."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FRAME = (
    *(ROOT / "events").rglob("*.py"),
    *(ROOT / "service" / "api").rglob("*.py"),
    *(ROOT / "service/games").rglob("*.py"),
)

NAMES = {
    "taking a move back": ("TakeBack", "TakeBackRequest", "TakeBackWanted", "MoveTakenBack"),
    "removing a player": ("RemovePlayer", "PlayerRemoved"),
}
"""The commands that came after the frame stood, with the names of their classes."""


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_a_command_of_a_table_is_named_in_at_most_five_files(names):
    found = sorted(str(path.relative_to(ROOT)) for path in FRAME if names_any(path, names))
    assert len(found) <= 5, found


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
def test_the_names_of_a_command_are_those_of_today(names):
    for name in names:
        assert any(re.search(rf"^class {name}\(", path.read_text(), re.MULTILINE) for path in FRAME), name


def names_any(path, names):
    return re.search(rf"\b({'|'.join(names)})\b", path.read_text())
