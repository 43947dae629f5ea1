"""The page for operators names tests; they are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_test_that_is_named_is_there():
    named = set(re.findall(r"`(test_\w+)`", (ROOT / "docs" / "operating.md").read_text()))
    written = {
        name for file in (ROOT / "tests").rglob("test_*.py") for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    assert len(named) > 20
    assert named - written == set()
