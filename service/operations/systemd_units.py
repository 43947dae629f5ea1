"""The units with which systemd runs the service: `hidalgo systemd` prints them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from service.operations.serving import SECONDS_TO_STOP

UNIT = """\
# {name}, written by hidalgo systemd. docs/deployment.md says how it is put in place.
[Unit]
Description={description}
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
# It says when it answers.
Type=notify
ExecStart={command}
User={user}
Group={user}
{environment}# Settings of yours, a line for each, such as HIDALGO_PROXIES=1; a file that is not there is no settings.
EnvironmentFile=-{settings}
{directories}UMask=0077
LimitNOFILE=65536

# A setting that makes no sense is exit code 2: trying again does not mend it.
Restart=always
RestartSec=1
RestartPreventExitStatus=2
TimeoutStartSec=300
# It stops its workers and its store itself, in this order.
KillMode=mixed
TimeoutStopSec={seconds_to_stop}

NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RemoveIPC=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
"""

STATE = Path("/var/lib")
HIDDEN = (Path("/home"), Path("/root"), Path("/run/user"), Path("/tmp"), Path("/var/tmp"))
"""The unit does not see these directories, or sees others in their place."""
NAME = re.compile(r"[a-z_][a-z0-9_-]{0,30}")
PLAIN = re.compile(r"[\w/.,:+=@-]+")


class UnfitUnit(ValueError):
    """There is no such unit; the message is a sentence."""


@dataclass(frozen=True)
class Unit:
    """A process of the service under systemd. `data`: the directory of the embedded store, if there is one."""

    name: str
    description: str
    program: Path
    words: Sequence[str]
    user: str
    data: Path | None

    def __str__(self) -> str:
        return UNIT.format(
            name=self.name,
            description=self.description,
            command=" ".join(quoted(word) for word in (str(self.program), *self.words)),
            user=self.user,
            environment=f"Environment={quoted(f'HIDALGO_DATA={self.data}')}\n" if self.data else "",
            directories=directories(self.data) if self.data else "",
            settings=f"/etc/hidalgo/{self.name.removesuffix('.service')}.env",
            seconds_to_stop=4 * SECONDS_TO_STOP,
        )


def directories(data: Path) -> str:
    """Made by systemd below its own place for data; elsewhere by the operator."""
    if data.is_relative_to(STATE) and data != STATE:
        return f"StateDirectory={quoted(str(data.relative_to(STATE)))}\nStateDirectoryMode=0700\n"
    return f"ReadWritePaths={quoted(str(data))}\n"


def check(unit: Unit, python: Path | None = None) -> None:
    """Refuses a unit that could not start. `python`: where the interpreter of its program is."""
    if not NAME.fullmatch(unit.user):
        raise UnfitUnit(f"{unit.user} is not the name of a user")
    for place in (unit.program, unit.data, python):
        if place and not place.is_absolute():
            raise UnfitUnit(f"{place} is not a whole path, which begins with /")
        if place and any(place.is_relative_to(hidden) for hidden in HIDDEN):
            raise UnfitUnit(f"{place} is in a directory that the unit hides; use another, such as /opt or /var/lib")


def quoted(word: str) -> str:
    """As systemd reads it again.

    >>> quoted("/opt/hidalgo"), quoted("/opt/50% more")
    ('/opt/hidalgo', '"/opt/50%% more"')
    """
    escaped = word.replace("\\\\", "\\\\\\\\").replace('"', '\\\\"').replace("%", "%%").replace("$", "$$")
    return escaped if PLAIN.fullmatch(word) else f'"{escaped}"'
