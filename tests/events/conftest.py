from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from events.buckets import USUAL, Buckets
from events.log import STUDIES, GameLog
from events.log.memory import MemoryLog
from events.log.redis import RedisLog
from tests.events.servers import KINDS

OF_STUDIES = " of studies in 300 buckets"


@pytest.fixture(params=["memory", *KINDS, *(kind + OF_STUDIES for kind in ("memory", "embedded", "cluster"))])
def log(request, running_stores) -> Iterator[GameLog]:
    """An empty log of each kind, also in another name space of a store with another number of buckets."""
    kind = request.param.removesuffix(OF_STUDIES)
    is_usual = kind == request.param
    with opened_log(kind, running_stores, USUAL if is_usual else Buckets(300)) as log:
        yield log if is_usual else log.space(STUDIES)


@contextmanager
def opened_log(kind: str, running_stores, buckets: Buckets = USUAL) -> Iterator[GameLog]:
    if kind == "memory":
        yield MemoryLog(buckets)
        return
    with running_stores.opened(kind, buckets.count) as store:
        yield RedisLog(store)
