"""The file of the store is rewritten when most of it is out of date."""

import pytest

from events.store import connect
from events.store.rewriting import is_rewriting, rewrite_bloated
from tests.events.servers import eventually, server

LITTLE = 100_000


def file_size(store) -> int:
    [primary] = store.primaries().values()
    return int(primary.info("persistence")["aof_current_size"])


def overwrite(store, times: int) -> None:
    """Writes much of which little is left."""
    for _ in range(times):
        store.commands.set("games", b"x" * 1_000_000)


@pytest.mark.parametrize("store", ["embedded"], indirect=True)
def test_a_file_that_is_mostly_out_of_date_is_rewritten(store):
    rewrite_bloated(store, LITTLE)  # what other tests have left there
    eventually(lambda: not is_rewriting(store))
    assert not rewrite_bloated(store, LITTLE)
    overwrite(store, 20)
    assert file_size(store) > 20_000_000
    assert not rewrite_bloated(store)
    assert rewrite_bloated(store, LITTLE)
    eventually(lambda: not is_rewriting(store))
    assert file_size(store) < 2_000_000
    assert store.commands.get("games") == b"x" * 1_000_000
    assert not rewrite_bloated(store, LITTLE)


def test_a_server_whose_operator_wants_no_rewriting_is_left_alone():
    with server(auto_aof_rewrite_percentage=0) as running:
        store = connect(running.url)
        overwrite(store, 20)
        assert not rewrite_bloated(store, LITTLE)
        store.close()


def test_a_server_without_a_file_has_nothing_to_rewrite():
    with server(appendonly="no") as running:
        store = connect(running.url)
        overwrite(store, 3)
        assert not rewrite_bloated(store, 0)
        store.close()
