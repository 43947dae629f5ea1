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
