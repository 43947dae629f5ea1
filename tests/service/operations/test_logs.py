"""The log: one form for every line of every process."""

import json
import logging
import subprocess
import sys
from threading import Event

import pytest

from service.operations import logs
from tests.events.servers import eventually

PROGRAM = """
import logging
from granian.log import LogLevels, configure_logging
from service.operations import logs
logs.configure()
configure_logging(LogLevels.error, logs.THROUGH_OURS)
logs.configure()
logging.getLogger("_granian").error("a worker has ended")
logging.getLogger("_granian").info("a worker begins")
logging.getLogger("apscheduler.scheduler").warning("a tick was missed")
logging.getLogger("events.workers.hub").warning("the hub hears nothing: %s", "it is late")
logging.getLogger("service.example").info("delivery", extra={"fields": {"game": "5tGm2WzQ"}})
logging.getLogger("events.example").info("unimportant")
"""


def line(**about) -> dict:
    return json.loads(logs.JsonFormatter().format(logging.makeLogRecord({"msg": "example", **about})))


def test_lines_of_ours_and_of_libraries_have_one_form():
    output = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stderr
    lines = [json.loads(line) for line in output.splitlines()]
    assert [(line["level"], line["event"]) for line in lines] == [
        ("error", "a worker has ended"),
        ("warning", "the hub hears nothing: it is late"),
        ("info", "delivery"),
    ]
    assert list(lines[2]) == ["game", "event", "level", "at"]


def test_an_exception_is_one_line_too():
    try:
        raise ZeroDivisionError("ay")
    except ZeroDivisionError:
        logged = line(exc_info=sys.exc_info())
    assert logged["exception"].splitlines()[0] == "Traceback (most recent call last):"
    assert logged["exception"].endswith("ZeroDivisionError: ay")


def test_a_value_that_is_not_json_is_logged_as_text():
    assert line(fields={"path": logging})["path"] == str(logging)


@pytest.mark.parametrize("trouble", [OSError, ValueError], ids=["full", "closed"])
def test_an_error_output_that_is_gone_stops_nothing(monkeypatch, trouble):
    class Gone:
        def write(self, text):
            raise trouble

    monkeypatch.setattr(sys, "stderr", Gone())
    output = logs.ErrorOutput()
    output.emit(logging.makeLogRecord({"msg": "example", "levelno": logging.INFO}))
    output.emit(logging.makeLogRecord({"msg": "example", "levelno": logging.ERROR}))


def test_a_line_is_written_soon_and_an_error_at_once(capsys):
    output = logs.ErrorOutput()
    for number in range(3):
        output.emit(logging.makeLogRecord({"msg": f"line {number}", "levelno": logging.INFO}))
    written: list[str] = []

    def are_all_written() -> bool:
        written.append(capsys.readouterr().err)
        return "".join(written) == "line 0\nline 1\nline 2\n"

    eventually(are_all_written)
    output.emit(logging.makeLogRecord({"msg": "trouble", "levelno": logging.ERROR}))
    assert capsys.readouterr().err == "trouble\n"


def test_an_output_that_takes_nothing_stops_no_request(monkeypatch):
    """A full pipe blocks its writer; lines that wait are few enough to be kept in memory."""
    taken, going_on = [], Event()

    class Stuck:
        def write(self, text):
            going_on.wait(30)
            taken.append(text)

        def flush(self):
            pass

    monkeypatch.setattr(sys, "stderr", Stuck())
    output = logs.ErrorOutput()
    for number in range(2 * logs.MOST_WAITING):
        output.emit(logging.makeLogRecord({"msg": f"line {number}", "levelno": logging.INFO}))
    going_on.set()
    eventually(lambda: bool(taken) and taken[-1].endswith(f"line {2 * logs.MOST_WAITING - 1}\n"))
