"""The client for JavaScript, in Node: tests of its own, against a real service; and its types."""

import json
import os
import shutil
import subprocess
import tomllib
from pathlib import Path
from urllib.request import urlopen

import pytest

from events.audit.verify import verify
from service.web.es_client import FOLDER, MODULES, joined, write
from tests.repository.checkout import ROOT

TESTS = Path(__file__).parent / "es"
TYPESCRIPT = "typescript@5.9.3"
HAS_NPM = all(map(shutil.which, ("node", "npm")))

needs_node = pytest.mark.skipif(not shutil.which("node"), reason="Node.js is not installed")


def run(command, **how):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, **how)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def in_node(file, **environment):
    output = run(["node", "--test", TESTS / file], env=os.environ | environment)
    assert "# fail 0" in output
    assert "# pass 0" not in output


@needs_node
@pytest.mark.parametrize("subject", ["parts", "trouble", "reading", "chat", "studies", "tournaments"])
def test_it_works_in_node(service, mails, subject):
    in_node(f"{subject}.test.mjs", HIDALGO_URL=service.url, HIDALGO_MAILS=str(mails.directory / "taken"))


@needs_node
def test_its_modules_joined_export_what_they_export_apart(tmp_path):
    (tmp_path / "hidalgo.mjs").write_bytes(joined())
    names = "import(process.argv[1]).then((all) => console.log(Object.keys(all).join()))"
    one, many = (run(["node", "-e", names, file]) for file in (tmp_path / "hidalgo.mjs", FOLDER / "hidalgo.js"))
    assert one == many
    assert {"Hidalgo", "OAuth", "Problem", "sample"} < set(one.strip().split(","))


def test_no_module_is_left_out():
    assert sorted(MODULES) == sorted(file.stem for file in FOLDER.glob("*.js"))


@needs_node
def test_it_plays_a_whole_game_and_verification_shows_that_its_nonces_were_used(service, tmp_path):
    exported = tmp_path / "game.json"
    in_node("game.test.mjs", HIDALGO_URL=service.url, HIDALGO_EXPORT=str(exported))
    verified = verify(exported.read_bytes())
    assert (verified.finished, sorted(verified.nonces)) == (True, ["blue", "red"])


# Types


@pytest.fixture(scope="module")
def tsc(tmp_path_factory):
    """The compiler of TypeScript, from npm."""
    if not HAS_NPM:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("typescript")
    got = subprocess.run(["npm", "install", "--no-save", TYPESCRIPT], cwd=folder, capture_output=True, text=True)
    if got.returncode:
        pytest.skip(f"npm cannot install {TYPESCRIPT}: {got.stderr[-200:]}")
    return folder / "node_modules/.bin/tsc"


@pytest.mark.long
def test_its_types_hold_and_are_those_that_are_served(tsc, tmp_path):
    """If they differ, see docs/development.md."""
    folder = shutil.copytree(FOLDER, tmp_path / "client")
    (folder / "hidalgo.d.ts").unlink()
    write(folder)
    run([tsc, "-p", folder])
    assert (folder / "hidalgo.d.ts").read_text() == (FOLDER / "hidalgo.d.ts").read_text()


@pytest.mark.long
def test_a_typed_program_can_use_it_and_a_wrong_one_is_found(tsc, tmp_path):
    shutil.copytree(FOLDER, tmp_path / "node_modules/hidalgo-client")
    right = (TESTS / "typed.ts").read_text()
    strict = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"]
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "right.ts").write_text(right)
    run([tsc, *strict, "right.ts"], cwd=tmp_path)
    (tmp_path / "wrong.ts").write_text(right.replace("game.version", "game.verison"))
    wrong = subprocess.run([tsc, *strict, "wrong.ts"], cwd=tmp_path, capture_output=True, text=True)
    assert "'verison' does not exist" in wrong.stdout


def test_its_version_is_that_of_the_service():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert json.loads((FOLDER / "package.json").read_text())["version"] == project["version"]


@pytest.mark.parametrize("name", ["hidalgo.js", "hidalgo.d.ts"])
def test_any_site_can_import_it(service, name):
    with urlopen(f"{service.url}/client/{name}") as response:
        assert response.read() == (joined() if name == "hidalgo.js" else (FOLDER / name).read_bytes())
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        kind = "text/javascript" if name.endswith(".js") else "application/typescript"
        assert response.headers.get_content_type() == kind
