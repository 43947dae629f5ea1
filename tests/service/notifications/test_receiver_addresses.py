"""The addresses to which deliveries may go, and those that are refused."""

from ipaddress import ip_address, ip_network

import pytest

from service.notifications.public_addresses import is_public
from service.notifications.receiver_addresses import AddressPolicy, AddressRefused

NOT_PUBLIC = {
    "this network": "0.0.0.0",
    "this network, too": "0.1.2.3",
    "private, large": "10.0.0.1",
    "private, middle": "172.16.0.1",
    "private, middle, end": "172.31.255.254",
    "private, small": "192.168.1.1",
    "shared by a provider": "100.64.0.1",
    "metadata of a cloud in shared space": "100.100.100.200",
    "loopback": "127.0.0.1",
    "loopback, end": "127.255.255.254",
    "link-local": "169.254.0.1",
    "metadata of most clouds": "169.254.169.254",
    "metadata over a public address": "168.63.129.16",
    "protocol assignments": "192.0.0.8",
    "metadata in protocol assignments": "192.0.0.192",
    "documentation 1": "192.0.2.1",
    "documentation 2": "198.51.100.1",
    "documentation 3": "203.0.113.1",
    "relays of 6to4": "192.88.99.1",
    "benchmarks": "198.18.0.1",
    "benchmarks, end": "198.19.255.255",
    "multicast": "224.0.0.1",
    "multicast, end": "239.255.255.255",
    "reserved": "240.0.0.1",
    "broadcast": "255.255.255.255",
    "unspecified, IPv6": "::",
    "loopback, IPv6": "::1",
    "IPv4-compatible": "::10.0.0.1",
    "IPv4-mapped loopback": "::ffff:127.0.0.1",
    "IPv4-mapped private": "::ffff:10.0.0.1",
    "IPv4-mapped metadata": "::ffff:a9fe:a9fe",
    "IPv4-translated": "::ffff:0:127.0.0.1",
    "NAT64 of loopback": "64:ff9b::127.0.0.1",
    "NAT64 of metadata": "64:ff9b::a9fe:a9fe",
    "NAT64 for local use": "64:ff9b:1::1",
    "6to4 of private": "2002:a00:1::1",
    "6to4 of loopback": "2002:7f00:1::",
    "Teredo": "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "discard": "100::1",
    "ORCHID": "2001:20::1",
    "documentation, IPv6": "2001:db8::1",
    "documentation, larger": "3fff::1",
    "segment routing": "5f00::1",
    "unique local": "fc00::1",
    "metadata, IPv6": "fd00:ec2::254",
    "link-local, IPv6": "fe80::1",
    "site-local": "fec0::1",
    "multicast, IPv6": "ff02::1",
}
PUBLIC = ["1.1.1.1", "9.9.9.9", "172.15.255.255", "172.32.0.1", "100.128.0.1", "2620:fe::9", "2606:4700::1111"]
PUBLIC += ["::ffff:9.9.9.9", "64:ff9b::9.9.9.9", "2002:909:909::1"]


@pytest.mark.parametrize("address", NOT_PUBLIC.values(), ids=NOT_PUBLIC)
def test_an_address_that_is_not_public_is_refused_also_behind_a_name(address):
    assert not is_public(ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(AddressRefused, match="not a public one"):
        AddressPolicy().endpoint(f"https://{host}/hook")
    behind = AddressPolicy(resolve=lambda host, port: [address])
    with pytest.raises(AddressRefused, match="not a public one"):
        behind.resolved(behind.endpoint("https://innocent.example/hook"))


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_allowed(address):
    assert is_public(ip_address(address))
    policy = AddressPolicy(resolve=lambda host, port: [address])
    assert policy.resolved(policy.endpoint("https://bot.example/")) == str(ip_address(address))


def test_a_name_with_one_bad_address_is_refused():
    policy = AddressPolicy(resolve=lambda host, port: ["9.9.9.9", "127.0.0.1"])
    with pytest.raises(AddressRefused):
        policy.resolved(policy.endpoint("https://bot.example/"))


@pytest.mark.parametrize("found", [[], ["nonsense"], ["fe80::1%eth0"]], ids=["nothing", "nonsense", "a zone"])
def test_a_name_without_an_address_is_refused(found):
    policy = AddressPolicy(resolve=lambda host, port: found)
    with pytest.raises(AddressRefused):
        policy.resolved(policy.endpoint("https://bot.example/"))


URLS = {
    "http": "http://bot.example/",
    "ftp": "ftp://bot.example/",
    "a file": "file:/etc/passwd",
    "gopher": "gopher://bot.example:70/_",
    "no scheme": "//bot.example/",
    "no host": "https:///path",
    "nothing": "https://",
    "a user": "https://ana@bot.example/",
    "a password": "https://ana:secret@bot.example/",
    "an empty user": "https://@bot.example/",
    "a fragment": "https://bot.example/#here",
    "port nought": "https://bot.example:0/",
    "a port too high": "https://bot.example:65536/",
    "no port": "https://bot.example:x/",
    "a port of another service": "https://bot.example:25/",
    "a letter like another": "https://bоt.example/",
    "a dot like another": "https://bot。example/",
    "digits like others": "https://①②⑦.0.0.1/",
    "a line end": "https://bot.example/\r\nHost: evil",
    "a tab": "https://bot\t.example/",
    "a space": "https://bot.example/a b",
    "a zero byte": "https://bot.example/\0",
    "a backslash": "https://bot.example\\@127.0.0.1/",
    "one number": "https://2130706433/",
    "hexadecimal": "https://0x7f000001/",
    "octal": "https://0177.0.0.1/",
    "a short address": "https://127.1/",
    "a number at the end": "https://bot.127/",
    "a hexadecimal end": "https://bot.0x7f/",
    "a zone": "https://[fe80::1%25eth0]/",
    "half an address": "https://[::1/",
    "an empty label": "https://bot..example/",
    "a label that is too long": f"https://{'x' * 64}.example/",
    "a dot at the end": "https://bot.example./",
    "an underscore": "https://bot_.example/",
    "too long": "https://bot.example/" + "x" * 500,
}


@pytest.mark.parametrize("url", URLS.values(), ids=URLS)
def test_a_url_that_names_no_receiver_is_refused(url):
    with pytest.raises(AddressRefused):
        AddressPolicy().endpoint(url)


def test_an_endpoint_keeps_the_parts_of_its_url():
    endpoint = AddressPolicy().endpoint("https://Bot.Example:8443/a/b?key=1&x=%20")
    assert (endpoint.host, endpoint.port, endpoint.target) == ("bot.example", 8443, "/a/b?key=1&x=%20")
    assert endpoint.host_header == "bot.example:8443"
    assert AddressPolicy().endpoint("https://[2620:fe::9]").host_header == "[2620:fe::9]"


def test_the_operator_may_allow_networks_also_over_http():
    policy = AddressPolicy([ip_network("10.1.0.0/16"), ip_network("::1/128")], lambda host, port: ["10.1.2.3"])
    assert policy.resolved(policy.endpoint("http://bot.internal:80/")) == "10.1.2.3"
    assert policy.resolved(policy.endpoint("http://[::1]:9000/")) == "::1"
    with pytest.raises(AddressRefused, match="not a public one"):
        policy.endpoint("https://10.2.0.1/")
    elsewhere = AddressPolicy([ip_network("10.1.0.0/16")], lambda host, port: ["9.9.9.9"])
    for url in ("http://bot.example/", "https://bot.example:25/"):
        with pytest.raises(AddressRefused):
            elsewhere.resolved(elsewhere.endpoint(url))
