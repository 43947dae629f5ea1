"""`hidalgo bench log`: finished games, before and after they are packed."""

import tempfile
from pathlib import Path

from service.bench.packing import FEWEST_GAMES, packed_games


def test_a_packed_game_costs_an_eighth():
    with tempfile.TemporaryDirectory(prefix="hidalgo-") as folder:
        figures = {figure.name: figure for figure in packed_games(Path(folder, "data"), FEWEST_GAMES, rounds=1)}
    before, after = (figures[f"a {kind} game, on disk"] for kind in ("finished", "packed"))
    assert 100 < before.value < 250
    assert after.value < 25
    assert after.value < before.value / 7
    assert [figure.at_most for figure in figures.values() if figure.at_most is not None] == [25, 25, 2, 1.5]
    assert all(figure.value > 0 for figure in figures.values())
