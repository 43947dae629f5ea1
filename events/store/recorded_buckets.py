"""The number of a store's buckets (`events.buckets`): chosen when it is first used, and never changed.

With another number no game would be found, so it is in the store, in the key `hidalgo:buckets`, for all processes. A
store with games from before it was written down has the usual number.
"""

from __future__ import annotations

from typing import Any

from events.buckets import USUAL, Buckets
from events.errors import OtherBuckets
from events.store.clients import Client

KEY = "hidalgo:buckets"
FILLED = "hidalgo:{[0-9][0-9]}:*"
"""The keys of the buckets of a store that does not say how many it has."""


def recorded_buckets(client: Client, wanted: int | None) -> Buckets:
    """Those of this store; a new one gets as many as are wanted. `OtherBuckets` if it has another number."""
    count = _count(client, wanted or USUAL.count)
    if wanted not in (None, count):
        raise OtherBuckets(count, wanted)
    return Buckets(count)


def _count(client: Any, wanted: int) -> int:
    if not (found := client.get(KEY)):
        if any(True for _ in client.scan_iter(FILLED, count=1000)):
            return USUAL.count
        # Another process may be faster, and choose another number.
        client.set(KEY, wanted, nx=True)
        found = client.get(KEY)
    return int(found)
