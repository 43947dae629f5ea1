"""`hidalgo bench cluster`."""

import json

import pytest
from click.testing import CliRunner

from service.cli import main


@pytest.mark.long
def test_three_nodes_take_what_one_store_takes():
    words = ["bench", "cluster", "--seconds", "0.3", "--rounds", "1", "--fsync", "everysec", "--no-limits", "--json"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    figures = {each["name"]: each["value"] for each in json.loads(done.stdout)["figures"]}
    assert figures["appends to the cluster"] > 0
    assert figures["the cluster to one store"] > 0
