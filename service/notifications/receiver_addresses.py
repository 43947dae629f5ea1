"""Where webhooks may lead: to public addresses, and to the networks that the operator allows besides.

The service stands where its users do not: it could reach its own store, the machines beside it, and the metadata of a
cloud. So an address is checked after the name was resolved, and the connection is made to that very address.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from service.accounts.errors import Declined

ALLOWED = "HIDALGO_WEBHOOKS_TO"
"""Networks to which webhooks may lead besides public addresses, such as `10.1.0.0/16,fd00::/8`; over http, too."""

LONGEST_URL = 500
VISIBLE = re.compile(r"[\x21-\x7e]+")
NAME = re.compile(r"(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
"""The last label begins with a letter: what ends in a number is an address, however strangely it is written."""

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Resolve = Callable[[str, int], Sequence[str]]
"""The addresses of a name."""

# From the registries of special addresses, and the one by which a cloud speaks to its machines over a public address.
NOT_PUBLIC = [
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
]
# Of IPv6 only this is for everybody, but for some parts of it.
PUBLIC_IPV6 = IPv6Network("2000::/3")
NOT_PUBLIC_IPV6 = [IPv6Network(network) for network in ("2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20")]
NAT64, SIX_TO_FOUR = IPv6Network("64:ff9b::/96"), IPv6Network("2002::/16")


class Refused(Declined):
    """Nothing is sent there."""

    code = "address_refused"


class Place(Struct, frozen=True):
    """Where a webhook leads: a name or an address, a port, and the rest."""

    is_secure: bool
    host: str
    port: int
    target: str

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.is_secure else 80) else f"{host}:{self.port}"


class Addresses:
    """What the operator allows."""

    def __init__(self, allowed: Sequence[Network] = (), resolve: Resolve | None = None) -> None:
        self._allowed = allowed
        self._resolve = resolve or resolved

    def place(self, url: str) -> Place:
        """Where a URL leads, as far as can be said without asking anybody."""
        parts = _parts(url)
        host, port = _host(parts), parts.port or {"https": 443, "http": 80}[parts.scheme]
        query = f"?{parts.query}" if parts.query else ""
        place = Place(parts.scheme == "https", host, port, (parts.path or "/") + query)
        if not place.is_secure and not self._allowed:
            raise Refused("a webhook must begin with https://")
        if (address := _literal(host)) is not None:
            self._check(place, address)
        elif port != 443 and port < 1024 and not self._allowed:
            raise Refused("the port of a webhook is 443, or 1024 and above")
        return place

    def checked(self, place: Place) -> str:
        """The address to connect to: the first of those that the name has, if all of them are allowed."""
        literal = _literal(place.host)
        try:
            found = [literal] if literal else [ip_address(text) for text in self._resolve(place.host, place.port)]
        except (OSError, ValueError):
            raise Refused("the name of the receiver cannot be resolved") from None
        if not found:
            raise Refused("the name of the receiver cannot be resolved")
        for address in found:
            self._check(place, address)
        return str(found[0])

    def _check(self, place: Place, address: Address) -> None:
        if any(address in network for network in self._allowed if network.version == address.version):
            return
        if not is_public(address):
            raise Refused("the address of the receiver is not a public one")
        if not place.is_secure:
            raise Refused("a webhook must begin with https://")
        if place.port != 443 and place.port < 1024:
            raise Refused("the port of a webhook is 443, or 1024 and above")


def is_public(address: Address) -> bool:
    """
    >>> [is_public(ip_address(text)) for text in ("9.9.9.9", "10.0.0.1", "2620:fe::9", "64:ff9b::10.0.0.1")]
    [True, False, True, False]
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in NOT_PUBLIC)
    if (inner := embedded(address)) is not None:
        return is_public(inner)
    return address in PUBLIC_IPV6 and not any(address in network for network in NOT_PUBLIC_IPV6)


def embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that this one is translated to on the way, if it is."""
    if address.ipv4_mapped:
        return address.ipv4_mapped
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address in SIX_TO_FOUR:
        return IPv4Address(int(address) >> 80 & 0xFFFFFFFF)
    return None


def networks_from(environment: Mapping[str, str] = os.environ) -> list[Network]:
    """
    >>> networks_from({"HIDALGO_WEBHOOKS_TO": "127.0.0.0/8, ::1/128"})
    [IPv4Network('127.0.0.0/8'), IPv6Network('::1/128')]
    """
    return [ip_network(text.strip()) for text in environment.get(ALLOWED, "").split(",") if text.strip()]


def resolved(host: str, port: int) -> list[str]:
    return [str(place[0]) for *_, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _parts(url: str) -> SplitResult:
    if len(url) > LONGEST_URL:
        raise Refused(f"the URL of a webhook has {LONGEST_URL} characters at most")
    if not VISIBLE.fullmatch(url) or "\\" in url:
        raise Refused("the URL of a webhook has visible ASCII characters only; write others as %C3%B1 or xn--…")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Refused("this is not a URL") from None
    if parts.scheme not in ("https", "http") or not parts.netloc:
        raise Refused("a webhook must begin with https://")
    if "@" in parts.netloc:
        raise Refused("the URL of a webhook has no user and no password")
    if parts.fragment or port == 0:
        raise Refused("this is not the URL of a receiver")
    return parts


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if _literal(host) is None and not NAME.fullmatch(host):
        raise Refused("this is not the name of a host")
    return host


def _literal(host: str) -> Address | None:
    """The address that a host is written as, in the usual way; nothing if it is a name."""
    try:
        return ip_address(host) if "%" not in host else None
    except ValueError:
        return None
