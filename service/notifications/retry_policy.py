"""How often a delivery is tried, how long the pauses are, and when a webhook is disabled."""

from __future__ import annotations

from dataclasses import dataclass

from events.workers.backoff import backoff


@dataclass(frozen=True)
class RetryPolicy:
    """All times are in milliseconds."""

    attempts: int = 12
    """A delivery that has failed so often is parked."""
    first_pause: int = 5_000
    longest_pause: int = 3_600_000
    disable_after: int = 24 * 3_600_000
    """A webhook that had no success for so long is disabled when a delivery is parked."""

    def pause(self, attempts: int) -> int:
        """After so many attempts."""
        return round(backoff(attempts - 1, self.first_pause, self.longest_pause))
