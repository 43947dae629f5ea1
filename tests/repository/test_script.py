"""`./hidalgo` makes its environment once, whatever happens meanwhile.

A pretended python3 stands in for the real one, so that these take no time; `test_image.py` does it for real.
"""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.repository.checkout import ROOT

# Makes environments, and notes in $CALLS what it was asked. Installed tools note what they were asked, too.
PRETENDED_PYTHON = """#!/bin/sh
echo "python $*" >>"$CALLS"
case "$*" in
    --version) echo "Python 3.11.99" ;;
    *version_info*"(3, 11)"*) exit ${TOO_OLD-0} ;;
    *ensurepip*) exit ${WITHOUT_VENV-0} ;;
    *python%d.%d-venv*) echo python3.11-venv ;;
    "-m venv --clear "*)
        rm -rf "$4"
        mkdir -p "$4/bin"
        cp "$0" "$4/bin/python"
        echo "version = 3.11.99" >"$4/pyvenv.cfg" ;;
    "-m pip install "*)
        touch "$CALLS.installing"
        sleep ${SECONDS_TO_INSTALL-0}
        [ -z "${INSTALL_FAILS-}" ] || exit 1
        for tool in hidalgo ruff mypy lint-imports pytest; do
            printf '#!/bin/sh\\necho "%s $*" >>"$CALLS"\\n' $tool >"${0%/*}/$tool"
            chmod +x "${0%/*}/$tool"
        done ;;
esac
"""
CANDIDATES = ["python3", "python3.11", "python3.12", "python3.13", "python3.14"]


class Checkout:
    """A copy of the script in a directory with a space in its name, and a note of what it started."""

    def __init__(self, place: Path) -> None:
        self.home = place / "a checkout"
        self.venv = self.home / ".venv"
        self.log = place / "calls"
        self.programs = place / "programs"
        self.programs.mkdir()
        self.home.mkdir()
        for name in ["hidalgo", "pyproject.toml", "constraints.txt"]:
            shutil.copy2(ROOT / name, self.home / name)
        self.pretend_python(PRETENDED_PYTHON)

    def pretend_python(self, text: str) -> None:
        for name in CANDIDATES:
            (self.programs / name).write_text(text)
            (self.programs / name).chmod(0o755)

    def start(self, *arguments, script=None, cwd="/", **env) -> subprocess.Popen:
        env = {"PATH": f"{self.programs}:{os.environ['PATH']}", "CALLS": str(self.log), **env}
        return subprocess.Popen(
            [script or self.home / "hidalgo", *arguments], cwd=cwd, env=env, stderr=subprocess.PIPE, text=True
        )

    def run(self, *arguments, **kwargs) -> tuple[int, str]:
        with self.start(*arguments, **kwargs) as process:
            _, output = process.communicate(timeout=60)
            return process.returncode, output

    def calls(self) -> list[str]:
        """What was made, installed and run since the last time."""
        lines = self.log.read_text().splitlines()
        self.log.unlink()
        return [short(line) for line in lines if not line.startswith(("python -c", "python --version"))]

    def wait_until_installing(self) -> None:
        deadline = time.monotonic() + 20
        while not self.log.with_suffix(".installing").exists():
            assert time.monotonic() < deadline, "no installation has begun"
            time.sleep(0.01)


def short(call: str) -> str:
    """
    >>> short("python -m venv --clear /home/.venv"), short("python -m pip install -qq -e .[bench,test]")
    ('make', 'install .[bench,test]')
    """
    if call.startswith("python -m venv"):
        return "make"
    if call.startswith("python -m pip install"):
        return f"install {call.split()[-1]}"
    return call


@pytest.fixture
def checkout(tmp_path):
    return Checkout(tmp_path)


@pytest.fixture
def used(checkout):
    """A checkout that has been used once."""
    assert checkout.run("--version")[0] == 0
    checkout.calls()
    return checkout


def test_the_first_use_makes_an_environment_and_says_so(checkout):
    code, output = checkout.run("serve", "--port", "1")
    assert code == 0
    assert checkout.calls() == ["make", "install .", "hidalgo serve --port 1"]
    assert [line.split()[1] for line in output.splitlines()] == ["making", "installing", "ready"]


def test_later_uses_start_no_python_but_the_command(used):
    assert used.run("serve") == (0, "")
    assert used.log.read_text() == "hidalgo serve\n"


def test_without_a_command_it_explains_itself(used):
    used.run()
    assert used.calls() == ["hidalgo --help"]


def test_arguments_arrive_as_they_were_given(used):
    (used.venv / "bin/hidalgo").write_text("""#!/bin/sh\nprintf '<%s>' "$@" >"$CALLS"\n""")
    used.run("play", "two words", "*", "")
    assert used.log.read_text() == "<play><two words><*><>"


def test_it_works_through_a_symbolic_link(used, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/real").symlink_to(used.home / "hidalgo")
    (tmp_path / "bin/h").symlink_to("real")
    assert used.run("serve", script=tmp_path / "bin/h") == (0, "")
    assert used.calls() == ["hidalgo serve"]


def test_the_environment_may_live_elsewhere(used, tmp_path):
    used.run("serve", cwd=tmp_path, HIDALGO_VENV="else where/venv")
    assert used.calls() == ["make", "install .", "hidalgo serve"]
    assert (tmp_path / "else where/venv/bin/hidalgo").exists()


@pytest.mark.parametrize("changed", ["pyproject.toml", "constraints.txt"])
def test_changed_requirements_are_installed_into_the_same_environment(used, changed):
    with (used.home / changed).open("a") as file:
        file.write("# changed\n")
    used.run("serve")
    assert used.calls() == ["install .", "hidalgo serve"]


def test_another_interpreter_makes_the_environment_anew(used):
    used.pretend_python(PRETENDED_PYTHON + "# another\n")
    shutil.copy2(used.programs / "python3", used.venv / "bin/python")
    used.run("serve")
    assert used.calls() == ["make", "install .", "hidalgo serve"]


def test_a_moved_checkout_makes_its_environment_anew(used):
    used.home = used.home.rename(used.home.with_name("moved"))
    used.run("serve")
    assert used.calls() == ["make", "install .", "hidalgo serve"]


def test_tests_need_the_test_tools_and_run_every_check_first(used):
    assert used.run("test", "-k", "veto or king")[0] == 0
    assert used.calls() == [
        "install .[bench,test]",
        "ruff check .",
        "ruff format --check .",
        "mypy ",
        "lint-imports ",
        "pytest -n auto --dist worksteal -k veto or king",
    ]
    used.run("serve")
    assert used.calls() == ["hidalgo serve"]


@pytest.fixture
def areas(used):
    """A checkout with some code, some tests and some pages."""
    used.run("test")
    for place in (
        "rules/el_grande",
        "replay",
        "docs",
        "tests/rules",
        "tests/rules/el_grande",
        "tests/docs",
        "tests/faults",
    ):
        (used.home / place).mkdir(parents=True, exist_ok=True)
        (used.home / place / "__init__.py").touch()
    (used.home / "tests/faults/test_kills.py").touch()
    used.calls()
    return used


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("rules", "rules tests/rules"),
        ("rules/el_grande", "rules/el_grande tests/rules/el_grande"),
        ("docs", "docs tests/docs README.md"),
        ("faults", "tests/faults"),
        ("replay", "replay"),
        ("rules faults -x", "rules tests/rules tests/faults -x"),
        ("rules -k veto", "rules tests/rules -k veto"),
        ("faults/test_kills.py::test_one", "tests/faults/test_kills.py::test_one"),
        ("tests/faults/test_kills.py::test_one", "tests/faults/test_kills.py::test_one"),
    ],
)
def test_an_area_is_tested_alone_and_without_the_checks(areas, words, asked):
    assert areas.run("test", *words.split())[0] == 0
    assert areas.calls() == [f"pytest -n auto --dist worksteal {asked}"]


@pytest.mark.parametrize("words", [["veto"], ["rules", "veto", "-x"]])
def test_an_unknown_area_is_refused_and_the_areas_are_named(areas, words):
    assert areas.run("test", *words) == (
        1,
        "hidalgo: there is no area 'veto' to test: choose from docs faults rules, or name a path\n",
    )
    assert not areas.log.exists()


def test_an_empty_word_is_no_area(areas):
    assert areas.run("test", "")[0] == 1


def test_the_values_of_options_are_no_areas(areas):
    assert areas.run("test", "-k", "veto", "--maxfail", "3")[0] == 0
    assert areas.calls()[-1] == "pytest -n auto --dist worksteal -k veto --maxfail 3"


def test_a_failing_check_stops_the_test_run(used):
    used.run("test")
    used.calls()
    (used.venv / "bin/mypy").write_text("#!/bin/sh\nexit 3\n")
    code, output = used.run("test")
    assert code == 1
    assert "'mypy' found something to mend" in output
    assert not any(call.startswith("pytest") for call in used.calls())


def test_a_failed_installation_is_made_anew_next_time(checkout):
    assert checkout.run("serve", INSTALL_FAILS="yes")[0] == 1
    assert checkout.calls() == ["make", "install ."]
    assert checkout.run("serve")[0] == 0
    assert checkout.calls() == ["make", "install .", "hidalgo serve"]


def test_a_failed_update_is_made_anew_next_time(used):
    (used.home / "constraints.txt").write_text("other==1\n")
    used.run("serve", INSTALL_FAILS="yes")
    used.calls()
    used.run("serve")
    assert used.calls() == ["make", "install .", "hidalgo serve"]


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda how: how.name)
def test_an_interrupted_installation_is_made_anew_next_time(checkout, how):
    with checkout.start("serve", SECONDS_TO_INSTALL="1") as process:
        checkout.wait_until_installing()
        process.send_signal(how)
    assert process.returncode != 0
    checkout.calls()
    assert checkout.run("serve")[0] == 0
    assert checkout.calls() == ["make", "install .", "hidalgo serve"]


def test_several_that_start_at_once_install_once(checkout):
    started = [checkout.start("serve", SECONDS_TO_INSTALL="1") for _ in range(4)]
    for process in started:
        with process:
            assert process.wait(timeout=60) == 0
    assert sorted(checkout.calls()) == sorted(["make", "install .", *["hidalgo serve"] * 4])
    assert not checkout.venv.with_name(".venv.lock").exists()


def test_several_that_find_the_lock_of_a_dead_process_install_once(checkout):
    lock = checkout.venv.with_name(".venv.lock")
    lock.mkdir()
    (lock / str(dead_process())).touch()
    test_several_that_start_at_once_install_once(checkout)


def test_a_lock_without_owner_is_removed(checkout):
    checkout.venv.with_name(".venv.lock").mkdir()
    assert checkout.run("serve")[0] == 0


def dead_process() -> int:
    with subprocess.Popen(["true"]) as process:
        process.wait()
    return process.pid


def test_a_python_that_is_too_old_is_refused(checkout):
    code, output = checkout.run("serve", TOO_OLD="1")
    assert code == 1
    assert "Python 3.11 or newer is needed" in output
    assert not checkout.venv.exists()


def test_a_python_without_venv_names_the_package_to_install(checkout):
    code, output = checkout.run("serve", WITHOUT_VENV="1")
    assert code == 1
    assert "sudo apt-get install python3.11-venv" in output
    assert not checkout.venv.exists()


def test_a_directory_that_is_no_environment_is_not_emptied(checkout, tmp_path):
    precious = tmp_path / "home/letter"
    precious.parent.mkdir()
    precious.touch()
    code, output = checkout.run("serve", HIDALGO_VENV=str(precious.parent))
    assert code == 1
    assert "is not a virtual environment" in output
    assert precious.exists()
