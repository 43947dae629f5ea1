"""`hidalgo bench pairing`, with few players."""

import json

from click.testing import CliRunner

from service.bench.pairing import bench_pairing


def test_pairings_and_standings_are_measured():
    result = CliRunner().invoke(bench_pairing, ["--most", "132", "--no-limits", "--json"])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.output)["figures"]
    assert len(figures) == 8
    assert all(figure["value"] >= 0 for figure in figures)
