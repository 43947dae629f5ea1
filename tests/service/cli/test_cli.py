"""The `hidalgo` command."""

import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec

import pytest
from click.testing import CliRunner

from service.cli import COMMANDS, main

WRITTEN = [name for name, (place, _) in COMMANDS.items() if find_spec(place.partition(":")[0])]


def run(*arguments):
    return CliRunner().invoke(main, arguments)


def test_help_lists_every_command_with_what_it_does():
    text = run("--help").output
    for name, (_, what) in COMMANDS.items():
        assert f"{name} " in text
        assert what in text


@pytest.mark.parametrize("name", WRITTEN)
def test_every_command_explains_itself(name):
    answer = run(name, "--help")
    assert answer.exit_code == 0
    assert answer.output.startswith(f"Usage: main {name}")


def test_a_misspelt_command_is_answered_with_the_nearest():
    answer = run("sevre")
    assert answer.exit_code == 2
    assert "Did you mean 'serve'?" in answer.output


def test_an_id_that_looks_like_an_option_is_answered_with_the_way_to_write_it(tmp_path):
    export = "tournament", "export", "--data", str(tmp_path)
    refused = run(*export, "-BzlBVGVQXEfclhn", "file")
    assert refused.exit_code == 2
    assert "an id that begins with a dash comes after all options and '--': -- -BzlBVGVQXEfclhn" in refused.output
    assert "holds no games" in run(*export, "--", "-BzlBVGVQXEfclhn", "file").output


def test_the_version_is_that_of_the_installed_package():
    assert run("--version").output == f"hidalgo {version('hidalgo')}\n"


def imported_with(module: str) -> set[str]:
    program = f"import sys, {module}; print(*sys.modules)"
    seen = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(seen.stdout.split())


def test_listing_the_commands_imports_none_of_them():
    assert not {"flask", "granian", "rules", "redis"} & imported_with("service.cli")


@pytest.mark.parametrize("name", [name for name in WRITTEN if name != "bench"])
def test_no_command_waits_for_a_web_framework(name):
    assert not {"flask", "werkzeug"} & imported_with(COMMANDS[name][0].partition(":")[0])


def test_nothing_is_counted_before_serve_has_set_where_to_count():
    """prometheus_client looks once, when it is imported."""
    assert "prometheus_client" not in imported_with("service.cli.serve")
