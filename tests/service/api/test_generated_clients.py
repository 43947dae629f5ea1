"""Generators make clients of the description that compile strictly, and linters find nothing (tests/typescript)."""

import json
import os
import shutil
import subprocess

import pytest

from service.cli.openapi import described, written
from tests.repository.checkout import ROOT

SOURCES = ROOT / "tests/typescript"
NPM = "npm"
"""Wanted by long tests only: machines that run the others need none."""
SECONDS = 280

pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not shutil.which(NPM), reason="needs npm, to install generators and linters"),
]


@pytest.fixture(scope="module")
def workshop(tmp_path_factory):
    """A directory with the packages, the programs of the proof and the newest description."""
    place = tmp_path_factory.mktemp("typescript") / "workshop"
    shutil.copytree(SOURCES, place)
    (place / "openapi.json").write_text(written(described()))
    installed = run(place, NPM, "install", "--no-audit", "--no-fund", "--no-package-lock")
    if installed.returncode and any(word in installed.stderr for word in ("ENOTFOUND", "ECONNREFUSED", "ETIMEDOUT")):
        pytest.skip("no registry of packages can be reached")
    assert installed.returncode == 0, installed.stdout + installed.stderr
    return place


def run(place, *command):
    environment = {**os.environ, "NO_COLOR": "1", "REDOCLY_TELEMETRY": "off"}
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=SECONDS)


def tool(place, name, *arguments):
    done = run(place, f"node_modules/.bin/{name}", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def generated(workshop):
    """With the clients that three generators have made."""
    tool(workshop, "openapi-typescript", "openapi.json", "-o", "generated/openapi-typescript/schema.ts")
    tool(workshop, "orval", "--config", "orval.config.cjs")
    tool(workshop, "openapi-ts", "-i", "openapi.json", "-o", "generated/hey-api", "-c", "@hey-api/client-fetch")
    return workshop


def test_three_generators_make_clients_that_compile_strictly_and_narrow(generated):
    tool(generated, "tsc", "-p", ".")


def test_the_proof_can_fail(generated):
    """Without the tags nothing is narrowed, and the programs do not compile."""
    document = json.loads((generated / "openapi.json").read_text())
    document["components"]["schemas"]["ElGrandeKingMovedFact"]["properties"].pop("region")
    broken = generated.parent / "broken"
    broken.mkdir()
    for name in ("proof", "tsconfig.json", "orval.config.cjs", "package.json"):
        (broken / name).symlink_to(generated / name)
    (broken / "openapi.json").write_text(json.dumps(document))
    (broken / "node_modules").symlink_to(generated / "node_modules")
    shutil.copytree(generated / "generated", broken / "generated")
    tool(broken, "openapi-typescript", "openapi.json", "-o", "generated/openapi-typescript/schema.ts")
    (broken / "proof").unlink()
    shutil.copytree(generated / "proof", broken / "proof")
    done = run(broken, "node_modules/.bin/tsc", "-p", ".")
    assert done.returncode != 0
    assert "'region' does not exist" in done.stdout


def test_redocly_finds_nothing(workshop):
    report = tool(workshop, "redocly", "lint", "openapi.json", "--extends=recommended", "--format=json")
    totals = json.loads(report[report.index("{\n") : report.rindex("}") + 1])["totals"]
    assert (totals["errors"], totals["warnings"]) == (0, 0), report


def test_spectral_finds_nothing(workshop):
    report = tool(workshop, "spectral", "lint", "openapi.json", "--ruleset", "spectral.yaml", "--fail-severity=warn")
    assert "No results" in report
