"""Figures are computed once for all readers, however many read at once, and whichever locks they share."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.tournaments import figures
from service.tournaments.figures import Figures
from tests.tournaments.hall import Hall


@pytest.fixture
def played():
    hall = Hall(8)
    hall.start()
    hall.play(2)
    return hall.tournament


def test_figures_that_share_a_lock_do_not_wait_for_each_other(played, monkeypatch):
    monkeypatch.setattr(figures, "LOCKS", 1)
    known = Figures()
    with ThreadPoolExecutor(4) as readers:
        crosstables = [readers.submit(known.crosstable, played) for _ in range(8)]
        standings = [readers.submit(known.standings, played) for _ in range(8)]
        assert len({id(each.result(60)) for each in crosstables}) == 1
        assert len({id(each.result(60)) for each in standings}) == 1


def test_what_figures_depend_on_makes_them_anew(played):
    known = Figures()
    first = known.standings(played)
    assert known.standings(played) is first
    assert known.standings(figures.as_after(played, 1)) != first
