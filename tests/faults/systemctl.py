"""Stands in for systemctl on a machine without systemd: runs literally what a unit says.

It reads the unit from $UNITS, gives its command the environment, the directories and the notification that the unit
asks for, and stops it as the unit says. The options that shut a process in are tried by `test_systemd.py`.
"""

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from configparser import ConfigParser
from pathlib import Path

UNITS = Path(os.environ.get("UNITS", "/etc/systemd/system"))


def service(name: str) -> dict[str, str]:
    parser = ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string((UNITS / f"{name}.service").read_text())
    return dict(parser["Service"])


def start(name: str) -> None:
    unit = service(name)
    assert unit["Type"] == "notify"
    settings = dict(word.split("=", 1) for word in shlex.split(unit.get("Environment", "")))
    file = Path(unit["EnvironmentFile"].removeprefix("-"))
    if file.exists():
        settings |= dict(line.split("=", 1) for line in file.read_text().splitlines() if "=" in line)
    Path(settings["HIDALGO_DATA"]).mkdir(mode=int(unit["StateDirectoryMode"], 8), parents=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
        ready.bind(f"\0{UNITS}")
        ready.settimeout(min(120, int(unit["TimeoutStartSec"])))
        with (UNITS / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                shlex.split(unit["ExecStart"]),
                cwd="/",
                env=os.environ | settings | {"NOTIFY_SOCKET": f"@{UNITS}"},
                stdout=log,
                stderr=log,
                umask=int(unit["UMask"], 8),
                start_new_session=True,
            )
        (UNITS / f"{name}.pid").write_text(str(process.pid))
        assert ready.recv(100) == b"READY=1"


def stop(name: str) -> None:
    process = int((UNITS / f"{name}.pid").read_text())
    os.kill(process, signal.SIGTERM)
    ends = time.monotonic() + int(service(name)["TimeoutStopSec"])
    while Path(f"/proc/{process}").exists():
        assert time.monotonic() < ends, "it does not stop in time"
        time.sleep(0.05)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["daemon-reload"]:
            pass
        case ["enable", "--now", name]:
            start(name)
        case ["stop", name]:
            stop(name)
        case words:
            sys.exit(f"systemctl {words} is not known here")
