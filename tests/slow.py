"""Slow tests that are not marked as slow: every test run names them at its end.

A time is no reason to fail: a busy machine would break the run. But a test that takes long every time belongs to the
drills in `tests/faults`, is marked `long`, or can do with less.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

SECONDS = 7.0
DRILLS = "tests/faults/"


class Report(Protocol):
    """The report of pytest on the set-up, the call or the tear-down of a test."""

    nodeid: str
    when: str | None
    duration: float
    keywords: Iterable[str]


def slow(reports: Iterable[Report]) -> list[Report]:
    """Those that take too long, the slowest first."""
    found = [report for report in reports if report.duration > SECONDS and not _may_be_slow(report)]
    return sorted(found, key=lambda report: -report.duration)


def _may_be_slow(report: Report) -> bool:
    return "long" in report.keywords or report.nodeid.startswith(DRILLS)


def lines(reports: Iterable[Report]) -> Iterator[str]:
    """A line for each."""
    for report in slow(reports):
        yield f"{report.duration:.1f} s {report.when} {report.nodeid}"
