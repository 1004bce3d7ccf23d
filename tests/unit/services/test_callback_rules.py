from ipaddress import IPv4Address, ip_address, ip_network

import pytest

from tilework.core.errors import OptionError
from tilework.core.services.callback_rules import CallbackRules, Origin
from tilework.core.settings import Settings

HOSTS = "hooks.example, http://inside.example:9000 10.1.2.3, http://[::1]:8080"


def make_rules(hosts=HOSTS, **changes):
    values = {"callback_hosts": hosts, "callback_secret": "s3cret", **changes}
    return CallbackRules(Settings.model_validate(values))


def test_allowed_urls():
    for url, origin, target in (
        ("https://hooks.example", Origin("https", "hooks.example", 443), "/"),
        ("https://HOOKS.example:443/a?b=c", Origin("https", "hooks.example", 443), "/a?b=c"),
        ("https://hooks.example?b=c", Origin("https", "hooks.example", 443), "/?b=c"),
        ("http://inside.example:9000/x", Origin("http", "inside.example", 9000), "/x"),
        ("https://10.1.2.3/", Origin("https", "10.1.2.3", 443), "/"),
        ("http://[0:0::1]:8080/", Origin("http", "::1", 8080), "/"),
    ):
        callback = make_rules().check(url)
        assert (callback.origin, callback.target) == (origin, target)


def test_other_origins_are_rejected():
    urls = (
        "http://hooks.example/ https://hooks.example:8443/ https://inside.example:9000/"
        " https://other.example/ https://sub.hooks.example/ https://hooks.example.other.example/"
        " https://127.0.0.1/ https://10.1.2.30/ https://0x0a010203/"
    )
    for url in urls.split():
        with pytest.raises(OptionError, match="not allowed to call") as error:
            make_rules().check(url)
        assert error.value.code == "callback-host"


def test_ambiguous_urls_are_rejected():
    urls = (
        "hooks.example file:///etc/passwd https://user@hooks.example/ https://[::1/ https://[1:2]/"
        " https://hooks.example@other.example/ https://other.example\\@hooks.example/"
        " https://hooks.example#@other.example/ https://hooks.example./ https://hooks.example:0/"
        " https://hooks.example:99999/ https://hoöks.example/"
    )
    urls_with_spaces = [
        "https://hooks.example/" + suffix for suffix in ("a b", "\r\nX-Other: 1", "\n", "a" * 2_000)
    ]
    for url in (*urls.split(), *urls_with_spaces, ""):
        with pytest.raises(OptionError, match="is not a URL") as error:
            make_rules().check(url)
        assert len(str(error.value)) < 300


def test_settings_are_validated():
    disabled = make_rules("")
    assert not disabled.is_enabled
    with pytest.raises(OptionError, match="does not send callbacks"):
        disabled.check("https://hooks.example/")
    names = ("a..b.example", ".a.example", "a.example.", "-a.example", "a-.example")
    long_names = ("x" * 64 + ".example", ".".join(["x" * 60] * 5))
    for entry in ("https://a.example/path", "*", "*.example", *names, *long_names):
        with pytest.raises(OptionError, match=r"TILEWORK_CALLBACK_HOSTS.*is not a host"):
            make_rules(f"http://{entry}:80, hooks.example" if "/" not in entry else entry)
    make_rules(f"{'x' * 63}.a_b.example")
    with pytest.raises(OptionError, match="TILEWORK_CALLBACK_SECRET"):
        make_rules("a.example", callback_secret=None)


def test_host_name_must_resolve_to_public_addresses():
    public = (
        "8.8.8.8 2001:4860:4860::8888 2606:2800:220:1::1 2a00:1450::1 ::ffff:8.8.8.8"
        " 2a00::200:5efe:808:808 64:ff9b::808:808 64:ff9b:1::808:808 2002:808:808::1"
    )
    private = (
        "127.0.0.1 10.0.0.1"  # and others; see below
        " :: ::1 fe80::1 fe80::1%1 fec0::1 fc00::1 fd00::1 ff02::1 100::1 4000::1 5f00::1 8000::1"
        " 2001::1 2001:0:808:808::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 3fff::1"
        # An IPv4 address in an IPv6 address
        " ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 ::8.8.8.8 ::ffff:0:127.0.0.1"
        " ::ffff:0:8.8.8.8 64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b:1::7f00:1 64:ff9b:1::c000:8"
        " 64:ff9b:1:7f00:0:100:808:808 64:ff9b:2::808:808 2002:7f00:1:: 2002:a00:1::1"
        " 2a00::5efe:7f00:1 2a00::200:5efe:a00:1 2002:808:808::5efe:7f00:1"
    )
    name = Origin("https", "hooks.example", 443)
    for ips, allowed in ((public, True), (private, False)):
        for ip in ips.split():
            assert make_rules().may_connect(name, ip_address(ip)) is allowed, ip
            assert make_rules(callback_private=True).may_connect(name, ip_address(ip))
            assert make_rules().may_connect(Origin("https", ip, 443), ip_address(ip))


def test_public_ipv4_addresses_are_those_that_no_registry_reserves():
    # Borders of all networks in IANA's registry of special IPv4 addresses, and around them.
    special = (
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24"
        " 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24"
        " 224.0.0.0/4 240.0.0.0/4"
    )
    networks = [ip_network(network) for network in special.split()]
    rules, name = make_rules(), Origin("https", "hooks.example", 443)
    ends = {int(end) for net in networks for end in (net[0], net[-1])}
    for number in sorted({end + step for end in ends for step in (-1, 0, 1)}):
        ip = IPv4Address(number % 2**32)
        assert rules.may_connect(name, ip) is not any(ip in net for net in networks), ip
