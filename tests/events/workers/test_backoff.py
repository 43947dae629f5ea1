"""Pauses before another try."""

import pytest

from events.workers.backoff import backoff


@pytest.mark.parametrize(("failures", "most"), [(0, 1), (1, 2), (5, 32), (6, 60), (7, 60), (10_000, 60)])
def test_the_pause_doubles_up_to_a_limit_and_is_not_the_same_for_all(failures, most):
    pauses = [backoff(failures, shortest=1, longest=60) for _ in range(100)]
    assert all(most / 2 <= pause <= most for pause in pauses)
    assert len(set(pauses)) > 1


def test_a_worker_whose_store_is_away_tries_again_soon():
    assert backoff(0) <= 0.05
    assert backoff(100) <= 5
