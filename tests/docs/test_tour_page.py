"""All code of docs/tour.md is run, in each of its languages, from top to bottom, against a real service."""

import re
import shutil
import sysconfig
from pathlib import Path

import pytest

from service.web.es_client import joined
from tests.repository.checkout import ROOT
from tests.running import running
from tests.service.client.test_pages import run

HIDALGO = str(Path(sysconfig.get_path("scripts"), "hidalgo"))
PAGE = (ROOT / "docs/tour.md").read_text()
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
LANGUAGES = {"sh": ("curl", "jq"), "python": (), "js": ("node",)}


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with running([HIDALGO, "serve"], cwd=tmp_path_factory.mktemp("service")) as service:
        yield service


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tour_can_be_walked(service, tmp_path, language):
    if missing := [program for program in LANGUAGES[language] if not shutil.which(program)]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    (tmp_path / "hidalgo.mjs").write_bytes(joined())
    code = "".join(code for given, code in BLOCKS if given == language)
    done = run(language, code, service.url, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert '"code"' not in done.stdout, "a problem was answered"
    assert re.search(r"(red|blue) plays power card \d+", done.stdout)
    assert len(re.findall("plays power card", done.stdout)) == 2, "the answer to the move, and the stream"


def test_every_step_is_told_in_every_language():
    steps = PAGE.split("\n## ")[1:]
    assert len(steps) == 7
    for step in steps:
        assert re.findall(r"^```(\w+)$", step, re.MULTILINE) == list(LANGUAGES), step[:20]
