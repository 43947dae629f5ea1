"""A machine with Python alone: `./hidalgo test --bare` hides the programs that `.ci/run` installs besides.

What needs one of them must then be skipped with a reason, and nothing else may fail.
"""

import os
import re
import shutil
import tempfile
from pathlib import Path

CI = Path(__file__).parents[1] / ".ci/run"
BESIDES = ("chromium-browser", "nodejs", "npm", "npx", "redis-cli", "redis-benchmark", "valkey-server", "systemctl")
"""Other names, and what comes with them."""


def hidden() -> set[str]:
    return {*re.findall(r"=command -v (\S+)\"", CI.read_text()), *BESIDES}


def bare_path(path: str, place: Path) -> str:
    """A directory with every program of this path but the hidden ones. The first of several is the one that counts."""
    left_out = hidden()
    for directory in map(Path, reversed(path.split(os.pathsep))):
        for program in directory.iterdir() if directory.is_dir() else ():
            if program.name not in left_out:
                link = place / program.name
                link.unlink(missing_ok=True)
                link.symlink_to(program)
    return str(place)


def hide_programs() -> None:
    """For this process and those that it starts."""
    place = Path(tempfile.mkdtemp(prefix="hidalgo-bare-"))
    os.environ["PATH"] = bare_path(os.environ["PATH"], place)
    found = {name for name in hidden() if shutil.which(name)}
    assert not found, f"{found} are still there"
