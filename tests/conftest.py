import gc
import os
import signal
from itertools import chain, groupby, islice

import pytest
from hypothesis import HealthCheck, settings

from service.operations import logs
from tests import bare, slow
from tests.events.servers import data, running_stores, store

__all__ = ["data", "running_stores", "store"]


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="also run the tests that take long")
    parser.addoption("--bare", action="store_true", help="hide all programs but Python that tests could use")


def pytest_configure(config):
    search_harder_with_long(config)
    if config.getoption("--bare") and "hidalgo-bare-" not in os.environ["PATH"]:
        bare.hide_programs()
    # A shell lets its background jobs ignore Ctrl-C, and programs that tests start would inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def search_harder_with_long(config):
    """How hard the property tests search: a little and always the same in CI, much and at random with `--long`."""
    calm = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
    settings.register_profile("ci", calm, max_examples=60, derandomize=True, database=None)
    settings.register_profile("long", calm, max_examples=1000, print_blob=True)
    settings.load_profile("long" if config.getoption("--long") else "ci")


# Lines of the log wait a moment for each other: they are written before pytest ends to capture what a test writes.


def then_flush():
    try:
        return (yield)
    finally:
        logs.flush()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_setup():
    return (yield from then_flush())


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call():
    return (yield from then_flush())


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_teardown(item, nextitem):
    try:
        return (yield from then_flush())
    finally:
        if nextitem is None or nextitem.path != item.path:
            leave_alone_what_is_kept()


def leave_alone_what_is_kept():
    """Whole games that tests share are millions of objects: the garbage collector would stop for seconds to look at
    them again and again, in the middle of tests that watch the time."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config, items):
    items[:] = shares(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1)))
    if config.getoption("--long"):
        return
    for item in items:
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="takes long; runs with --long"))


def shares(items, workers):
    """The tests in an order in which every worker begins with some that take long.

    Each gets a part of the list, and takes from the others when it has done its own. The first part begins with the
    drills that wait for real time, one after the other; the modules that need a browser are dealt out to the others.
    """
    drills = [item for item in items if "faults" in item.path.parts]
    piles = [drills, *([] for _ in range(workers - 1))]
    in_browser = [item for item in items if "browser" in item.path.parts]
    for _, module in groupby(in_browser, key=lambda item: item.path):
        min(piles[1:] or piles, key=len).extend(module)
    others = iter([item for item in items if not {"faults", "browser"}.intersection(item.path.parts)])
    for pile in piles:
        pile += islice(others, max(0, -(-len(items) // workers) - len(pile)))
    return [*chain.from_iterable(piles), *others]


def pytest_terminal_summary(terminalreporter, config):
    """Names tests that have become slow, unless all may take their time."""
    if config.getoption("--long"):
        return
    reports = [report for kind in ("passed", "failed", "") for report in terminalreporter.stats.get(kind, [])]
    if lines := list(slow.lines(reports)):
        terminalreporter.section(f"over {slow.SECONDS:.0f} s: make it faster, or see docs/development.md")
        terminalreporter.write_line("\n".join(lines))
