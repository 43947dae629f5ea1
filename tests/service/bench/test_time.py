"""`hidalgo bench time`, on little."""

import json

from click.testing import CliRunner

from service.bench import lateness
from service.cli import main


def test_it_measures_looks_fired_deadlines_and_lateness(monkeypatch):
    monkeypatch.setattr(lateness, "LIMITS_MS", (1_000, 1_500))
    monkeypatch.setattr(lateness, "EACH", 1)
    words = ["bench", "time", "--ticks", "3", "--due", "3", "--rounds", "1", "--most", "20"]
    few = ["--playing", "5", "--real", "2", "--no-limits", "--json"]
    answer = CliRunner().invoke(main, [*words, *few])
    assert answer.exit_code == 0, answer.output
    figures = {figure["name"]: figure for figure in json.loads(answer.stdout)["figures"]}
    assert figures["a look, 10 games waiting"]["value"] > 0
    assert figures["deadlines fired, 20 games waiting"]["value"] > 0
    assert figures["a look with many waiting to one with few"]["at_most"] == 1.2
    assert figures["real deadlines late, alone"]["value"] > 0
    assert figures["99th percentile, beside 5 tables"]["at_most"] == 1
