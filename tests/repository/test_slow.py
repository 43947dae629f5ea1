"""Tests that have become slow do not go unnoticed."""

from types import SimpleNamespace

import pytest

from tests.conftest import pytest_terminal_summary
from tests.slow import lines

ONE = "tests/rules/test_one.py::test_one"


def report(nodeid=ONE, seconds=7.1, when="call", **keywords):
    return SimpleNamespace(nodeid=nodeid, duration=seconds, when=when, keywords=keywords)


def test_the_slowest_comes_first():
    assert list(lines([report(), report(seconds=2), report(when="setup", seconds=40)])) == [
        f"40.0 s setup {ONE}",
        f"7.1 s call {ONE}",
    ]


def test_a_test_that_is_marked_or_a_drill_may_take_long():
    assert list(lines([report(long=1), report("tests/faults/test_kills.py::test_two")])) == []


class Run:
    """A test run that ends: what pytest has counted, and what is written below it."""

    stats = {"passed": [report()], "failed": [report(seconds=9)], "": [report(when="setup"), report(seconds=1)]}

    def __init__(self) -> None:
        self.written: list[str] = []

    def section(self, title):
        self.written.append(title)

    def write_line(self, text):
        self.written += text.splitlines()


@pytest.mark.parametrize(("is_long", "lines"), [(False, 4), (True, 0)], ids=["every run", "a long run"])
def test_every_run_ends_with_them_but_a_long_one(is_long, lines):
    run = Run()
    pytest_terminal_summary(run, SimpleNamespace(getoption=lambda _: is_long))
    assert len(run.written) == lines
