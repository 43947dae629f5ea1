"""How often a delivery is tried, how long the pauses are, and when a webhook is disabled."""

from __future__ import annotations

import random
from dataclasses import dataclass


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
        """After so many attempts: twice as long each time, with a random part."""
        pause = self.first_pause * 2 ** min(attempts - 1, 30)
        return round(min(self.longest_pause, pause) * random.uniform(0.5, 1))
