"""Rate limits, where the store's clock is put back."""

import pytest

from events.store import Store
from service.accounts.rate_limits import Limits, TooOften
from service.settings import DEFAULT_LIMITS, Limit

LIMITS = {**DEFAULT_LIMITS, "tables_of_an_account": Limit(2, 60)}


def test_a_bucket_that_a_clock_ahead_has_emptied_is_full(store: Store):
    limits = Limits(store, LIMITS)
    limits.take("tables_of_an_account", "ana")
    [key] = [key for primary in store.primaries().values() for key in primary.keys("hidalgo:limit:*")]
    # As if the clock had been put back by ten minutes since.
    store.commands.set(key, int(store.commands.get(key) or 0) + 600_000_000, px=660_000)
    limits.take("tables_of_an_account", "ana")
    limits.take("tables_of_an_account", "ana")
    with pytest.raises(TooOften) as refusal:
        limits.take("tables_of_an_account", "ana")
    assert refusal.value.retry_after <= 60


def test_several_tries_are_taken_together_or_not_at_all(store: Store):
    limits = Limits(store, LIMITS | {"tables_of_an_account": Limit(5, 60)})
    limits.take("tables_of_an_account", "ana", 3)
    with pytest.raises(TooOften):
        limits.take("tables_of_an_account", "ana", 3)
    limits.take("tables_of_an_account", "ana", 2)
    with pytest.raises(TooOften):
        limits.take("tables_of_an_account", "ana")


def test_more_tries_than_there_ever_are_empty_a_full_bucket(store: Store):
    """Or else a small limit would forbid what costs much for good."""
    limits = Limits(store, LIMITS)
    limits.take("tables_of_an_account", "ana", 7)
    with pytest.raises(TooOften):
        limits.take("tables_of_an_account", "ana")
