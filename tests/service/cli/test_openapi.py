"""`docs/openapi.json` is the description that the service gives of itself, and no client of it is left behind."""

import json
import shutil
from difflib import unified_diff

import pytest
from click.testing import CliRunner

from service.api import openapi as openapi_views
from service.cli import main, openapi
from service.cli.openapi import described, refused, written
from service.web import documents
from tests.repository.checkout import ROOT

KEPT = ROOT / "docs/openapi.json"
COMMAND = "./hidalgo openapi --write docs/openapi.json"


@pytest.fixture(scope="module")
def served():
    return described()


def test_it_breaks_no_client(served):
    changes = refused(KEPT, served)
    assert not changes, "\n".join(["clients of the interface would break; see docs/development.md:", *changes])


def test_it_is_the_newest(served):
    kept, now = KEPT.read_text(encoding="utf-8").splitlines(), written(served).splitlines()
    difference = list(unified_diff(kept, now, "docs/openapi.json", "the service", lineterm="", n=2))
    shown = "\n".join(difference[:200] + (["…"] if len(difference) > 200 else []))
    assert not difference, f"the description has changed: run `{COMMAND}`, and commit it\n{shown}"


def test_the_command_writes_what_is_served(tmp_path, served):
    file = tmp_path / "openapi.json"
    result = CliRunner().invoke(main, ["openapi", "--write", str(file)])
    assert result.exit_code == 0, result.output
    assert json.loads(file.read_text()) == served
    assert CliRunner().invoke(main, ["openapi"]).stdout == file.read_text()


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    result = CliRunner().invoke(main, ["openapi", "--write", str(tmp_path / "gone" / "openapi.json")])
    assert result.exit_code == 1
    assert result.output.endswith("openapi.json cannot be written: No such file or directory\n")


def test_the_command_refuses_to_keep_a_breaking_change(tmp_path, served):
    file = tmp_path / "openapi.json"
    before = {**served, "paths": {**served["paths"], "/api/v1/former": {"get": {"responses": {}}}}}
    file.write_text(written(before))
    result = CliRunner().invoke(main, ["openapi", "--write", str(file)])
    assert result.exit_code == 1
    assert "GET /api/v1/former: the operation is gone" in result.output
    assert json.loads(file.read_text()) == before


def test_without_the_kept_description_too_a_breaking_change_is_refused(tmp_path, served, monkeypatch):
    """What was released counts, whatever becomes of the file."""
    monkeypatch.setattr(openapi, "described", lambda: {**served, "paths": {}})
    file = tmp_path / "openapi.json"
    result = CliRunner().invoke(main, ["openapi", "--write", str(file)])
    assert result.exit_code == 1
    assert "POST /api/v1/games: the operation is gone" in result.output
    assert not file.exists()


@pytest.mark.parametrize(
    "change", [lambda file: file.unlink(), lambda file: file.write_text("{}")], ids=["gone", "other"]
)
def test_a_released_description_that_was_tampered_with_is_no_way_out(tmp_path, served, monkeypatch, change):
    shutil.copytree(documents.folder() / "released", tmp_path / "released")
    monkeypatch.setattr(documents, "folder", lambda: tmp_path)
    assert openapi.refused(tmp_path / "openapi.json", served) == []
    change(openapi.released_file(openapi_views.VERSION))
    result = CliRunner().invoke(main, ["openapi", "--write", str(tmp_path / "openapi.json")])
    assert result.exit_code == 1
    assert "is not the description that was released as 1.0.0: restore it" in result.output


def test_every_released_description_is_kept_and_no_other():
    """Its digest stands beside the version of the interface: whoever changes one changes the other."""
    assert {document["info"]["version"] for document in openapi.released()} == set(openapi_views.RELEASED)
    kept = {openapi.released_file(version) for version in openapi_views.RELEASED}
    assert set((documents.folder() / "released").iterdir()) == kept


def test_the_command_keeps_it_under_a_new_version(tmp_path, served, monkeypatch):
    file = tmp_path / "openapi.json"
    monkeypatch.setattr(openapi_views, "RELEASED", {})
    former = {"info": {"version": "0.1.0"}, "paths": {"/api/v1/former": {"get": {"responses": {}}}}}
    file.write_text(written(former))
    assert CliRunner().invoke(main, ["openapi", "--write", str(file)]).exit_code == 0
    assert json.loads(file.read_text()) == served
