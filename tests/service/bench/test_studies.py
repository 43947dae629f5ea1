"""`hidalgo bench studies`: what edits cost."""

import tempfile
from pathlib import Path

from service.bench.studies import study_figures


def test_an_edit_costs_few_bytes():
    with tempfile.TemporaryDirectory(prefix="hidalgo-") as folder:
        figures = {figure.name: figure for figure in study_figures(Path(folder, "data"), 20)}
    assert len(figures) == 16
    # Memory is noisy where there is little of it.
    assert all(figure.value > 0 for name, figure in figures.items() if "memory" not in name)
    assert 500 < figures["a comment, as written"].value < 1000
    assert figures["a tried move, as written"].value < 6000
