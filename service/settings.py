"""Every setting, read from the environment once and checked here. No other module looks into the environment.

`docs/settings.md` is made of this one: `./hidalgo settings > docs/settings.md`.

>>> Settings.from_env({"HIDALGO_PORT": "8080", "HIDALGO_WEBHOOKS_TO": "10.1.0.0/16"}).port
8080
>>> Settings.from_env({"HIDALGO_PORT": "none"})
Traceback (most recent call last):
service.settings.BadSetting: HIDALGO_PORT is a number from 0 to 65535, not none
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network, ip_network
from math import inf
from pathlib import Path
from typing import Annotated, Any, get_origin, get_type_hints

Network = IPv4Network | IPv6Network

THREADS_WITHOUT_STREAM = 16
"""So many threads are never held by streams."""


class BadSetting(ValueError):
    """The operator must mend the environment; the message is a sentence."""


# Limits

MOST_AT_ONCE = 1_000_000
LONGEST_REST = 366 * 86_400
"""Seconds. Neither is a limit to anybody; beyond them, the store could not count."""


@dataclass(frozen=True)
class Limit:
    """So many at once; after `seconds` of rest, so many again."""

    burst: int
    seconds: float

    def __post_init__(self) -> None:
        if not (1 <= self.burst <= MOST_AT_ONCE and 1e-3 <= self.seconds <= LONGEST_REST):
            raise ValueError(f"{self.burst} in {self.seconds} seconds is no limit")

    def __str__(self) -> str:
        return f"{self.burst}/{_plain(self.seconds)}"


LIMITS: dict[str, tuple[Limit, str]] = {
    "sign_ins_of_a_handle": (Limit(20, 600), "sign-ins under one handle"),
    "passwords_of_an_account": (Limit(20, 600), "passwords given by one account that has a token or a session"),
    "sign_ins_from_an_address": (Limit(200, 600), "sign-ins from one address"),
    "accounts_from_an_address": (Limit(100, 3600), "accounts registered from one address"),
    "guests_from_an_address": (Limit(1000, 3600), "guests made from one address"),
    "reads_from_an_address": (Limit(6000, 60), "reads without an account, and unknown tokens, from one address"),
    "tables_of_an_account": (Limit(200, 3600), "tables made by one account"),
    "tables_from_an_address": (Limit(1000, 3600), "tables made from one address"),
    "seats_of_an_account": (Limit(1000, 3600), "seats taken or left, and invitations written, by one account"),
    "seats_from_an_address": (Limit(5000, 3600), "seats taken or left, and invitations written, from one address"),
    "changes_of_an_account": (Limit(600, 3600), "pauses, returns, vacations and moves taken back, by one account"),
    "changes_from_an_address": (Limit(3000, 3600), "pauses, returns, vacations and moves taken back, from one address"),
    "tokens_of_an_account": (Limit(100, 3600), "tokens made by one account"),
    "tokens_from_an_address": (Limit(500, 3600), "tokens made from one address"),
    "webhooks_of_an_account": (Limit(100, 3600), "webhooks made or changed, deliveries repeated, by one account"),
    "webhooks_from_an_address": (
        Limit(500, 3600),
        "webhooks made or changed, deliveries repeated, from one address",
    ),
    "webhook_tests_of_an_account": (Limit(10, 60), "webhooks tested by one account"),
    "webhook_tests_from_an_address": (Limit(60, 60), "webhooks tested from one address"),
}
"""Moves are not among them: a client that plays never has to wait. Nor is what ends a game or clears a table."""

DEFAULT_LIMITS: Mapping[str, Limit | None] = {name: limit for name, (limit, _) in LIMITS.items()}
LIMIT = "HIDALGO_LIMIT_"
OFF = "off"
WRITTEN_LIMIT = re.compile(r"([0-9]{1,9})/([0-9]{1,9}(?:\.[0-9]{1,9})?)")


def parse_limit(text: str) -> Limit | None:
    """`5/60` is five in a minute; `off` is no limit.

    >>> parse_limit("5/60"), parse_limit("off")
    (Limit(burst=5, seconds=60.0), None)
    """
    if text == OFF:
        return None
    if not (found := WRITTEN_LIMIT.fullmatch(text)):
        raise ValueError(text)
    return Limit(int(found[1]), float(found[2]))


# How values are written


@dataclass(frozen=True)
class Kind:
    """A kind of value: its name, and how it is read and written. A text that cannot be read is a ValueError."""

    word: str
    what: str
    read: Callable[[str], Any]
    written: Callable[[Any], str] = str


def number(least: int, most: int | None = None) -> Kind:
    def read(text: str) -> int:
        if not least <= (value := int(text)) <= (value if most is None else most):
            raise ValueError(text)
        return value

    return Kind("number", f"a number from {least} {'up' if most is None else f'to {most}'}", read)


def one_of(words: Mapping[str, Any]) -> Kind:
    """Words, and the value of each."""

    def read(text: str) -> Any:
        if text not in words:
            raise ValueError(text)
        return words[text]

    return Kind("word", " or ".join(words), read, lambda value: next(word for word in words if words[word] == value))


def _seconds(text: str) -> float:
    if not 0 < (value := float(text)) < inf:
        raise ValueError(text)
    return value


def _plain(number: float) -> str:
    return str(number).removesuffix(".0")


def _networks(text: str) -> tuple[Network, ...]:
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


TEXT = Kind("text", "text", str)
PLACE = Kind("directory", "a directory", Path)
SECONDS = Kind("seconds", "a number of seconds above 0", _seconds, _plain)
NETWORKS = Kind(
    "networks", "a list of networks, such as 10.1.0.0/16,fd00::/8", _networks, lambda them: ",".join(map(str, them))
)
A_LIMIT = Kind("limit", "5/60 (five in sixty seconds) or off", parse_limit, lambda limit: str(limit) if limit else OFF)


# The settings


@dataclass(frozen=True)
class Variable:
    """A variable of the environment. `shown` is its default in words; a `former` name is read as well."""

    name: str
    about: str
    read_by: str
    kind: Kind = TEXT
    shown: str = ""
    former: str = ""

    def read(self, environment: Mapping[str, str]) -> Any:
        """Its value; nothing where it is not set, or empty."""
        for name in (self.name, self.former):
            if text := environment.get(name, ""):
                try:
                    return self.kind.read(text)
                except ValueError:
                    raise BadSetting(f"{name} is {self.kind.what}, not {text}") from None
        return None

    def written(self, value: Any) -> str:
        return "" if value is None else self.kind.written(value)


WEB, SERVE, BOTH, STORES = "web servers", "`serve`", "web servers, schedulers", "all that open the store"


@dataclass(frozen=True)
class Settings:
    """Where a process finds its store, and how it serves."""

    store_url: Annotated[
        str | None,
        Variable("REDIS_URL", "Address of a store elsewhere.", STORES, shown="the embedded store"),
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
    host: Annotated[str, Variable("HIDALGO_HOST", "Address to listen on.", SERVE)] = "127.0.0.1"
    port: Annotated[
        int, Variable("HIDALGO_PORT", "Port to listen on; 0 takes a free one.", SERVE, number(0, 65535))
    ] = 8000
    workers: Annotated[int, Variable("HIDALGO_WORKERS", "Processes that answer.", SERVE, number(1))] = 1
    threads: Annotated[
        int,
        Variable(
            "HIDALGO_THREADS",
            f"Requests that a process answers at once; all but {THREADS_WITHOUT_STREAM} may be open event streams.",
            WEB,
            number(2 * THREADS_WITHOUT_STREAM),
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
    access_log: Annotated[
        bool,
        Variable(
            "HIDALGO_ACCESS_LOG",
            "`off`: only problems are logged, no line for every request.",
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
    pack_after: Annotated[
        float,
        Variable(
            "HIDALGO_PACK_AFTER",
            "Seconds from the end of a game until it is packed: kept in an eighth of the store's memory.",
            "schedulers",
            SECONDS,
        ),
    ] = 3600.0
    shared_metrics: Annotated[
        Path | None,
        Variable(
            "PROMETHEUS_MULTIPROC_DIR",
            "Directory in which processes count together; `serve` makes one for its workers.",
            BOTH,
            PLACE,
            shown="each process counts for itself",
        ),
    ] = None
    locale: Annotated[
        Path,
        Variable("HIDALGO_LOCALE", "Directory of translations.", f"{WEB}, `play`", PLACE, "`locale` beside the code"),
    ] = Path(__file__).parents[1] / "locale"
    language: Annotated[str, Variable("HIDALGO_LANGUAGE", "Language of the game in the terminal.", "`play`")] = "en"
    limits: Mapping[str, Limit | None] = field(default_factory=lambda: DEFAULT_LIMITS)

    @classmethod
    def from_env(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """The operator's settings, and the defaults for the rest. Raises `BadSetting`."""
        found = {name: each.read(environment) for name, each in VARIABLES.items()}
        given = {name: value for name, value in found.items() if value is not None}
        return cls(**given, limits=_limits(environment))

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


def limit_variable(name: str) -> str:
    """
    >>> limit_variable("tables_of_an_account")
    'HIDALGO_LIMIT_TABLES_OF_AN_ACCOUNT'
    """
    return LIMIT + name.upper()


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
