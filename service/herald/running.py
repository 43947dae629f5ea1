"""Herald and courier in one process, for as long as it lives."""

from __future__ import annotations

from threading import Event, Thread

from events.redis_log import RedisLog
from events.store import Store
from service.herald.addresses import Addresses, networks_from
from service.herald.courier import Courier
from service.herald.deliveries import CLAIMED_FOR, Patience
from service.herald.heralding import Herald
from service.herald.sending import Sender


def run(store: Store, stop: Event, patience: Patience | None = None, claimed_for: int = CLAIMED_FOR) -> None:
    """Tell everybody what concerns them, until told to stop."""
    courier = Courier(store, Sender(Addresses(networks_from())), patience=patience, claimed_for=claimed_for)
    herald = Herald(RedisLog(store), store, waits=courier.wake)
    delivering = Thread(target=courier.run, args=(stop,), name="courier", daemon=True)
    delivering.start()
    herald.run(stop)
    delivering.join()
