"""The kinds of settings: how the text of a variable is read, checked and written, and what a message says of it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from service.limits import OFF, parse_limit, plain

Network = IPv4Network | IPv6Network

SCHEMES = ("s3://", "s3+http://")
"""Of an archive that is no directory."""
LOCALE = Path(__file__).parents[1] / "locale"
"""Not there where only the packages are installed; then there are no translations."""


class BadSetting(ValueError):
    """The operator must mend the environment; the message is a sentence."""


WRITTEN_SECONDS = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


@dataclass(frozen=True)
class Kind:
    """A kind of value: its name, and how it is read and written. A text that cannot be read is a ValueError."""

    word: str
    what: str
    read: Callable[[str], Any]
    written: Callable[[Any], str] = str
    shown: Callable[[str], str] = str
    """A text that cannot be read, as a message may repeat it."""


WRITTEN_NUMBER = re.compile(r"[0-9]{1,9}")
MOST = 999_999_999


def number(least: int, most: int = MOST) -> Kind:
    def read(text: str) -> int:
        if not WRITTEN_NUMBER.fullmatch(text) or not least <= (value := int(text)) <= most:
            raise ValueError(text)
        return value

    return Kind("number", f"a number from {least} {'up' if most == MOST else f'to {most}'}", read)


def one_of(words: Mapping[str, Any]) -> Kind:
    """Words, and the value of each."""

    def read(text: str) -> Any:
        if text not in words:
            raise ValueError(text)
        return words[text]

    return Kind("word", " or ".join(words), read, lambda value: next(word for word in words if words[word] == value))


def _seconds(text: str) -> float:
    if not WRITTEN_SECONDS.fullmatch(text) or not (value := float(text)) > 0:
        raise ValueError(text)
    return value


def _pause(text: str) -> float:
    if not WRITTEN_SECONDS.fullmatch(text):
        raise ValueError(text)
    return float(text)


def _directory(text: str) -> Path:
    """A directory that is there, or can be made."""
    place = Path(text)
    there = next(path for path in (place, *place.absolute().parents) if path.exists())
    if not there.is_dir():
        raise ValueError(text)
    return place


def _directory_that_exists(text: str) -> Path:
    if not (place := Path(text)).is_dir() and place != LOCALE:
        raise ValueError(text)
    return place


def _store_address(text: str) -> str:
    # Imported when it is needed: most commands start faster without the client.
    from events.store.clients import check

    check(text)
    return text


def _without_password(address: str) -> str:
    """
    >>> _without_password("foo://juan:secreto@host/0?password=secreto")
    'foo://host/0?password=…'
    """
    scheme, separator, rest = address.rpartition("://")
    place, asked, options = rest.rpartition("@")[2].partition("?")
    return scheme + separator + place + asked + re.sub("=[^&]*", "=…", options)


def _networks(text: str) -> tuple[Network, ...]:
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


TEXT = Kind("text", "text", str)
PLACE = Kind("directory", "a directory", _directory)
MEMORY = Kind("path", "the path of shared memory", Path)
EXISTING_PLACE = Kind("directory", "a directory that exists", _directory_that_exists)
STORE_ADDRESS = Kind(
    "address", "the address of a store, such as redis://host:6379/0", _store_address, shown=_without_password
)
SECONDS = Kind("seconds", "a number of seconds above 0", _seconds, plain)
A_PAUSE = Kind("seconds", "a number of seconds, or 0", _pause, plain)
NETWORKS = Kind(
    "networks", "a list of networks, such as 10.1.0.0/16,fd00::/8", _networks, lambda them: ",".join(map(str, them))
)
A_LIMIT = Kind("limit", "5/60 (five in sixty seconds) or off", parse_limit, lambda limit: str(limit) if limit else OFF)


@dataclass(frozen=True)
class MailServer:
    """`smtps`: encrypted from the first byte. `smtp+starttls`: before anything is said. `smtp`: never."""

    scheme: str
    host: str
    port: int
    user: str = ""

    def __str__(self) -> str:
        return f"{self.scheme}://{f'{quote(self.user)}@' if self.user else ''}{self.host}:{self.port}"


MAIL_PORTS = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}


def parse_mail_server(text: str) -> MailServer:
    """
    >>> parse_mail_server("smtps://ana@mail.example")
    MailServer(scheme='smtps', host='mail.example', port=465, user='ana')
    """
    url = urlsplit(text)
    if url.scheme not in MAIL_PORTS or not url.hostname or url.password or url.path.strip("/") or url.query:
        raise ValueError(text)
    return MailServer(url.scheme, url.hostname, url.port or MAIL_PORTS[url.scheme], unquote(url.username or ""))


def _public_url(text: str) -> str:
    url = urlsplit(text)
    if url.scheme not in ("http", "https") or not url.hostname or url.query or url.fragment:
        raise ValueError(text)
    return text.rstrip("/")


def _address(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", text):
        raise ValueError(text)
    return text


def _readable(text: str) -> Path:
    try:
        Path(text).read_text()
    except OSError as problem:
        raise ValueError(text) from problem
    return Path(text)


def _archive(text: str) -> str:
    if "://" not in text:
        return os.fspath(_directory(text).absolute())
    url = urlsplit(text)
    if not text.startswith(SCHEMES) or not url.hostname or not url.path.strip("/") or url.password or url.query:
        raise ValueError(text)
    return text


A_FILE = Kind("file", "a file that can be read", _readable)
A_MAIL_SERVER = Kind(
    "mail server",
    "smtps://, smtp+starttls:// or smtp:// and a host, without a password",
    parse_mail_server,
    shown=lambda text: re.sub("//.*@", "//…@", text),
)
AN_URL = Kind("address", "an address such as https://hidalgo.example", _public_url)
AN_ARCHIVE = Kind(
    "place",
    "a directory, or an address such as s3://key@s3.example/games without the secret",
    _archive,
    shown=lambda text: re.sub("//.*@", "//…@", text),
)
AN_ADDRESS = Kind("mail address", "a mail address", _address)


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
                    raise BadSetting(f"{name} is {self.kind.what}, not {self.kind.shown(text)}") from None
        return None

    def written(self, value: Any) -> str:
        return "" if value is None else self.kind.written(value)
