"""`hidalgo systemd`: the units that it prints. `tests/faults/test_systemd.py` starts them."""

import shutil
import subprocess
import sysconfig
from configparser import ConfigParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.cli import COMMANDS, ImportedWhenRun, main
from service.cli.systemd import PARTS

PROGRAM = Path(sysconfig.get_path("scripts"), "hidalgo")


def printed(*words: str) -> str:
    answer = CliRunner().invoke(main, ["systemd", *words, "--program", "/opt/hidalgo/bin/hidalgo"])
    assert answer.exit_code == 0, answer.output
    return answer.stdout


def section(unit: str) -> dict[str, str]:
    parser = ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(unit)
    return dict(parser["Service"])


@pytest.mark.parametrize("part", PARTS)
def test_its_command_is_one_of_ours(part):
    program, command, *options = section(printed(part))["ExecStart"].split()
    assert program == "/opt/hidalgo/bin/hidalgo"
    assert ImportedWhenRun(command, *COMMANDS[command]).load().make_context(command, options)


@pytest.mark.parametrize("part", PARTS)
def test_systemd_finds_nothing_wrong_with_it(part, tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed")
    file = tmp_path / f"{part}.service"
    # It looks for the program, too.
    file.write_text(printed(part).replace("/opt/hidalgo/bin/hidalgo", str(PROGRAM)))
    found = subprocess.run(["systemd-analyze", "verify", file], capture_output=True, text=True, timeout=60)
    assert (found.returncode, found.stderr) == (0, "")


def test_only_the_whole_service_has_a_directory_of_data():
    assert section(printed())["StateDirectory"] == "hidalgo"
    assert section(printed())["Environment"] == "HIDALGO_DATA=/var/lib/hidalgo"
    assert "StateDirectory" not in section(printed("web")) | section(printed("scheduler"))


def test_data_elsewhere_are_made_writable():
    unit = section(printed("--data", "/srv/more games"))
    assert unit["ReadWritePaths"] == '"/srv/more games"'
    assert unit["Environment"] == '"HIDALGO_DATA=/srv/more games"'


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--data", "/home/ana/games"], "/home/ana/games is in a directory that the unit hides"),
        (["--data", "games"], "games is not a whole path, which begins with /"),
        (["--program", "/home/ana/hidalgo"], "/home/ana/hidalgo is in a directory that the unit hides"),
        (["--user", "el cid"], "el cid is not the name of a user"),
        (["--user", "ana\nExecStart=/bin/sh"], "is not the name of a user"),
    ],
    ids=["hidden data", "relative data", "hidden program", "no user", "another line"],
)
def test_a_unit_that_could_not_start_is_not_printed(options, sentence):
    answer = CliRunner().invoke(main, ["systemd", "--program", "/opt/hidalgo/bin/hidalgo", *options])
    assert answer.exit_code == 2
    assert sentence in answer.output
    assert "[Service]" not in answer.output
