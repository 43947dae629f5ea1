"""The addresses to which deliveries may go: public ones, and the networks that the operator allows besides.

The service can reach what its users cannot: its own store, the machines beside it, the metadata of a cloud. So an
address is checked after the name was resolved, and the connection is made to that very address.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from events.errors import Declined
from rules.texts import say
from service.notifications.public_addresses import Address, is_public

LONGEST_URL = 500
VISIBLE = re.compile(r"[\x21-\x7e]+")
NAME = re.compile(r"(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
"""The last label begins with a letter: what ends in a number is an address, however strangely it is written."""

Network = IPv4Network | IPv6Network
Resolve = Callable[[str, int], Sequence[str]]
"""The addresses of a name."""


class AddressRefused(Declined):
    """No delivery goes to this address."""

    code = "address_refused"


class Endpoint(Struct, frozen=True):
    """The receiver that a URL names: a host name or an address, a port, and the target of the request."""

    is_secure: bool
    host: str
    port: int
    target: str

    @property
    def host_header(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.is_secure else 80) else f"{host}:{self.port}"


class AddressPolicy:
    """The addresses that are allowed: public ones, and the networks given."""

    def __init__(self, allowed: Sequence[Network] = (), resolve: Resolve | None = None) -> None:
        self._allowed = allowed
        self._resolve = resolve or addresses_of

    def endpoint(self, url: str) -> Endpoint:
        """The endpoint of a URL, checked as far as that is possible before its name is resolved."""
        parts = _parts(url)
        host, port = _host(parts), parts.port or {"https": 443, "http": 80}[parts.scheme]
        query = f"?{parts.query}" if parts.query else ""
        endpoint = Endpoint(parts.scheme == "https", host, port, (parts.path or "/") + query)
        if not endpoint.is_secure and not self._allowed:
            raise AddressRefused(say("a webhook must begin with https://"))
        if (address := _literal(host)) is not None:
            self._check(endpoint, address)
        elif port != 443 and port < 1024 and not self._allowed:
            raise AddressRefused(say("the port of a webhook is 443, or 1024 and above"))
        return endpoint

    def resolved(self, endpoint: Endpoint) -> str:
        """The address to connect to: the first address of the name, if all its addresses are allowed."""
        literal = _literal(endpoint.host)
        try:
            found = [literal] if literal else [ip_address(text) for text in self._resolve(endpoint.host, endpoint.port)]
        except (OSError, ValueError):
            raise AddressRefused(say("the name of the receiver cannot be resolved")) from None
        if not found:
            raise AddressRefused(say("the name of the receiver cannot be resolved"))
        for address in found:
            self._check(endpoint, address)
        return str(found[0])

    def _check(self, endpoint: Endpoint, address: Address) -> None:
        if any(address in network for network in self._allowed if network.version == address.version):
            return
        if not is_public(address):
            raise AddressRefused(say("the address of the receiver is not a public one"))
        if not endpoint.is_secure:
            raise AddressRefused(say("a webhook must begin with https://"))
        if endpoint.port != 443 and endpoint.port < 1024:
            raise AddressRefused(say("the port of a webhook is 443, or 1024 and above"))


def addresses_of(host: str, port: int) -> list[str]:
    return [str(address[0]) for *_, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def _parts(url: str) -> SplitResult:
    if len(url) > LONGEST_URL:
        raise AddressRefused(say("the URL of a webhook has {longest} characters at most", longest=LONGEST_URL))
    if not VISIBLE.fullmatch(url) or "\\" in url:
        raise AddressRefused(
            say("the URL of a webhook has visible ASCII characters only; write others as %C3%B1 or xn--…")
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise AddressRefused(say("this is not a URL")) from None
    if parts.scheme not in ("https", "http") or not parts.netloc:
        raise AddressRefused(say("a webhook must begin with https://"))
    if "@" in parts.netloc:
        raise AddressRefused(say("the URL of a webhook has no user and no password"))
    if parts.fragment or port == 0:
        raise AddressRefused(say("this is not the URL of a receiver"))
    return parts


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if _literal(host) is None and not NAME.fullmatch(host):
        raise AddressRefused(say("this is not the name of a host"))
    return host


def _literal(host: str) -> Address | None:
    """The address that a host is written as, in the usual way; none if it is a name."""
    try:
        return ip_address(host) if "%" not in host else None
    except ValueError:
        return None
