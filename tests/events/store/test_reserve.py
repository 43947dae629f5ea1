"""Nothing new begins when there is little room left."""

import pytest

from events.errors import StoreFull, StoreUnavailable
from events.store import Store, connect, reserve
from events.store.reserve import Reserve
from tests.events.servers import embedded_server, server


@pytest.fixture(autouse=True)
def look_every_time(monkeypatch):
    monkeypatch.setattr(reserve, "SECONDS_BETWEEN_LOOKS", -1)


def test_without_a_limit_there_is_room(store: Store):
    Reserve(store).check()


def test_nine_tenths_of_the_memory_are_enough():
    with server() as running, running.client() as operator:
        store = connect(running.url)
        used = int(operator.info("memory")["used_memory"])
        operator.config_set("maxmemory", used * 2)
        Reserve(store).check()
        operator.config_set("maxmemory", int(used * 1.05))
        with pytest.raises(StoreFull, match="nothing new can begin"):
            Reserve(store).check()
        store.close()


def test_it_looks_once_in_a_while(monkeypatch):
    monkeypatch.setattr(reserve, "SECONDS_BETWEEN_LOOKS", 600)
    with server() as running:
        store = connect(running.url)
        kept = Reserve(store)
        kept.check()
        running.kill()
        kept.check()
        with pytest.raises(StoreUnavailable):
            Reserve(store).check()
        store.close()


def test_a_part_of_the_disk_is_kept(monkeypatch):
    with embedded_server() as running:
        store = connect(running.url)
        Reserve(store).check()
        monkeypatch.setattr(reserve, "DISK", 1 << 62)
        with pytest.raises(StoreFull):
            Reserve(store).check()
        store.close()


def test_a_server_that_does_not_tell_its_directory_is_not_asked_for_its_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(reserve, "DISK", 1 << 62)
    with server(unixsocket=tmp_path / "s", rename_command='CONFIG ""'):
        store = connect(f"unix://{tmp_path}/s")
        Reserve(store).check()
        store.close()
