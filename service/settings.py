"""Every setting, read from the environment once and checked here. No other module looks into the environment.

`docs/settings.md` is made of this one: `./hidalgo settings > docs/settings.md`.

>>> Settings.from_env({"HIDALGO_PORT": "8080", "HIDALGO_WEBHOOKS_TO": "10.1.0.0/16"}).port
8080
>>> Settings.from_env({"HIDALGO_PORT": "none"})
Traceback (most recent call last):
service.setting_kinds.BadSetting: HIDALGO_PORT is a number from 0 to 65535, not none
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, get_origin, get_type_hints

from events.archive import Place
from events.archive.places import place
from events.buckets import USUAL
from service.limits import DEFAULT_LIMITS, LIMIT, LIMITS, Limit, limit_variable
from service.setting_kinds import (
    A_FILE,
    A_LIMIT,
    A_MAIL_SERVER,
    A_PAUSE,
    AN_ADDRESS,
    AN_ARCHIVE,
    AN_URL,
    EXISTING_PLACE,
    LOCALE,
    MEMORY,
    NETWORKS,
    PLACE,
    SECONDS,
    STORE_ADDRESS,
    BadSetting,
    MailServer,
    Network,
    Variable,
    number,
    one_of,
)

__all__ = [
    "DEFAULT_LIMITS",
    "LIMITS",
    "OTHERS",
    "SERVICE_URL",
    "THREADS_WITHOUT_STREAM",
    "TOKEN",
    "VARIABLES",
    "BadSetting",
    "Limit",
    "MailServer",
    "Network",
    "Settings",
    "Variable",
    "described",
    "environment",
    "export",
    "limit_variable",
    "unknown_settings",
]

THREADS_WITHOUT_STREAM = 16
"""So many threads are never held by streams."""

WEB, SERVE, BOTH, STORES = "web servers", "`serve`", "web servers, schedulers", "all that open the store"


@dataclass(frozen=True)
class Settings:
    """Where a process finds its store, and how it serves."""

    store_url: Annotated[
        str | None,
        Variable("REDIS_URL", "Address of a store elsewhere.", STORES, STORE_ADDRESS, "the embedded store"),
    ] = None
    data: Annotated[
        Path | None,
        Variable("HIDALGO_DATA", "Directory of the embedded store.", STORES, PLACE, "this user's data directory"),
    ] = None
    fsync: Annotated[
        str,
        Variable(
            "HIDALGO_FSYNC",
            "`always`: an accepted move is on disk. `everysec`: faster; the last second may be lost when the machine "
            "stops.",
            "all that start the embedded store",
            one_of({"always": "always", "everysec": "everysec"}),
        ),
    ] = "always"
    store_memory: Annotated[
        int | None,
        Variable(
            "HIDALGO_STORE_MEMORY",
            "Megabytes that the embedded store may fill; then it refuses writes.",
            "all that start the embedded store",
            number(16),
            "half of the memory of the machine, or of the container",
        ),
    ] = None
    buckets: Annotated[
        int | None,
        Variable(
            "HIDALGO_BUCKETS",
            "Parts over which the games of a new store are spread, and the most nodes of a cluster. A store keeps the "
            "number that it began with.",
            STORES,
            number(USUAL.count, 1024),
            f"those of the store; {USUAL.count} for a new one",
        ),
    ] = None
    host: Annotated[str, Variable("HIDALGO_HOST", "Address to listen on.", SERVE)] = "127.0.0.1"
    port: Annotated[
        int, Variable("HIDALGO_PORT", "Port to listen on; 0 takes a free one.", SERVE, number(0, 65535))
    ] = 8000
    workers: Annotated[int, Variable("HIDALGO_WORKERS", "Processes that answer.", SERVE, number(1, 256))] = 1
    threads: Annotated[
        int,
        Variable(
            "HIDALGO_THREADS",
            f"Requests that a process answers at once; all but {THREADS_WITHOUT_STREAM} may be open event streams.",
            WEB,
            number(2 * THREADS_WITHOUT_STREAM, 65536),
        ),
    ] = 256
    proxies: Annotated[
        int,
        Variable(
            "HIDALGO_PROXIES",
            "Proxies of yours that every request comes through; 0: clients come directly.",
            WEB,
            number(0),
        ),
    ] = 0
    secure_cookies: Annotated[
        bool,
        Variable(
            "HIDALGO_SECURE_COOKIES",
            "`1`: cookies over HTTPS only. `0`: as the request came, or as the proxy says that it came.",
            WEB,
            one_of({"1": True, "0": False}),
        ),
    ] = False
    keep_alive: Annotated[
        float,
        Variable(
            "HIDALGO_KEEP_ALIVE",
            "Seconds of silence before a stream shows that it is alive, and the server learns whether the client is.",
            WEB,
            SECONDS,
            former="HIDALGO_HEARTBEAT",
        ),
    ] = 10.0
    shortest_decision: Annotated[
        float,
        Variable(
            "HIDALGO_SHORTEST_DECISION",
            "Seconds that the time control of a new table gives for a decision, at least.",
            WEB,
            SECONDS,
        ),
    ] = 5.0
    bot_pace: Annotated[
        float,
        Variable(
            "HIDALGO_BOT_PACE",
            "Seconds that a bot of the service lets players look at the table before each of its answers.",
            WEB,
            SECONDS,
        ),
    ] = 1.0
    self_play_pace: Annotated[
        float,
        Variable(
            "HIDALGO_SELF_PLAY_PACE",
            "The same at a table of a tournament where only bots play.",
            "schedulers",
            A_PAUSE,
        ),
    ] = 0.0
    shortest_reminded: Annotated[
        float,
        Variable(
            "HIDALGO_SHORTEST_REMINDED",
            "Seconds that a player must have for a decision to be reminded of it when four fifths of them are gone.",
            "schedulers",
            SECONDS,
        ),
    ] = 300.0
    access_log: Annotated[
        bool,
        Variable(
            "HIDALGO_ACCESS_LOG",
            "`off`: only problems are logged, no line for every request. Healthy answers to probes are never logged.",
            WEB,
            one_of({"on": True, "off": False}),
        ),
    ] = True
    webhooks_to: Annotated[
        Sequence[Network],
        Variable(
            "HIDALGO_WEBHOOKS_TO",
            "Networks to which webhooks may lead besides public addresses, such as `10.1.0.0/16,fd00::/8`; there over "
            "`http://` and to any port, too.",
            BOTH,
            NETWORKS,
            shown="none",
        ),
    ] = ()
    mail_server: Annotated[
        MailServer | None,
        Variable(
            "HIDALGO_MAIL_SERVER",
            "Mail server: `smtps://user@host` (encrypted, port 465), `smtp+starttls://user@host` (encrypted, port 587) "
            "or `smtp://host` (not encrypted, port 25).",
            BOTH,
            A_MAIL_SERVER,
            shown="none: no mail is sent",
        ),
    ] = None
    mail_password: Annotated[
        str, Variable("HIDALGO_MAIL_PASSWORD", "Password of the user at the mail server.", BOTH, shown="none")
    ] = ""
    mail_password_file: Annotated[
        Path | None,
        Variable("HIDALGO_MAIL_PASSWORD_FILE", "File with that password instead.", BOTH, A_FILE, shown="none"),
    ] = None
    mail_from: Annotated[
        str | None,
        Variable("HIDALGO_MAIL_FROM", "Address that letters come from.", BOTH, AN_ADDRESS, shown="none"),
    ] = None
    mail_window: Annotated[
        float,
        Variable(
            "HIDALGO_MAIL_WINDOW",
            "Seconds in which notices are collected for one letter.",
            "schedulers",
            SECONDS,
        ),
    ] = 60.0
    public_url: Annotated[
        str | None,
        Variable(
            "HIDALGO_PUBLIC_URL",
            "Address of this site, as people open it: links in letters begin with it, and apps (OAuth) know it by it.",
            BOTH,
            AN_URL,
            shown="for apps, the scheme and host of each request",
        ),
    ] = None
    pack_after: Annotated[
        float,
        Variable(
            "HIDALGO_PACK_AFTER",
            "Seconds from the end of a game until it is packed: kept in an eighth of the store's memory.",
            "schedulers",
            SECONDS,
        ),
    ] = 3600.0
    archive: Annotated[
        str,
        Variable(
            "HIDALGO_ARCHIVE",
            "Where finished games go that leave the store: a directory, or `s3://key@host/bucket/prefix` of an "
            "S3-compatible service.",
            STORES,
            AN_ARCHIVE,
            shown="none: games stay in the store",
        ),
    ] = ""
    archive_secret: Annotated[
        str, Variable("HIDALGO_ARCHIVE_SECRET", "Secret of the key at that service.", STORES, shown="none")
    ] = ""
    archive_secret_file: Annotated[
        Path | None,
        Variable("HIDALGO_ARCHIVE_SECRET_FILE", "File with that secret instead.", STORES, A_FILE, shown="none"),
    ] = None
    archive_after: Annotated[
        float,
        Variable(
            "HIDALGO_ARCHIVE_AFTER",
            "Seconds that a packed game stays in the store before it goes to the archive, if there is one.",
            "schedulers, `archive`",
            SECONDS,
        ),
    ] = 2_592_000.0
    archive_keep: Annotated[
        int | None,
        Variable(
            "HIDALGO_ARCHIVE_KEEP",
            "So many packed games stay in the store at most; the oldest of the others go to the archive before their "
            "time.",
            "schedulers, `archive`",
            number(0),
            "as many as are young enough",
        ),
    ] = None
    shared_metrics: Annotated[
        Path | None,
        Variable(
            "PROMETHEUS_MULTIPROC_DIR",
            "Directory in which processes count together; `serve` makes one for its workers.",
            BOTH,
            EXISTING_PLACE,
            shown="each process counts for itself",
        ),
    ] = None
    health_host: Annotated[
        str, Variable("HIDALGO_HEALTH_HOST", "Address of the endpoints of `scheduler`.", "`scheduler`")
    ] = "127.0.0.1"
    health_port: Annotated[
        int | None,
        Variable(
            "HIDALGO_HEALTH_PORT",
            "Port at which `scheduler` answers `/healthz`, `/readyz` and `/metrics`; 0 takes a free one.",
            "`scheduler`",
            number(0, 65535),
            "none",
        ),
    ] = None
    notify_socket: Annotated[
        str | None,
        Variable(
            "NOTIFY_SOCKET",
            "Set by systemd, which hears there that the process is ready.",
            "`serve`, `scheduler`",
            shown="none",
        ),
    ] = None
    shared_commits: Annotated[
        Path | None,
        Variable(
            "HIDALGO_SHARED_COMMITS",
            "Memory in which processes show each other their last commits; `serve` makes it for several workers.",
            BOTH,
            MEMORY,
            shown="each process asks the store",
        ),
    ] = None
    locale: Annotated[
        Path,
        Variable(
            "HIDALGO_LOCALE",
            "Directory of translations.",
            f"{WEB}, `play`",
            EXISTING_PLACE,
            "`locale` beside the code",
        ),
    ] = LOCALE
    language: Annotated[str, Variable("HIDALGO_LANGUAGE", "Language of the game in the terminal.", "`play`")] = "en"
    limits: Mapping[str, Limit | None] = field(default_factory=lambda: DEFAULT_LIMITS)

    @classmethod
    def from_env(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The operator's settings, and the defaults for the rest. Raises `BadSetting`."""
        found = {name: each.read(environment) for name, each in VARIABLES.items()}
        given = {name: value for name, value in found.items() if value is not None}
        settings = cls(**given, limits=_limits(environment))
        settings.check_mail()
        return settings

    def check_mail(self) -> None:
        """A mail server alone is not enough."""
        for name in ("mail_from", "public_url"):
            if self.mail_server and not getattr(self, name):
                raise BadSetting(f"HIDALGO_MAIL_SERVER needs {VARIABLES[name].name}, too")

    def password_of_mail(self) -> str:
        """From its file, if one is named."""
        if not self.mail_password_file:
            return self.mail_password
        try:
            return self.mail_password_file.read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise BadSetting(f"HIDALGO_MAIL_PASSWORD_FILE cannot be read: {error}") from None

    def archive_place(self) -> Place:
        """Where games go that leave the store."""
        secret = self.archive_secret
        if self.archive_secret_file:
            try:
                secret = self.archive_secret_file.read_text().strip()
            except (OSError, UnicodeDecodeError) as error:
                raise BadSetting(f"HIDALGO_ARCHIVE_SECRET_FILE cannot be read: {error}") from None
        return place(self.archive, secret)

    def to_env(self) -> dict[str, str]:
        """The variables from which another process reads these settings."""
        texts = {each.name: each.written(getattr(self, name)) for name, each in VARIABLES.items()}
        texts |= {limit_variable(name): A_LIMIT.written(limit) for name, limit in self.limits.items()}
        return {name: text for name, text in texts.items() if text}


VARIABLES: dict[str, Variable] = {
    name: hint.__metadata__[0]
    for name, hint in get_type_hints(Settings, include_extras=True).items()
    if get_origin(hint) is Annotated
}
"""By the name of the setting."""


def _limits(environment: Mapping[str, str]) -> dict[str, Limit | None]:
    variables = {limit_variable(name): name for name in LIMITS}
    for name in environment:
        if name.startswith(LIMIT) and name not in variables:
            raise BadSetting(f"there is no limit {name}; the limits are {', '.join(variables)}")
    given = {name: Variable(each, "", "", A_LIMIT) for each, name in variables.items() if environment.get(each)}
    return {**DEFAULT_LIMITS, **{name: variable.read(environment) for name, variable in given.items()}}


# For other processes


def export(settings: Settings) -> None:
    """Workers that this process starts from now on have these settings."""
    os.environ |= settings.to_env()


def environment(settings: Settings) -> dict[str, str]:
    """For a process with these settings, and with all that is not a setting as it is here."""
    names = {name for each in VARIABLES.values() for name in (each.name, each.former)}
    rest = {name: text for name, text in os.environ.items() if name not in names and not name.startswith(LIMIT)}
    return rest | settings.to_env()


# Others that the page tells of

SERVICE_URL = Variable("HIDALGO_URL", "Address of the service.", "`bot`", shown="http://127.0.0.1:8000")
TOKEN = Variable("HIDALGO_TOKEN", "Personal token of the player; guest makes a new guest.", "`bot`", shown="guest")
OTHERS = (
    SERVICE_URL,
    TOKEN,
    Variable("HIDALGO_VENV", "Place of the virtual environment.", "`./hidalgo`", PLACE, ".venv"),
    Variable(
        "HIDALGO_TEST_REDIS_URL",
        "A store on which the tests run, too; it must be empty, and is emptied.",
        "the tests",
        shown="none",
    ),
)


PREFIX = "HIDALGO_"
OF_TESTS = "HIDALGO_TEST_"


def unknown_settings(environment: Mapping[str, str] = os.environ) -> list[str]:
    """A sentence about each variable that looks like a setting and is none."""
    names = {name for each in described() for name in (each.name, each.former)}
    strangers = [name for name in sorted(environment) if name.startswith(PREFIX) and not name.startswith(OF_TESTS)]
    return [_unknown(name, names) for name in strangers if name not in names]


def _unknown(name: str, names: Iterable[str]) -> str:
    [nearest] = get_close_matches(name, names, 1, 0)
    return f"there is no setting {name}, and it counts for nothing; the most similar one is {nearest}"


def described() -> Iterator[Variable]:
    """All variables with their defaults, also the variables of limits."""
    for name, each in VARIABLES.items():
        yield each if each.shown else replace(each, shown=each.written(getattr(Settings(), name)))
    for name, (limit, about) in LIMITS.items():
        yield Variable(limit_variable(name), f"Limit: {about}.", WEB, A_LIMIT, str(limit))
    yield from OTHERS
