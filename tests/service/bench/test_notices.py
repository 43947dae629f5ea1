"""`hidalgo bench notices`, on little."""

import json

from click.testing import CliRunner

from service.cli import main


def test_it_measures_commits_round_trips_and_how_far_behind_the_notifier_is():
    few = ["--tables", "4", "--commits", "100", "--rounds", "2", "--seconds", "0.2"]
    answer = CliRunner().invoke(main, ["bench", "notices", *few, "--no-limits", "--json"])
    assert answer.exit_code == 0, answer.output
    figures = {figure["name"]: figure for figure in json.loads(answer.stdout)["figures"]}
    assert figures["commits read by the notifier"]["at_least"] == 1500
    assert figures["commits read by the bare consumer"]["value"] > 0
    assert 0 < figures["round trips to the store, a commit"]["value"] <= 1
    assert figures["round trips to the store, a commit"]["at_most"] == 1
    assert figures["moves beside a scheduler"]["value"] > 0
    assert figures["the notifier behind the last move"]["at_most"] == 1000
