"""The rules for callbacks: allowed origins, and addresses on the internet.

A client chooses a URL that is called from inside the operator's network. Therefore a URL is parsed
strictly and compared with whole origins, and the IP addresses of its host are checked
before each call.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

from tilework.core.errors import OptionError
from tilework.core.messages import Message
from tilework.core.settings import Settings

MAX_URL_LENGTH: Final = 2_000

IpAddress = IPv4Address | IPv6Address

_LABEL: Final = "[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?"
_URL: Final = re.compile(
    rf"(?P<scheme>https?)://(?P<host>{_LABEL}(?:\.{_LABEL})*|\[[0-9a-f:.]+\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<target>[/?][!-\"$-~]*)?",
    re.IGNORECASE,
)
_MAX_NAME: Final = 253  # resolvers refuse longer names
_PORTS: Final = {"https": 443, "http": 80}
_MAX_QUOTED: Final = 100

# Each range of addresses of the internet: the first one, and the first one after it. The gaps are
# those of IANA's registries of special addresses.
_RANGES: Final = (
    "1.0.0.0-10.0.0.0 11.0.0.0-100.64.0.0 100.128.0.0-127.0.0.0 128.0.0.0-169.254.0.0"
    " 169.255.0.0-172.16.0.0 172.32.0.0-192.0.0.0 192.0.1.0-192.0.2.0 192.0.3.0-192.88.99.0"
    " 192.88.100.0-192.168.0.0 192.169.0.0-198.18.0.0 198.20.0.0-198.51.100.0"
    " 198.51.101.0-203.0.113.0 203.0.114.0-224.0.0.0"
    " 2001:200::-2001:db8:: 2001:db9::-2002:: 2003::-3fff:: 3fff:1000::-4000::"
)
_PUBLIC: Final = [[ip_address(end) for end in span.split("-")] for span in _RANGES.split()]
# IPv6 networks whose addresses end with an IPv4 address: mapped, or translated by a gateway.
_WITH_IPV4: Final = tuple(map(IPv6Network, ("::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/96")))
# What ISATAP puts before an IPv4 address.
_ISATAP: Final = (0x0000_5EFE, 0x0200_5EFE)


@dataclass(frozen=True, slots=True)
class Origin:
    """A scheme, a host and a port; the host is a name or an IP address without brackets."""

    scheme: str
    host: str
    port: int

    @property
    def ip(self) -> IpAddress | None:
        """The host, if it is an IP address."""
        try:
            return ip_address(self.host)
        except ValueError:
            return None

    @property
    def authority(self) -> str:
        """Host and port for the ``Host`` header, without the default port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class CallbackUrl:
    """An allowed URL: its origin, and its path with the query."""

    origin: Origin
    target: str


class CallbackRules:
    """The rules that the settings define.

    Raises OptionError if a host in the settings cannot be parsed, or if the secret is missing.
    """

    def __init__(self, settings: Settings) -> None:
        entries = settings.callback_hosts.replace(",", " ").split()
        self._origins = frozenset(_parse_entry(entry) for entry in entries)
        self._private = settings.callback_private
        if self._origins and settings.callback_secret is None:
            raise OptionError(
                "callback-secret",
                "TILEWORK_CALLBACK_HOSTS requires TILEWORK_CALLBACK_SECRET, which signs the calls",
            )

    @property
    def is_enabled(self) -> bool:
        """Whether callbacks are enabled."""
        return bool(self._origins)

    def check_enabled(self) -> None:
        """Raise OptionError if callbacks are disabled."""
        if not self.is_enabled:
            raise OptionError(
                "no-callbacks",
                "this service does not send callbacks; omit callback_url and poll the job",
            )

    def check(self, url: str) -> CallbackUrl:
        """Parse a URL and check that it is allowed.

        Raises OptionError if it is invalid or not allowed.
        """
        self.check_enabled()
        parsed = _parse(url) if len(url) <= MAX_URL_LENGTH else None
        if parsed is None:
            raise OptionError(
                "callback-url",
                "callback_url {url!r} is not a URL; write one like https://example.com/solved",
                url=url[:_MAX_QUOTED],
            )
        if parsed.origin not in self._origins:
            raise OptionError(
                "callback-host",
                "this service is not allowed to call {url!r}; its operator must allow that "
                "scheme, host and port",
                url=url[:_MAX_QUOTED],
            )
        return parsed

    def may_connect(self, origin: Origin, ip: IpAddress) -> bool:
        """Whether a callback may connect to an IP address of the origin's host.

        Private addresses require that the operator listed them, or allows private addresses.
        """
        return self._private or origin.ip is not None or _is_public(ip)


def find_host(url: str) -> str | None:
    """Return the host of a URL, or None if it is invalid."""
    parsed = _parse(url)
    return None if parsed is None else parsed.origin.host


def _parse(text: str) -> CallbackUrl | None:
    match = _URL.fullmatch(text)
    if match is None:
        return None
    scheme, host = match["scheme"].lower(), match["host"].lower()
    port = int(match["port"]) if match["port"] else _PORTS[scheme]
    if not 0 < port < 2**16 or len(host) > _MAX_NAME:
        return None
    if host.startswith("["):
        try:
            host = str(ip_address(host[1:-1]))
        except ValueError:
            return None
    target = match["target"] or "/"
    return CallbackUrl(
        Origin(scheme, host, port), target if target.startswith("/") else f"/{target}"
    )


def _parse_entry(entry: str) -> Origin:
    url = _parse(entry if "://" in entry else f"https://{entry}")
    if url is None or url.target != "/":
        raise OptionError(
            Message(
                "callback-hosts",
                "TILEWORK_CALLBACK_HOSTS contains {entry!r}, which is not a host; write it "
                "like example.com:8443",
                entry=entry[:_MAX_QUOTED],
            )
        )
    return url.origin


def _is_public(ip: IpAddress) -> bool:
    if isinstance(ip, IPv6Address):
        last = IPv4Address(int(ip) & 0xFFFF_FFFF)
        if int(ip) >> 32 & 0xFFFF_FFFF in _ISATAP and not _is_public(last):
            return False
        if any(ip in net for net in _WITH_IPV4):
            return _is_public(last)
        if ip.sixtofour is not None:
            return _is_public(ip.sixtofour)
    return any(
        first.version == ip.version and first <= ip < end  # type: ignore[operator]
        for first, end in _PUBLIC
    )
