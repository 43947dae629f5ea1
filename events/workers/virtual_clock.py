"""A clock for simulations: its time stands still while there is something to do, and is put forward when there is not.

Everything else of the service is as it is when it serves. No process beside the simulation may use its store.
"""

from __future__ import annotations

from events.store import Store
from events.workers.heartbeat import Heartbeat


class VirtualClock(Heartbeat):
    """See `Heartbeat`; the service is never away."""

    def __init__(self, store: Store, now: int) -> None:
        super().__init__(store, serving=True)
        self._now = now

    def now(self) -> int:
        return self._now

    def served_until(self) -> int:
        return self._now

    def put_forward(self, to: int) -> None:
        """It is at least as late as this."""
        self._now = max(self._now, to)

    def beat(self, *, to_disk: bool = False) -> None:
        """No other process asks for the time."""

    def _make_sure(self) -> None:
        """No other process tells the time."""
