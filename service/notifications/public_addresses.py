"""Which IP addresses are public."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address

# From the registries of special addresses; and one public address by which a cloud speaks to its machines.
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
# Of IPv6 only this block is public, except for some parts of it.
PUBLIC_IPV6 = IPv6Network("2000::/3")
NOT_PUBLIC_IPV6 = [IPv6Network(network) for network in ("2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20")]
NAT64, SIX_TO_FOUR = IPv6Network("64:ff9b::/96"), IPv6Network("2002::/16")


def is_public(address: Address) -> bool:
    """
    >>> from ipaddress import ip_address
    >>> [is_public(ip_address(text)) for text in ("9.9.9.9", "10.0.0.1", "2620:fe::9", "64:ff9b::10.0.0.1")]
    [True, False, True, False]
    """
    if isinstance(address, IPv4Address):
        return not any(address in network for network in NOT_PUBLIC)
    if (inner := embedded(address)) is not None:
        return is_public(inner)
    return address in PUBLIC_IPV6 and not any(address in network for network in NOT_PUBLIC_IPV6)


def embedded(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that this one is translated to on its way, if any."""
    if address.ipv4_mapped:
        return address.ipv4_mapped
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address in SIX_TO_FOUR:
        return IPv4Address(int(address) >> 80 & 0xFFFFFFFF)
    return None
