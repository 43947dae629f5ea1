"""`hidalgo` on a machine whose clock is wrong: `python -m tests.faults.skewed SECONDS COMMAND...`."""

import sys
import time

_time, _time_ns = time.time, time.time_ns


def main(seconds: str, *command: str) -> None:
    time.time = lambda: _time() + int(seconds)
    time.time_ns = lambda: _time_ns() + int(seconds) * 1_000_000_000
    from service.cli import main as hidalgo

    hidalgo(command)


if __name__ == "__main__":
    main(*sys.argv[1:])
