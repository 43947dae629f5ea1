from collections.abc import Iterator

import pytest

from events.log import GameLog
from events.log.memory import MemoryLog
from events.log.redis import RedisLog
from tests.events.servers import KINDS


@pytest.fixture(params=["memory", *KINDS])
def log(request, running_stores) -> Iterator[GameLog]:
    """An empty log of each kind."""
    if request.param == "memory":
        yield MemoryLog()
        return
    with running_stores.opened(request.param) as store:
        yield RedisLog(store)
