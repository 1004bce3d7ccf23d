"""Removes secrets from logs: those of this process, and anything that looks like a secret.

Code that reads a secret calls `hide` with it; everything that is logged passes through `redact`.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl, quote, quote_plus, unquote

_MASK: Final = "[hidden]"

# Hiding every "a" or "db" would make logs unreadable, and such secrets can be guessed anyway.
_MIN_LENGTH: Final = 4
MAX_LENGTH: Final = 4_000  # characters of a line
_hidden: set[str] = set()

_SENSITIVE: Final = r"(?:key|token|secret|auth|credential|passw|session)"
_PATTERNS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), replacement)
    for pattern, replacement in (
        # Headers, as sent, as named by WSGI, and as printed in dictionaries.
        (
            r"\b((?:http_)?(?:proxy[-_])?(?:authorization|(?:set[-_])?cookie"
            rf"|x[-_][\w-]{{0,40}}{_SENSITIVE}[\w-]{{0,40}})(?:['\"]?\s*[:=,]\s*[bru]?['\"]?))[^'\"\r\n\\]+",
            rf"\1{_MASK}",
        ),
        (r"\b(bearer\s+)[\w.~+/=-]{6,}", rf"\1{_MASK}"),
        (r"\b(tilework_client=)[^\s;'\",]+", rf"\1{_MASK}"),
        # kombu writes this whether a URL has a password or not.
        (r"://:\*\*@", "://"),
        (r"(\b[a-z][a-z0-9+.-]{0,30}://[^\s/:@'\"]{0,200}:)[^\s@'\"]{1,400}@", rf"\1{_MASK}@"),
    )
)


def hide(secret: str) -> None:
    """Hide a secret from now on, also in its URL-quoted forms."""
    for form in (secret, unquote(secret), quote(secret, safe=""), quote_plus(secret)):
        if len(form) >= _MIN_LENGTH:
            _hidden.add(form)


def hide_secrets(url: str) -> None:
    # Not with a URL parser, because the drivers accept passwords with any character.
    if match := re.search(r"://[^:/@]*:(.+)@", url):
        hide(match[1])
    for name, value in parse_qsl(url.partition("?")[2]):
        if re.search(_SENSITIVE, name, re.IGNORECASE):
            hide(value)


def redact(text: str) -> str:
    """Return the text without secrets, and truncated if it is very long."""
    # The longest first, because one secret may begin with another.
    for secret in sorted(_hidden, key=len, reverse=True):
        text = text.replace(secret, _MASK)
    # Truncated first, because the patterns are slow. A secret cut in two is not visible either way.
    text = text[: 2 * MAX_LENGTH]
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text if len(text) <= MAX_LENGTH else f"{text[:MAX_LENGTH]}…"
