"""The template of all translations is what `./hidalgo texts` would write now."""

import re
import shlex
import subprocess
import sysconfig
from pathlib import Path

from tests.repository.checkout import ROOT

TEMPLATE = "locale/hidalgo.pot"
COMMAND = re.compile(r'"\$venv/bin/pybabel" (.+?)\n}', re.DOTALL)
PASSING = ("POT-Creation-Date", "Generated-By")
"""What differs from day to day and from one version of Babel to the next."""


def test_the_template_of_translations_is_current(tmp_path):
    written = tmp_path / "hidalgo.pot"
    [command] = COMMAND.findall((ROOT / "hidalgo").read_text())
    arguments = [argument.replace(TEMPLATE, str(written)) for argument in shlex.split(command.replace("\\\n", ""))]
    subprocess.run([Path(sysconfig.get_path("scripts")) / "pybabel", *arguments], cwd=ROOT, check=True)
    assert lasting(written) == lasting(ROOT / TEMPLATE), "./hidalgo texts writes it anew"


def lasting(file: Path) -> list[str]:
    return [line for line in file.read_text().splitlines() if not line.strip('"').startswith(PASSING)]
