"""How long a worker waits before it tries again."""

import random

SHORTEST, LONGEST = 0.05, 5.0
"""In seconds, for workers whose store is away."""


def backoff(failures: int, shortest: float = SHORTEST, longest: float = LONGEST) -> float:
    """A pause after so many failures before the last one: doubled each time, with a random part, so that processes
    that failed together do not come back together.

    >>> 0.1 <= backoff(2) <= 0.2
    True
    """
    return min(longest, shortest * 2 ** min(failures, 30)) * random.uniform(0.5, 1)
