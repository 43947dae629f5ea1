"""`hidalgo bench streams`."""

import json

from click.testing import CliRunner

from service.bench.command import bench
from service.bench.servers import percentile


def test_every_event_reaches_every_client_and_is_measured_against_a_bare_hub():
    few = ["--streams", "12", "--tables", "3", "--rate", "20", "--seconds", "0.3", "--rounds", "1"]
    answer = CliRunner().invoke(bench, ["streams", *few, "--no-limits", "--json"])
    assert answer.exit_code == 0, answer.output
    figures = {figure["name"]: figure for figure in json.loads(answer.output)["figures"]}
    assert figures["events read by clients"]["value"] == 6 * 4
    assert figures["ours to the bare hub: 50 %"]["at_most"] == 3
    assert figures["another request, 12 streams: 99 %"]["value"] > 0


def test_a_percentile_is_one_of_the_values():
    assert percentile([4, 1, 3, 2], 50) == 2
    assert percentile([4, 1, 3, 2], 99) == 4
