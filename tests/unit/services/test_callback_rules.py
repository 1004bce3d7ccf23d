"""What may be called, and what may not: the ways round an allow-list that are known."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from tilework.core.errors import OptionError
from tilework.core.services.callback_rules import CallRules, Origin
from tilework.core.settings import Settings

HOSTS = "hooks.example, http://inside.example:9000 10.1.2.3, http://[::1]:8080"


def rules(hosts: str = HOSTS, **changes: object) -> CallRules:
    values = {"callback_hosts": hosts, "callback_secret": "s3cret", **changes}
    return CallRules(Settings.model_validate(values))


@pytest.mark.parametrize(
    ("url", "origin", "target"),
    [
        ("https://hooks.example", Origin("https", "hooks.example", 443), "/"),
        ("https://HOOKS.example:443/a?b=c", Origin("https", "hooks.example", 443), "/a?b=c"),
        ("https://hooks.example?b=c", Origin("https", "hooks.example", 443), "/?b=c"),
        ("http://inside.example:9000/x", Origin("http", "inside.example", 9000), "/x"),
        ("https://10.1.2.3/", Origin("https", "10.1.2.3", 443), "/"),
        ("http://[0:0::1]:8080/", Origin("http", "::1", 8080), "/"),
    ],
)
def test_what_is_listed_may_be_called(url: str, origin: Origin, target: str) -> None:
    found = rules().check(url)
    assert (found.origin, found.target) == (origin, target)


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/",  # not by TLS
        "https://hooks.example:8443/",
        "https://inside.example:9000/",
        "https://other.example/",
        "https://sub.hooks.example/",
        "https://hooks.example.other.example/",
        "https://127.0.0.1/",
        "https://10.1.2.30/",
        "https://0x0a010203/",
    ],
)
def test_other_origins_are_refused(url: str) -> None:
    with pytest.raises(OptionError, match="may not call") as refused:
        rules().check(url)
    assert refused.value.code == "callback-host"


@pytest.mark.parametrize(
    "url",
    [
        "hooks.example",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "https://user@hooks.example/",
        "https://hooks.example@other.example/",
        "https://other.example\\@hooks.example/",
        "https://hooks.example#@other.example/",
        "https://hooks.example/a b",
        "https://hooks.example/\r\nX-Other: 1",
        "https://hooks.example/\n",
        "https://hooks.example./",
        "https://hooks.example:0/",
        "https://hooks.example:99999/",
        "https://hoöks.example/",
        "https://[::1/",
        "https://[1:2]/",
        "https://hooks.example/" + "a" * 2_000,
        "",
    ],
)
def test_what_is_read_in_two_ways_is_no_address(url: str) -> None:
    with pytest.raises(OptionError, match="is not an address") as refused:
        rules().check(url)
    assert len(str(refused.value)) < 300


def test_nothing_may_be_called_where_no_host_is_listed() -> None:
    none = rules("")
    assert not none.offered
    with pytest.raises(OptionError, match="calls nobody back"):
        none.check("https://hooks.example/")


@pytest.mark.parametrize("entry", ["https://a.example/path", "a b.example/x", "*", "*.example"])
def test_a_host_that_cannot_be_read_is_told_to_the_operator(entry: str) -> None:
    with pytest.raises(OptionError, match="TILEWORK_CALLBACK_HOSTS"):
        rules(entry)


def test_hosts_need_a_secret() -> None:
    with pytest.raises(OptionError, match="TILEWORK_CALLBACK_SECRET"):
        rules("a.example", callback_secret=None)


@pytest.mark.parametrize(
    ("ip", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("10.0.0.1", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("::", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
        ("ff02::1", False),
    ],
)
def test_a_name_may_stand_for_public_addresses_alone(ip: str, public: bool) -> None:
    name, literal = Origin("https", "hooks.example", 443), Origin("https", ip, 443)
    assert rules().may_connect(name, ip_address(ip)) is public
    assert rules(callback_private=True).may_connect(name, ip_address(ip))
    assert rules().may_connect(literal, ip_address(ip))
