"""The client as a distribution of its own, `hidalgo-client`: installed into an empty environment, it plays."""

import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.repository.checkout import ROOT
from tests.service.client.test_pages import ADDRESS, BLOCKS

CLIENT = ROOT / "service/client"
README = (CLIENT / "README.md").read_text()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    ignored = shutil.ignore_patterns("__pycache__")
    source = shutil.copytree(CLIENT, place / "source", ignore=ignored)
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", place], cwd=source, check=True)
    [wheel] = place.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory) -> Path:
    """The interpreter of an environment in which nothing but the client is installed."""
    place = tmp_path_factory.mktemp("environment")
    venv.create(place, with_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", str(place), "install", "--quiet", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True)
    return place / "bin/python"


def run(python: Path, code: str, place: Path) -> str:
    done = subprocess.run(
        [python, "-I", "-W", "error", "-c", code], cwd=place, capture_output=True, text=True, timeout=100
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_wheel_has_the_code_of_the_client_and_nothing_else(wheel):
    with ZipFile(wheel) as archive:
        files = {name.partition("/")[2]: archive.read(name) for name in archive.namelist() if ".dist-info" not in name}
        assert {name.partition("/")[0] for name in archive.namelist() if ".dist-info" not in name} == {"hidalgo_client"}
    assert files == {file.name: file.read_bytes() for file in [*CLIENT.glob("*.py"), CLIENT / "py.typed"]}


def test_it_needs_nothing(python, tmp_path):
    names = "import importlib.metadata as m; print(*[d.name for d in m.distributions()])"
    assert run(python, names, tmp_path).split() == ["hidalgo-client"]


def test_the_first_move_of_its_readme_works(service, python, tmp_path):
    [code] = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert "plays power card" in run(python, code.replace(ADDRESS, service.url), tmp_path)


def test_it_plays_a_whole_game(service, python, tmp_path):
    [code] = [code for _, code in BLOCKS if "ThreadPoolExecutor" in code]
    assert "'red': " in run(python, code.replace(ADDRESS, service.url), tmp_path)
    assert (tmp_path / "game.json").stat().st_size > 10_000


def test_it_has_the_version_of_the_service():
    versions = {tomllib.loads(file.read_text())["project"]["version"] for file in projects()}
    assert len(versions) == 1


def projects() -> list[Path]:
    return [ROOT / "pyproject.toml", CLIENT / "pyproject.toml"]
