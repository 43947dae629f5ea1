"""The repository as its own tests see it."""

import os
import shutil
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[2]
IGNORED = [".git", *(line.rstrip("/") for line in (ROOT / ".gitignore").read_text().splitlines())]


def files() -> list[Path]:
    """Every file that is, or could be, committed; also where there is no git."""
    found = []
    for place, directories, names in os.walk(ROOT):
        directories[:] = [name for name in directories if not is_ignored(name)]
        found += [Path(place, name).relative_to(ROOT) for name in names if not is_ignored(name)]
    return sorted(found)


def is_ignored(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in IGNORED)


def copy_to(target: Path) -> Path:
    for file in files():
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, target / file)
    return target
