"""The wheel carries everything that the service shows: pages of the documentation, the client for JavaScript."""

import subprocess
import sys
from zipfile import ZipFile

import pytest

from tests.repository.checkout import ROOT


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> set[str]:
    place = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", place], cwd=ROOT, check=True)
    [wheel] = place.glob("*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(place / "installed")
        return set(archive.namelist())


def test_it_has_every_page(files):
    pages = {f"service/web/documents/{file.name}" for file in (ROOT / "docs").glob("*.*")}
    assert len(pages) > 25
    assert pages <= files


def test_it_has_what_pages_are_made_of(files):
    web = [file for kind in ("static", "templates", "client") for file in (ROOT / "service/web" / kind).rglob("*.*")]
    # What a compiler of types was given is left in dist/.
    assert {str(file.relative_to(ROOT)) for file in web if file.parent.name != "dist"} <= files


def test_it_leaves_out_what_makes_the_client_a_distribution_of_its_own(files):
    assert "service/client/hidalgo.py" in files
    assert "service/client/pyproject.toml" not in files


def test_pages_are_shown_without_a_checkout(files, tmp_path_factory):
    """The code and the pages of the wheel alone, in another directory."""
    [place] = tmp_path_factory.getbasetemp().glob("**/installed")
    code = (
        "from service.app import create_app; from service.settings import Settings; from service.web import documents\n"
        "client = create_app(Settings(access_log=False)).test_client()\n"
        "paths = '/docs', '/docs/clients', '/docs/verify.mjs'\n"
        "print(documents.folder(), [client.get(path).status_code for path in paths])"
    )
    shown = subprocess.run(
        [sys.executable, "-P", "-c", code], cwd=place, env={"PYTHONPATH": str(place)}, capture_output=True, text=True
    )
    assert shown.stdout == f"{place / 'service/web/documents'} [200, 200, 200]\n", shown.stderr
