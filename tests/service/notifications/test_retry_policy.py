"""Pauses between the attempts of a delivery."""

import pytest

from service.notifications.retry_policy import RetryPolicy


@pytest.mark.parametrize(
    ("attempts", "most"), [(1, 5_000), (2, 10_000), (5, 80_000), (11, 3_600_000), (49, 3_600_000), (5000, 3_600_000)]
)
def test_the_pause_doubles_up_to_a_limit_and_is_not_the_same_for_all(attempts, most):
    pauses = [RetryPolicy().pause(attempts) for _ in range(100)]
    assert all(most / 2 <= pause <= most for pause in pauses)
    assert len(set(pauses)) > 1
