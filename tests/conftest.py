import pytest

from tests.events.servers import data, running_stores, store

__all__ = ["data", "running_stores", "store"]


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="also run the tests that take long")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--long"):
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="takes long; runs with --long"))
