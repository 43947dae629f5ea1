"""`hidalgo bench time`, on little."""

import json

from click.testing import CliRunner

from service.cli import main


def test_it_measures_looks_and_fired_deadlines():
    words = ["bench", "time", "--ticks", "3", "--due", "3", "--rounds", "1", "--most", "20", "--no-limits", "--json"]
    answer = CliRunner().invoke(main, words)
    assert answer.exit_code == 0, answer.output
    figures = {figure["name"]: figure for figure in json.loads(answer.stdout)["figures"]}
    assert figures["a look, 10 games waiting"]["value"] > 0
    assert figures["deadlines fired, 20 games waiting"]["value"] > 0
    assert figures["a look with many waiting to one with few"]["at_most"] == 1.2
