"""docs/scale.md is what the figures make of it."""

from pathlib import Path

import pytest

from service.bench.capacity import FIGURES, cores, figures, needs, page


def test_the_page_is_computed_from_the_figures():
    assert Path(FIGURES.parent, "scale.md").read_text() == page(figures()), "./hidalgo bench capacity > docs/scale.md"


def test_games_need_more_the_less_they_are_over():
    measured = figures()
    playing, packed, archived = (needs(measured, *kind) for kind in ((1000, 0, 0), (0, 1000, 0), (0, 0, 1000)))
    assert playing.memory_gb > packed.memory_gb > archived.memory_gb > 0
    assert playing.start > packed.start
    assert (playing.archive_gb, packed.archive_gb) == (0, 0)
    assert archived.archive_gb == pytest.approx(1000 * measured["packed_game_kb"].value / 1e6)


def test_twice_as_many_moves_need_twice_the_processors():
    web, store, _ = cores(figures(), 100)
    assert cores(figures(), 200)[:2] == (2 * web, 2 * store)
