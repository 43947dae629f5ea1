"""All code in docs/clients.md is run, against a real service; so is the first move in the README."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from service.web.es_client import joined
from tests.repository.checkout import ROOT

PAGE = (ROOT / "docs/clients.md").read_text()
BLOCKS = re.findall(r"^```(python|sh)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
FIRST_MOVES = {"python": BLOCKS[0][1], "sh": BLOCKS[1][1]}
ADDRESS = "http://127.0.0.1:8000"
COMMANDS = {
    "python": [sys.executable, "-W", "error", "-c"],
    "sh": ["bash", "-euc"],
    "js": ["node", "--input-type=module", "--eval"],
}


def run(language: str, code: str, url: str, place) -> subprocess.CompletedProcess[str]:
    """Outside of the project, with the client under the name that it has when it is installed alone."""
    assert ADDRESS in code
    command = COMMANDS[language]
    (place / "packages").mkdir()
    (place / "packages/hidalgo_client").symlink_to(ROOT / "service/client")
    env = os.environ | {"PYTHONPATH": str(place / "packages")}
    return subprocess.run(
        [*command, code.replace(ADDRESS, url)], cwd=place, env=env, capture_output=True, text=True, timeout=100
    )


@pytest.mark.parametrize(("language", "code"), BLOCKS, ids=[code.splitlines()[0][:40] for _, code in BLOCKS])
def test_the_code_works(service, tmp_path, language, code):
    if language == "sh" and not (shutil.which("curl") and shutil.which("jq")):
        pytest.skip("curl and jq are not installed")
    done = run(language, code, service.url, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
    assert '"code"' not in done.stdout, "a problem was answered"


def test_the_program_in_javascript_plays_a_whole_game_against_a_bot(service, tmp_path):
    """Node imports modules from files only."""
    if not shutil.which("node"):
        pytest.skip("Node.js is not installed")
    [code] = [code for code in re.findall(r"^```js\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL) if "seatBot" in code]
    (tmp_path / "hidalgo.mjs").write_bytes(joined())
    done = run("js", code.replace(f"{ADDRESS}/client/hidalgo.js", "./hidalgo.mjs"), service.url, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"\{ red: \d+, blue: \d+ \}\n", done.stdout)


def test_the_first_move_in_the_readme_works(service, tmp_path):
    if not (shutil.which("curl") and shutil.which("jq")):
        pytest.skip("curl and jq are not installed")
    [code] = re.findall(r"^```sh\n(api=.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    done = run("sh", code, service.url, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    red, blue, question, example, story = map(json.loads, done.stdout.splitlines())
    assert (red[0], blue[0], question) == ("red", "blue", "Which power card do you play?")
    player = example["decision"].partition("-")[2]
    assert story == [f"{player} plays power card {example['value']}"]


@pytest.mark.parametrize("language", FIRST_MOVES)
def test_the_first_move_takes_five_lines(language):
    assert len([line for line in FIRST_MOVES[language].splitlines() if line]) == 5


def test_a_whole_game_takes_less_than_sixty_lines():
    [whole] = [code for _, code in BLOCKS if "ThreadPoolExecutor" in code]
    assert len(whole.splitlines()) < 60
